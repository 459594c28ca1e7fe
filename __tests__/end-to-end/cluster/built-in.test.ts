/**
 * What the API server refuses of the built-in kinds: the module beside a real one whose admission plugins are off, on objects at
 * random and their changes, applied as Flux applies them. COUNT of them (370; 2,600, which are above 5,000 writes, with FULL=1), from SEED
 * on; SHOW=n prints the first n differences.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Json, JsonObject } from '../../../src/core/model.js';
import { ApplyEngine } from '../../../src/engine/host/apply-engine.js';
import type { ApplyAnswer, Status } from '../../../src/engine/host/apply-protocol.js';
import { agree, plainly } from '../../engine/apply/answers.js';
import { type Attempt, attempt, builtIn } from '../../engine/apply/built-in.js';
import { root } from '../../support/cli.js';
import { type Cluster, startCluster } from '../../support/cluster.js';

const count = Number(process.env.COUNT ?? (process.env.FULL ? 2600 : 370));
const from = Number(process.env.SEED ?? 1);
const manager = 'kustomize-controller';

let cluster: Cluster;
/** With the admission plugins that run unless it is told otherwise, but ServiceAccount, for which a controller has to be there. */
let admitting: Cluster;
let engine: ApplyEngine;

beforeAll(async () => {
  [cluster, admitting, engine] = await Promise.all([
    startCluster({ admission: false }),
    startCluster(),
    ApplyEngine.open(join(root, 'dist/engine')),
  ]);
}, 120_000);

afterAll(async () => {
  await Promise.all([cluster?.stop(), admitting?.stop(), engine?.close()]);
});

const admissionTable = readFileSync(join(root, 'src/simulate/FACTS.md'), 'utf8');

/** What the plugins say, by the table of simulate/FACTS.md, Admission. */
const ofPlugins: { [plugin: string]: RegExp } = {
  // The limits and quotas are those among the objects at random.
  LimitRanger: /(?:minimum|maximum) [\w.-]+ usage per (?:Container|Pod|PersistentVolumeClaim)|limit to request ratio/,
  ResourceQuota: /exceeded quota|must specify [\w.,-]+ for/,
  Priority: /no PriorityClass with name/,
  RuntimeClass: /RuntimeClass "[^"]*" not found/,
  PersistentVolumeClaimResize: /only dynamically provisioned pvc can be resized/,
};

test(`with the admission plugins on, ${Math.ceil(count / 3)} objects differ only where one of those says so that are listed`, async () => {
  const seen: { [plugin: string]: number } = {};
  const others: object[] = [];
  for (let seed = from + 100_000; seed < from + 100_000 + Math.ceil(count / 3); seed++) {
    const one = attempt(seed);
    for (const [index, { object, server, module }] of (await judgedBy(admitting, one)).entries()) {
      if (isDeepStrictEqual(withoutWords(server), withoutWords(module))) continue;
      const said = JSON.stringify(server?.error ?? null);
      const plugin = Object.keys(ofPlugins).find((name) => ofPlugins[name]?.test(said));
      if (plugin) seen[plugin] = (seen[plugin] ?? 0) + 1;
      else others.push({ seed, step: index, object, server, module });
      break;
    }
  }
  console.log(JSON.stringify(seen));
  if (process.env.SHOW) for (const one of others.slice(0, Number(process.env.SHOW))) console.log(JSON.stringify(one));
  expect(others.slice(0, 3)).toEqual([]);
  for (const plugin of Object.keys(ofPlugins)) expect(admissionTable).toContain(`| ${plugin} |`);
}, 1_800_000);

test(`${count} objects of ${builtIn.length} kinds and their changes are refused alike`, async () => {
  const tally: { [kind: string]: { writes: number; refused: number; different: number; worded: number } } = {};
  const differences: object[] = [];
  const attempts = Array.from({ length: count }, (_, index) => attempt(from + index));
  for (const one of attempts) {
    const of = tally[one.kind.kind] ?? { writes: 0, refused: 0, different: 0, worded: 0 };
    tally[one.kind.kind] = of;
    for (const [index, { object, server, module }] of (await judgedBy(cluster, one)).entries()) {
      of.writes += 1;
      of.refused += (server?.status ?? 0) >= 400 ? 1 : 0;
      if (agree(server, module)) continue;
      of.worded += 1;
      if (process.env.WORDS) console.log(JSON.stringify({ server, module }));
      if (isDeepStrictEqual(withoutWords(server), withoutWords(module))) continue;
      of.different += 1;
      differences.push({ seed: one.seed, step: index, operation: { op: 'apply', object }, server, module });
      break;
    }
  }
  console.log(JSON.stringify(tally));
  if (process.env.SHOW)
    for (const one of differences.slice(0, Number(process.env.SHOW))) console.log(JSON.stringify(one));
  expect(differences.slice(0, 3)).toEqual([]);
  const all = Object.values(tally);
  const sum = (key: 'writes' | 'refused' | 'worded') => all.reduce((total, one) => total + one[key], 0);
  expect(sum('writes')).toBeGreaterThan(2 * count);
  expect(sum('refused')).toBeGreaterThan(sum('writes') / 4);
  expect(sum('refused')).toBeLessThan((sum('writes') * 3) / 4);
  expect(sum('worded')).toBeLessThanOrEqual(1 + sum('writes') / 500);
}, 1_800_000);

/** What the server and the module say of each write of an attempt. */
async function judgedBy(server: Cluster, one: Attempt) {
  const [theirs, ours] = [await ask(server, one), await engine.ask(one.objects.map(asked))];
  return one.objects.map((object, index) => ({
    object,
    server: verdict(theirs[index] as ApplyAnswer),
    module: verdict(ours[index] as ApplyAnswer),
  }));
}

function asked(object: JsonObject) {
  return { op: 'apply' as const, manager, force: true, brief: true, object };
}

/** The code, and why. */
function verdict(answer: ApplyAnswer) {
  const { status, error } = plainly(answer, undefined);
  // A Job's own uid stands in what is said of it.
  const text = JSON.stringify(error ?? null).replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '…');
  return { status, ...(error !== undefined && { error: JSON.parse(text) as Json }) };
}

/** The code, and the fields with what is wrong with each. */
function withoutWords(one: ReturnType<typeof verdict> | undefined): object {
  const error = one?.error as unknown as Status | undefined;
  const causes = error?.details?.causes?.map(({ field, reason }) => ({ field, reason }));
  return { status: one?.status, reason: error?.reason, ...(causes ? { causes } : { message: error?.message }) };
}

async function ask(server: Cluster, { kind, name, objects }: Attempt): Promise<ApplyAnswer[]> {
  const { apiVersion, plural, namespaced } = kind;
  const group = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const path = `${group}${namespaced ? '/namespaces/default' : ''}/${plural}/${name}`;
  const out: ApplyAnswer[] = [];
  for (const object of objects) {
    const { status, body } = await server.adminRequest('PATCH', `${path}?fieldManager=${manager}&force=true`, object);
    out.push(body?.kind === 'Status' ? { status, error: body } : { status, object: body });
  }
  return out;
}
