/**
 * Consecutive commits of public Flux repositories, replayed as pull requests: each commit against its first parent, once from a
 * branch of the repository and once from a fork. history.yaml has every red one with its reasons, and if they are right: at most one
 * in a hundred may be wrong. It holds names and commits alone, as the texts are not ours. CUSTOMIZER_LINT_HISTORY is a folder with clones,
 * OWNER__NAME each. UPDATE=1 writes the red ones and keeps the reasons; a finding without a reason fails all the same. SHOW=1 prints
 * the messages.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse, stringify } from 'yaml';
import type { Finding } from '../../src/core/model.js';
import { root } from '../support/cli.js';
import { pullRequestOf, runActionHere } from '../support/job.js';
import { someOf } from '../support/sample.js';
import { removeRepo } from '../support/trees.js';

type Origin = 'own' | 'fork';
/** `about`: a regular expression of the message. */
type Reason = { rule: string; about?: string; as?: Origin; verdict: 'right' | 'wrong'; reason: string };
/** Commits in a row, by first parents. */
type History = {
  repository: string;
  /** Its name at that time, which its Flux objects use. */
  formerly?: string;
  newest: string;
  commits: number;
  red: { [commit: string]: { [origin in Origin]?: string[] } };
};
type Found = Pick<Finding, 'rule' | 'severity' | 'message' | 'isNew'> & { file: string; line: number };
type Replayed = { status: number | null; errors: Found[] };

