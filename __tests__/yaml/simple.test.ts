import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { isCollection, isNode, isPair, parseDocument } from 'yaml';
import { simpleSpan } from '../../src/yaml/simple.js';
import { SourceText } from '../../src/yaml/source-text.js';
import { parseSyntax } from '../../src/yaml/syntax.js';
import { root } from '../support/cli.js';
import { randomOf } from '../support/random.mjs';
import { amount } from '../support/sample.js';

/** The parser's own account of every node: where it starts. Of a text that is broken nothing counts, as no build comes to it. */
function startsIn(text: string): number[] {
  const starts: number[] = [];
  const visit = (node: unknown) => {
    if (isPair(node)) {
      visit(node.key);
      visit(node.value);
    } else if (isNode(node)) {
      starts.push(node.range?.[0] ?? 0);
      if (isCollection(node)) node.items.forEach(visit);
    }
  };
  const { contents, errors } = parseDocument(text, { uniqueKeys: false, logLevel: 'silent' });
  if (errors.length === 0) visit(contents);
  return starts;
}

/** How many spans were told without the parser, of how many; fails where one is another than the parser's. */
function compared(text: string): [told: number, of: number] {
  const syntax = parseSyntax(text);
  const document = { text, offset: 0 };
  let [told, all] = [0, 0];
  for (const offset of startsIn(text))
    for (const keyOfValue of [false, true]) {
      const parsed = keyOfValue ? syntax?.keyOf(offset) : syntax?.startingAt(offset);
      const simple = simpleSpan(document, offset, keyOfValue);
      if (parsed) all += 1;
      if (!simple) continue;
      told += 1;
      expect({ text, offset, keyOfValue, span: simple }).toEqual({ text, offset, keyOfValue, span: parsed });
    }
  return [told, all];
}

test('in the repositories of the tests each span is the one that the parser finds', () => {
  const files = ['rules', 'clean', 'examples'].flatMap((folder) =>
    readdirSync(join(root, '__tests__', folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.ya?ml$/.test(file))
      .map((file) => join(root, '__tests__', folder, file)),
  );
  const random = randomOf(1);
  let [told, all] = [0, 0];
  for (const file of random.some(files, amount(300, files.length)))
    for (const { text } of new SourceText(readFileSync(file, 'utf8')).documents) {
      const [some, of] = compared(text);
      told += some;
      all += of;
    }
  // Else it saves nothing.
  expect(told / all).toBeGreaterThan(0.6);
});

const parts = [
  ...[
    'a',
    'key',
    'a.b/c',
    '- ',
    '-',
    ': ',
    ':',
    '  ',
    '    ',
    '\n',
    '\n',
    '\n  ',
    '\n- ',
    '\n# c',
    ' # c',
    '\r\n',
    '\t',
    '1',
    '~',
  ],
  ...[
    '"q"',
    "'q'",
    '&x ',
    '*x',
    '!t ',
    '{',
    '}',
    '[',
    ']',
    ',',
    '|',
    '>',
    '? ',
    '---\n',
    '...',
    '\\',
    'ä',
    '…',
    '<<',
    '%',
  ],
];

test('in texts of chance each span is the one that the parser finds', () => {
  const random = randomOf(2);
  let told = 0;
  for (let count = 0; count < amount(20_000, 400_000); count++) {
    const length = 2 + random.below(14);
    // Most are made of what a scalar is made of.
    const few = random.chance(0.6) ? parts.slice(0, 16) : parts;
    const text = Array.from({ length }, () => random.pick(few)).join('');
    told += compared(text)[0];
  }
  expect(told).toBeGreaterThan(500);
});
