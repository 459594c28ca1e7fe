/**
 * However a secret is written, and wherever a part of it is carried to, no command and no format prints six characters of it. Every
 * case is a directory that Flux applies, of one repository; the base has other secrets in the same places.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Finding, Run } from '../../src/core/model.js';
import { formats, report } from '../../src/report/index.js';
import { root } from '../support/cli.js';
import { runHere } from '../support/here.js';
import { run } from '../support/run.js';
import { isFull, someOf } from '../support/sample.js';
import { createRepo, type Files, removeRepo } from '../support/trees.js';
import { copies } from './canaries/copies.js';
import { RandomCanaries } from './canaries/random-canary.js';
import { slips } from './canaries/slips.js';
import { places, styles } from './canaries/styles.js';

type Case = { spelling: string; place: string; files: Record<string, string> };

const keys = ['password', 'db_password', 'API_TOKEN', 'clientSecret', 'privateKey'];
const written: Case[] = Object.entries(styles).flatMap(([spelling, write], index) =>
  Object.entries(places).map(([place, into]) => ({
    spelling,
    place,
    files: into(write(keys[index % keys.length] as string)),
  })),
);
const others = Object.entries({ ...copies, ...slips }).map(
  ([spelling, files]): Case => ({ spelling, place: spelling in copies ? 'a copy' : 'a slip', files }),
);
const all = [...written, ...others];
const chosen = someOf(all, 6, ({ spelling, place }) => `${spelling} ${place}`);

const planted = { head: new RandomCanaries('head'), base: new RandomCanaries('base') };
const folderOf = (one: Case) => `case/n${all.indexOf(one)}`;

function filesOf(one: Case, revision: 'head' | 'base'): Files {
  const folder = folderOf(one);
  const named = Object.entries(one.files).map(([file, text]) => [
    `${folder}/${file}`,
    text.replaceAll('NAME', `n${all.indexOf(one)}`).replaceAll('PATH', folder),
  ]);
  return planted[revision].planted(Object.fromEntries(named), one);
}

const filesIn = (revision: 'head' | 'base'): Files => Object.assign({}, ...chosen.map((one) => filesOf(one, revision)));
const files = { head: filesIn('head'), base: filesIn('base') };
const paths = chosen.map(folderOf);
const found = (text: string) => [...planted.head.found(text), ...planted.base.found(text)];
const options = { color: false, quiet: false, width: 400 };

let folders: { head: string; base: string };
let result: Run;
beforeAll(async () => {
  folders = { head: createRepo(files.head), base: createRepo(files.base) };
  result = await run({
    directory: folders.head,
    home: root,
    paths,
    remotes: [],
    simulate: {},
    base: folders.base,
  });
}, 600_000);
afterAll(() => Object.values(folders).forEach(removeRepo));

/** Findings of every line, as if each were wrong. */
function everyLine(): Finding[] {
  return Object.entries(files.head).flatMap(([file, text]) =>
    String(text)
      .split('\n')
      .flatMap((line, index): Finding[] => {
        if (line.trim() === '') return [];
        const range = { start: { line: index + 1, column: 1 }, end: { line: index + 1, column: line.length + 1 } };
        const at = { revision: 'head' as const, file, range };
        const words = { rule: 'schema-violation', severity: 'error' as const, message: 'This line is wrong' };
        const rest = { precision: 'exact' as const, field: [], related: [], entrypoints: ['.'], assumes: [] };
        return [{ ...words, ...rest, at, fingerprint: `${file} ${index}` }];
      }),
  );
}

test('there are as many secrets and spellings as promised', () => {
  expect(new Set(all.map(({ spelling }) => spelling)).size).toBeGreaterThanOrEqual(90);
  if (isFull()) expect(planted.head.size).toBeGreaterThanOrEqual(600);
  expect(planted.head.size).toBeGreaterThan(50);
  expect(result.findings.length).toBeGreaterThan(chosen.length / 4);
});

describe('no secret is in', () => {
  test.each([...formats])('the report as %s', (format) => {
    expect(found(report(format, result, options))).toEqual([]);
  });

  test.each(['text', 'markdown'] as const)('the frames of every line as %s', (format) => {
    expect(found(report(format, { ...result, findings: everyLine() }, options))).toEqual([]);
  });

  const named = paths.flatMap((path) => ['--path', path]);
  test.each([
    [['check', '--simulate', '--verbose']],
    [['check', '--simulate', '--format', 'json']],
    [['diff']],
    [['diff', '--format', 'json']],
    [['diff', '--format', 'markdown']],
    [['fix', '--dry-run', '--unsafe']],
    [['graph', '--components']],
    [['inventory']],
    [['inventory', '--format', 'json']],
    [['render', '--format', 'digest']],
  ])('the output of %j', async ([command = '', ...args]) => {
    const compares = ['check', 'diff', 'fix'].includes(command);
    const more = compares ? ['--base', folders.base] : [];
    const { stdout, stderr, status } = await runHere([command, folders.head, ...args, ...more, ...named]);
    expect(found(stdout + stderr)).toEqual([]);
    expect([0, 1]).toContain(status);
  });
});
