/** What an API server refuses, as problems at their lines: whether it can be believed, what it stops, and what to do. */

import { describeBlocked } from '../cluster/blocked.js';
import type { Cluster } from '../cluster/cluster.js';
import { ownedWhenApplied } from '../cluster/pending.js';
import { defined } from '../core/defined.js';
import type { Fact, FactName, FieldPath, Json, Problem, RefusalReason, RenderedObject } from '../core/model.js';
import { formatPath, getString, inventoryId, isObject, label, lookUp } from '../core/object.js';
import { nearest } from '../core/suggest.js';
import { isPackage } from '../cozystack/package.js';
import { objectsNamed } from '../flux/index-of.js';
import { type Built, isBuilt, sameEntrypoint } from '../flux/prune.js';
import { isUnresolved } from '../schema/walk.js';
import type { Cause, Refusal } from './status.js';

export type RefusedObject = { object: RenderedObject; rendered: Built; refusal: Refusal };

/** What answered, and what it was asked about. */
export type There = { cluster: Cluster; ours: boolean; version: string; objects: readonly RenderedObject[] };

/** Why a refusal says nothing: the server lacks what the cluster may have. */
export function notKnown(about: RefusedObject, { cluster, ours, version, objects }: There): string | undefined {
  const { object, rendered, refusal } = about;
  const { ref } = object;
  if (refusal.causes.every(({ path }) => restsOnUnknown(object, path))) return filledIn;
  if (isOtherCluster(about, cluster))
    return 'another Flux Kustomization applies something else under its name, perhaps to another cluster';
  const brings = (kind: string, fits: (other: RenderedObject) => boolean) =>
    objects.some((other) => other.ref.kind === kind && fits(other));
  if (refusal.reason === 'missing-namespace' && brings('Namespace', (other) => other.ref.name === ref.namespace))
    return 'their Namespace comes with the repository and does not exist yet';
  if (refusal.reason === 'unknown-kind') {
    const isIts = ({ value }: RenderedObject) => getString(value, ['spec', 'names', 'kind']) === ref.kind;
    if (brings('CustomResourceDefinition', isIts))
      return 'the definition of their kind comes with the repository and does not exist yet';
    if (ours && cluster.contract.schemas.find(ref.apiVersion, ref.kind).known) return 'their kind is not on by default';
    const known = cluster.contract.schemas.find(ref.apiVersion, ref.kind);
    if (ours && !known.known)
      return known.why === 'unknown-kind'
        ? 'their kind is unknown'
        : `their version may be served by a Kubernetes that is newer than ${version}`;
  }
  if (ours && refusal.reason === 'forbidden') {
    if (isPackage(object) && !cluster.snapshot && refusal.causes.some(({ message }) => / cannot create /.test(message)))
      return 'without a snapshot it is unknown whether such a Package exists';
    const place = ref.kind === 'Namespace' ? ref.name : ref.namespace;
    const owned = cluster.facts.get('ownedNamespaces').value as string[];
    if (place !== undefined && owned.includes(place) && !ownedWhenApplied(cluster).includes(place))
      return 'their namespace is owned only once another part of the change is applied';
    const { access } = cluster.permissions;
    const verbs = ['patch', 'create'] as const;
    if (verbs.some((verb) => access(rendered.entrypoint, verb, ref).allowed === 'unknown'))
      return 'the rights of the account are not known';
  }
  return undefined;
}

/**
 * Overlays of several clusters render one object, each in its own way, and are one cluster for as long as nothing tells them apart:
 * what one leaves there is then no change of the other's. What the entrypoint itself had otherwise before is changed all the same.
 */
