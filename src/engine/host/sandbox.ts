/**
 * A JavaScript world that holds nothing but the language and the engine.
 *
 * Go's runtime reaches for whatever stands on `globalThis`: `process`, `fs`, `fetch`. The module is run in a context of
 * its own where none of them exists and no code can be made from strings, and no object of the host is handed in: an
 * object would lead back to the host's `Function` by its constructor. Bytes are written into arrays that the context
 * itself allocates.
 */
import vm from 'node:vm';

/** What `wasm_exec.js` needs of a browser, in the language alone. Time stands still and chance is a counter: a build depends on neither. */
const shims = `
'use strict';
globalThis.lines = [];
globalThis.console = { log: (line) => lines.push(String(line)), warn: (line) => lines.push(String(line)), error: (line) => lines.push(String(line)) };
globalThis.performance = { now: () => 0 };
globalThis.setTimeout = () => 0;
globalThis.clearTimeout = () => {};
globalThis.crypto = { getRandomValues(array) { for (let i = 0; i < array.length; i++) array[i] = (i * 167 + 13) & 255; return array; } };
globalThis.TextEncoder = class {
  encode(text) {
    const bytes = unescape(encodeURIComponent(text));
    return Uint8Array.from(bytes, (byte) => byte.charCodeAt(0));
  }
};
globalThis.TextDecoder = class {
  decode(view) {
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    let text = '';
    for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode.apply(null, bytes.subarray(i, i + 8192));
    try { return decodeURIComponent(escape(text)); } catch { return text; }
  }
};
globalThis.__engineReady = (call) => { globalThis.engineCall = call; };
`;

const start = `
(() => {
  const go = new Go();
  go.env = {};
  const instance = new WebAssembly.Instance(new WebAssembly.Module(wasm), go.importObject);
  globalThis.wasm = undefined;
  go.run(instance);
  globalThis.allocate = (length) => (globalThis.input = new Uint8Array(length));
  globalThis.call = () => {
    const input = globalThis.input;
    globalThis.input = undefined;
    return engineCall(input);
  };
  globalThis.exited = () => go.exited === true;
})()
`;

export type Sandbox = {
  /** One synchronous call. Throws what the module throws; afterwards it must not be called again. */
  call(frame: Uint8Array): Uint8Array;
  /** What the module printed, for a bug report. */
  output(): string;
};

/** Compiles and starts the module. `parts` make it up; `runtime` is the text of the `wasm_exec.js` that belongs to its Go version. */
export function startSandbox(parts: readonly Uint8Array[], runtime: string): Sandbox {
  const inside = vm.createContext(Object.create(null), {
    codeGeneration: { strings: false, wasm: true },
  }) as {
    wasm: Uint8Array;
    allocate(length: number): Uint8Array;
    call(): Uint8Array;
    exited(): boolean;
    lines: string[];
  };
  vm.runInContext(shims, inside, { filename: 'shims.js' });
  vm.runInContext(runtime, inside, { filename: 'wasm_exec.js' });
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  inside.wasm = vm.runInContext(`new Uint8Array(${length})`, inside) as Uint8Array;
  let at = 0;
  for (const part of parts) {
    inside.wasm.set(part, at);
    at += part.length;
  }
  vm.runInContext(start, inside, { filename: 'start.js' });
  return {
    call(frame) {
      inside.allocate(frame.length).set(frame);
      const answer = inside.call();
      if (!answer || inside.exited()) throw new Error(`the engine stopped: ${inside.lines.slice(-20).join('\n')}`);
      return answer;
    },
    output: () => inside.lines.join('\n'),
  };
}