const file = join(root, '__tests__', 'end-to-end', 'history.yaml');
const text = readFileSync(file, 'utf8');
const heading = text.slice(0, text.search(/^[^#\s]/m));
const known = parse(text) as { reasons: { [id: string]: Reason }; histories: History[] };
const clones = process.env.CUSTOMIZER_LINT_HISTORY;
const cloneOf = (name: string) => join(clones ?? '', name.replace('/', '__'));

describe('commits of public repositories, as pull requests', () => {
  const isHere = ({ repository }: History) => clones !== undefined && existsSync(cloneOf(repository));
  const [here, missing] = [true, false].map((is) => known.histories.filter((one) => isHere(one) === is).map(titled));
  if (missing?.length) test.skip.each(missing)('%s, of which CUSTOMIZER_LINT_HISTORY has no clone', () => {});
  if (here?.length)
    test.each(here)(
      'are red for known reasons in %s',
      async (_, history) => {
        const { repository, formerly: name = repository } = history;
        const clone = cloneOf(repository);
        const all = git(clone, 'rev-list', '--first-parent', `--max-count=${history.commits}`, history.newest).split(
          '\n',
        );
        const commits = process.env.UPDATE ? all : someOf(all, 30);
        const folder = workspaceOn(clone, name);
        try {
          const red: History['red'] = {};
          for (const commit of commits) Object.assign(red, await replay(folder, name, commit));
          if (process.env.UPDATE) update(history, red);
          const expected = Object.entries(history.red).filter(([short]) =>
            commits.some((one) => one.startsWith(short)),
          );
          if (!process.env.UPDATE) expect(red).toEqual(Object.fromEntries(expected));
          expect(JSON.stringify(red)).not.toContain('no reason');
        } finally {
          removeRepo(folder);
        }
      },
      7_200_000,
    );

  test('are wrongly red in one of a hundred pull requests at most', () => {
    const pulls = known.histories.reduce((sum, { commits }) => sum + 2 * commits, 0);
    const red = known.histories.flatMap((one) => Object.values(one.red).flatMap((of) => Object.values(of)));
    const isWrong = (ids: string[]) => ids.every((id) => known.reasons[id]?.verdict === 'wrong');
    expect(red.flat().filter((id) => !known.reasons[id])).toEqual([]);
    expect(pulls).toBeGreaterThanOrEqual(600);
    expect(new Set(known.histories.map(({ repository }) => repository)).size).toBeGreaterThanOrEqual(10);
    expect(red.filter(isWrong).length / pulls).toBeLessThanOrEqual(0.01);
  });
});

function titled(one: History) {
  return [`${one.repository} up to ${one.newest.slice(0, 12)}`, one] as const;
}

/** The reasons of both pull requests, if one of them is red. */
async function replay(folder: string, name: string, commit: string): Promise<History['red']> {
  const pull = openPull(folder, commit);
  const reasons: { [origin in Origin]?: string[] } = {};
  for (const origin of ['own', 'fork'] as const) {
    const { status, errors } = await act(folder, name, pull, origin);
    expect(status).toBe(errors.length > 0 ? 1 : 0);
    if (errors.length > 0) reasons[origin] = [...new Set(errors.map((error) => reasonOf(error, origin)))].sort();
    if (process.env.SHOW)
      for (const { rule, message, file, line } of errors)
        process.stderr.write(`${name} ${commit.slice(0, 12)} ${origin} ${rule}: ${message} (${file}:${line})\n`);
  }
  return Object.keys(reasons).length > 0 ? { [commit.slice(0, 12)]: reasons } : {};
}

function reasonOf({ rule, message }: Found, origin: Origin): string {
  const fits = ({ rule: of, about = '', as = origin }: Reason) =>
    of === rule && as === origin && new RegExp(about).test(message);
  return Object.entries(known.reasons).find(([, reason]) => fits(reason))?.[0] ?? `no reason: ${rule}`;
}

type Pull = { base: string; head: string };

/** What GitHub has checked out: the merge of the commit with its own first parent. */
function openPull(folder: string, head: string): Pull {
  const base = git(folder, 'rev-parse', `${head}^1`);
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.org'];
  const merge = git(folder, ...identity, 'commit-tree', `${head}^{tree}`, '-p', base, '-p', head, '-m', 'merge');
  git(folder, 'update-ref', 'refs/heads/main', base);
  git(folder, 'checkout', '--quiet', '--force', '--detach', merge);
  return { base, head };
}

/** A repository that borrows the objects of the clone, so that the clone stays as it is. */
function workspaceOn(clone: string, name: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'customizer-lint-'));
  git(folder, 'init', '--quiet', '--initial-branch=main');
  git(folder, 'remote', 'add', 'origin', `https://github.com/${name}.git`);
  mkdirSync(join(folder, '.git/objects/info'), { recursive: true });
  const objects = join(git(clone, 'rev-parse', '--absolute-git-dir'), 'objects');
  writeFileSync(join(folder, '.git/objects/info/alternates'), `${objects}\n`);
  return folder;
}

async function act(folder: string, name: string, { base, head }: Pull, origin: Origin): Promise<Replayed> {
  const from = origin === 'own' ? name : 'someone/fork';
  const payload = { pull_request: pullRequestOf({ base, head }, { name, from }) };
  const report = join(folder, '.git', 'report.json');
  rmSync(report, { force: true });
  const inputs = { 'json-file': '.git/report.json', 'max-seconds': '600' };
  const more = { GITHUB_REPOSITORY: name, GITHUB_SERVER_URL: 'https://github.com' };
  const { status, log } = await runActionHere(folder, inputs, { name: 'pull_request', payload }, more);
  if (!existsSync(report)) throw new Error(`${head}, ${origin}: ${log}`);
  const { findings } = JSON.parse(readFileSync(report, 'utf8')) as { findings: Found[] };
  return { status, errors: findings.filter(({ severity, isNew }) => severity === 'error' && isNew !== false) };
}

/** Of the file as it is by now: several of these may run, each for a part of the repositories. */
function update({ repository, newest }: History, red: History['red']): void {
  const now = parse(readFileSync(file, 'utf8')) as typeof known;
  Object.assign(now.histories.find((one) => one.repository === repository && one.newest === newest) as History, {
    red,
  });
  writeFileSync(file, heading + stringify(now, { lineWidth: 0 }));
}

function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}
