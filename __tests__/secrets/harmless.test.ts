import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { isHarmless } from '../../src/secrets/harmless.js';
import { parsedSecrets } from '../../src/secrets/walk.js';
import { SourceText } from '../../src/yaml/source-text.js';
import { root } from '../support/cli.js';
import { randomOf } from '../support/random.mjs';
import { amount } from '../support/sample.js';

const manifest =
  'apiVersion: v1\nkind: Package\nmetadata:\n  name: a\nspec:\n  list:\n    - one\n    - key: 1.0 # why\n';

test.each([manifest, `${manifest}  small: {cpu: 100m, memory: 64Mi}\n  of: [a, b]\n  quoted: "1.0"\n`])(
  'a plain manifest is',
  (text) => expect(isHarmless(text)).toBe(true),
);

test.each<[string, string]>([
  ['a key', `${manifest}  password: hunter2\n`],
  ['a key in brackets', `${manifest}  auth: {password: hunter2}\n`],
  ['a name beside a value', `${manifest}  env:\n    - name: DB_PASSWORD\n      value: hunter2\n`],
  ['a path of a patch', `${manifest}  ops:\n    - path: /spec/token\n      value: hunter2\n`],
  ['a Secret', manifest.replace('Package', 'Secret')],
  ['data of no kind', manifest.replace('kind: Package\n', 'data:\n  x: hunter2\n')],
  ['a variable in the kind', manifest.replace('Package', 'P\u0024{x}')],
  ['a generator', `${manifest}secretGenerator:\n  - literals:\n      - a\n`],
  ['text in a text', `${manifest}  text: |\n    password: hunter2\n`],
  ['what goes on in the next line', `${manifest}  text: a\n    password=hunter2\n`],
])('%s is not', (_, text) => expect(isHarmless(text)).toBe(false));

test.each([{ patch: true }, { whole: true }, { documents: new Set([0]) }, { values: new Set(['one']) }])(
  'nor is one of which %p is known',
  (known) => expect(isHarmless(manifest, known)).toBe(false),
);

const words = [
  'a',
  'name',
  'kind',
  'value',
  'path',
  'data',
  'target',
  'patch',
  'key',
  'metadata',
  'token',
  'password',
  'apiVersion',
];
const parts = [
  ...['x: y', 'metadata:', 'kind: Package', 'kind: Secret', 'data:', 'stringData:', 'secretGenerator:', 'literals:'],
  ...words.map((word) => `${word}:`),
];
const values = [
  '',
  ' one',
  ' hunter2',
  ' DB_PASSWORD',
  ' /data/x',
  ' a=b',
  ' |',
  ' "q"',
  ' {a: b}',
  ' [a, b]',
  ' {password: b}',
  ' [a, {b: c}]',
  ' {a: b, c: d} # e',
  ' "a: b"',
  " 'one'",
  ' &x y',
  ' *x',
  ' # why',
  ' a: b',
  ' Secret',
];

test('whatever of many texts is, the parser finds no secret in it', () => {
  const random = randomOf(3);
  let harmless = 0;
  for (let count = 0; count < amount(20_000, 400_000); count++) {
    const line = () =>
      `${'  '.repeat(random.below(3))}${random.pick(['', '', '- ', '- - '])}${random.pick(parts)}${random.pick(values)}`;
    const text = `${random.pick(['kind: Package\n', 'kind: Package\n', ''])}${Array.from({ length: 1 + random.below(6) }, line).join('\n')}\n`;
    if (!isHarmless(text)) continue;
    harmless += 1;
    expect({ text, found: parsedSecrets(text) }).toEqual({ text, found: [] });
  }
  expect(harmless).toBeGreaterThan(200);
});

test('so it is in the repositories of the tests, where many are', () => {
  let [harmless, all] = [0, 0];
  for (const folder of ['rules', 'clean'])
    for (const file of readdirSync(join(root, '__tests__', folder), { recursive: true, encoding: 'utf8' })) {
      if (!/\.ya?ml$/.test(file)) continue;
      const text = readFileSync(join(root, '__tests__', folder, file), 'utf8');
      all += 1;
      if (!isHarmless(text)) continue;
      harmless += 1;
      for (const { text: one } of new SourceText(text).documents)
        expect({ file, found: parsedSecrets(one) }).toEqual({ file, found: [] });
    }
  expect(harmless / all).toBeGreaterThan(0.2);
});
