/** A WebAssembly module with a limit to its memory, which Go's linker does not give it. */

const header = 8;
const memorySection = 5;
/** What 32 bits can name; V8 compiles no module that asks for more. */
const maxPages = 1 << 16;

/**
 * The module with at most `pages` of 64 KiB, or all that it can have: the section `memory` is written anew (WebAssembly core, 5.5.8).
 * In parts that follow each other, as a copy of many megabytes takes time. A module without exactly one memory of 32 bits, which is
 * none of ours, is given back as it is.
 */
export function withMaximum(module: Uint8Array<ArrayBuffer>, pages: number): Uint8Array<ArrayBuffer>[] {
  let at = header;
  while (at < module.length) {
    const id = module[at];
    const size = readNumber(module, at + 1);
    if (id === memorySection) return rewritten(module, { from: at, body: size.end, to: size.end + size.value }, pages);
    at = size.end + size.value;
  }
  return [module];
}

function rewritten(
  module: Uint8Array<ArrayBuffer>,
  section: { from: number; body: number; to: number },
  pages: number,
) {
  const count = readNumber(module, section.body);
  const flags = readNumber(module, count.end);
  if (count.value !== 1 || flags.value > 1) return [module];
  const initial = readNumber(module, flags.end).value;
  const body = [1, 1, ...numberBytes(initial), ...numberBytes(Math.min(Math.max(pages, initial), maxPages))];
  const written = [memorySection, ...numberBytes(body.length), ...body];
  return [module.subarray(0, section.from), Uint8Array.from(written), module.subarray(section.to)];
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

function numberBytes(value: number): number[] {
  return value < 0x80 ? [value] : [(value % 0x80) + 0x80, ...numberBytes(Math.floor(value / 0x80))];
}
