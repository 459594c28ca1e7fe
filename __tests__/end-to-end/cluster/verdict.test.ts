/**
 * The great comparison: clean repositories are changed at random, by the kinds of changes.ts, and the commit before and the change are
 * applied by Flux's own packages on a real API server with the definitions and roles of the release. Where Flux refuses something, or
 * something is deleted that is more than what the change itself takes out, `check` is red; where all is Ready and nothing is lost, it
 * is not. What differs is of a listed class, and counted.
 *
 * COUNT changes (40; 2,000 with FULL=1) from SEED on. LOG=file appends a line for each case, and goes on where an earlier run stopped;
 * SHOW=1 prints the cases that differ.
 */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Finding, UsageError } from '../../../src/core/model.js';
import { inventoryEntry } from '../../../src/core/object.js';
import { sameEntrypoint } from '../../../src/flux/prune.js';
import { loadWorkspace } from '../../../src/lint/load.js';
import { run } from '../../../src/lint/run.js';
import { saidOf } from '../../../src/lint/said.js';
import { randomOf } from '../../bench/generate.mjs';
import { root } from '../../support/cli.js';
import { optionsOf } from '../../support/fixtures.js';
import { applyBoth, areSame, bothOf, type Done, type Outcome, startServers } from '../../support/real-flux.js';
import { changes, type Repo } from './verdict/changes.js';

const count = Number(process.env.COUNT ?? (process.env.FULL ? 2000 : 40));
const from = Number(process.env.SEED ?? 1);
const log = process.env.LOG;

/** Why a check is red although Flux is content: what comes after Flux, and what it leaves out. */
const redAnyway: readonly { why: string; rules: readonly string[] }[] = [
  {
    why: 'what the change says has no effect, and Flux does not mention it',
    rules: [
      'dead-patch',
      'unknown-kustomization-field',
      'repeated-kustomization-field',
      'ineffective-bundle-entry',
      'dropped-labels',
    ],
  },
  {
    why: 'Helm refuses the values, or the operator the Package, once Flux has applied it',
    rules: [
      'release-collision',
      'invalid-value',
      'unknown-value',
      'unknown-variant',
      'unknown-component',
      'unknown-dependency',
      'invalid-package-source',
    ],
  },
  {
    why: 'the chart of the platform sets the field as well, and takes it back',
    rules: ['chart-owned-field', 'chart-owned-value', 'platform-value', 'overridden-release'],
  },
  { why: 'nothing is rendered any more of a directory that is applied', rules: ['pruned-everything'] },
  {
    why: 'Flux deletes what it holds, and makes it anew, as soon as something is changed that cannot be changed',
    rules: ['forced-recreate'],
  },
  {
    why: 'a Flux Kustomization no longer says what it applies, and how, or is gone: what comes of it only its controller tells',
    rules: ['missing-entrypoint', 'encrypted-without-decryption', 'pruned-namespace'],
  },
  { why: 'the operator uninstalls what is switched off, once Flux has applied it', rules: ['uninstalled-component'] },
  { why: 'helm-controller does not find the source, and installs nothing', rules: ['unknown-source'] },
  {
    why: 'a secret is readable by everybody who can read the repository',
    rules: ['plain-secret', 'unencrypted-value'],
  },
];
const reasonOf = (rule: string) => redAnyway.find(({ rules }) => rules.includes(rule))?.why;

type Case = { seed: number; repo: string; kind: string };
type Row = Case & {
  /** What Flux says of the first that it refuses; what it has deleted. */
  refused?: string;
  deleted: string[];
  errors: string[];
  warnings: string[];
  /** Whether `diff` says what happened, object by object; `unsure` where it says itself that it is not certain, and is not. */
  diff?: 'same' | 'unsure' | 'other';
  /** Kinds that the report says it could not check: whether the cluster has them nobody knows. */
  unchecked?: string[];
  verdict: 'agree' | 'miss' | 'false alarm' | 'red anyway' | 'warned' | 'said to be unchecked' | 'not applicable';
};

