/**
 * Harmless changes from a fork: 300 that are generated, each of one to three steps that change no object, or change or add one in a
 * way that the table of docs/trust.md calls no effect. Three at most may be red, each for a reason below. Without FULL a choice by a
 * committed seed. SHOW=1 prints each.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../support/cli.js';
import { pullRequestOf, runActionHere } from '../support/job.js';
import { randomOf } from '../support/random.mjs';
import { sampleOf, seedOr } from '../support/sample.js';
import { removeRepo } from '../support/trees.js';
import { commitPullRequest } from './evasion/repository.js';
import { changesOfFiles, type Random } from './harmless/files.js';
import { changesOfObjects } from './harmless/objects.js';
import type { Tree } from './harmless/repository.js';

type Found = { rule: string; severity: string; message: string; isNew?: boolean };
type Row = { n: number; name: string; steps: string[]; base: Tree; head: Tree };

const changes = { ...changesOfFiles, ...changesOfObjects };
const clean = join(root, '__tests__', 'clean');
const names = readdirSync(clean).filter((name) => !name.endsWith('.base'));
const others = names.map((name) => ({ name, files: textsIn(join(clean, name)) }));
/** The one with most kinds in it. */
const everyday = { name: 'everyday', files: textsIn(join(root, '__tests__', 'end-to-end', 'harmless', 'everyday')) };

function textsIn(folder: string): Tree {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]));
}

/** Steps that can be taken one after the other, and change something. */
function rowOf(n: number): Row {
  const random = randomOf(seedOr(50) * 1000 + n) as Random;
  for (;;) {
    const { name, files } = random.below(3) === 0 ? everyday : random.pick(others);
    const wanted = 1 + random.below(3);
    let head: Tree = files;
    const steps: string[] = [];
    for (let attempt = 0; steps.length < wanted && attempt < 20; attempt++) {
      const step = random.pick(Object.keys(random.below(2) === 0 ? changesOfFiles : changesOfObjects));
      const next = steps.includes(step) ? undefined : changes[step]?.(head, random);
      if (!next || JSON.stringify(next) === JSON.stringify(head)) continue;
      head = next;
      steps.push(step);
    }
    if (steps.length === wanted) return { n, name, steps, base: files, head };
  }
}

const all = Array.from({ length: 300 }, (_, n) => rowOf(n));
const { rows, description, passed } = sampleOf(all, { name: 'harmless', seed: 50, size: 8, key: ({ n }) => String(n) });

/** Red for a reason that is none of the change's. */
const known: { [n: number]: string } = {};

test.concurrent.each(rows.map((row) => [row.n, row.steps.join(', '), row.name, row] as const))(
  `change %i of a fork is green: %s, in %s, of ${description}`,
  async (_, __, ___, row) => {
    const { status, errors } = await act(row);
    if (process.env.SHOW)
      process.stderr.write(`${row.n}: ${row.steps.join(', ')} (${row.name}): ${status} ${errors.join('; ')}\n`);
    expect(known[row.n] === undefined ? errors : []).toEqual([]);
    expect(status).toBe(known[row.n] === undefined ? 0 : 1);
    passed(row);
  },
  300_000,
);

test('every step is taken, and at most one change in a hundred is red', () => {
  expect(new Set(all.flatMap(({ steps }) => steps))).toEqual(new Set(Object.keys(changes)));
  expect(Object.keys(known).length).toBeLessThanOrEqual(all.length / 100);
});

async function act({ base: before, head: after }: Row): Promise<{ status: number | null; errors: string[] }> {
  const { folder, base, head } = commitPullRequest({ base: before, head: after });
  try {
    const payload = { pull_request: pullRequestOf({ base, head }) };
    const more = { GITHUB_REPOSITORY: 'o/r', GITHUB_SERVER_URL: 'https://github.com' };
    const inputs = { 'json-file': 'report.json' };
    const { status, log } = await runActionHere(folder, inputs, { name: 'pull_request', payload }, more);
    if (status !== 0 && status !== 1) throw new Error(log);
    const { findings } = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as { findings: Found[] };
    const errors = findings.filter(({ severity, isNew }) => severity === 'error' && isNew !== false);
    return { status, errors: errors.map(({ rule, message }) => `${rule}: ${message}`) };
  } finally {
    removeRepo(folder);
  }
}