function isOtherCluster({ object, rendered, refusal }: RefusedObject, { name, head, base }: Cluster): boolean {
  const { causes } = refusal;
  if (name !== undefined || !causes.every(({ message }) => isAboutChange(message))) return false;
  const textAt = ({ value }: RenderedObject) => causes.map(({ path }) => JSON.stringify(lookUp(value, path))).join();
  const textsIn = (objects: readonly RenderedObject[]) => {
    const id = inventoryId(object.ref);
    const same = objectsNamed(objects, object.ref.kind, object.ref.name).filter(({ ref }) => inventoryId(ref) === id);
    return new Set(same.map(textAt));
  };
  const before = base?.entrypoints.filter(isBuilt).find((one) => sameEntrypoint(one.entrypoint, rendered.entrypoint));
  if ([...textsIn(before?.objects ?? [])].some((text) => text !== textAt(object))) return false;
  return [head.objects, base?.objects ?? []].some((objects) => textsIn(objects).size > 1);
}

export const filledIn = 'a variable in them is filled in by Flux alone, or a value is encrypted';

/** Whether a text stands there, or below, whose content only Flux knows: as it stands, it says nothing. */
export function restsOnUnknown({ value }: Pick<RenderedObject, 'value'>, path: FieldPath): boolean {
  const found = lookUp(value, path);
  return found !== undefined && holdsUnresolved(found);
}

function holdsUnresolved(value: Json): boolean {
  if (typeof value === 'string') return isUnresolved(value);
  if (Array.isArray(value)) return value.some(holdsUnresolved);
  return isObject(value) && Object.entries(value).some(([key, item]) => isUnresolved(key) || holdsUnresolved(item));
}

/** `ours`: what answers was filled from the facts of the configuration. */
export function problemsOf({ object, rendered, refusal }: RefusedObject, cluster: Cluster, ours: boolean): Problem[] {
  const { ref } = object;
  const { reason, causes } = refusal;
  const stopped = describeBlocked(ref, rendered, cluster.permissions);
  const facts = ours ? assumedFor(reason, object, cluster) : [];
  const known = causes.filter(({ path }) => !restsOnUnknown(object, path));
  return known.map((cause) => {
    const { message, help } = inShort(cause.message);
    return {
      rule: 'refused-by-server',
      message: messageOf(label(ref), reason, wordsOf({ ...cause, message }), stopped),
      help: isAboutChange(cause.message) ? helpWithImmutable : (help ?? helps[reason]),
      at: { object, path: cause.path },
      ...(facts.length > 0 && { assumes: facts }),
    };
  });
}

/** What is invalid is clear from the server's words; of anything else they may be long, and come last. */
function messageOf(object: string, reason: RefusalReason, words: string, stopped: string): string {
  return reason === 'invalid'
    ? `${object}: ${words}; Flux applies ${stopped}`
    : `${object} ${said[reason]}, so Flux applies ${stopped}: ${words}`;
}

/** With the field that the server names. */
export function wordsOf({ path, message, named }: Cause): string {
  return named ? `${formatPath(path)}: ${message}` : message;
}

const said: Record<Exclude<RefusalReason, 'invalid'>, string> = {
  forbidden: 'is refused for lack of rights',
  policy: 'is refused by a policy of the cluster',
  'unknown-field': 'does not fit the schema of the API server',
  'unknown-kind': 'has a kind or version that the API server does not serve',
  'no-namespace': 'has no namespace',
  'missing-namespace': 'has a namespace that does not exist in the cluster',
  conflict: 'is refused as a change of another state than that of the cluster',
  webhook: 'is refused because the API server failed to call a webhook',
  other: 'is refused by the API server',
};

const helps: Record<RefusalReason, string> = {
  forbidden: 'remove it, or have an administrator grant the service account that right before this is merged',
  policy: 'change what the policy refuses, or ask the owner of the policy',
  invalid: 'correct the field',
  'unknown-field': 'correct the field, or remove it',
  'unknown-kind': 'use a version that is served, or first merge the definition of the kind',
  'no-namespace': 'set metadata.namespace',
  'missing-namespace': 'correct the name, or have the namespace created before this is merged',
  conflict: 'remove resourceVersion, uid and all else that was copied from a cluster from metadata',
  webhook: 'check whether the service of the webhook runs; until it does, Flux cannot apply this either',
  other: 'correct what the API server reports',
};

