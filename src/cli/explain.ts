/** `customizer-lint explain KIND/NAME [FIELD]…`: the lines that made a field what it is, whose it is, and what becomes of it. */

import { type BelowFields, belowFields } from '../charts/below.js';
import type { ChartsNeeds, ChartsOptions } from '../charts/stage.js';
import { openCharts } from '../charts/store.js';
import type { Cluster } from '../cluster/cluster.js';
import { fieldOwner } from '../cluster/field-owner.js';
import { defined } from '../core/defined.js';
import { jsonText } from '../core/escape.js';
import { type FieldPath, type RenderedObject, UsageError } from '../core/model.js';
import { inventoryId, isWithin, lookUp, parsePath } from '../core/object.js';
import { once } from '../core/once.js';
import { explainData } from '../explain/json.js';
import { type Leaf, leavesOf } from '../explain/provenance.js';
import { type Explained, type ExplainedField, explainText } from '../explain/text.js';
import { toApplyRequest } from '../flux/request.js';
import { isOfFlux } from '../flux/settings.js';
import { loadWorkspace } from '../lint/load.js';
import { saidOf } from '../lint/said.js';
import { hideIn, hiderOf } from '../secrets/hide.js';
import { secretValues, withoutSecrets } from '../secrets/values.js';
import { leavesIn } from '../simulate/changes.js';
import { keyOf } from '../simulate/managed-fields.js';
import {
  clusterWithout,
  fateOfObject,
  fieldOutcome,
  type ObjectOutcome,
  removalOf,
  type States,
  wholeList,
} from '../simulate/outcome.js';
import { type Simulation, simulate } from '../simulate/simulate.js';
import type { Said, Simulator } from '../simulate/types.js';
import { Locator } from '../yaml/locator.js';
import { wantedClusters, workspaceOptions, write } from './common.js';
import { readLive } from './objects.js';
import type { Program } from './program.js';
import { startProgress } from './progress.js';
import type { Call } from './root.js';
import { printBuildErrors } from './session.js';

export async function explain(args: Call, program: Program): Promise<number> {
  const { operands, values } = args;
  const [subject = '', ...fields] = operands;
  const wanted = fields.map(parsePath);
  const live = values.live === undefined ? [] : readLive(values.live);
  const progress = startProgress(program.stderr);
  const store = values.charts === undefined ? undefined : await openCharts(values.charts, program);
  const charts = store && { store, progress: progress.say };
  const options = await workspaceOptions(args, program, progress);
  const { home, engine } = options;
  return loadWorkspace(options, async (workspace) => {
    const { clusters, rendered, trees, budget } = workspace;
    if (!charts) progress.stop();
    printBuildErrors(rendered.head, program);
    const locator = new Locator(trees);
    const found = wantedClusters(clusters, values)
      .map((cluster) => ({ cluster, objects: cluster.head.objects.filter((object) => matches(object, subject)) }))
      .filter(({ objects }) => objects.length > 0);
    if (found.length === 0) throw new UsageError(`no entrypoint renders "${subject}"`);
    const server = await workspace.server.get();
    const explained: Explained[] = [];
    const said = saidOf(workspace, options);
    for (const { cluster, objects } of found) {
      const simulation = await simulate(cluster, server, { live, said });
      for (const object of objects)
        explained.push(await explainObject(object, { cluster, simulation, server, said, locator, wanted }));
    }
    const isJson = values.format?.at(-1) === 'json';
    const ofRepository = once(() => secretValues(trees, rendered));
    const needs = { home, budget, server: workspace.server, trees, secrets: ofRepository, ...defined({ engine }) };
    const below = charts && (await addBelow(explained, found, charts, needs));
    progress.stop();
    if (below && below.left > 0)
      program.stderr.write(
        `warning  what ${below.left} fields do below was not looked for: there is no time left (--max-seconds)\n`,
      );
    const known = new Set([...ofRepository(), ...(below?.secrets ?? [])]);
    const hider = hiderOf({ trees, rendered }, below?.secrets);
    const shown = explained.map(({ object, ...told }) => ({
      object: { ...object, ref: hideIn(object.ref, hider) },
      ...hideIn(withoutSecrets(told, known), hider),
    }));
    write(isJson ? jsonText(explainData(shown)) : explainText(shown), args, program);
    return 0;
  }).finally(progress.stop);
}

