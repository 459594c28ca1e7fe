/** How a WebAssembly module is written (WebAssembly core, 5.2.2 and 5.5). */

const header = 8;
/** The longest that a number of 32 bits can be written. */
export const numberBytes = 5;

/** `from` and `to` are offsets in the module, of what stands behind the section's length. */
type Section = { id: number; from: number; to: number };

export function* sectionsIn(module: Uint8Array): Generator<Section> {
  let at = header;
  while (at < module.length) {
    const { value, end } = readNumber(module, at + 1);
    yield { id: module[at] as number, from: end, to: end + value };
    at = end + value;
  }
}

/** LEB128 without a sign. */
export function readNumber(bytes: Uint8Array, from: number): { value: number; end: number } {
  let value = 0;
  let end = from;
  for (const byte of bytes.subarray(from, from + numberBytes)) {
    value += (byte & 0x7f) * 0x80 ** (end++ - from);
    if (byte < 0x80) break;
  }
  return { value, end };
}

/** The same as long as it can be, so that any other can be written over it. */
export function paddedNumber(value: number): number[] {
  const places = Array.from({ length: numberBytes }, (_, place) => Math.floor(value / 0x80 ** place) % 0x80);
  return places.map((bits, place) => (place < numberBytes - 1 ? bits | 0x80 : bits));
}