/** Long texts of Kubernetes about a value: the last part of them, in short, and what is to be done about it. */
const long: readonly { mark: string; short: string; help?: string }[] = [
  {
    mark: ': a valid label must ',
    short: ' is not a label value',
    help: 'use only letters, digits, "-", "_" and ".", with a letter or a digit first and last',
  },
  {
    mark: ': a valid label key must ',
    short: ' is not a valid key',
    help: 'use a key such as my-name or example.org/my-name',
  },
  {
    mark: ': a lowercase RFC 1123 subdomain must ',
    short: ' is not a DNS subdomain',
    help: 'use only lower-case letters, digits, "-" and ".", with a letter or a digit first and last',
  },
  {
    mark: ': a lowercase RFC 1123 label must ',
    short: ' is not a DNS label',
    help: 'use only lower-case letters, digits and "-", with a letter or a digit first and last',
  },
  {
    mark: ': a DNS-1035 label must ',
    short: ' is not a DNS-1035 label',
    help: 'use only lower-case letters, digits and "-", with a letter first and a letter or a digit last',
  },
  {
    mark: 'a valid config key must ',
    short: 'not a valid key',
    help: 'use only letters, digits, "-", "_" and "."',
  },
  {
    mark: 'Forbidden: spec is immutable after creation except ',
    short: 'only resources.requests and volumeAttributesClassName can be changed',
  },
];

/** Values that are allowed are for the help, of which there may be many. */
export function inShort(words: string): { message: string; help?: string } {
  for (const mark of [': supported values: ', ': valid values: ']) {
    const at = words.lastIndexOf(mark);
    if (at >= 0) return { message: words.slice(0, at), help: oneOf(words.slice(0, at), words.slice(at + mark.length)) };
  }
  const found = long.find(({ mark }) => words.includes(mark));
  const message = found ? `${words.slice(0, words.indexOf(found.mark))}${found.short}` : words;
  const plain = message.replace(/^Invalid value: /, '').replace(/^("[^"]*"|-?\d+): must /, '$1 must ');
  return { message: plain, ...defined({ help: found?.help }) };
}

/** `Unsupported value: "Ingres"`, of `"Ingress", "Egress"`. */
function oneOf(message: string, allowed: string): string {
  const written = /"([^"]*)"$/.exec(message)?.[1] ?? '';
  const meant = nearest(
    written,
    [...allowed.matchAll(/"([^"]*)"/g)].map(([, name = '']) => name),
  );
  return meant === undefined ? `write one of ${allowed}` : `did you mean "${meant}"? It must be one of ${allowed}`;
}

/** In the words of Kubernetes. */
const aboutChanges = [
  ...['is immutable', 'cannot change roleRef', 'may not change once set', 'can not be less than status'],
  'Forbidden: updates to ',
];
const isAboutChange = (message: string) => aboutChanges.some((words) => message.includes(words));

const helpWithImmutable =
  'undo the change, or rename the object; with the annotation kustomize.toolkit.fluxcd.io/force: enabled Flux deletes and recreates it';

/** What a cluster of our own was filled by. */
function assumedFor(reason: RefusalReason, { ref }: RenderedObject, { name, facts, contract }: Cluster): Fact[] {
  const rest: Partial<Record<RefusalReason, FactName[]>> = {
    forbidden: isPackage({ ref }) ? ['variant', 'optionalPackages', 'packages'] : ['ownedNamespaces', 'roles'],
    'missing-namespace': ['ownedNamespaces'],
  };
  const lookup = contract.schemas.find(ref.apiVersion, ref.kind);
  const changes = lookup.known && !lookup.builtIn && !contract.schemas.isTheSameEverywhere(ref.apiVersion, ref.kind);
  const names: FactName[] = [...(rest[reason] ?? []), ...(changes ? (['release'] as const) : [])];
  return names
    .map((fact) => facts.get(fact))
    .filter(({ source }) => source === 'assumed')
    .map((fact) => ({ ...fact, ...defined({ cluster: name }) }));
}
