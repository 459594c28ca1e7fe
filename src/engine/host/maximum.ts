/** How a WebAssembly module's memory may grow. */
import { numberBytes, paddedNumber, readNumber, sectionsIn } from './wasm.js';

const memorySection = 5;
/** Flags of a memory with a maximum, and of one that is shared besides. */
const [bounded, shared] = [1, 3];
/** What 32 bits can name; V8 compiles no module that asks for more. */
const maxPages = 1 << 16;

/**
 * Gives the module at most `pages` of 64 KiB, or all that it begins with: the number is written over the one that is there
 * (WebAssembly core, 5.5.8), for which our build leaves room (src/build/snapshot.mjs), as a copy of many megabytes takes time.
 *
 * The memory becomes one that may be shared, though nobody does: whenever any other grows, be it by a page, V8 takes the whole of it for new, and
 * collects its own heap, some hundred times in a large build. Of one that may be shared it counts nothing (seen with --trace-gc on Node 20 and 24).
 * False for a module without that room, which is left as it is.
 */
export function limitMemory(module: Uint8Array, pages: number): boolean {
  for (const { id, from } of sectionsIn(module)) if (id === memorySection) return limited(module, from, pages);
  return false;
}

function limited(module: Uint8Array, body: number, pages: number): boolean {
  const count = readNumber(module, body);
  const flags = readNumber(module, count.end);
  const initial = readNumber(module, flags.end);
  if (count.value !== 1 || flags.value !== bounded || readNumber(module, initial.end).end - initial.end !== numberBytes)
    return false;
  module[count.end] = shared;
  module.set(paddedNumber(Math.min(Math.max(pages, initial.value), maxPages)), initial.end);
  return true;
}
