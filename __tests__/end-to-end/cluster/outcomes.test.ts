/**
 * What `diff` says of the fixtures of the rules and of the clean repositories, beside what Flux's own packages make of them on a real
 * API server: the commit before and the change, each reconciled twice, with all that they render, also what is of no kind that is
 * served, what is encrypted, and what cannot be built. The reasons of both reconciles and the objects before and after are compared.
 *
 * Where `diff` itself is not certain the two may differ; how often they do is counted. What is held is not reconciled here either,
 * and the pruning of a Flux Kustomization that is deleted is the controller's (rounds.ts).
 *
 * A sample by SEED (1): CASES (30) of those with a commit before, and a third as many of those without. `FULL=1` takes all; ONLY names some.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { saysNoKind } from '../../../src/apiserver/expected.js';
import type { Cluster as Known } from '../../../src/cluster/cluster.js';
import { standInsFor } from '../../../src/cluster/stand-ins.js';
import {
  type Entrypoint,
  type Finding,
  type JsonObject,
  type ObjectRef,
  type Rendered,
  type RenderedObject,
  UsageError,
} from '../../../src/core/model.js';
import { groupOf, inventoryEntry, inventoryId } from '../../../src/core/object.js';
import { ApplyEngine } from '../../../src/engine/host/apply-engine.js';
import { sameEntrypoint } from '../../../src/flux/prune.js';
import { loadWorkspace } from '../../../src/lint/load.js';
import { saidOf } from '../../../src/lint/said.js';
import { type Simulation, simulate } from '../../../src/simulate/simulate.js';
import { kindWords } from '../../../src/simulate/sources.js';
import type { Said } from '../../../src/simulate/types.js';
import { root } from '../../support/cli.js';
import { type Cluster, type Definition, startCluster } from '../../support/cluster.js';
import { Emptied } from '../../support/cluster-fixtures.js';
import { allCases, type Case, chosenCases, optionsOf } from '../../support/fixtures.js';
import { type Reconciled, type Reference, reconcile } from '../../support/flux.js';
import {
  addressOf,
  asKnown,
  endNamespaces,
  kustomizationOf,
  lasting,
  liveState,
  type State,
} from '../../support/sidebyside.js';

/** Where they differ, and why. */
const differences: { [title: string]: string } = {
  'copied-live-object/self-link': 'an API server drops selfLink without a word, which the simulation keeps',
  'ignored-file/entrypoint': 'the directory is not in the artifact, and here it is without its files',
  'duplicate-object/versions': 'an object in two versions of a built-in kind, of which the simulation has one',
  'unserved-version/defined-here':
    'the definition that the repository brings is planted here in the platform’s own form',
  'clean/sops': 'the ciphertext stands here for what Flux decrypts, and is not the JSON that such a Secret has to hold',
  'duplicate-object/cluster-scoped': 'the same object twice, of which the controller applies either last',
  'pruned-namespace/bad': 'no controller is there that empties a deleted namespace: what is in it stays on this server',
  'pruned-namespace/component': 'the same as of pruned-namespace/bad',
  'refused-by-server/bad': 'a built-in kind’s own validation, which is not simulated: the fixture is about that',
  'schema-violation/empty-binding':
    'an API server fills in the apiGroup of a subject, so that it and what is applied differ',
  'schema-violation/older-kubernetes': 'the fixture is about Kubernetes v1.33, and this API server is v1.35',
};

const cases = chosenCases(allCases(), 30);
const held = ['Suspended', 'NotThere', 'DependencyNotReady'];
const seen = { cases: 0, reconciles: 0, failed: 0, unbuilt: 0, certain: 0, unsure: 0, otherwise: 0 };

const folders: string[] = [];
let cluster: Cluster;
let engine: ApplyEngine;
let emptied: Emptied;

beforeAll(async () => {
  cluster = await startCluster();
  engine = await ApplyEngine.open(`${root}/dist/engine`);
  emptied = await Emptied.of(cluster);
}, 120_000);

