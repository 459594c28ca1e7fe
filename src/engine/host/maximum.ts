/** The limit of a WebAssembly module's memory. */

const header = 8;
const memorySection = 5;
/** What 32 bits can name; V8 compiles no module that asks for more. */
const maxPages = 1 << 16;
/** The longest that a number of 32 bits can be written. */
const numberBytes = 5;

/**
 * Gives the module at most `pages` of 64 KiB, or all that it begins with: the number is written over the one that is there
 * (WebAssembly core, 5.5.8), for which our build leaves room (src/build/snapshot.mjs), as a copy of many megabytes takes time.
 * False for a module without that room, which is left as it is.
 */
export function limitMemory(module: Uint8Array, pages: number): boolean {
  let at = header;
  while (at < module.length) {
    const size = readNumber(module, at + 1);
    if (module[at] === memorySection) return limited(module, size.end, pages);
    at = size.end + size.value;
  }
  return false;
}

function limited(module: Uint8Array, body: number, pages: number): boolean {
  const count = readNumber(module, body);
  const flags = readNumber(module, count.end);
  const initial = readNumber(module, flags.end);
  if (count.value !== 1 || flags.value !== 1 || readNumber(module, initial.end).end - initial.end !== numberBytes)
    return false;
  module.set(padded(Math.min(Math.max(pages, initial.value), maxPages)), initial.end);
  return true;
}

/** LEB128 without a sign. */
function readNumber(bytes: Uint8Array, from: number): { value: number; end: number } {
  let value = 0;
  let end = from;
  for (let shift = 1; ; shift *= 128) {
    const byte = bytes[end++] ?? 0;
    value += (byte & 0x7f) * shift;
    if (byte < 0x80) return { value, end };
  }
}

function padded(value: number): number[] {
  const places = Array.from({ length: numberBytes }, (_, place) => Math.floor(value / 0x80 ** place) % 0x80);
  return places.map((bits, place) => (place < numberBytes - 1 ? bits | 0x80 : bits));
}
