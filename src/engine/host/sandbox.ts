/** A module in a world of its own (world.ts). */
import vm from 'node:vm';
import { emptyWorld } from './world.js';

/** What the type definitions of Node leave to those of a browser. */
declare const WebAssembly: { Module: new (bytes: Uint8Array<ArrayBuffer>) => object };

/**
 * Starts Go, or lets it go on from where the build stopped it (src/build/snapshot.mjs): its memory and registers are in the module,
 * and the section `go` holds which values of this world it had at hand, as runtime's `syscall/js` numbers them.
 */
const start = `
((module) => {
  // From here Go counts the time that has passed; the millisecond is the one at which the build stopped it.
  const { now } = Date;
  Date.now = () => 1;
  const go = new Go();
  Date.now = now;
  go.env = {};
  const instance = new WebAssembly.Instance(module, go.importObject);
  const [snapshot] = WebAssembly.Module.customSections(module, 'go');
  if (snapshot === undefined) go.run(instance);
  else {
    const { values, counts, call, next } = JSON.parse(new TextDecoder().decode(new Uint8Array(snapshot)));
    const named = (path) => path.split('.').reduce((value, name) => value[name], globalThis);
    const first = [NaN, 0, null, true, false, globalThis, go];
    go._inst = instance;
    go.mem = new DataView(instance.exports.mem.buffer);
    go._values = [...first, ...values.map((value) => typeof value === 'number' ? go._makeFuncWrapper(value) : named(value))];
    go._goRefCounts = [...first.map(() => Infinity), ...counts];
    go._ids = new Map(go._values.map((value, id) => [value, id]).slice(1));
    go._idPool = [];
    go._nextCallbackTimeoutID = next;
    go.exited = false;
    __engineReady(go._makeFuncWrapper(call));
  }
  globalThis.allocate = (length) => (globalThis.input = new Uint8Array(length));
  globalThis.call = () => {
    const input = globalThis.input;
    globalThis.input = undefined;
    return engineCall(input);
  };
  globalThis.exited = () => go.exited === true;
})
`;

export type Sandbox = {
  /** One synchronous call. Throws what the module throws; afterwards it must not be called again. */
  call(frame: Uint8Array): Uint8Array;
  /** What the module printed, for a bug report. */
  output(): string;
};

/** Compiles the module and starts it. */
export function startSandbox(wasm: Uint8Array<ArrayBuffer>, runtime: string): Sandbox {
  const inside = emptyWorld(runtime) as {
    allocate(length: number): Uint8Array;
    call(): Uint8Array;
    exited(): boolean;
    lines: string[];
  };
  // It is compiled out here, as its bytes would have to be copied into the world; without a prototype it leads to nothing of the host's.
  const module = Object.setPrototypeOf(new WebAssembly.Module(wasm), null);
  vm.runInContext(start, inside, { filename: 'start.js' })(module);
  return {
    call(frame) {
      inside.allocate(frame.length).set(frame);
      const answer = inside.call();
      if (!answer || inside.exited()) throw new Error(`the engine stopped: ${lastWords(inside.lines.join('\n'))}`);
      return answer;
    },
    output: () => inside.lines.join('\n'),
  };
}

/** Go says what is wrong before it lists what all of its threads were doing. */
function lastWords(printed: string): string {
  const lines = printed.split('\n');
  const why = lines.find((line) => line.startsWith('fatal error: '));
  return [...(why === undefined ? [] : [why]), ...lines.slice(-20)].join('\n');
}