/** Fills in what the fields decide of in the objects of their charts: of a list once, with its first field. */
async function addBelow(
  explained: readonly Explained[],
  found: readonly { cluster: Cluster; objects: readonly RenderedObject[] }[],
  charts: ChartsOptions,
  needs: ChartsNeeds,
): Promise<BelowFields> {
  const pathsOf = ({ fields }: Explained) => [
    ...new Map(fields.map(({ path }) => wholeList(path)).map((path) => [keyOf(path), path])).values(),
  ];
  const asked = found.map(({ cluster, objects }) => ({
    cluster,
    fields: explained
      .filter(({ object }) => objects.includes(object))
      .map((one) => ({ object: one.object, paths: pathsOf(one) })),
  }));
  const below = await belowFields(asked, charts, needs);
  for (const { object, fields } of explained) {
    const seen = new Set<string>();
    for (const field of fields) {
      const path = wholeList(field.path);
      const told = seen.has(keyOf(path)) ? undefined : below.of(object, path);
      seen.add(keyOf(path));
      if (told) field.below = told;
    }
  }
  return below;
}

/** `Package/cozystack.metallb`, in any case of the kind; `Kind/namespace/name` where a name is not enough. */
function matches({ ref }: RenderedObject, subject: string): boolean {
  const [kind = '', ...rest] = subject.split('/');
  if (kind.toLowerCase() !== ref.kind.toLowerCase()) return false;
  const name = rest.join('/');
  return name === ref.name || name === `${ref.namespace ?? ''}/${ref.name}`;
}

type Context = {
  cluster: Cluster;
  simulation: Simulation;
  server: Simulator;
  said: Said;
  locator: Locator;
  /** None for all. */
  wanted: FieldPath[];
};

async function explainObject(object: RenderedObject, context: Context): Promise<Explained> {
  const { cluster, simulation, locator, wanted } = context;
  const fate = fateOfObject(object, simulation);
  const leaves = [...leavesOf([object], locator)];
  const states = statesOf(object, context);
  const lists = new Set<string>();
  const others = unsetFields(object, leaves, { states, simulation, wanted });
  const fields = [
    ...others.filter(({ isWanted }) => isWanted).map(({ path }) => fieldOf(path, undefined)),
    ...leaves.filter(({ path }) => isAsked(path, wanted)).map((leaf) => fieldOf(leaf.path, leaf)),
    ...others.filter(({ isWanted }) => !isWanted).map(({ path }) => fieldOf(path, undefined)),
  ];
  function fieldOf(path: FieldPath, leaf: Leaf | undefined): ExplainedField {
    const sentAs = convertedTo(path, object, states);
    const isSet = leaf !== undefined && !leaf.removed;
    const by = isApplied(fate) ? (isSet ? 'set' : 'unset') : 'held';
    const field = {
      path,
      isFirst: false,
      isWanted: wanted.length > 0,
      ...(leaf && { written: writtenOf(leaf, object, locator) }),
    };
    if (isIdentity(path)) return field;
    const own = fieldOutcome(sentAs ?? path, states, by);
    if (own.path.length < path.length && own.outcome !== 'unsent') {
      const list = keyOf(own.path);
      if (lists.has(list)) return field;
      lists.add(list);
    }
    const contract = fieldOwner(object, path, cluster);
    return { ...field, fate: own, ...defined({ contract, sentAs }) };
  }
  if (isApplied(fate)) for (const field of wanted) await remove(field, fields, object, context);
  const { name } = cluster;
  return { object, ...defined({ cluster: name }), fate, fields };
}

function isApplied({ action }: ObjectOutcome): boolean {
  return action === 'created' || action === 'changed' || action === 'unchanged';
}

function statesOf(object: RenderedObject, { cluster, simulation }: Context): States {
  const built = cluster.head.entrypoints.find((one) => one.ok && one.objects.includes(object));
  const id = inventoryId(object.ref);
  return {
    before: simulation.before.get(id),
    after: simulation.after.get(id),
    sent: built && toApplyRequest(object, built.entrypoint, cluster.contract.schemas),
  };
}

