/**
 * A module as it is once Go has started: its memory, its registers, and what it has at hand of the world around it. Go's own start and
 * the initialisation of its packages (a fifth of a second of the `apply` module) then happen once, when the module is built, and not in
 * each run. Others do so too (bytecodealliance/wizer for WASI); Go's modules for JavaScript need their values of the world besides.
 *
 * The world of a module is the same in each run but for the clock (src/engine/host/world.ts), which stands at 1970 here, so that the
 * bytes are the same on any machine.
 */
import vm from 'node:vm';
import { importSource } from './source.mjs';

const [globalSection, exportSection, memorySection, dataSection, customSection] = [6, 7, 5, 11, 0];
const [i32, i32Const, i64Const, end] = [0x7f, 0x41, 0x42, 0x0b];
const pageBytes = 1 << 16;
const maxPages = 1 << 16;
/** So many zeros end a segment of data; a segment of its own costs about as much. */
const gap = 64;

const clock = `
globalThis.Date = class {
  static now() { return 1; }
  getTime() { return 1; }
  getTimezoneOffset() { return 0; }
};
`;

const run = `
((module) => {
  const go = new Go();
  go.env = {};
  const numbers = new Map();
  const wrap = go._makeFuncWrapper;
  go._makeFuncWrapper = (id) => {
    const wrapper = wrap.call(go, id);
    numbers.set(wrapper, id);
    return wrapper;
  };
  const instance = new WebAssembly.Instance(module, go.importObject);
  go.run(instance);
  const names = new Map();
  const isObject = (value) => typeof value === 'function' || (typeof value === 'object' && value !== null);
  const add = (owner, path) => {
    const found = Object.getOwnPropertyNames(owner).filter((name) => isObject(owner[name]) && !names.has(owner[name]));
    for (const name of found) names.set(owner[name], [...path, name].join('.'));
    return found;
  };
  for (const name of add(globalThis, [])) if (globalThis[name] !== globalThis) add(globalThis[name], [name]);
  return {
    memory: instance.exports.mem,
    registers: Object.entries(instance.exports).filter(([name]) => /^register\\d+$/.test(name)).map(([, { value }]) => value),
    // The first seven are those that each instance has.
    values: go._values.slice(7).map((value) => numbers.get(value) ?? names.get(value)),
    counts: go._goRefCounts.slice(7),
    call: numbers.get(globalThis.engineCall),
    next: go._nextCallbackTimeoutID,
    isIdle: go._pendingEvent === null && go._idPool.length === 0,
    printed: lines.join('\\n'),
  };
})
`;

/**
 * `module` is what Go's linker made, `runtime` the text of its `wasm_exec.js`. Throws where Go had at hand what has no name.
 *
 * @param {Buffer} module
 * @param {string} runtime
 * @returns {Promise<Buffer>}
 */
export async function snapshotOf(module, runtime) {
  const { sectionsIn, paddedNumber } = await importSource('src/engine/host/wasm.ts');
  const sections = [...sectionsIn(module)].map(({ id, from, to }) => ({ id, body: module.subarray(from, to) }));
  const types = registersOf(sections);
  const { emptyWorld } = await importSource('src/engine/host/world.ts');
  const world = emptyWorld(runtime);
  vm.runInContext(clock, world);
  const compiled = Object.setPrototypeOf(new WebAssembly.Module(withRegisters(sections, types.length)), null);
  const { memory, registers, values, counts, call, next, isIdle, printed } = vm.runInContext(run, world)(compiled);
  if (printed !== '') throw new Error(`the module printed ${printed}`);
  if (!isIdle || call === undefined) throw new Error('the module is not ready for a call');
  if (values.includes(undefined)) throw new Error('the module holds a value that has no name');
  const bytes = Buffer.from(memory.buffer);
  const written = new Map([
    // The most that it may have is written as long as it can be, so that the host can write another number over it.
    [memorySection, [1, 1, ...number(bytes.length / pageBytes), ...paddedNumber(maxPages)]],
    [globalSection, [...number(types.length), ...types.flatMap((type, index) => register(type, registers[index]))]],
    [dataSection, segments(bytes)],
  ]);
  return assembled([
    ...sections.map(({ id, body }) => ({ id, body: written.get(id) ?? body })),
    { id: customSection, body: [...name('go'), ...Buffer.from(JSON.stringify({ values, counts, call, next }))] },
  ]);
}

/** Go's linker keeps its registers in globals that can be changed, each with the value 0 (cmd/link/internal/wasm, writeGlobalSec). */
function registersOf(sections) {
  const body = sections.find(({ id }) => id === globalSection).body;
  const types = [];
  for (let at = 1; at < body.length; at += 5) {
    const [type, isVariable, , value, last] = body.subarray(at, at + 5);
    if (isVariable !== 1 || value !== 0 || last !== end) throw new Error('a global is not as Go’s linker writes it');
    types.push(type);
  }
  if (types.length !== body[0]) throw new Error('the globals are not as Go’s linker writes them');
  return types;
}

/** The module with its registers exported. */
function withRegisters(sections, count) {
  const exports = sections.find(({ id }) => id === exportSection);
  const more = Array.from({ length: count }, (_, index) => [...name(`register${index}`), 3, index]);
  const body = [exports.body[0] + count, ...exports.body.subarray(1), ...more.flat()];
  return assembled(sections.map((section) => (section === exports ? { id: exportSection, body } : section)));
}

const register = (type, value) => [type, 1, type === i32 ? i32Const : i64Const, ...signed(value), end];

/** All of the memory that is not zero. */
function segments(bytes) {
  const words = new BigUint64Array(bytes.buffer, bytes.byteOffset, bytes.length / 8);
  const found = [];
  for (let word = 0; word < words.length; word++) {
    if (words[word] === 0n) continue;
    const last = found.at(-1);
    if (last && word * 8 - last.to < gap) last.to = word * 8 + 8;
    else found.push({ from: word * 8, to: word * 8 + 8 });
  }
  const written = found.flatMap(({ from, to }) => [
    Buffer.from([0, i32Const, ...signed(from), end, ...number(to - from)]),
    bytes.subarray(from, to),
  ]);
  return Buffer.concat([Buffer.from(number(found.length)), ...written]);
}

function assembled(sections) {
  const parts = sections.flatMap(({ id, body }) => [Buffer.from([id, ...number(body.length)]), Buffer.from(body)]);
  return Buffer.concat([Buffer.from([0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]), ...parts]);
}

const name = (text) => [...number(text.length), ...Buffer.from(text)];

/** LEB128 without a sign. */
function number(value) {
  return value < 0x80 ? [value] : [(value % 0x80) | 0x80, ...number(Math.floor(value / 0x80))];
}

/** LEB128 with a sign. */
function signed(value) {
  const bits = BigInt(value);
  const isLast = bits >= -64n && bits < 64n;
  return isLast ? [Number(bits & 0x7fn)] : [Number(bits & 0x7fn) | 0x80, ...signed(bits >> 7n)];
}