afterAll(async () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  await Promise.all([cluster?.stop(), engine?.close()]);
  process.stderr.write(`\n${JSON.stringify(seen)}\n\n`);
});

describe('diff says what Flux does', () => {
  const compared = cases.filter(({ title }) => !differences[title]);
  const others = Object.entries(differences).filter(([title]) => cases.some((one) => one.title === title));
  test.skip.each(others)('%s: not compared: %s', () => {});

  test.each(compared.map((one) => [one.title, one] as const))(
    '%s',
    async (title, one) => {
      const options = optionsOf(one);
      const done = loadWorkspace(options, async (workspace) => {
        for (const known of workspace.clusters) await compareOn(one, known, saidOf(workspace, options));
      });
      // What cannot be opened is another test's.
      await done.catch((error) => {
        if (!(error instanceof UsageError)) throw error;
      });
      expect(title).toBeTruthy();
    },
    300_000,
  );
});

async function compareOn(one: Case, known: Known, said: Said): Promise<void> {
  const { head, base, contract } = known;
  const refs = [...head.objects, ...(base?.objects ?? [])].map(({ ref }) => ref);
  const servers = { cluster, schemas: contract.schemas };
  await emptied.fill(known);
  // The server is one of which it is true what the rules are certain of: it does not have the kind, or not in that version.
  const absent = [...said.head, ...said.base].filter((one) => one.severity === 'error' && saysNoKind(one));
  await emptied.without(refsIn(absent.filter(({ rule }) => rule === 'kind-not-installed')), known);
  const isAbsent = new Set(refsIn(absent).map(kindWords));
  // Of what a snapshot has seen nothing but the kind is known, unless the release has it in other versions: those are planted.
  const custom = refs.filter(
    (ref) =>
      !contract.schemas.find(ref.apiVersion, ref.kind).known &&
      !contract.schemas.definition(groupOf(ref.apiVersion), ref.kind) &&
      !isAbsent.has(kindWords(ref)),
  );
  for (const definition of standInsFor(custom, known)) await cluster.define(definition as unknown as Definition);
  // The roles that are in force are planted too, and definitions that the repository has of its own.
  const live = await lying(refs, contract.schemas);
  const simulation = await simulate(known, engine, { said, live });
  const earlier = base ? await applyTwice(one.base as string, base.entrypoints, simulation, [], said.base) : [];
  const before = await liveState(servers, refs);
  const now = await applyTwice(one.directory, head.entrypoints, simulation, earlier, said.head);
  const after = await liveState(servers, refs);

  const isReady = [...earlier, ...now].every(({ answers }) => answers.every(({ ready }) => ready));
  const stateIn = (state: Simulation['before']) =>
    Object.fromEntries(
      refs.flatMap((ref) => {
        const object = state.get(inventoryId(ref));
        return object && addressOf(contract.schemas, ref) ? [[inventoryEntry(ref), lasting(object)]] : [];
      }),
    );
  const [was, is] = [simulation.before, simulation.after].map(stateIn) as [State, State];
  const plain = isReady ? (state: State) => state : withoutManagers;
  const theirs = {
    reasons: now.map(({ entrypoint, answers }) => [entrypoint.path, ...answers.map(({ reason }) => reason)]),
    before: plain(asKnown(servers, before, was)),
    after: plain(asKnown(servers, after, is)),
  };
  const ours = {
    reasons: simulation.applied
      .filter(({ first }) => !held.includes(first))
      .map(({ path, first, second }) => [path, first, second]),
    ...{ before: plain(was), after: plain(is) },
  };
  const isSure = simulation.applied.every(({ unsure }) => unsure === undefined);
  seen.cases += 1;
  seen[isSure ? 'certain' : 'unsure'] += 1;
  const title = [one.title, ...now.flatMap(({ answers }) => answers.map(({ message }) => message))].join('; ');
  if (isSure) expect({ title, ...ours }).toEqual({ title, ...theirs });
  else if (!isDeepStrictEqual(ours, theirs)) seen.otherwise += 1;
}