const clean = join(root, '__tests__/clean');
// Of `sops` the ciphertext stands here for what Flux decrypts, and is not the JSON that such a Secret has to hold.
const repos = readdirSync(clean).filter((name) => !name.endsWith('.base') && name !== 'sops');
const kinds = Object.keys(changes);

let servers: Awaited<ReturnType<typeof startServers>>;
const folders: string[] = [];

beforeAll(async () => {
  servers = await startServers();
}, 120_000);

afterAll(async () => {
  await servers?.stop();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

test(`${kinds.length} kinds of changes are written down`, () => {
  expect(kinds.length).toBeGreaterThanOrEqual(60);
});

test(
  `${count} changes: red exactly where Flux refuses or deletes`,
  async () => {
    const known = new Map(log && existsSync(log) ? rowsIn(log).map((row) => [row.seed, row]) : []);
    const rows: Row[] = [];
    for (let seed = from; seed < from + count; seed++) {
      const row = known.get(seed) ?? (await judged(caseOf(seed)));
      rows.push(row);
      if (log && !known.has(seed)) appendFileSync(log, `${JSON.stringify(row)}\n`);
    }
    const tally: { [verdict: string]: number } = {};
    for (const { verdict } of rows) tally[verdict] = (tally[verdict] ?? 0) + 1;
    process.stderr.write(`\n${JSON.stringify(tally)}\n`);
    const diffs: { [diff: string]: number } = {};
    for (const { diff } of rows) if (diff) diffs[diff] = (diffs[diff] ?? 0) + 1;
    process.stderr.write(`diff: ${JSON.stringify(diffs)}\n`);
    const wrong = rows.filter(
      ({ verdict, diff }) => verdict === 'miss' || verdict === 'false alarm' || diff === 'other',
    );
    if (process.env.SHOW) for (const row of wrong) process.stderr.write(`${JSON.stringify(row)}\n`);
    expect(wrong).toEqual([]);
    expect(tally.agree ?? 0).toBeGreaterThan((count * 2) / 3);
  },
  3 * 3_600_000,
);

function rowsIn(file: string): Row[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

function caseOf(seed: number): Case {
  const random = randomOf(seed * 7919);
  return { seed, repo: repos[random(repos.length)] as string, kind: kinds[seed % kinds.length] as string };
}

async function judged(one: Case): Promise<Row> {
  const random = randomOf(one.seed * 104_729 + 1);
  const before = readRepo(join(clean, one.repo));
  const after: Repo = new Map(before);
  const none: Row = { ...one, deleted: [], errors: [], warnings: [], verdict: 'not applicable' };
  if (!changes[one.kind]?.(after, random)) return none;
  const options = optionsOf({ directory: written(after), base: written(before) });
  try {
    const checked = await run(options);
    const isNew = (severity: string) => (finding: Finding) => finding.isNew !== false && finding.severity === severity;
    const [errors, warnings] = ['error', 'warning'].map((severity) => checked.findings.filter(isNew(severity)));
    const seen = await applied(options);
    const row = {
      ...none,
      ...seen,
      errors: (errors as Finding[]).map(({ rule }) => rule),
      warnings: (warnings as Finding[]).map(({ rule }) => rule),
      unchecked: checked.notChecked.filter(({ why }) => why.includes('no schema')).map(({ what }) => what),
    };
    return { ...row, verdict: verdictOf(row) };
  } catch (error) {
    if (error instanceof UsageError) return none;
    throw error;
  }
}

async function applied(options: ReturnType<typeof optionsOf>): Promise<Pick<Row, 'refused' | 'deleted' | 'diff'>> {
  const seen = { refused: [] as string[], deleted: [] as string[], diffs: [] as NonNullable<Row['diff']>[] };
  await loadWorkspace(options, async (workspace) => {
    const said = saidOf(workspace, options);
    for (const known of workspace.clusters) {
      const one = { title: '', directory: options.directory, base: options.base as string };
      const done = ended(await applyBoth(one, known, said, { ...servers, foreign: true }));
      const { isSure, ours, theirs } = bothOf(done, { cluster: servers.cluster, schemas: known.contract.schemas });
      seen.diffs.push(areSame(ours, theirs) ? 'same' : isSure && !goes(known) ? 'other' : 'unsure');
      if (process.env.SHOW && seen.diffs.at(-1) === 'other') process.stderr.write(shownDifference(ours, theirs));
      seen.refused.push(
        ...done.now.flatMap(({ answers }) => answers.filter(({ ready }) => !ready).map(({ message }) => message)),
      );
      const heads = new Set(known.head.objects.map(({ ref }) => inventoryEntry(ref)));
      // What is still rendered, and yet is gone; and what is more than one's own.
      seen.deleted.push(
        ...Object.keys(done.before).filter(
          (id) =>
            done.after[id] === undefined &&
            (heads.has(id) ||
              /_(?:Package|PackageSource|Namespace|PersistentVolumeClaim|HelmRelease|GitRepository|OCIRepository)$/.test(
                id,
              )),
        ),
      );
    }
  });
  return {
    ...(seen.refused.length > 0 && { refused: (seen.refused[0] as string).slice(0, 300) }),
    deleted: seen.deleted,
    diff: (['other', 'unsure'] as const).find((one) => seen.diffs.includes(one)) ?? 'same',
  };
}

/** Whether a Flux Kustomization goes: what it applied, its controller deletes, which Flux's packages alone do not. */
function goes({ head, base }: Parameters<typeof applyBoth>[1]): boolean {
  return (base?.entrypoints ?? []).some(({ entrypoint }) =>
    head.entrypoints.every((one) => !sameEntrypoint(one.entrypoint, entrypoint)),
  );
}

/** No controller is here that takes the protection off what is deleted, nor the objects out of a namespace: as good as gone. */
function ended(done: Done): Done {
  const isGone = (namespace: unknown) =>
    [done.before, done.after].map((state) => `_${namespace}__Namespace` in state).join() === 'true,false';
  const isLeft = ([, { metadata }]: [string, { metadata: { namespace?: string } }]) =>
    !('deletionTimestamp' in metadata) && !isGone(metadata.namespace);
  return { ...done, after: Object.fromEntries(Object.entries(done.after).filter(isLeft)) };
}

function shownDifference(ours: Outcome, theirs: Outcome): string {
  const parts = (['before', 'after'] as const).flatMap((when) =>
    [...new Set([...Object.keys(ours[when]), ...Object.keys(theirs[when])])]
      .filter((id) => !areSame(ours[when][id], theirs[when][id]))
      .map((id) => ({ when, id, ours: ours[when][id] ?? null, theirs: theirs[when][id] ?? null })),
  );
  return `${JSON.stringify({ ours: ours.reasons, theirs: theirs.reasons, parts })}\n`;
}

function verdictOf({ refused, deleted, errors, warnings, unchecked = [] }: Row): Row['verdict'] {
  const isBad = refused !== undefined || deleted.length > 0;
  const isRed = errors.length > 0;
  if (isBad === isRed) return 'agree';
  if (isBad) {
    // Where the cluster is not known, what rests on it is a warning.
    if (warnings.length > 0) return 'warned';
    const [, kind, version] = /no matches for kind "(.+)" in version "(.+)"/.exec(refused ?? '') ?? [];
    return kind && unchecked.includes(`${version} ${kind}`) ? 'said to be unchecked' : 'miss';
  }
  return errors.every((rule) => reasonOf(rule)) ? 'red anyway' : 'false alarm';
}

function readRepo(folder: string, below = ''): Repo {
  return new Map(
    readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry): [string, string][] => {
      const path = join(below, entry.name);
      if (entry.isDirectory()) return [...readRepo(folder, path)];
      return entry.isFile() ? [[path, readFileSync(join(folder, path), 'utf8')]] : [];
    }),
  );
}

function written(repo: Repo): string {
  const folder = mkdtempSync(join(tmpdir(), 'verdict-'));
  folders.push(folder);
  for (const [path, text] of repo) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}
