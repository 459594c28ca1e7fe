/**
 * The stage `validation`: what the API server itself refuses of an object, whoever sends it. Kubernetes' own validation of its built-in
 * kinds, and the CEL rules of definitions, are asked; all else about an object the rules know without.
 */

import type { Cluster, RevisionObjects } from '../cluster/cluster.js';
import { definitionsOf } from '../cluster/crds.js';
import { whyNotRun } from '../core/built.js';
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
import { unsaidProblems } from './problems.js';
import { isMadeAnew, isSkipped, manager, type Sent } from './reconcile.js';
import { groupKind, sentBy } from './sources.js';
import type { Said } from './types.js';
import { hasPlainMetadata, isCustom, metadataOf, unknownKinds } from './unknown-kinds.js';

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
    head: askedIn(cluster, cluster.head, () => said.head),
    base: cluster.base ? askedIn(cluster, cluster.base, () => said.base) : [],
  }));
  const [first] = all.flatMap(({ head, base }) => [...head, ...base]);
  if (!first) return none;
  try {
    const engine = await server.get();
    for (const { cluster, head, base } of all) {
      // The rules judge while the server does; what they say is kept.
      const meanwhile = () => void [said.head, cluster.base && said.base];
      const answers = await ask(engine, cluster, { head, base }, meanwhile);
      none.problems.base.push(...problemsIn(cluster, base, answers.base, said.base));
      none.problems.head.push(...problemsIn(cluster, head, answers.head, said.head));
      none.notChecked.push(...notJudged(head, answers.head, cluster.contract.schemas));
    }
    return { ...none, stage: { name: stage, ran: true } };
  } catch (error) {
    const why = whyNotRun(error);
    const message = `What the API server itself refuses could not be found out: ${why}`;
    const problem: Problem = { rule: 'skipped-stage', message, at: { object: first.object, path: ['kind'] } };
    return { stage: { name: stage, ran: false, why }, problems: { head: [problem], base: [] }, notChecked: [] };
  }
}

