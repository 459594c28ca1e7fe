/**
 * Three opinions of the same objects: what the rules say without a server, what the dry run hears from a real API server, and
 * what a real kustomize-controller makes of the repository on another one. A table says how they compare, case by case.
 *
 * `FULL=1` takes every fixture; else those of the rules of permission, schema and ownership, by a fixed seed.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { DryRun, Finding, ObjectRef, RenderedObject } from '../../../src/core/model.js';
import { Client } from '../../../src/dry-run/client.js';
import { openKubeconfig } from '../../../src/dry-run/kubeconfig.js';
import { seed } from '../../../src/dry-run/seed.js';
import { isApplied } from '../../../src/flux/applied.js';
import { stageOf } from '../../../src/flux/settings.js';
import { loadWorkspace } from '../../../src/lint/load.js';
import { randomOf } from '../../bench/generate.mjs';
import { root, runCli } from '../../support/cli.js';
import { type Cluster, startCluster } from '../../support/cluster.js';
import { hasController, type Observed, startController } from '../../support/controller.js';
import { createRepo, removeRepo } from '../../support/trees.js';
import { build } from './build.mjs';
import { generatedTree } from './generated.js';

const full = process.env.FULL === '1';

/** Rules that tell of a refusal: each error of theirs says that the API server refuses the object. */
const refusing = new Set([
  ...['forbidden-object', 'missing-namespace', 'package-not-created-here', 'unserved-version'],
  ...['schema-violation', 'duplicate-list-key', 'copied-live-object', 'not-there-yet'],
]);

/** Those that say so of what may be there all the same. */
const doubting = new Set([
  ...['unknown-package', 'unknown-kind', 'unbound-service-account', 'claimed-field-dropped', 'other-flux-version'],
  'kind-not-installed',
]);

/** Those whose fixtures are sampled: of permission, schema and ownership. */
const sampled = [
  ...refusing,
  ...['unknown-kind', 'invalid-package-source', 'encrypted-without-decryption', 'unbound-service-account'],
  ...['chart-owned-field', 'chart-owned-value', 'platform-object-edited', 'platform-value', 'kubectl-takeover'],
  ...['claimed-field-dropped', 'overridden-release', 'shared-object', 'unprotected-package', 'forced-recreate'],
];

/** Cases that tell most of how the server is filled and what it is sent. */
const telling: [rule: string, name: string][] = [
  ['claimed-field-dropped', 'refused'],
  ['forbidden-object', 'new-object'],
  ['unserved-version', 'snapshot'],
  ['dropped-labels', 'several'],
];

type Case = { title: string; directory: string; base?: string };

const fixtures = join(root, '__tests__', 'rules');
const planted: string[] = [];

function fixture(rule: string, name: string): Case {
  const directory = join(fixtures, rule, name);
  return { title: `${rule}/${name}`, directory, ...(existsSync(`${directory}.base`) && { base: `${directory}.base` }) };
}

function fixturesOf(rule: string): Case[] {
  return readdirSync(join(fixtures, rule), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.endsWith('.base'))
    .map(({ name }) => fixture(rule, name))
    .filter(({ directory }) => !isOfOtherKubernetes(directory));
}

/** The server of the tests is of one version, which says nothing of a cluster that is configured to have another. */
function isOfOtherKubernetes(directory: string): boolean {
  const file = join(directory, '.customizer-lint.yaml');
  return existsSync(file) && /^ +kubernetes: v(?!1\.35)/m.test(readFileSync(file, 'utf8'));
}

function generated(number: number): Case {
  const directory = createRepo(generatedTree(number));
  planted.push(directory);
  return { title: `generated tree ${number}`, directory };
}

const numbers = Array.from({ length: full ? 40 : 12 }, (_, index) => index);
const trees = numbers.map(generated);

const cases: Case[] = [
  ...(full ? readdirSync(fixtures) : sampled).flatMap((rule) => {
    // These say what a server has said, which is no opinion of their own.
    if (rule === 'accepted-by-server' || rule === 'refused-by-server') return [];
    const all = fixturesOf(rule);
    const random = randomOf(all.length);
    const others = all.filter(({ title }) => !/\/bad$/.test(title) && !telling.some((one) => one.join('/') === title));
    return full ? all : [fixture(rule, 'bad'), ...pick(others, 1, random)];
  }),
  ...(full ? [] : telling.map(([rule, name]) => fixture(rule, name))),
  { title: 'the example', directory: join(root, '__tests__', 'examples', 'broken') },
  ...['sops', 'disabled-and-own', 'taking-a-package-over', 'secrets-from-a-vault', 'generators'].map((name) => ({
    title: `clean/${name}`,
    directory: join(root, '__tests__', 'clean', name),
  })),
  ...trees,
];

