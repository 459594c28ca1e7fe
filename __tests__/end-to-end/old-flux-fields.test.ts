/** Every field of the first API of Flux Kustomizations has a fixture that says, on its line, what became of it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { changedFields } from '../../src/rules/other-flux-version/old-fields.js';

const folder = new URL('../rules/other-flux-version/', import.meta.url);
const reports = readdirSync(folder)
  .filter((name) => name.endsWith('.txt'))
  .map((name) => readFileSync(new URL(name, folder), 'utf8'));
const seeds = new URL('../../../shared/seeds/', import.meta.url);

/** The line of code that a note stands at, or that a finding with that advice points at. */
function linesWith(text: string): string[] {
  return reports.flatMap((report) =>
    report.split('\n\n').flatMap((finding) => {
      const lines = finding.split('\n');
      return lines.flatMap((line, index) => {
        if (line.endsWith(` v1: ${text}`)) return lines[index - 1] ?? [];
        if (!line.endsWith(`= help: ${text}`)) return [];
        return lines.find((one) => /^ *\d+ \|/.test(one)) ?? [];
      });
    }),
  );
}

test.each(changedFields.map((row) => [row.path.join('.'), row] as const))('%s', (_, { path, v1 }) => {
  const key = path.at(-1);
  const found = linesWith(v1);
  expect(found).not.toEqual([]);
  expect(
    found.some((line) => (key === '*' ? / - /.test(line) : line.includes(`${key}:`) || line.endsWith(`/${key}`))),
  ).toBe(true);
});

test('the texts tell the rows apart', () => {
  const texts = changedFields.filter(({ of }) => of !== 'Flux 2.9').map(({ v1 }) => v1);
  expect(new Set(texts).size).toBe(texts.length);
});

(existsSync(seeds) ? test : test.skip)('every field of the API as it is documented is there', () => {
  const name = readdirSync(seeds).find((file) => file.startsWith('004'));
  const text = readFileSync(new URL(String(name), seeds), 'utf8');
  const spec = text.slice(text.indexOf('type KustomizationSpec'), text.indexOf('The status sub-resource'));
  const fields = [...spec.matchAll(/json:"(\w+)/g)].map(([, field]) => field);
  expect(fields).toHaveLength(11);
  const known = changedFields.filter(({ path }) => path[0] === 'spec').map(({ path }) => path[1]);
  expect(known).toEqual(expect.arrayContaining(fields));
});
