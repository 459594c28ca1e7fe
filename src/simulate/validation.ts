/**
 * The stage `validation`: what the API server itself refuses of an object, whoever sends it. Kubernetes' own validation of its built-in
 * kinds, and the CEL rules of definitions, are asked; all else about an object the rules know without.
 */

import { compare } from '../apiserver/expected.js';
import { notKnown, problemsOf } from '../apiserver/refusals.js';
import { refusalIn } from '../apiserver/status.js';
import type { Cluster, RevisionObjects } from '../cluster/cluster.js';
import { definitionOf } from '../cluster/crds.js';
import type {
  Finding,
  Json,
  JsonObject,
  NotChecked,
  Problem,
  RenderedObject,
  StageOutcome,
  Tree,
} from '../core/model.js';
import { groupOf, inventoryId, isObject } from '../core/object.js';
import { oncePer } from '../core/once.js';
import type { Definition, Schemas } from '../cozystack/schemas.js';
import type { ApplyEngine, LaterEngine } from '../engine/host/apply-engine.js';
import type { ApplyAnswer, Operation } from '../engine/host/apply-protocol.js';
import { isApplied } from '../flux/applied.js';
import { type Built, isBuilt } from '../flux/prune.js';
import { isInNamespaces } from '../flux/request.js';
import { isSetTo } from '../flux/settings.js';
import { manager, type Sent } from './reconcile.js';
import { sentBy } from './sources.js';
import type { Said } from './types.js';

const stage = 'validation';

export type Validation = {
  /** Absent where no object needs it. */
  stage?: StageOutcome;
  problems: { head: Problem[]; base: Problem[] };
  notChecked: NotChecked[];
};

export type ValidationOptions = {
  server: LaterEngine;
  /** What the rules say of each commit. */
  said: Said;
};

/** An object that only the API server's own code can judge, as Flux sends it. */
type Asked = Sent & { object: RenderedObject; rendered: Built };

/** What goes wrong is an error: what could not be judged is never taken for right. */
export async function runValidation(
  clusters: readonly Cluster[],
  { server, said }: ValidationOptions,
): Promise<Validation> {
  const none: Validation = { problems: { head: [], base: [] }, notChecked: [] };
  const all = clusters.map((cluster) => ({
    cluster,
    head: askedIn(cluster, cluster.head, said.head),
    base: cluster.base ? askedIn(cluster, cluster.base, said.base) : [],
  }));
  const [first] = all.flatMap(({ head, base }) => [...head, ...base]);
  if (!first) return none;
  try {
    const engine = await server.get();
    for (const { cluster, head, base } of all) {
      const answers = await ask(engine, cluster, head, base);
      none.problems.base.push(...problemsIn(cluster, base, answers.base, said.base));
      none.problems.head.push(...problemsIn(cluster, head, answers.head, said.head));
      none.notChecked.push(...notJudged(head, answers.head, cluster.contract.schemas));
    }
    return { ...none, stage: { name: stage, ran: true } };
  } catch (error) {
    const why = (error as Error).message;
    const message = `What the API server itself refuses could not be found out: ${why}`;
    const problem: Problem = { rule: 'skipped-stage', message, at: { object: first.object, path: ['kind'] } };
    return { stage: { name: stage, ran: false, why }, problems: { head: [problem], base: [] }, notChecked: [] };
  }
}