function pick<Item>(items: Item[], count: number, random: (below: number) => number): Item[] {
  const rest = [...items];
  return Array.from({ length: Math.min(count, rest.length) }, () => rest.splice(random(rest.length), 1)[0] as Item);
}

afterAll(() => {
  for (const folder of planted) removeRepo(folder);
});

type Opinion = { refused: string[]; unsure: string[] };
type Asked = { run: DryRun[]; stage: { ran: boolean; why?: string }; rules: Opinion; server: Opinion };

const assets = build('server');
const idOf = ({ apiVersion, kind, namespace, name }: ObjectRef) =>
  `${apiVersion.replace(/^.*\//, '')}/${kind}/${namespace ?? ''}/${name}`;
const unique = (ids: string[]) => [...new Set(ids)].sort();

async function ask({ directory, base }: Case): Promise<Asked> {
  const args = ['check', directory, ...(base ? ['--base', base] : []), '--format', 'json', '--dry-run=envtest'];
  const TMPDIR = mkdtempSync(join(tmpdir(), 'verdict-'));
  try {
    const { stdout, stderr } = await runCli(args, { env: { KUBEBUILDER_ASSETS: assets, TMPDIR }, seconds: 240 });
    const report = stdout ? JSON.parse(stdout) : undefined;
    if (!report) throw new Error(stderr);
    const run: DryRun[] = report.dryRun ?? [];
    const stage = report.stages.find(({ name }: { name: string }) => name === 'dry-run');
    const said = (report.findings as Finding[]).filter(({ object }) => object);
    // What Flux drops the server never sees, and what is lost is lost once the change is applied.
    const isSent = ({ message }: Finding) => !/Flux drops it|loses the right to/.test(message);
    // The applications are the platform's own API server's, which a server of the test does not have.
    const unknown = (report.notChecked as { what: string; why: string }[]).flatMap(({ what, why }) =>
      why === 'no schema for this kind' ? [what] : [],
    );
    const isServed = ({ object }: Finding) => !unknown.includes(`${object?.apiVersion} ${object?.kind}`);
    const isSure = (one: Finding) =>
      one.severity === 'error' &&
      isSent(one) &&
      isServed(one) &&
      (refusing.has(one.rule) || /(?<!that )the API server refuses|installed from v1.5 on refuse/.test(one.message));
    const isUnsure = (one: Finding) =>
      !isSure(one) &&
      isSent(one) &&
      (doubting.has(one.rule) || (refusing.has(one.rule) && (one.assumes || !isServed(one))));
    const ids = (findings: Finding[]) => unique(findings.map(({ object }) => idOf(object as ObjectRef)));
    return {
      ...{ run, stage },
      rules: {
        refused: ids(said.filter(isSure)),
        unsure: ids(said.filter(isUnsure)),
      },
      server: { refused: unique(run.flatMap(({ refused }) => refused.map(({ object }) => idOf(object)))), unsure: [] },
    };
  } finally {
    rmSync(TMPDIR, { recursive: true, force: true });
  }
}

/** What each case comes to, for the table. */
const rows = new Map<string, { [column: string]: string | number }>();

/** One is worked at while its test waits, and the next one beside it, as there are two processors at least. */
class Ahead<Result> {
  readonly #begun = new Map<string, Promise<Result>>();

  constructor(
    private readonly items: readonly Case[],
    private readonly work: (item: Case) => Promise<Result>,
  ) {}

  get(item: Case): Promise<Result> {
    const index = this.items.findIndex(({ title }) => title === item.title);
    const next = this.items[index + 1];
    const result = this.#begin(item);
    if (next) void this.#begin(next).catch(() => {});
    return result;
  }

  async end(): Promise<void> {
    await Promise.allSettled(this.#begun.values());
  }

  #begin(item: Case): Promise<Result> {
    const begun = this.#begun.get(item.title) ?? this.work(item);
    this.#begun.set(item.title, begun);
    return begun;
  }
}

const asked = new Ahead(cases, ask);

afterAll(() => {
  const columns = ['case', 'asked', 'rules', 'server', 'conflicts', 'controller', 'objects'];
  const table = [columns, ...[...rows.values()].map((row) => columns.map((column) => String(row[column] ?? '')))];
  const widths = columns.map((_, index) => Math.max(...table.map((row) => (row[index] as string).length)));
  const lines = table.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] as number))
      .join('  ')
      .trimEnd(),
  );
  process.stderr.write(`\n${lines.join('\n')}\n\n`);
});

