/** Parts of a secret value by which it is recognized in other texts. */
import { isRandom } from './chance.js';
import { isTelling } from './redact.js';

/**
 * `random`: words that nobody uses by chance; each part of one tells of the secret. `plain`: values and parts that could be words of
 * their own, such as `hunter2` or `cozy-system`; only the whole of one counts, and only if it stands nowhere else in the repository.
 * Both in lower case, as a variable can be printed in capitals.
 */
export type Pieces = { random: Set<string>; plain: Set<string> };

/** Lengths in UTF-16 units: the least of a word, the least of a part, the longest line that is read in parts, the longest text. */
const lengths = { plain: 6, segment: 8, line: 400, encoded: 4096 };

const words = /[\p{L}\p{N}]+/gu;
const separators = /[\s:/=,;@|&?"'`<>(){}[\]]+/;
/** Names of the platform and of Kubernetes: these are never secret. */
const known = /^(?:cozy|kube|flux|helm|default|system|localhost|v\d+(?:alpha|beta)\d+$|sha\d{3}$|base64$|ipv[46]$|x86)/;

/** Adds what a value is recognized by. Of a text of several lines, such as a file, only the words of chance count. */
export function addPieces(text: string, { random, plain }: Pieces): void {
  // That a value is encrypted, and how, is shown.
  const value = text.replace(/^ENC\[(?:AES256_GCM,data:)?/, '');
  const isLine = value.length <= lengths.line && !value.trim().includes('\n');
  for (const [word] of value.matchAll(words)) {
    if (isRandom(word)) random.add(word.slice(0, lengths.encoded).toLowerCase());
    else if (isLine && /\p{N}/u.test(word) && /\p{L}/u.test(word)) addPlain(word, plain);
  }
  if (value.length <= lengths.encoded) addEncoded(value, random);
  if (!isLine) return;
  addPlain(value, plain);
  const segments = value.split(separators);
  for (const one of segments) if (one.length >= lengths.segment && /[-_.\p{N}]/u.test(one)) addPlain(one, plain);
}

function addEncoded(value: string, random: Set<string>): void {
  const encoded = Buffer.from(value).toString('base64');
  for (const [word] of encoded.matchAll(words)) if (isRandom(word)) random.add(word.toLowerCase());
}

/** From its first letter or figure to its last. */
function addPlain(text: string, plain: Set<string>): void {
  const found = [...text.matchAll(words)];
  const [first, last] = [found[0], found.at(-1)];
  if (!first || !last) return;
  const word = text.slice(first.index, last.index + last[0].length).toLowerCase();
  if (word.length >= lengths.plain && isTelling(word) && !known.test(word) && !/^\d{1,3}(?:\.\d{1,3})+$/.test(word))
    plain.add(word);
}
