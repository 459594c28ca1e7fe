/**
 * A JavaScript world that holds nothing but the language and the engine.
 *
 * Go's runtime reaches for whatever stands on `globalThis`: `process`, `fs`, `fetch`. The module is run in a context of
 * its own where none of them exists and no code can be made, from strings or as WebAssembly. No object of the host is handed
 * in, as it would lead back to the host's `Function` by its constructor, but the compiled module, which has no prototype any
 * more. Bytes are written into arrays that the context itself allocates.
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

/** The world without a module. `runtime` is the text of the `wasm_exec.js` that belongs to the module's version of Go. */
export function emptyWorld(runtime: string): vm.Context {
  const inside = vm.createContext(Object.create(null), { codeGeneration: { strings: false, wasm: false } });
  vm.runInContext(shims, inside, { filename: 'shims.js' });
  vm.runInContext(runtime, inside, { filename: 'wasm_exec.js' });
  return inside;
}