describe('the rules and the server say the same of every object', () => {
  test('of sixty cases and more', () => {
    expect(cases.length).toBeGreaterThanOrEqual(60);
  });

  test.each(cases.map((one) => [one.title, one] as const))(
    '%s',
    async (title, one) => {
      const { run, stage, rules, server } = await asked.get(one);
      const count = (of: (one: DryRun) => number) => run.reduce((sum, one) => sum + of(one), 0);
      rows.set(title, {
        case: title,
        asked: count((one) => one.asked),
        rules: `${rules.refused.length} refused${rules.unsure.length > 0 ? `, ${rules.unsure.length} unsure` : ''}`,
        server: `${server.refused.length} refused`,
        conflicts: count(({ conflicts }) => conflicts.length),
      });
      // What cannot be built has no objects to differ about.
      const isBuilt = !full || stage.why !== 'nothing could be rendered';
      expect(stage).toEqual(isBuilt ? { name: 'dry-run', ran: true } : { ...stage, name: 'dry-run', ran: false });
      const disagreements = run.flatMap((one) => one.disagreements);
      expect(disagreements).toEqual([]);
      const sure = (ids: string[]) => ids.filter((id) => !rules.unsure.includes(id));
      expect(sure(server.refused)).toEqual(sure(rules.refused));
    },
    300_000,
  );
});

/** Those that Flux applies in one go, as the customizer: what a test can give to the controller as a whole. */
const forController = [
  ...trees,
  ...['bad', 'owned-by-configuration', 'known-role', 'component'].map((name) => fixture('forbidden-object', name)),
  ...['bad', 'generated', 'generated-package'].map((name) => fixture('copied-live-object', name)),
  ...['schema-violation', 'duplicate-list-key', 'missing-namespace', 'chart-owned-field', 'claimed-field-dropped'].map(
    (rule) => fixture(rule, 'bad'),
  ),
  ...['platform-object-edited', 'platform-value', 'kubectl-takeover', 'unserved-version'].map((rule) =>
    fixture(rule, 'bad'),
  ),
  { title: 'the example', directory: join(root, '__tests__', 'examples', 'broken') },
];

const made = new Ahead(forController, applied);

afterAll(async () => {
  await asked.end();
  await made.end();
});

const of = hasController ? describe : describe.skip;

of('the controller does what they say', () => {
  test('of twenty-five cases and more', () => {
    expect(forController.length).toBeGreaterThanOrEqual(25);
  });

  test.each(forController.map((one) => [one.title, one] as const))(
    '%s',
    async (title, one) => {
      const { run, rules, server } = await asked.get(one);
      const seen = await made.get(one);
      const { ready, reason, message } = seen.observed;
      const stagesOf = (ids: string[]) => seen.objects.filter(({ id }) => ids.includes(id)).map(({ stage }) => stage);
      // Of many that are refused the controller names one, of the first stage in which there are any.
      const named = seen.objects.filter(({ label }) => message.startsWith(`${label} `));
      const failing = ready ? 4 : Math.min(...named.map(({ stage }) => stage));
      const kubectls = seen.objects.flatMap(({ lost }) => lost).filter((field) => isOfKubectl(field));
      rows.set(title, {
        ...rows.get(title),
        case: title,
        controller: ready ? 'Ready' : reason,
        objects: `${seen.objects.filter(({ became }) => became === 'applied').length} applied${kubectls.length > 0 ? `, ${kubectls.length} fields taken from kubectl` : ''}`,
      });

      expect({ reason, message, known: named.map(({ id }) => id) }).toEqual({
        reason: ready ? 'ReconciliationSucceeded' : 'ReconciliationFailed',
        message,
        known: ready ? [] : [expect.anything()],
      });
      for (const { id } of named) expect([...server.refused, ...rules.unsure]).toContain(id);
      expect(failing).toBeLessThanOrEqual(Math.min(4, ...stagesOf(server.refused)));
      for (const { id, stage, became } of seen.objects)
        expect({ id, became }).toEqual({ id, became: stage < failing ? 'applied' : 'as it was' });

      // Who has set what, before and after.
      const taken = run.flatMap(({ conflicts }) =>
        conflicts.map(({ object, manager, path }) => `${idOf(object)} ${manager} ${pathOf(path)}`),
      );
      const lost = seen.objects.flatMap(({ id, lost }) => lost.map((field) => `${id} ${field}`));
      const expected = failing < 4 ? [] : unique(taken);
      expect(unique(lost.filter((field) => !isOfKubectl(field)))).toEqual(expected);
    },
    300_000,
  );
});

type Live = { metadata: { resourceVersion: string; managedFields?: Managed[] } };
type Managed = { manager: string; operation: string; subresource?: string; fieldsV1: Fields };
type Fields = { [step: string]: Fields };
type Applied = {
  observed: Observed;
  objects: { id: string; label: string; stage: number; became: 'applied' | 'as it was'; lost: string[] }[];
};