function refsIn(findings: readonly Finding[]): ObjectRef[] {
  return findings.flatMap(({ object, also = [] }) => [...(object ? [object] : []), ...also]);
}

async function lying(refs: readonly ObjectRef[], schemas: Known['contract']['schemas']): Promise<JsonObject[]> {
  const paths = new Set(refs.flatMap((ref) => addressOf(schemas, ref) ?? []));
  const answers = await Promise.all([...paths].map((path) => cluster.adminRequest('GET', path)));
  return answers.filter(({ status }) => status === 200).map(({ body }) => body);
}

/** Where a stage fails, Flux has taken over from kubectl what it came to before that, which is any of the objects. */
function withoutManagers(state: State): State {
  return Object.fromEntries(
    Object.entries(state).map(([id, object]) => {
      const { managedFields: _, annotations: __, ...metadata } = object.metadata;
      return [id, { ...object, metadata }];
    }),
  );
}

type Applied = { entrypoint: Entrypoint; inventory: Reference[]; answers: Reconciled[] };

/** Each Flux Kustomization that is reconciled at all, by what it renders; what cannot be built is tried as it lies there. */
async function applyTwice(
  directory: string,
  rendered: readonly Rendered[],
  simulation: Simulation,
  earlier: readonly Applied[],
  said: Said['head'],
): Promise<Applied[]> {
  const isHeld = ({ entrypoint }: Rendered) =>
    simulation.applied.some(({ path, first }) => path === entrypoint.path && held.includes(first));
  const all: Applied[] = rendered
    .filter((one) => !isHeld(one))
    .map(({ entrypoint }) => {
      const was = earlier.find((one) => sameEntrypoint(one.entrypoint, entrypoint));
      return { entrypoint, inventory: was?.inventory ?? [], answers: [] };
    });
  for (const _ of ['first', 'second']) {
    for (const one of all) {
      const built = rendered.find(({ entrypoint }) => entrypoint === one.entrypoint) as Rendered;
      const what = built.ok
        ? { objects: built.objects.map((object) => asDecrypted(object, said)) }
        : { directory: artifactOf(directory, built) };
      const kustomization = kustomizationOf(one.entrypoint);
      const answer = await reconcile(cluster, { ...what, inventory: one.inventory, kustomization });
      await endNamespaces(cluster);
      one.inventory = answer.inventory;
      one.answers.push(answer);
      seen.reconciles += 1;
      seen.failed += answer.ready ? 0 : 1;
      seen.unbuilt += built.ok ? 0 : 1;
    }
  }
  return all;
}

/** Without what of the repository Flux does not get. */
function artifactOf(directory: string, { lost }: Rendered): string {
  const folder = mkdtempSync(join(tmpdir(), 'artifact-'));
  folders.push(folder);
  const without = new Set(lost.map(({ path }) => join(directory, path)));
  cpSync(directory, folder, { recursive: true, filter: (path) => !without.has(path), verbatimSymlinks: true });
  return folder;
}

/** The ciphertext stands for what Flux decrypts, as in the simulation. */
function asDecrypted({ ref, value }: RenderedObject, said: Said['head']): object {
  const isLeft = said.some(
    ({ rule, object, also = [] }) =>
      rule === 'encrypted-without-decryption' &&
      [object, ...also].some((one) => one && inventoryId(one) === inventoryId(ref)),
  );
  const copy = structuredClone(value);
  if (isLeft || copy.sops === undefined) return copy;
  delete copy.sops;
  if (ref.kind === 'Secret' && copy.data)
    copy.data = Object.fromEntries(Object.entries(copy.data).map(([key, text]) => [key, btoa(String(text))]));
  return copy;
}
