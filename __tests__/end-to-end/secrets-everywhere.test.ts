/**
 * However a secret is written, and wherever a part of it is carried to, no command and no format prints six characters of it. Every
 * case is a directory that Flux applies, of one repository; the base has other secrets in the same places.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Finding, Run } from '../../src/core/model.js';
import { GitHub } from '../../src/github/client.js';
import { formats, maskedRun, report } from '../../src/report/index.js';
import { review } from '../../src/review/review.js';
import { root } from '../support/cli.js';
import { FakeGitHub } from '../support/github/fake.js';
import { runHere } from '../support/here.js';
import { run } from '../support/run.js';
import { isFull, someOf } from '../support/sample.js';
import { createRepo, type Files, removeRepo } from '../support/trees.js';
import { copies } from './canaries/copies.js';
import { RandomCanaries } from './canaries/random-canary.js';
import { slips } from './canaries/slips.js';
import { places, styles } from './canaries/styles.js';

// All cases at once are a large repository.
jest.setTimeout(600_000);

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
const chosen = someOf(all, 20, ({ spelling, place }) => `${spelling} ${place}`);

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

const config = { '.customizer-lint.yaml': `entrypoints: ${JSON.stringify(chosen.map(folderOf))}\n` };
const filesIn = (revision: 'head' | 'base'): Files =>
  Object.assign({}, config, ...chosen.map((one) => filesOf(one, revision)));
const files = { head: filesIn('head'), base: filesIn('base') };
const found = (text: string) => [...planted.head.found(text), ...planted.base.found(text)];
const options = { color: false, quiet: false, width: 400 };

let folders: { head: string; base: string };
let result: Run;
beforeAll(async () => {
  folders = { head: createRepo(files.head), base: createRepo(files.base) };
  result = await run({
    directory: folders.head,
    home: root,
    paths: [],
    remotes: [],
    simulate: {},
    base: folders.base,
  });
});
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
  expect(planted.head.size).toBeGreaterThanOrEqual(chosen.length);
  expect(result.findings.length).toBeGreaterThan(chosen.length / 4);
  const rendered = result.entrypoints.filter(({ rendered }) => rendered);
  expect(rendered.length).toBeGreaterThan(chosen.length / 2);
});

describe('no secret is in', () => {
  test.each([...formats])('the report as %s', (format) => {
    expect(found(report(format, result, options))).toEqual([]);
  });

  test.each(['text', 'markdown'] as const)('the frames of every line as %s', (format) => {
    const printed = report(format, { ...result, findings: everyLine() }, options);
    expect(found(printed)).toEqual([]);
    expect(printed).toContain('••••••');
  });

  const commands = [
    ['check', '--simulate', '--verbose'],
    ['check', '--simulate', '--format', 'json'],
    ['diff'],
    ['diff', '--format', 'json'],
    ['diff', '--format', 'markdown'],
    ['fix', '--dry-run', '--unsafe'],
    ['graph', '--components'],
    ['graph', '--format', 'json'],
    ['inventory'],
    ['inventory', '--format', 'json'],
    ['render', '--format', 'digest'],
  ];
  test.each(someOf(commands, 2).map((one) => [one]))('the output of %j', async ([command = '', ...args]) => {
    const compares = ['check', 'diff', 'fix'].includes(command);
    const more = compares ? ['--base', folders.base] : [];
    const { stdout, stderr, status } = await runHere([command, folders.head, ...args, ...more]);
    expect(found(stdout + stderr)).toEqual([]);
    expect([0, 1]).toContain(status);
    if (compares) expect(stdout).toContain('••••••');
  });

  test.each([[[]], [['--format', 'json']]])('the explanation of a copy, with %j', async (format) => {
    const explained = chosen.filter(({ place, files: { 'c.yaml': text = '' } }) => place === 'a copy' && text !== '');
    for (const one of explained.slice(0, isFull() ? 4 : 2)) {
      const subject = `ConfigMap/n${all.indexOf(one)}-c`;
      const { stdout, stderr } = await runHere(['explain', subject, ...format, '-C', folders.head]);
      expect(found(stdout + stderr)).toEqual([]);
    }
  });

  test('a baseline', async () => {
    const file = join(folders.head, 'baseline.json');
    const { stdout, stderr } = await runHere(['check', folders.head, '--baseline', file, '--write-baseline']);
    expect(stdout).toContain('baseline.json');
    expect(found(stdout + stderr + readFileSync(file, 'utf8'))).toEqual([]);
  });

  test('the comments of a review', async () => {
    let clock = Date.parse('2026-01-01T00:00:00Z');
    const sleep = async (time: number) => {
      clock += time;
    };
    const fake = await FakeGitHub.create({ files: { 'README.md': 'x\n' }, now: () => clock });
    try {
      const number = await fake.open({ changes: files.head as Record<string, string> });
      const github = new GitHub({
        token: fake.token('write'),
        repository: 'acme/platform',
        apiUrl: fake.apiUrl,
        fetch: fake.fetch as never,
        clock: { now: () => clock, sleep },
      });
      await review(maskedRun(result), github, {
        instance: 'one',
        pull: { number, head: fake.pull(number).head.sha },
        limits: { comments: 100, files: 10 },
        url: () => undefined,
        suggestion: () => undefined,
      });
      const bodies = [...fake.comments(number), ...fake.reviews(number)].map(({ body }) => body);
      expect(bodies.length).toBeGreaterThan(0);
      expect(found(bodies.join('\n'))).toEqual([]);
    } finally {
      fake.close();
    }
  });
});