/** What the repository does not set: of the fields that are asked for, all that is there; else what changes nevertheless. */
function unsetFields(
  object: RenderedObject,
  leaves: readonly Leaf[],
  { states, simulation, wanted }: { states: States; simulation: Simulation; wanted: FieldPath[] },
): { path: FieldPath; isWanted: boolean }[] {
  const written = leaves.map(({ path }) => wholeList(path));
  const isWritten = (path: FieldPath) => written.some((one) => isWithin(path, one) || isWithin(one, path));
  const id = inventoryId(object.ref);
  const changed = simulation.outcomes.find(({ ref }) => inventoryId(ref) === id)?.fields ?? [];
  const there = [...new Map([...leavesIn(states.before), ...leavesIn(states.after)]).values()];
  const unset = wanted.filter((path) => lookUp(object.value, path) === undefined);
  return [
    ...unset.flatMap((path) => {
      if (leaves.some((leaf) => leaf.removed && isWithin(leaf.path, path))) return [];
      const below = there.filter((leaf) => isWithin(leaf, path) && leaf.length > path.length);
      return [path, ...below].map((one) => ({ path: one, isWanted: true }));
    }),
    ...changed
      // What the API server adds by itself is nobody's.
      .filter(({ before }) => before !== undefined)
      .map(({ path }) => path)
      .filter((path) => !isOfFlux(path) && !isWritten(sourceOf(path, object)) && isAsked(path, wanted))
      .filter((path) => !unset.some((one) => isWithin(path, one)))
      .map((path) => ({ path, isWanted: false })),
  ];
}

function isAsked(path: FieldPath, wanted: readonly FieldPath[]): boolean {
  return wanted.length === 0 || wanted.some((one) => isWithin(path, one));
}

/** A Secret’s text is sent as data. */
function convertedTo([top, ...rest]: FieldPath, { ref }: RenderedObject, { sent }: States): FieldPath | undefined {
  const path = ['data', ...rest];
  if (ref.kind !== 'Secret' || top !== 'stringData' || !sent) return undefined;
  return lookUp(sent, path) === undefined ? undefined : path;
}

function sourceOf(path: FieldPath, { ref, value }: RenderedObject): FieldPath {
  const text = ['stringData', ...path.slice(1)];
  return ref.kind === 'Secret' && path[0] === 'data' && lookUp(value, text) !== undefined ? text : path;
}

/** Without these it would be another object. */
function isIdentity(path: FieldPath): boolean {
  const [top, second] = path;
  if (top === 'metadata') return path.length === 1 || second === 'name' || second === 'namespace';
  return top === undefined || top === 'apiVersion' || top === 'kind';
}

/** Fills in what a commit without the field does to each of `fields` that is in it. */
async function remove(
  removed: FieldPath,
  fields: ExplainedField[],
  object: RenderedObject,
  { cluster, simulation, server, said }: Context,
): Promise<void> {
  if (isIdentity(removed) || lookUp(object.value, removed) === undefined) return;
  const { cluster: next, live } = clusterWithout(removed, { object, cluster, simulation });
  const after = await simulate(next, server, { live, said: { head: said.head, base: said.head } });
  const concerned = fields.filter(
    ({ path, written, fate }) =>
      isWithin(path, removed) && written?.value !== undefined && fate && !['unsent', 'dropped'].includes(fate.outcome),
  );
  for (const [index, field] of concerned.entries()) {
    field.removal = removalOf(field.sentAs ?? field.path, {
      object,
      simulation: after,
      removed: field.sentAs ? ['data', ...removed.slice(1)] : removed,
    });
    field.isFirst = index === 0;
  }
}

/** Each place once, with the first word for it: a transformer that keeps part of a value names its place again. */
function writtenOf(leaf: Leaf, object: RenderedObject, locator: Locator): NonNullable<ExplainedField['written']> {
  const places = new Map<string, { by: string; file: string; line: number; column: number }>();
  for (const { by, from } of leaf.writers) {
    for (const { file, line, column } of from) {
      const place = `${file}:${line}:${column}`;
      if (!places.has(place)) places.set(place, { by, file, line, column });
    }
  }
  const alias = leaf.removed ? undefined : locator.alias(object, leaf.path);
  return {
    ...(leaf.removed ? { removed: true as const } : { value: leaf.value ?? null }),
    setBy: [...places.values()],
    ...(alias && { alias: { file: alias.file, ...alias.range.start } }),
    file: leaf.file,
  };
}
