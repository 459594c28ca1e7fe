/**
 * What is green stays green: verdicts.json has the verdict on every clean repository and example, with the data of each release, old and
 * new. `UPDATE=1` writes verdicts of new repositories and those that became milder. One that became harder is not written: what is found
 * besides has to begin as a warning (docs/stability.md). Where the old verdict was wrong on purpose, its line is removed by hand first.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { root } from '../support/cli.js';
import { cloneOf } from '../support/clones.js';
import { runHere } from '../support/here.js';
import { all as releases } from '../support/releases.js';
import { isFull, isLong, someOf } from '../support/sample.js';
import { removeRepo } from '../support/trees.js';

/** `0`, or `1 chart-owned-field 2, shared-object 1`: the exit status, and how many errors of which rule. */
type Verdict = string;

const file = join(root, '__tests__/end-to-end/verdicts.json');
const known = JSON.parse(readFileSync(file, 'utf8')) as { [repository: string]: { [release: string]: Verdict } };

const planted: string[] = [];
afterAll(() => planted.forEach(removeRepo));

const below = (folder: string) =>
  readdirSync(join(root, '__tests__', folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.endsWith('.base'))
    .map(({ name }) => `${folder}/${name}`);

const repositories = [
  ...below('clean'),
  ...below('examples'),
  ...below('rules')
    .map((rule) => `${rule}/good`)
    .filter((path) => existsSync(join(root, '__tests__', path))),
];

async function verdictOn(repository: string, release: string): Promise<Verdict> {
  const { folder, more } = cloneOf(join(root, '__tests__', repository));
  planted.push(folder);
  const args = ['check', folder, ...more, '--release', release, '--format', 'json'];
  const { status, stdout, stderr } = await runHere(args);
  if (status === 2) throw new Error(stderr);
  const { findings } = JSON.parse(stdout) as { findings: { rule: string; severity: string }[] };
  const errors = findings.filter(({ severity }) => severity === 'error').map(({ rule }) => rule);
  const counted = [...new Set(errors)].sort().map((rule) => `${rule} ${errors.filter((one) => one === rule).length}`);
  return [`${status}`, counted.join(', ')].join(' ').trim();
}

/** More errors of a rule than there were, or another exit status. */
function isHarder(now: Verdict, before: Verdict): boolean {
  const counts = (verdict: Verdict) =>
    new Map([...verdict.matchAll(/([a-z-]+) (\d+)/g)].map(([, rule, count]) => [rule, Number(count)]));
  const old = counts(before);
  return [...counts(now)].some(([rule, count]) => count > (old.get(rule) ?? 0));
}

/** All of them with FULL, else one for each repository, so that each release has its third. */
const releasesFor = (repository: string) =>
  isFull() ? releases : releases.filter((_, index) => index === repositories.indexOf(repository) % releases.length);

describe('the verdict is what it was on', () => {
  test.concurrent.each(isLong() ? repositories : someOf(repositories, 10))('%s', async (repository) => {
    const now: { [release: string]: Verdict } = {};
    for (const release of releasesFor(repository)) now[release] = await verdictOn(repository, release);
    const before = known[repository] ?? {};
    const harder = Object.keys(now).filter(
      (release) => before[release] && isHarder(now[release] ?? '', before[release]),
    );
    if (process.env.UPDATE && harder.length === 0) known[repository] = { ...before, ...now };
    expect(now).toEqual(Object.fromEntries(Object.keys(now).map((release) => [release, known[repository]?.[release]])));
  });
});

afterAll(() => {
  if (!process.env.UPDATE) return;
  const there = Object.entries(known).filter(([repository]) => repositories.includes(repository) || !isFull());
  const sorted = Object.fromEntries(there.sort(([one], [other]) => (one < other ? -1 : 1)));
  writeFileSync(file, `${JSON.stringify(sorted, undefined, 2)}\n`);
});

test('every repository has a verdict with each release', () => {
  expect(Object.keys(known).sort()).toEqual([...repositories].sort());
  for (const verdicts of Object.values(known)) expect(Object.keys(verdicts)).toEqual(releases);
});

test('a clean repository is green with all of them, or the reason is known', () => {
  const red = Object.entries(known).filter(
    ([repository, verdicts]) => repository.startsWith('clean/') && Object.values(verdicts).some((one) => one !== '0'),
  );
  expect(red.map(([repository]) => repository)).toEqual([]);
});

test.each([
  ['0', '0', false],
  ['1 a-rule 1', '0', true],
  ['1 a-rule 2', '1 a-rule 1', true],
  ['1 a-rule 1', '1 b-rule 1', true],
  ['0', '1 a-rule 1', false],
])('%s is harder than %s: %s', (now, before, expected) => {
  expect(isHarder(now, before)).toBe(expected);
});