/** What the controller makes of it on a server of its own, filled by the same means: the commit before, then this one. */
async function applied({ directory, base }: Case): Promise<Applied> {
  const cluster = await startCluster();
  const controller = await startController(cluster);
  const options = { directory, home: root, paths: [], remotes: [], ...(base && { base }) };
  try {
    return await loadWorkspace(options, async ({ clusters: [only, ...others] }) => {
      const built = only?.head.entrypoints[0];
      if (!only || !built?.ok || others.length > 0) throw new Error('a case for the controller is rendered in one go');
      const credentials = openKubeconfig(cluster.kubeconfig);
      const client = new Client(credentials, { writes: true, signal: AbortSignal.timeout(120_000) });
      try {
        await seed(client, only);
      } finally {
        client.close();
      }
      const kustomization = {
        metadata: { name: 'cozystack-customizer', namespace: 'cozy-system' },
        spec: { path: built.entrypoint.path, prune: true, serviceAccountName: 'cozystack-customizer' },
      };
      if (base) await controller.reconcile(kustomization, base);
      const objects = built.objects.filter(isApplied);
      const find = await finder(cluster, objects);
      const before = await Promise.all(objects.map(find));
      const observed = await controller.reconcile(kustomization, directory);
      const after = await Promise.all(objects.map(find));
      return {
        observed,
        objects: objects.map(({ ref }, index) => ({
          id: idOf(ref),
          label: [ref.kind, ref.namespace, ref.name].filter(Boolean).join('/'),
          stage: stageOf(ref),
          became: isOfFlux(after[index]) && !isSame(before[index], after[index], base) ? 'applied' : 'as it was',
          lost: lostFields(before[index], after[index]),
        })),
      };
    });
  } finally {
    await controller.stop();
    await cluster.stop();
  }
}

/** An object that the commit before has left as this one wants it is not written once more. */
function isSame(before: Live | undefined, after: Live | undefined, base: string | undefined): boolean {
  return before?.metadata.resourceVersion === after?.metadata.resourceVersion && !(base && isOfFlux(before));
}

function isOfFlux(live: Live | undefined): boolean {
  return (live?.metadata.managedFields ?? []).some(({ manager }) => manager === 'kustomize-controller');
}

async function finder(cluster: Cluster, objects: readonly RenderedObject[]) {
  const versions = unique(objects.map(({ ref }) => ref.apiVersion));
  const roots = new Map(versions.map((name) => [name, name.includes('/') ? `/apis/${name}` : `/api/${name}`]));
  const lists = await Promise.all([...roots.values()].map((path) => cluster.adminRequest('GET', path)));
  const resources = new Map([...roots.keys()].map((name, index) => [name, lists[index]?.body.resources ?? []]));
  return async ({ ref }: RenderedObject): Promise<Live | undefined> => {
    const served = resources
      .get(ref.apiVersion)
      ?.find(({ kind, name }: { kind: string; name: string }) => kind === ref.kind && !name.includes('/'));
    if (!served || (served.namespaced && !ref.namespace)) return undefined;
    const place = served.namespaced ? `/namespaces/${ref.namespace}` : '';
    const path = `${roots.get(ref.apiVersion)}${place}/${served.name}/${ref.name}`;
    const { status, body } = await cluster.adminRequest('GET', path);
    return status === 200 ? body : undefined;
  };
}

/** Fields that a manager has set before and not after, each as `manager path`; items of lists are left out of the path. */
function lostFields(before: Live | undefined, after: Live | undefined): string[] {
  const now = new Set(ownersOf(after));
  return unique(ownersOf(before).filter((field) => !now.has(field)));
}

function ownersOf(live: Live | undefined): string[] {
  return (live?.metadata.managedFields ?? [])
    .filter(({ manager, subresource }) => manager !== 'kustomize-controller' && subresource === undefined)
    .flatMap(({ manager, fieldsV1 }) => leavesOf(fieldsV1).map((path) => `${manager} ${path}`));
}

function leavesOf(fields: Fields, path: string[] = []): string[] {
  const entries = Object.entries(fields).filter(([step]) => step !== '.');
  if (entries.length === 0) return [path.join('.')];
  return entries.flatMap(([step, below]) => leavesOf(below, step.startsWith('f:') ? [...path, step.slice(2)] : path));
}

function pathOf(path: readonly (string | number)[]): string {
  return path.filter((step) => typeof step === 'string').join('.');
}

function isOfKubectl(field: string): boolean {
  return /(?:^| )(?:kubectl|before-first-apply)/.test(field);
}
