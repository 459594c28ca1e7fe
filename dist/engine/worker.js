"use strict";
var __create = Object.create;
var __defProp = Object.defineProperty;
var __getOwnPropDesc = Object.getOwnPropertyDescriptor;
var __getOwnPropNames = Object.getOwnPropertyNames;
var __getProtoOf = Object.getPrototypeOf;
var __hasOwnProp = Object.prototype.hasOwnProperty;
var __copyProps = (to, from, except, desc) => {
  if (from && typeof from === "object" || typeof from === "function") {
    for (let key of __getOwnPropNames(from))
      if (!__hasOwnProp.call(to, key) && key !== except)
        __defProp(to, key, { get: () => from[key], enumerable: !(desc = __getOwnPropDesc(from, key)) || desc.enumerable });
  }
  return to;
};
var __toESM = (mod, isNodeMode, target) => (target = mod != null ? __create(__getProtoOf(mod)) : {}, __copyProps(
  // If the importer is in node compatibility mode or this is not an ESM
  // file that has been converted to a CommonJS file using a Babel-
  // compatible transform (i.e. "__esModule" has not been set), then set
  // "default" to the CommonJS "module.exports" for node compatibility.
  isNodeMode || !mod || !mod.__esModule ? __defProp(target, "default", { value: mod, enumerable: true }) : target,
  mod
));
var __toCommonJS = (mod) => __copyProps(__defProp({}, "__esModule", { value: true }), mod);

// src/engine/host/worker.ts
var worker_exports = {};
module.exports = __toCommonJS(worker_exports);
var import_node_v8 = __toESM(require("node:v8"), 1);
var import_node_worker_threads = require("node:worker_threads");
var import_node_zlib = require("node:zlib");

// src/engine/host/wasm.ts
var header = 8;
var numberBytes = 5;
function* sectionsIn(module2) {
  let at = header;
  while (at < module2.length) {
    const { value, end } = readNumber(module2, at + 1);
    yield { id: module2[at], from: end, to: end + value };
    at = end + value;
  }
}
function readNumber(bytes, from) {
  let value = 0;
  let end = from;
  for (const byte of bytes.subarray(from, from + numberBytes)) {
    value += (byte & 127) * 128 ** (end++ - from);
    if (byte < 128) break;
  }
  return { value, end };
}
function paddedNumber(value) {
  const places = Array.from({ length: numberBytes }, (_, place) => Math.floor(value / 128 ** place) % 128);
  return places.map((bits, place) => place < numberBytes - 1 ? bits | 128 : bits);
}

// src/engine/host/maximum.ts
var memorySection = 5;
var [bounded, shared] = [1, 3];
var maxPages = 1 << 16;
function limitMemory(module2, pages) {
  for (const { id, from } of sectionsIn(module2)) if (id === memorySection) return limited(module2, from, pages);
  return false;
}
function limited(module2, body, pages) {
  const count = readNumber(module2, body);
  const flags = readNumber(module2, count.end);
  const initial = readNumber(module2, flags.end);
  if (count.value !== 1 || flags.value !== bounded || readNumber(module2, initial.end).end - initial.end !== numberBytes)
    return false;
  module2[count.end] = shared;
  module2.set(paddedNumber(Math.min(Math.max(pages, initial.value), maxPages)), initial.end);
  return true;
}

// src/engine/host/sandbox.ts
var import_node_vm2 = __toESM(require("node:vm"), 1);

// src/engine/host/world.ts
var import_node_vm = __toESM(require("node:vm"), 1);
var shims = `
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
function emptyWorld(runtime) {
  const inside = import_node_vm.default.createContext(/* @__PURE__ */ Object.create(null), { codeGeneration: { strings: false, wasm: false } });
  import_node_vm.default.runInContext(shims, inside, { filename: "shims.js" });
  import_node_vm.default.runInContext(runtime, inside, { filename: "wasm_exec.js" });
  return inside;
}

// src/engine/host/sandbox.ts
var start = `
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
function startSandbox(wasm, runtime) {
  const inside = emptyWorld(runtime);
  const module2 = Object.setPrototypeOf(new WebAssembly.Module(wasm), null);
  import_node_vm2.default.runInContext(start, inside, { filename: "start.js" })(module2);
  return {
    call(frame) {
      inside.allocate(frame.length).set(frame);
      const answer = inside.call();
      if (!answer || inside.exited()) throw new Error(`the engine stopped: ${lastWords(inside.lines.join("\n"))}`);
      return answer;
    },
    output: () => inside.lines.join("\n")
  };
}
function lastWords(printed) {
  const lines = printed.split("\n");
  const why = lines.find((line) => line.startsWith("fatal error: "));
  return [...why === void 0 ? [] : [why], ...lines.slice(-20)].join("\n");
}

// src/engine/host/worker.ts
var maxBytes = 96 << 20;
var unpacked;
var sandbox;
import_node_worker_threads.parentPort?.on("message", (message) => {
  if (message instanceof Uint8Array) {
    const answer = Uint8Array.from(sandbox.call(message));
    import_node_worker_threads.parentPort?.postMessage(answer, [answer.buffer]);
  } else if ("packed" in message) {
    unpacked = { wasm: unpack(message.packed), runtime: message.runtime };
  } else if (unpacked) {
    limitMemory(unpacked.wasm, message.pages);
    setFlags(message);
    sandbox = startSandbox(unpacked.wasm, unpacked.runtime);
    unpacked = void 0;
  }
});
function setFlags({ optimizes }) {
  import_node_v8.default.setFlagsFromString("--wasm-lazy-validation");
  import_node_v8.default.setFlagsFromString("--no-wasm-tier-up");
  import_node_v8.default.setFlagsFromString(optimizes ? "--wasm-dynamic-tiering" : "--no-wasm-dynamic-tiering");
}
function unpack(packed) {
  const bytes = (0, import_node_zlib.brotliDecompressSync)(packed, { chunkSize: maxBytes });
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
