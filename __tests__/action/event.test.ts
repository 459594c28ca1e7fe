/** The events of GitHub, and what is believed of each. */
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { type Event, readEvent } from '../../src/action/event.js';
import type { Json } from '../../src/core/model.js';
import { createRepo, removeRepo } from '../support/trees.js';

const folder = createRepo({ 'none.json': '{', 'a.json': '' });
afterAll(() => removeRepo(folder));

const a = 'a'.repeat(40);
const b = 'b'.repeat(40);
type Side = { sha?: Json; ref?: Json; repo?: Json };
const pull = (head: Side, base: Side, number: Json = 7): Json => ({ pull_request: { number, head, base } }) as Json;
const own = { full_name: 'o/r' };
const other = { full_name: 'x/r' };
const ours = 'same-repository';
const ran = (more: { [key: string]: Json }): Json => ({
  workflow_run: { head_sha: a, head_branch: 'patch', head_repository: { owner: { login: 'x' } }, ...more },
});

const target = (name: string) => (name === 'pull_request_target' ? { isOfTarget: true as const } : {});

const known: [string, string | undefined, Json, Event][] = [
  ['a push', 'push', { before: a, after: b }, { trust: ours }],
  ['a schedule', 'schedule', {}, { trust: ours }],
  ['nothing', undefined, null, { trust: ours }],
  ['a queued merge', 'merge_group', { merge_group: { base_sha: a, head_sha: b } }, { trust: ours, base: a }],
  ['a queued merge without a base', 'merge_group', { merge_group: {} }, { trust: ours }],
  ...['pull_request', 'pull_request_target'].map((name): [string, string, Json, Event] => [
    `a ${name} of a branch`,
    name,
    pull({ sha: a, repo: own }, { sha: b, ref: 'main', repo: own }),
    { trust: ours, base: b, branch: 'main', pull: { number: 7, head: a }, ...target(name) },
  ]),
  ...['pull_request', 'pull_request_target'].map((name): [string, string, Json, Event] => [
    `a ${name} of a fork`,
    name,
    pull({ sha: a, repo: other }, { sha: b, ref: 'main', repo: own }),
    { trust: 'fork', base: b, branch: 'main', pull: { number: 7, head: a }, ...target(name) },
  ]),
  [
    'a pull request of a fork that is gone',
    'pull_request',
    pull({ sha: a, repo: null }, { sha: b, ref: 'main', repo: own }),
    { trust: 'fork', base: b, branch: 'main', pull: { number: 7, head: a } },
  ],
  [
    'a pull request that names no repository at all',
    'pull_request',
    pull({ sha: a }, { sha: b, ref: 'main' }),
    { trust: 'fork', base: b, branch: 'main', pull: { number: 7, head: a } },
  ],
  [
    'a pull request whose base branch is changed',
    'pull_request',
    {
      ...(pull({ sha: a, repo: own }, { sha: b, ref: 'main', repo: own }) as object),
      changes: { base: { ref: { from: 'old' } } },
    },
    { trust: ours, base: b, branch: 'main', pull: { number: 7, head: a }, isRetargeted: true },
  ],
  [
    'a pull request whose title is changed',
    'pull_request',
    {
      ...(pull({ sha: a, repo: own }, { sha: b, ref: 'main', repo: own }) as object),
      changes: { title: { from: 'x' } },
    },
    { trust: ours, base: b, branch: 'main', pull: { number: 7, head: a } },
  ],
  ['a pull request without its commits', 'pull_request', pull({ repo: own }, { repo: own }), { trust: ours }],
  [
    'a pull request whose number is a text',
    'pull_request',
    pull({ sha: a, repo: own }, { sha: b, repo: own }, '7'),
    { trust: ours, base: b },
  ],
  ['a pull request that cannot be read', 'pull_request', null, { trust: 'fork' }],
  ['the run of a workflow', 'workflow_run', ran({}), { trust: 'fork', run: { head: a, branch: 'x:patch' } }],
  [
    'the run of a workflow of a fork that is gone',
    'workflow_run',
    ran({ head_repository: null }),
    { trust: 'fork', run: null },
  ],
  ...['head_sha', 'head_branch'].map((name): [string, string, Json, Event] => [
    `the run of a workflow without ${name}`,
    'workflow_run',
    ran({ [name]: null }),
    { trust: 'fork' },
  ]),
];

test.each(known)('%s', (_, name, payload, expected) => {
  const file = join(plantOf(payload), 'event.json');
  expect(readEvent(name, file)).toStrictEqual(expected);
});

/** What is handed on to git as the name of a commit. */
const commits: [string, string, boolean][] = [
  ['of SHA-1', a, true],
  ['of SHA-256', 'c'.repeat(64), true],
  ['too short', 'a'.repeat(39), false],
  ['too long', 'a'.repeat(65), false],
  ['with capitals', 'A'.repeat(40), false],
  ['with something before it', `-${a}`, false],
  ['with something behind it', `${a}^{tree}`, false],
  ['on a line of its own', `x\n${a}`, false],
  ['before a line', `${a}\nx`, false],
  ['a branch', 'main', false],
  ['an option', '--upload-pack=x', false],
];

test.each(commits)('a commit %s', (_, sha, isOne) => {
  const read = (name: string, payload: Json) => readEvent(name, join(plantOf(payload), 'event.json'));
  const event = read('pull_request', pull({ sha, repo: own }, { sha, repo: own }));
  expect(event).toEqual({ trust: ours, ...(isOne && { base: sha, pull: { number: 7, head: sha } }) });
  const merge = read('merge_group', { merge_group: { base_sha: sha } });
  expect(merge).toEqual({ trust: ours, ...(isOne && { base: sha }) });
  const run = read('workflow_run', ran({ head_sha: sha }));
  expect(run).toEqual({ trust: 'fork', ...(isOne && { run: { head: sha, branch: 'x:patch' } }) });
});

test.each(['nowhere.json', 'none.json', 'a.json', '.'])('what cannot be read is no event: %s', (file) => {
  expect(readEvent('pull_request', join(folder, file))).toEqual({ trust: 'fork' });
  expect(readEvent('push', join(folder, file))).toEqual({ trust: ours });
});

function plantOf(payload: Json): string {
  const made = createRepo({ 'event.json': JSON.stringify(payload) });
  planted.push(made);
  return made;
}
const planted: string[] = [];
afterAll(() => planted.forEach(removeRepo));
