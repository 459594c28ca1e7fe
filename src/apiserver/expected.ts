/** What the server and the rules say of the same object, held against each other. */

import { groupBy } from '../core/group.js';
import type { Finding, RefusalReason, RenderedObject } from '../core/model.js';
import { inventoryId, pathsOverlap } from '../core/object.js';
import { oncePer } from '../core/once.js';
import type { Built } from '../flux/prune.js';
import type { Cause, Conflict, Refusal } from './status.js';

/** In the order in which an API server comes to it: what it refuses early hides what it would refuse later. */
const steps = ['kind', 'right', 'schema', 'create'] as const;
type Step = (typeof steps)[number];

const stepOf: Partial<Record<RefusalReason, Step>> = {
  'unknown-kind': 'kind',
  'no-namespace': 'right',
  'missing-namespace': 'right',
  forbidden: 'right',
  'unknown-field': 'schema',
  invalid: 'schema',
  conflict: 'schema',
};

/** Rules that say that the API server refuses an object. Those that also say other things cannot be contradicted. */
const rules: Record<string, { step: Step; only?: true }> = {
  'unknown-kind': { step: 'kind', only: true },
  'unserved-version': { step: 'kind', only: true },
  // A server of one's own is given every kind that the repository uses, so that it is no witness.
  'kind-not-installed': { step: 'kind' },
  'forbidden-object': { step: 'right', only: true },
  'missing-namespace': { step: 'right', only: true },
  'package-not-created-here': { step: 'create', only: true },
  'not-there-yet': { step: 'right' },
  'unknown-package': { step: 'create' },
  'unbound-service-account': { step: 'right' },
  'schema-violation': { step: 'schema', only: true },
  'duplicate-list-key': { step: 'schema', only: true },
  'copied-live-object': { step: 'schema' },
  'encrypted-without-decryption': { step: 'schema' },
  'other-keycloak-operator': { step: 'kind', only: true },
  'claimed-field-dropped': { step: 'schema' },
  'other-flux-version': { step: 'schema' },
  'invalid-application': { step: 'schema' },
  'invalid-package-source': { step: 'schema' },
  'refused-by-server': { step: 'schema', only: true },
  'held-definition': { step: 'right', only: true },
};

/** Whether the rule is one of those that say so of some object; what else it says, the finding tells by its field. */
export function saysRefused(finding: Pick<Finding, 'rule' | 'unsent'>): boolean {
  return predictionOf(finding) !== undefined;
}

function predictionOf({ rule, unsent }: Pick<Finding, 'rule' | 'unsent'>) {
  return !unsent && Object.hasOwn(rules, rule) ? rules[rule] : undefined;
}

/** Whether it is certain that the object which it is about is refused, whatever else its rule may say. */
export function isRefusal(finding: Finding): boolean {
  const known = predictionOf(finding);
  if (finding.severity !== 'error' || !known) return false;
  return known.only || finding.rule === 'not-there-yet' || saysNoKind(finding);
}

/** Whether it says that the server does not have the kind, or not in that version. */
export function saysNoKind(finding: Finding): boolean {
  const known = predictionOf(finding);
  const [top] = finding.field;
  const isAtKind = finding.field.length === 1 && (top === 'kind' || top === 'apiVersion');
  return known !== undefined && (known.step === 'kind' || (!known.only && isAtKind));
}

export type Comparison = {
  /** What is refused and no rule says so. */
  unsaid: Cause[];
  /** What rules say that is not so. */
  contradicted: Finding[];
  /** What rules say that is so. */
  confirmed: Finding[];
};

/** `sure`: the server knows the cluster better than the rules, so that what these only suspect is no prediction. */
export function compare(reply: Reply, findings: readonly Finding[], sure: boolean): Comparison {
  const about = findingsAbout(reply.object, findings).filter(saysRefused);
  const said = about.filter(({ severity }) => severity === 'error' || !sure);
  const place = ({ rule }: Finding) => steps.indexOf((rules[rule] as { step: Step }).step);
  const { reason, causes } = reply.outcome === 'refused' ? reply.refusal : { reason: undefined, causes: [] };
  const isAboutMaking = reason === 'forbidden' && causes.some(({ message }) => / cannot create /.test(message));
  const step = isAboutMaking ? 'create' : reason && stepOf[reason];
  const reached = step ? steps.indexOf(step) : steps.length;
  const says = (finding: Finding, { path }: Cause) =>
    finding.rule === 'not-there-yet' ||
    (isAboutMaking && rules[finding.rule]?.step === 'right') ||
    (place(finding) === reached && (step !== 'schema' || path.length === 0 || pathsOverlap(finding.field, path)));
  const confirmed = said.filter((finding) => causes.some((cause) => says(finding, cause)));
  const isContradicted = (one: Finding) =>
    one.severity === 'error' && rules[one.rule]?.only && place(one) < reached && !confirmed.includes(one);
  return {
    unsaid: causes.filter((cause) => !said.some((finding) => says(finding, cause))),
    confirmed,
    contradicted: about.filter(isContradicted),
  };
}

/** Those of which it is one of the objects that are rendered with the line. Findings that were asked about are not changed any more. */
export function findingsAbout(
  { ref, entrypoint }: Pick<RenderedObject, 'ref' | 'entrypoint'>,
  findings: readonly Finding[],
): readonly Finding[] {
  return byObject(findings).get(`${entrypoint}: ${inventoryId(ref)}`) ?? [];
}

/** So that a look for each of many objects does not go through all of many findings. */
const byObject = oncePer((findings: readonly Finding[]) => {
  const found = new Map<string, Finding[]>();
  for (const [key, group] of groupBy(findings.flatMap(keysOf), ({ key }) => key))
    found.set(
      key,
      group.map(({ finding }) => finding),
    );
  return found;
});

function keysOf(finding: Finding): { key: string; finding: Finding }[] {
  const objects = finding.object === undefined ? [] : [finding.object, ...(finding.also ?? [])];
  const ids = [...new Set(objects.map(inventoryId))];
  return finding.entrypoints.flatMap((entrypoint) => ids.map((id) => ({ key: `${entrypoint}: ${id}`, finding })));
}

export type Reply = { object: RenderedObject; rendered: Built } /** `written`: for real, on a cluster of our own. */ & (
  | { outcome: 'accepted'; conflicts: Conflict[]; written: boolean }
  | { outcome: 'refused'; refusal: Refusal }
  | { outcome: 'unanswered'; why: string }
);