/** How many files are looked into, and bytes of each, for a hint that comes before anything is rendered. */
const [hintFiles, hintBytes] = [1000, 1 << 14];
const others = /^(?:[ \t]*|[ \t]*- )kind:[ \t]*["']?(?!(?:Package|PackageSource|Kustomization|Component)\b)[A-Z]/m;
const generators = /^(?:configMap|secret)Generator:/m;

/** Whether it has more manifests than are looked into for a hint. */
export function isLarge(tree: Tree): boolean {
  return manifestsIn(tree).length > hintFiles;
}

/** Whether it looks as if some object will need it, so that it can be started beside the render. */
export function mayNeedServer(tree: Tree): boolean {
  const files = manifestsIn(tree).slice(0, hintFiles);
  return files.some((file) => {
    const bytes = tree.bytes(file);
    return bytes !== undefined && hintsAt(bytes);
  });
}

const manifestsIn = oncePer((tree: Tree): string[] => tree.files.filter((file) => /\.ya?ml$/.test(file)));

const hintsAt = oncePer((bytes: Uint8Array): boolean => {
  const text = Buffer.from(bytes.subarray(0, hintBytes)).toString();
  return others.test(text) || generators.test(text);
});

/** Whether nothing but the API server's own code can say that it is valid. */
function needsServer({ ref, value }: RenderedObject, schemas: Schemas): boolean {
  const { apiVersion, kind } = ref;
  if (isCustom(ref, schemas)) return !hasPlainMetadata(value);
  const found = schemas.find(apiVersion, kind);
  if (!found.known) return false;
  if (found.builtIn || !hasPlainMetadata(value)) return true;
  const definition = schemas.definition(groupOf(apiVersion), kind);
  return definition !== undefined && hasRules(definition);
}

const hasRules = oncePer((definition: Definition): boolean =>
  definition.versions.some(({ schema }) => holdsRule(schema as unknown as Json)),
);

function holdsRule(schema: Json): boolean {
  if (Array.isArray(schema)) return schema.some(holdsRule);
  if (!isObject(schema)) return false;
  return Array.isArray(schema['x-kubernetes-validations']) || Object.values(schema).some(holdsRule);
}

function askedIn(cluster: Cluster, { entrypoints }: RevisionObjects, said: () => readonly Finding[]): Asked[] {
  const { schemas } = cluster.contract;
  return entrypoints.filter(isBuilt).flatMap((rendered) =>
    rendered.objects
      .filter((object) => isApplied(object) && needsServer(object, schemas))
      .map((object) => {
        const { ref, value } = sentBy(object, rendered, cluster, said);
        return { ref, value: isCustom(ref, schemas) ? metadataOf(value) : value, object, rendered };
      }),
  );
}

const how = { op: 'apply' as const, manager, force: true, brief: true };

/** What the base branch has is there already, as far as it is accepted. */
async function ask(
  engine: ApplyEngine,
  cluster: Cluster,
  { head, base }: { head: readonly Asked[]; base: readonly Asked[] },
  meanwhile: () => void,
): Promise<{ head: ApplyAnswer[]; base: ApplyAnswer[] }> {
  const kinds = [...head, ...base].map(({ ref }) => groupKind(ref));
  const hasUnknown = [...head, ...base].some(({ ref }) => isCustom(ref, cluster.contract.schemas));
  const definitions = definitionsOf(kinds, cluster.contract.schemas, cluster.snapshot);
  await engine.define([...definitions, ...(hasUnknown ? unknownKinds : [])]);
  const write = ({ value }: Asked): Operation => ({ ...how, object: value });
  const tryOut = ({ value }: Asked): Operation => ({ ...how, object: value, dryRun: true });
  const operations: Operation[] = [{ op: 'reset' }, ...base.map(write), ...head.map(tryOut)];
  const [, ...answers] = await engine.ask(operations, meanwhile);
  const [before, after] = [answers.slice(0, base.length), answers.slice(base.length)];
  const there = new Map(base.map(({ ref, value }) => [inventoryId(ref), value]));
  const liveOf = ({ ref }: Asked) => there.get(inventoryId(ref));
  const anew = head.filter((one, index) => {
    const live = liveOf(one);
    return live && isMadeAnew(one, live, one.rendered.entrypoint, after[index] as ApplyAnswer);
  });
  const [, ...made] = anew.length > 0 ? await engine.ask([{ op: 'reset' }, ...anew.map(tryOut)]) : [];
  const again = new Map(anew.map((one, index) => [one, made[index] as ApplyAnswer]));
  const answerTo = (one: Asked, index: number) =>
    isSkipped(one, liveOf(one)) ? { status: 200 } : (again.get(one) ?? (after[index] as ApplyAnswer));
  return { base: before, head: head.map(answerTo) };
}

function problemsIn(
  cluster: Cluster,
  asked: readonly Asked[],
  answers: readonly ApplyAnswer[],
  findings: readonly Finding[],
): Problem[] {
  const there = { cluster, ours: true, version: '', objects: asked.map(({ object }) => object) };
  return asked.flatMap(({ object, rendered }, index) => {
    const { status, error } = answers[index] as ApplyAnswer;
    if (!error || status === 404) return [];
    return unsaidProblems(
      { object, rendered, answer: { status, body: error as unknown as JsonObject } },
      there,
      findings,
    );
  });
}

/** Kinds that the module does not have. Where an object is in the wrong place, that is why it is not found. */
function notJudged(asked: readonly Asked[], answers: readonly ApplyAnswer[], schemas: Schemas): NotChecked[] {
  const kinds = new Map<string, number>();
  for (const [index, { ref }] of asked.entries())
    if (
      !isCustom(ref, schemas) &&
      answers[index]?.status === 404 &&
      isInNamespaces(ref, schemas) === (ref.namespace !== undefined)
    ) {
      const kind = `${ref.apiVersion} ${ref.kind}`;
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }
  return [...kinds].map(([what, count]) => ({
    what,
    why: 'the API server’s own validation of this kind is not run',
    count,
  }));
}
