/** Repositories applied by the real Flux on a real API server that is one of which it is true what the rules are certain of. */

import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { saysNoKind } from '../../src/apiserver/expected.js';
import type { Cluster as Known } from '../../src/cluster/cluster.js';
import { definitionOf } from '../../src/cluster/crds.js';
import { standInsFor } from '../../src/cluster/stand-ins.js';
import type { Entrypoint, Finding, JsonObject, ObjectRef, Rendered, RenderedObject } from '../../src/core/model.js';
import { groupOf, inventoryEntry, inventoryId } from '../../src/core/object.js';
import { ApplyEngine } from '../../src/engine/host/apply-engine.js';
import { sameEntrypoint } from '../../src/flux/prune.js';
import { type Simulation, simulate } from '../../src/simulate/simulate.js';
import { kindWords } from '../../src/simulate/sources.js';
import type { Said } from '../../src/simulate/types.js';
import { root } from './cli.js';
import { type Cluster, type Definition, startCluster } from './cluster.js';
import { Emptied } from './cluster-fixtures.js';
import type { Case } from './fixtures.js';
import { type Reconciled, type Reference, reconcile } from './flux.js';
import { addressOf, asKnown, endNamespaces, kustomizationOf, lasting, liveState, type State } from './sidebyside.js';

/** What the simulation says of a Flux Kustomization that is not reconciled at all. */
const held = ['Suspended', 'NotThere', 'DependencyNotReady'];

export type Applied = { entrypoint: Entrypoint; inventory: Reference[]; answers: Reconciled[] };

/** What was done: the commit before, the change, and the objects of both before and after the change. */
export type Done = {
  simulation: Simulation;
  earlier: Applied[];
  now: Applied[];
  before: State;
  after: State;
  refs: ObjectRef[];
};

/** What each case is tried on. */
export async function startServers() {
  const cluster = await startCluster();
  const engine = await ApplyEngine.open(`${root}/dist/engine`);
  const stop = async () => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    await Promise.all([cluster.stop(), engine.close()]);
  };
  return { cluster, emptied: await Emptied.of(cluster), engine, stop };
}

/** `foreign`: the server has the kinds that nobody knows, where the commit before has them. */
type Servers = { cluster: Cluster; emptied: Emptied; engine: ApplyEngine; foreign?: boolean };

const folders: string[] = [];

export async function applyBoth(
  one: Case,
  known: Known,
  said: Said,
  { cluster, emptied, engine, foreign }: Servers,
): Promise<Done> {
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
  if (foreign) for (const definition of foreignKinds(known)) await cluster.define(definition as unknown as Definition);
  // The roles that are in force are planted too, and definitions that the repository has of its own.
  const live = await lying(cluster, refs, contract.schemas);
  const simulation = await simulate(known, engine, { said, live });
  const heldBefore = simulation.earlier.filter(({ first }) => held.includes(first.reason)).map(({ path }) => path);
  const heldNow = simulation.applied.filter(({ first }) => held.includes(first)).map(({ path }) => path);
  const earlier = base
    ? await applyTwice(cluster, one.base as string, notIn(heldBefore, base.entrypoints), [], said.base)
    : [];
  const before = await liveState(servers, refs);
  const now = await applyTwice(cluster, one.directory, notIn(heldNow, head.entrypoints), earlier, said.head);
  const after = await liveState(servers, refs);
  return { simulation, earlier, now, before, after, refs };
}

function foreignKinds({ base, contract }: Known): JsonObject[] {
  const refs = (base?.objects ?? []).map(({ ref }) => ref);
  const unknown = refs.filter(
    (ref) => !contract.schemas.find(ref.apiVersion, ref.kind).known && groupOf(ref.apiVersion),
  );
  return [...new Map(unknown.map((ref) => [kindWords(ref), ref])).values()].map(({ apiVersion, kind, namespace }) => {
    const [group = '', name = ''] = apiVersion.split('/');
    const schema = { type: 'object' as const, 'x-kubernetes-preserve-unknown-fields': true as const };
    return definitionOf({
      ...{ group, kind, plural: `${kind.toLowerCase()}s`, scope: namespace === undefined ? 'Cluster' : 'Namespaced' },
      versions: [{ name, served: true, storage: true, deprecated: false, schema }],
    });
  });
}

function refsIn(findings: readonly Finding[]): ObjectRef[] {
  return findings.flatMap(({ object, also = [] }) => [...(object ? [object] : []), ...also]);
}

async function lying(
  cluster: Cluster,
  refs: readonly ObjectRef[],
  schemas: Known['contract']['schemas'],
): Promise<JsonObject[]> {
  const paths = new Set(refs.flatMap((ref) => addressOf(schemas, ref) ?? []));
  const answers = await Promise.all([...paths].map((path) => cluster.adminRequest('GET', path)));
  return answers.filter(({ status }) => status === 200).map(({ body }) => body);
}

const notIn = (paths: readonly string[], rendered: readonly Rendered[]) =>
  rendered.filter(({ entrypoint }) => !paths.includes(entrypoint.path));

/** Each Flux Kustomization that is reconciled at all, by what it renders; what cannot be built is tried as it lies there. */
async function applyTwice(
  cluster: Cluster,
  directory: string,
  rendered: readonly Rendered[],
  earlier: readonly Applied[],
  said: Said['head'],
): Promise<Applied[]> {
  const all: Applied[] = rendered.map(({ entrypoint }) => {
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

export type Outcome = { reasons: string[][]; before: State; after: State };

/** Whether two are the same as JSON, from whatever realm their maps are. */
export function areSame(one: unknown, other: unknown): boolean {
  const [plain, plainOther] = [one, other].map((value) => JSON.parse(JSON.stringify(value ?? null)));
  return isDeepStrictEqual(plain, plainOther);
}

/** What was done beside what the simulation says: why each reconcile ended as it did, and the objects before and after. */
export function bothOf(
  { simulation, earlier, now, before, after, refs }: Done,
  compared: { cluster: Cluster; schemas: Known['contract']['schemas'] },
): { isSure: boolean; ours: Outcome; theirs: Outcome } {
  const isReady = [...earlier, ...now].every(({ answers }) => answers.every(({ ready }) => ready));
  const stateIn = (state: Simulation['before']) =>
    Object.fromEntries(
      refs.flatMap((ref) => {
        const object = state.get(inventoryId(ref));
        return object && addressOf(compared.schemas, ref) ? [[inventoryEntry(ref), lasting(object)]] : [];
      }),
    );
  const [was, is] = [simulation.before, simulation.after].map(stateIn) as [State, State];
  const plain = isReady ? (state: State) => state : withoutManagers;
  // Flux's packages reconcile what its controller lets wait for another that has failed meanwhile.
  const waits = new Map(
    simulation.applied.flatMap(({ path, second }) => (held.includes(second) ? [[path, second]] : [])),
  );
  return {
    isSure: simulation.applied.every(({ unsure }) => unsure === undefined),
    ours: {
      reasons: simulation.applied
        .filter(({ first }) => !held.includes(first))
        .map(({ path, first, second }) => [path, first, second]),
      ...{ before: plain(was), after: plain(is) },
    },
    theirs: {
      reasons: now.map(({ entrypoint: { path }, answers: [first, second] }) => [
        ...[path, first?.reason ?? ''],
        waits.get(path) ?? second?.reason ?? '',
      ]),
      before: plain(asKnown(compared, before, was)),
      after: plain(asKnown(compared, after, is)),
    },
  };
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
