/** What the simulation shows and no rule says: refusals, and what is taken or lost of what others have set. */

import { compare, findingsAbout } from '../apiserver/expected.js';
import { notKnown, problemsOf as refusedProblems, type There } from '../apiserver/refusals.js';
import { refusalIn } from '../apiserver/status.js';
import type { ApiResponse } from '../apiserver/types.js';
import type { Cluster } from '../cluster/cluster.js';
import type { FieldPath, Finding, JsonObject, Problem, RenderedObject } from '../core/model.js';
import { formatPath, inventoryId, label, lookUp, pathsOverlap } from '../core/object.js';
import type { Built } from '../flux/prune.js';
import { isInNamespaces } from '../flux/request.js';
import { isOfFlux } from '../flux/settings.js';
import type { FieldChange } from './changes.js';
import { manager } from './reconcile.js';
import type { Reconciles, SimulatedObject, Simulation } from './simulate.js';

export type Shown = { head: Problem[]; base: Problem[] };

/**
 * `findings` are what the rules say of the same. Only where the objects are those of the cluster (`live`) is anything said of
 * fields: of what the platform is known to leave there, the rules say it.
 */
export function problemsOf(
  simulation: Simulation,
  { cluster, findings, live }: { cluster: Cluster; findings: readonly Finding[]; live: boolean },
): Shown {
  const changed = simulation.outcomes.filter(({ action }) => action === 'changed');
  return {
    head: [
      ...simulation.reconciles.flatMap((one) => refusals(one, cluster, findings)),
      ...(live ? changed.flatMap((outcome) => fieldProblems(outcome, findings)) : []),
    ],
    base: simulation.earlier.flatMap((one) => refusals(one, cluster, [])),
  };
}

function refusals(
  { rendered, objects, first, second }: Reconciles,
  cluster: Cluster,
  findings: readonly Finding[],
): Problem[] {
  const refused = new Map([...second.refused, ...first.refused].map((one) => [inventoryId(one.ref), one]));
  const there = { cluster, ours: true, version: '', objects };
  return objects.flatMap((object) => {
    const one = refused.get(inventoryId(object.ref));
    if (!one || one.isSaid || isDeleted(object.ref.namespace, findings)) return [];
    const answer = { status: one.status, body: one.body as JsonObject };
    return unsaidProblems({ object, rendered, answer }, there, findings);
  });
}

/** What the server refuses of an object, as far as it can be believed and no rule says it. */
export function unsaidProblems(
  { object, rendered, answer }: { object: RenderedObject; rendered: Built; answer: ApiResponse },
  there: There,
  findings: readonly Finding[],
): Problem[] {
  const { cluster } = there;
  const refusal = refusalIn(answer, object, isInNamespaces(object.ref, cluster.contract.schemas));
  const { unsaid } = compare({ object, rendered, outcome: 'refused', refusal }, findings, false);
  const rest = { object, rendered, refusal: { ...refusal, causes: unsaid } };
  return unsaid.length === 0 || notKnown(rest, there) !== undefined ? [] : refusedProblems(rest, cluster, true);
}

/** That all goes which is in a namespace, the rule says where the namespace is removed. */
function isDeleted(namespace: string | undefined, findings: readonly Finding[]): boolean {
  return findings.some(({ rule, object }) => rule === 'pruned-namespace' && object?.name === namespace);
}

/** Fields that somebody else has set. What Flux itself has set before, the change may set or leave out as it likes. */
function fieldProblems({ object, fields, ref }: SimulatedObject, findings: readonly Finding[]): Problem[] {
  if (!object) return [];
  const about = findingsAbout(object, findings);
  return fields.flatMap((field) => {
    const owners = field.ownersBefore.filter((owner) => owner !== manager);
    if (owners.length === 0 || isOfFlux(field.path) || isSaid(field.path, about)) return [];
    const isLost = field.after === undefined || (field.after === null && lookUp(object.value, field.path) !== null);
    if (!isLost && (field.ownersAfter.some((owner) => owners.includes(owner)) || field.before === undefined)) return [];
    const said = isLost ? lost(field, owners) : taken(field, owners);
    return [{ ...said, message: `${label(ref)}: ${said.message}`, at: { object, path: field.path } }];
  });
}

/** They are about all of an object, and not about the field alone that they stand at. */
const ofObjects = ['kubectl-takeover', 'platform-object-edited'];

function isSaid(path: FieldPath, findings: readonly Finding[]): boolean {
  return findings.some(({ rule, field }) => ofObjects.includes(rule) || pathsOverlap(field, path));
}

function lost({ path, after }: FieldChange, owners: readonly string[]) {
  return {
    rule: 'lost-field',
    message: `${formatPath(path)}, set by ${owners.map((owner) => `"${owner}"`).join(' and ')}, ${after === null ? 'becomes null' : 'is removed'} when Flux applies this`,
    help: 'set the field to the value that it should keep, or add the annotation kustomize.toolkit.fluxcd.io/ssa: Merge',
  };
}

function taken({ path }: FieldChange, owners: readonly string[]) {
  return {
    rule: 'taken-field',
    message: `Flux overwrites ${formatPath(path)}, which ${owners.join(' and ')} has set to another value`,
    help: 'remove the field, or make sure that its other field manager no longer sets it',
  };
}