/** Files that are looked into, and bytes of each, for a hint that comes before anything is rendered. */
const [hintFiles, hintBytes] = [1000, 1 << 14];
const others = /^(?:[ \t]*|[ \t]*- )kind:[ \t]*["']?(?!(?:Package|PackageSource|Kustomization|Component)\b)[A-Z]/m;
const generators = /^(?:configMap|secret)Generator:/m;

/** Whether it looks as if some object will need it, so that it can be loaded beside the render. In large trees it pays to wait. */
export function mayNeedServer(tree: Tree): boolean {
  const files = tree.files.filter((file) => /\.ya?ml$/.test(file));
  return (
    files.length <= hintFiles &&
    files.some((file) => {
      const text = Buffer.from(tree.bytes(file)?.subarray(0, hintBytes) ?? []).toString();
      return others.test(text) || generators.test(text);
    })
  );
}

/** Whether nothing but the API server's own code can say that it is valid. */
function needsServer({ ref: { apiVersion, kind }, value }: RenderedObject, schemas: Schemas): boolean {
  const found = schemas.find(apiVersion, kind);
  if (!found.known) return false;
  if (found.builtIn || !isPlain(value)) return true;
  const definition = schemas.definition(groupOf(apiVersion), kind);
  return definition !== undefined && hasRules(definition);
}

/** Names, labels and annotations of which no rule of Kubernetes has anything to say: of nearly all objects. */
function isPlain({ metadata }: JsonObject): boolean {
  if (!isObject(metadata)) return true;
  const { name, namespace, labels = {}, annotations = {}, finalizers = [], ownerReferences, generateName } = metadata;
  const fits = (text: Json | undefined, what: RegExp) =>
    text === undefined || (typeof text === 'string' && what.test(text));
  const keys = [...Object.keys(labels ?? {}), ...Object.keys(annotations ?? {})];
  return (
    fits(name, /^[a-z0-9](?:[a-z0-9.-]{0,61}[a-z0-9])?$/) &&
    !/\.[.-]|-\./.test(String(name)) &&
    fits(namespace, /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/) &&
    keys.every((key) =>
      /^(?:[a-z0-9](?:[a-z0-9.-]{0,61}[a-z0-9])?\/)?[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/.test(key),
    ) &&
    Object.values(labels ?? {}).every((text) => fits(text, /^(?:[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?)?$/)) &&
    JSON.stringify(annotations).length < 100_000 &&
    JSON.stringify([finalizers, ownerReferences ?? [], generateName ?? '']) === '[[],[],""]'
  );
}

const hasRules = oncePer((definition: Definition): boolean =>
  definition.versions.some(({ schema }) => holdsRule(schema as unknown as Json)),
);

function holdsRule(schema: Json): boolean {
  if (Array.isArray(schema)) return schema.some(holdsRule);
  if (!isObject(schema)) return false;
  return Array.isArray(schema['x-kubernetes-validations']) || Object.values(schema).some(holdsRule);
}

function askedIn(cluster: Cluster, { entrypoints }: RevisionObjects, said: readonly Finding[]): Asked[] {
  const { schemas } = cluster.contract;
  return entrypoints
    .filter(isBuilt)
    .flatMap((rendered) =>
      rendered.objects
        .filter((object) => isApplied(object) && needsServer(object, schemas))
        .map((object) => ({ ...sentBy(object, rendered, cluster, said), object, rendered })),
    );
}

const how = { op: 'apply' as const, manager, force: true, brief: true };

/** What the base branch has is there already, as far as it is accepted. */
async function ask(
  engine: ApplyEngine,
  cluster: Cluster,
  head: readonly Asked[],
  base: readonly Asked[],
): Promise<{ head: ApplyAnswer[]; base: ApplyAnswer[] }> {
  await engine.define(definitionsOf(cluster.contract.schemas, [...head, ...base]));
  const write = ({ value }: Asked): Operation => ({ ...how, object: value });
  const [, ...answers] = await engine.ask([
    { op: 'reset' },
    ...base.map(write),
    ...head.map((one): Operation => ({ ...write(one), dryRun: true }) as Operation),
  ]);
  const asked = { base: answers.slice(0, base.length), head: answers.slice(base.length) };
  return { ...asked, head: await anew(engine, cluster, head, asked.head) };
}

/** What Flux is to force is deleted and made where a change is refused; what is there and only to be made is left alone. */
async function anew(
  engine: ApplyEngine,
  cluster: Cluster,
  head: readonly Asked[],
  answers: readonly ApplyAnswer[],
): Promise<ApplyAnswer[]> {
  const there = new Set((cluster.base?.objects ?? []).map(({ ref }) => inventoryId(ref)));
  const isLeft = ({ ref, value }: Asked) => there.has(inventoryId(ref)) && isSetTo(value, 'ssa', 'IfNotPresent');
  const isForced = ({ value, rendered }: Asked) =>
    rendered.entrypoint.forces === true || isSetTo(value, 'force', 'enabled');
  const out = [...answers];
  const again = head.flatMap((one, index) =>
    out[index]?.error && there.has(inventoryId(one.ref)) && isForced(one) ? [index] : [],
  );
  const [, ...made] = await engine.ask(
    again.length === 0
      ? []
      : [
          { op: 'reset' },
          ...again.map((index): Operation => ({ ...how, object: (head[index] as Asked).value, dryRun: true })),
        ],
  );
  for (const [place, index] of again.entries()) out[index] = made[place] as ApplyAnswer;
  return out.map((answer, index) => (isLeft(head[index] as Asked) ? { status: 200 } : answer));
}

function definitionsOf(schemas: Schemas, all: readonly Asked[]): JsonObject[] {
  const kinds = new Map(all.map(({ ref }) => [`${groupOf(ref.apiVersion)}/${ref.kind}`, ref]));
  return [...kinds.values()].flatMap(({ apiVersion, kind }) => {
    const found = schemas.definition(groupOf(apiVersion), kind);
    return found ? [definitionOf(found)] : [];
  });
}

function problemsIn(
  cluster: Cluster,
  asked: readonly Asked[],
  answers: readonly ApplyAnswer[],
  findings: readonly Finding[],
): Problem[] {
  const there = { cluster, ours: true, version: '', objects: asked.map(({ object }) => object) };
  return asked.flatMap(({ object, rendered }, index) => {
    const answer = answers[index];
    if (!answer?.error || answer.status === 404) return [];
    const isNamespaced = isInNamespaces(object.ref, cluster.contract.schemas);
    const refusal = refusalIn(
      { status: answer.status, body: answer.error as unknown as JsonObject },
      object,
      isNamespaced,
    );
    const { unsaid } = compare({ object, rendered, outcome: 'refused', refusal }, findings, false);
    const rest = { object, rendered, refusal: { ...refusal, causes: unsaid } };
    return unsaid.length === 0 || notKnown(rest, there) !== undefined ? [] : problemsOf(rest, cluster, true);
  });
}

/** Kinds that the module does not have. Where an object is in the wrong place, that is why it is not found. */
function notJudged(asked: readonly Asked[], answers: readonly ApplyAnswer[], schemas: Schemas): NotChecked[] {
  const kinds = new Map<string, number>();
  for (const [index, { ref }] of asked.entries())
    if (answers[index]?.status === 404 && isInNamespaces(ref, schemas) === (ref.namespace !== undefined)) {
      const kind = `${ref.apiVersion} ${ref.kind}`;
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }
  return [...kinds].map(([what, count]) => ({
    what,
    why: 'the API server’s own validation of this kind is not run',
    count,
  }));
}
