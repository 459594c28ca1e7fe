/** As much of PNG as a picture of a page needs (https://www.w3.org/TR/png-3/): what a browser writes is read, and written small. */
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const signature = Buffer.from('89504e470d0a1a0a', 'hex');
/** Of a pixel in a picture without a palette: red, green and blue, and then how opaque it is. */
const channels = { 2: 3, 6: 4 };

/** Throws where it is no PNG, or cut off. */
export function readPng(bytes) {
  if (!bytes.subarray(0, 8).equals(signature)) throw new Error('not a PNG: its signature is missing');
  const chunks = [];
  for (let at = 8; at < bytes.length; ) {
    const end = at + 8 + bytes.readUInt32BE(at);
    const [type, data] = [bytes.toString('latin1', at + 4, at + 8), bytes.subarray(at + 8, end)];
    if (crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) throw new Error(`chunk ${type} is damaged`);
    chunks.push({ type, data });
    at = end + 4;
  }
  const header = chunks[0]?.data;
  if (chunks.at(-1)?.type !== 'IEND' || !header) throw new Error('not a whole PNG');
  const texts = chunks.filter(({ type }) => type === 'tEXt').map(({ data }) => data.toString('latin1').split('\0'));
  return {
    width: header.readUInt32BE(0),
    height: header.readUInt32BE(4),
    depth: header[8],
    colour: header[9],
    texts: Object.fromEntries(texts),
    data: Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data)),
  };
}

/** The same with at most 256 colours, without the rows at its end that are all of the last pixel's colour. */
export function reduced(bytes, texts) {
  const { width, rows } = pixelsOf(readPng(bytes));
  const background = rows.at(-1).at(-1);
  while (rows.at(-1).every((colour) => colour === background)) rows.pop();
  const { palette, indexOf } = paletteOf(rows.flat());
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(rows.length, 4);
  header.set([8, 3], 8);
  const data = Buffer.concat(rows.map((row) => Buffer.from([0, ...row.map((colour) => indexOf.get(colour))])));
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    ...Object.entries(texts).map(([key, text]) => chunk('tEXt', Buffer.from(`${key}\0${text}`, 'latin1'))),
    chunk('PLTE', Buffer.from(palette.flatMap((colour) => partsOf(colour)))),
    chunk('IDAT', deflateSync(data, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type, data) {
  const bytes = Buffer.concat([Buffer.alloc(4), Buffer.from(type, 'latin1'), data, Buffer.alloc(4)]);
  bytes.writeUInt32BE(data.length, 0);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, -4)), bytes.length - 4);
  return bytes;
}

/** A number for each pixel, 0xrrggbb. */
function pixelsOf({ width, height, depth, colour, data }) {
  const size = channels[colour];
  if (depth !== 8 || !size) throw new Error(`a PNG of ${depth} bits and colour type ${colour} is not read`);
  const bytes = inflateSync(data);
  const length = width * size;
  let before = Buffer.alloc(length);
  const rows = [];
  for (let at = 0; at < height; at++) {
    const start = at * (length + 1);
    const line = bytes.subarray(start + 1, start + 1 + length);
    unfilter(bytes[start], line, before, size);
    rows.push(Array.from({ length: width }, (_, x) => line.readUIntBE(x * size, 3)));
    before = line;
  }
  return { width, rows };
}

function unfilter(filter, line, above, size) {
  for (let at = 0; at < line.length; at++) {
    const [left, up, corner] = [line[at - size] ?? 0, above[at], above[at - size] ?? 0];
    line[at] += [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
  }
}

function paeth(left, up, corner) {
  const [a, b, c] = [left, up, corner].map((one) => Math.abs(left + up - corner - one));
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

/** The most frequent colours; each of the others becomes the nearest of them. */
function paletteOf(colours) {
  const counts = new Map();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const palette = [...counts.keys()].sort((a, b) => counts.get(b) - counts.get(a) || a - b).slice(0, 256);
  const nearest = (colour) => {
    const distances = palette.map((one) => distance(colour, one));
    return distances.indexOf(Math.min(...distances));
  };
  return { palette, indexOf: new Map([...counts.keys()].map((colour) => [colour, nearest(colour)])) };
}

function distance(one, other) {
  const parts = partsOf(other);
  return partsOf(one).reduce((sum, part, index) => sum + (part - parts[index]) ** 2, 0);
}

function partsOf(colour) {
  return [colour >> 16, (colour >> 8) & 0xff, colour & 0xff];
}
