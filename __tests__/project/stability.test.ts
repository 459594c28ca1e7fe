/**
 * What docs/stability.md promises stays true: promises.json is what has been promised, and may only grow. `UPDATE=1` adds what is new to
 * it; nothing takes anything out of it.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { rules } from '../../src/rules/index.js';
import { root } from '../support/cli.js';
import { runHere } from '../support/here.js';
import {
  faultOfAbsence,
  faultsOfDeprecated,
  faultsOfRules,
  faultsOfSeals,
  faultsOfSurface,
  type Promises,
  released,
  sealOf,
} from '../support/promises.js';
import { all as releases } from '../support/releases.js';
import { surface } from '../support/surface.js';

const textOf = (path: string) => readFileSync(join(root, path), 'utf8');
const file = join(root, '__tests__/project/promises.json');
const promises = JSON.parse(readFileSync(file, 'utf8')) as Promises;
const { version, engines } = JSON.parse(textOf('package.json')) as { version: string; engines: { node: string } };
const changelog = textOf('CHANGELOG.md');
const page = textOf('docs/stability.md');
const now = surface();

if (process.env.UPDATE) update();

test('every promise names tests that are there', () => {
  const rows = page.split('\n').filter((line) => /^\| [A-Z]/.test(line) && line.includes('`__tests__/'));
  expect(rows.length).toBeGreaterThanOrEqual(8);
  const named = rows.flatMap((row) => [...row.matchAll(/`(__tests__\/[^`]+)`/g)].map(([, path = '']) => path));
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

describe('rules', () => {
  test('a new one begins as a warning or a notice, and one that becomes stricter says so', () => {
    expect(faultsOfRules(promises.rules, rules, changelog)).toEqual([]);
  });

  test('what a version had stays what it had', () => {
    expect(faultsOfSeals(promises, changelog)).toEqual([]);
  });

  test('an id is kept, or deprecated for two minor versions', () => {
    const ids = new Set(rules.map(({ id }) => id));
    const gone = Object.keys(promises.rules).filter((id) => !ids.has(id));
    expect(gone.flatMap((id) => faultOfAbsence(`rules: ${id}`, promises.deprecated, version))).toEqual([]);
  });
});

describe('keys of the configuration, fields of the report, the command line and the action', () => {
  test.each(Object.keys(now))('%s: all are kept, or deprecated for two minor versions', (part) => {
    const promised = { [part]: promises.surface[part] ?? [] };
    expect(faultsOfSurface(promised, now, promises.deprecated, version)).toEqual([]);
  });

  test.each(Object.keys(now))('%s: what is new is promised too (UPDATE=1)', (part) => {
    expect((now[part] ?? []).filter((line) => !promises.surface[part]?.includes(line))).toEqual([]);
  });

  test('none of the lists is gone, and what is deprecated is said to whoever uses it', () => {
    expect(Object.keys(promises.surface).filter((part) => !now[part])).toEqual([]);
    expect(faultsOfDeprecated(promises.deprecated)).toEqual([]);
  });
});

describe('the exit status', () => {
  test.each([
    [0, ['check', '__tests__/rules/chart-owned-field/good'], 'No problems found in '],
    [1, ['check', '__tests__/examples/broken'], 'error[chart-owned-field]'],
    [2, ['check', 'nowhere-at-all'], 'nowhere-at-all'],
  ])('is %i of what it was of', async (status, args, words) => {
    const shown = await runHere(args, { cwd: root });
    expect(shown.status).toBe(status);
    expect(status === 2 ? shown.stderr : shown.stdout).toContain(words);
    expect(page).toMatch(new RegExp(`\\| ${status} \\|`));
  });
});

describe('what is supported', () => {
  const { node, kubernetes, cozystack } = promises.supported;

  test('Node: what the package, the action and the page say', () => {
    const using = (parse(textOf('action.yml')) as { runs: { using: string } }).runs.using;
    expect(engines.node).toBe(`>=${node[0]}`);
    expect(node).toContain(using.replace(/^node/, ''));
    expect(page).toContain(`| Node | ${listed(node)} |`);
  });

  test('Kubernetes and Cozystack: there is data for each, and the pages name it', () => {
    const data = readdirSync(join(root, 'schemas/kubernetes')).filter((name) => name.endsWith('.json'));
    expect(data.map((name) => name.replace('.json', '')).sort()).toEqual(kubernetes);
    expect(releases).toEqual(cozystack);
    const named = cozystack.filter((name) => name !== 'next');
    expect(page).toContain(`| Kubernetes | ${kubernetes[0]} to ${kubernetes.at(-1)} |`);
    expect(page).toContain(`| Cozystack | ${named.join(', ')} and the next release |`);
    const readme = textOf('README.md');
    for (const one of [...named, kubernetes[0], kubernetes.at(-1)]) expect(readme).toContain(one);
  });
});

const listed = (names: string[]) => `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/** What would be noticed: without it a list that compares nothing is green too. */
describe('is broken by', () => {
  const old = { severity: 'warning', id: 'old-rule' } as const;
  const history = { 'old-rule': 'warning 0.1.0' };

  test.each<[string, Promises['rules'], { id: string; severity: 'error' | 'warning' }, string, string]>([
    ['a rule that nobody has noted', {}, old, '', 'old-rule is new'],
    [
      'a new rule that is an error',
      { 'old-rule': 'error 0.2.0' },
      { ...old, severity: 'error' },
      '',
      'began as an error',
    ],
    ['a warning that becomes an error', history, { ...old, severity: 'error' }, '', 'its history ends otherwise'],
    [
      'a warning that becomes an error in a patch',
      { 'old-rule': 'warning 0.1.0, error 0.1.1' },
      { ...old, severity: 'error' },
      '## 0.1.1\n\n- `old-rule` is an error.\n',
      'rises within a minor version',
    ],
    [
      'a warning that becomes an error silently',
      { 'old-rule': 'warning 0.1.0, error 0.2.0' },
      { ...old, severity: 'error' },
      '## 0.1.0\n\n- `old-rule` is new.\n',
      'does not say that `old-rule` rises',
    ],
  ])('%s', (_, promised, rule, said, fault) => {
    expect(faultsOfRules(promised, [rule], said)).toEqual([expect.stringContaining(fault)]);
  });

  test('a history that is written anew', () => {
    const sealed = { '0.1.0': sealOf(history, '0.1.0') };
    const out = '## Unreleased\n\n## 0.1.0\n';
    expect(faultsOfSeals({ rules: history, sealed }, out)).toEqual([]);
    expect(faultsOfSeals({ rules: { ...history, another: 'warning 0.2.0' }, sealed }, out)).toEqual([]);
    expect(faultsOfSeals({ rules: { ...history, another: 'error 0.1.0' }, sealed }, out)).toHaveLength(1);
    expect(faultsOfSeals({ rules: history, sealed: {} }, out)).toHaveLength(1);
  });

  test('what is gone, before its time or without a message', () => {
    const promised = { configuration: ['a', 'b'] };
    const entry = { what: 'configuration: b', since: '0.3.0', message: 'b is now called a', test: 'nowhere.test.ts' };
    const faults = (at: string, entries = [entry]) => faultsOfSurface(promised, { configuration: ['a'] }, entries, at);
    expect(faults('0.5.0')).toEqual([]);
    expect(faults('1.0.0')).toEqual([]);
    expect(faults('0.4.2')).toEqual([expect.stringContaining('two minor versions have it still')]);
    expect(faults('0.5.0', [])).toEqual([expect.stringContaining('was not deprecated')]);
    expect(faultsOfDeprecated([entry])).toHaveLength(1);
  });

  test('a field of the report that may be absent, and not by one that is always there', () => {
    const faults = (promised: string, there: string) =>
      faultsOfSurface({ report: [promised] }, { report: [there] }, [], '0.1.0').length;
    expect(faults('a[].b: string', 'a[].b?: string')).toBe(1);
    expect(faults('a[].b?: string', 'a[].b: string')).toBe(0);
    expect(faults('a[].b: string', 'a[].b: integer')).toBe(1);
  });
});

/** Adds; and takes out nothing, so that what has gone stays red. */
function update(): void {
  for (const { id, severity } of rules) promises.rules[id] ??= `${severity} ${version}`;
  const parts = { ...promises.surface };
  for (const [part, lines] of Object.entries(now))
    parts[part] = [...new Set([...(parts[part] ?? []), ...lines])].sort();
  const rulesById = Object.fromEntries(Object.entries(promises.rules).sort(([one], [other]) => (one < other ? -1 : 1)));
  const seals = released(changelog).map((one) => [one, sealOf(promises.rules, one)]);
  const text = {
    ...promises,
    sealed: { ...Object.fromEntries(seals), ...promises.sealed },
    rules: rulesById,
    surface: parts,
  };
  writeFileSync(file, `${JSON.stringify(text, undefined, 2)}\n`);
  Object.assign(promises, text);
}
