/**
 * Every rule against its fixtures: `rules/<id>/<case>/` is a tiny repository and `<case>.txt` the report a person reads.
 * UPDATE=1 writes the reports anew; look at the difference before you commit it.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { rules } from '../src/rules/index.js';
import { root, runCli } from './support/cli.js';

const folder = join(root, '__tests__', 'rules');
const ids = readdirSync(folder);

test('every rule has fixtures, and every fixture a rule', () => {
  expect(ids.sort()).toEqual(rules.map(({ id }) => id).sort());
});

describe.each(ids)('%s', (id) => {
  const cases = readdirSync(join(folder, id)).filter((name) => statSync(join(folder, id, name)).isDirectory());

  test('has a failing and a clean case', () => {
    expect(cases).toEqual(expect.arrayContaining(['bad', 'good']));
  });

  test.concurrent.each(cases)('%s', async (name) => {
    const repository = join('__tests__', 'rules', id, name);
    const [text, json] = await Promise.all([
      runCli(['check', repository]),
      runCli(['check', repository, '--format', 'json']),
    ]);
    expect(text.stderr.replace(/^rendering .*\n/gm, '')).toBe('');
    const expected = join(root, `${repository}.txt`);
    if (process.env.UPDATE) writeFileSync(expected, text.stdout);
    expect(text.stdout).toBe(readFileSync(expected, 'utf8'));
    const found: { rule: string }[] = JSON.parse(json.stdout).findings;
    const raised = [...new Set(found.map(({ rule }) => rule))];
    expect(raised).toEqual(name === 'good' ? [] : name === 'bad' ? [id] : raised.filter((rule) => rule === id));
  });
});
