/** Positions of YAML: each value of a document is found where it is written, whatever way it is written in. */
import fc from 'fast-check';
import { isAlias, isMap, isScalar, isSeq, type Node, parse, parseDocument } from 'yaml';
import type { Json } from '../../src/core/model.js';
import { SourceText } from '../../src/yaml/source-text.js';
import { parseSyntax } from '../../src/yaml/syntax.js';
import { writeFile } from '../end-to-end/evasion/writing.js';
import { randomOf } from '../support/random.mjs';
import type { Target } from './target.js';

const key = fc.oneof(
  fc.constantFrom(
    'a',
    'apiVersion',
    'spec',
    'a.b/c',
    'x y',
    '#',
    '- a',
    '<<',
    'null',
    '1',
    '"',
    "'",
    '',
    'ü',
    '\u{1f600}',
    '__proto__',
  ),
  fc.string({ unit: 'grapheme', maxLength: 5 }),
);
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 12 }),
      fc.constantFrom(
        'yes',
        '0x1',
        '1e3',
        '~',
        ' a',
        'a ',
        'a: b',
        'a #b',
        '*a',
        '&a',
        '!a',
        '%a',
        '@a',
        '|',
        '>',
        'a\nb',
        '\t',
      ),
    ) as fc.Arbitrary<Json>,
    fc.oneof(fc.boolean(), fc.integer(), fc.constant(null)) as fc.Arbitrary<Json>,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4 }) as fc.Arbitrary<Json>,
  ),
}));

export const positions: Target<[Json, number]> = {
  name: 'YAML positions',
  inputs: fc.tuple(fc.dictionary(key, value, { minKeys: 1, maxKeys: 4 }) as fc.Arbitrary<Json>, fc.nat()),
  runs: 300,
  check([json, seed]) {
    const written = writeFile(json, randomOf(seed));
    if (typeof written.content !== 'string') return;
    const source = new SourceText(written.content);
    for (const { text, offset } of source.documents) {
      if (source.text.slice(offset, offset + text.length) !== text) throw new Error(`a document is not at ${offset}`);
      checkDocument(text);
    }
    checkOffsets(source, seed);
  },
};

function checkDocument(text: string) {
  const syntax = parseSyntax(text);
  const document = parseDocument(text, { uniqueKeys: false, strict: false, logLevel: 'silent' });
  if (!syntax || document.errors.length > 0 || !document.contents) return;
  visit(document.contents as Node, [], (node, path) => {
    const found = syntax.find(path)?.value;
    if (!found) throw new Error(`nothing is found at ${JSON.stringify(path)} of ${JSON.stringify(text)}`);
    if (found.start < 0 || found.end > text.length || found.end < found.start)
      throw new Error(`${found.start}-${found.end} is not in ${JSON.stringify(text)}`);
    if (!isScalar(node) || typeof node.value !== 'string' || found.end === found.start) return;
    const slice = text.slice(found.start, found.end);
    // A plain scalar of many lines may begin each of them at the margin only where it is the whole document.
    if (path.length === 0 && slice.includes('\n')) return;
    const read = /^[|>]/.test(slice)
      ? parse(`k: ${slice}\n`, { logLevel: 'silent' }).k
      : parse(`- ${slice}`, { logLevel: 'silent' })[0];
    if (String(read).trimEnd() !== node.value.trimEnd())
      throw new Error(
        `at ${JSON.stringify(path)} of ${JSON.stringify(text)} stands ${JSON.stringify(slice)}, not ${JSON.stringify(node.value)}`,
      );
  });
}

/** Paths whose every step names one child. */
function visit(node: Node, path: (string | number)[], see: (node: Node, path: (string | number)[]) => void) {
  if (isAlias(node)) return;
  see(node, path);
  if (isSeq(node)) for (const [index, item] of node.items.entries()) visit(item as Node, [...path, index], see);
  if (!isMap(node)) return;
  const keys = node.items.map(({ key: one }) => (isScalar(one) ? one.value : undefined));
  node.items.forEach(({ value: below }, index) => {
    const name = keys[index];
    const isOnly = keys.filter((other) => String(other) === String(name)).length === 1;
    if (typeof name === 'string' && name !== '<<' && isOnly && below) visit(below as Node, [...path, name], see);
  });
}

/** A position is taken back to the offset that it was made of. */
function checkOffsets(source: SourceText, seed: number) {
  const random = randomOf(seed);
  for (let n = 0; n < 20; n++) {
    const offset = random.below(source.text.length + 1);
    const { line, column } = source.position(offset);
    const start = source.lineSpan(line)?.start ?? Number.NaN;
    if (start + column - 1 !== offset) throw new Error(`${offset} is said to be ${line}:${column}`);
    const before = source.text.slice(start, offset).replace(/^\uFEFF/, '');
    const isInside = /[\ud800-\udbff]$/.test(before) || (start === 0 && offset === 0);
    if (!isInside && source.offset(line, [...before].length + 1) !== offset)
      throw new Error(`${line}:${[...before].length + 1} is not ${offset}`);
  }
}
