/** What the engines as programs read and write, as package frame has it: each text behind its length, a little-endian uint32. */

export function framed(bytes) {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** Each of a stream, without its length. */
export async function* frames(stream) {
  let chunks = [];
  let size = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    size += chunk.length;
    while (size >= 4) {
      if (chunks[0].length < 4) chunks = [Buffer.concat(chunks)];
      const end = 4 + chunks[0].readUInt32LE();
      if (size < end) break;
      const bytes = Buffer.concat(chunks);
      chunks = [bytes.subarray(end)];
      size -= end;
      yield bytes.subarray(4, end);
    }
  }
}
