/** What a Flux Kustomization applies, as it sends it, and what is known beforehand of the answers (`said`: findings of the rules). */

import { findingsAbout, saysNoKind } from '../apiserver/expected.js';
import type { Cluster } from '../cluster/cluster.js';
import type { Permissions } from '../cluster/permissions.js';
import type { Entrypoint, Finding, JsonObject, ObjectRef, RenderedObject } from '../core/model.js';
import { formatPath, groupOf, inventoryId, isObject, label } from '../core/object.js';
import { isApplied, isEncrypted } from '../flux/applied.js';
import type { Built } from '../flux/prune.js';
import { toApplyRequest } from '../flux/request.js';
import { validateOnce } from '../schema/validate.js';
import type { Answered, Reconcile, Sent } from './reconcile.js';

/** What one Flux Kustomization applies. */
export type Source = Omit<Reconcile, 'inventory' | 'access'> & {
  built: Built;
  /** Those of its objects that are simulated, as `objects` has them. */
  rendered: RenderedObject[];
  /** Those that are not. */
  unknown: Unknown[];
  /** Whether its service account may do nothing at all. */
  isDenied?: true;
  /** Why that, or that its account may do what it has to, is not certain. */
  unsure?: string | undefined;
};

/** What could not be simulated, and why. `unsure`: it may be refused, and all that is applied with it. */
export type Unknown = { what: string; why: string; unsure?: string };

export type SourceContext = {
  cluster: Cluster;
  said: readonly Finding[];
  /** Whether the server has the kind, in that version. */
  isServed(ref: ObjectRef): boolean;
  /** What is left out, by `inventoryId`. */
  left: ReadonlyMap<string, Unknown>;
  rights: Permissions;
  /** Of objects of kinds that nobody knows: what every server says of their metadata. */
  wrong: ReadonlyMap<RenderedObject, NonNullable<Answered['answer']>>;
};

export function toSource(built: Built, context: SourceContext): Source {
  const { entrypoint, objects } = built;
  const source: Source = {
    entrypoint,
    built,
    rendered: [],
    objects: [],
    unknown: [],
    ...deniedIn(entrypoint, context),
  };
  for (const object of objects) {
    const sent = standingOf(object, built, context);
    if ('why' in sent) source.unknown.push(sent);
    else {
      source.unsure ??= rightsUnknown(object, entrypoint, context);
      source.rendered.push(object);
      (source.objects as Answered[]).push(sent);
    }
  }
  return source;
}

/** What nobody knows of the rights counts as allowed. */
function rightsUnknown(
  { ref, value }: RenderedObject,
  entrypoint: Entrypoint,
  { rights }: SourceContext,
): string | undefined {
  const verbs = isApplied({ value }) ? (['patch', 'create'] as const) : [];
  const isUnknown = verbs.some((verb) => rights.access(entrypoint, verb, ref).allowed === 'unknown');
  return isUnknown ? `nobody knows whether ${rights.accountName(entrypoint)} may apply ${label(ref)}` : undefined;
}

function standingOf(object: RenderedObject, { entrypoint }: Built, context: SourceContext): Answered | Unknown {
  const { cluster, said, isServed, left, rights, wrong } = context;
  const { ref } = object;
  const known = left.get(inventoryId(ref));
  if (known) return known;
  const { value } = sentBy(object, { entrypoint }, cluster, () => said);
  const about = findingsAbout(object, said).filter((one) => isOfVersion(one, ref));
  const missing = about.filter(saysNoKind);
  const doubt = missing.length > 0 ? doubtIn(missing).unsure : undefined;
  if (missing.length > 0 && doubt === undefined) return { ref, value, answer: noMatches(ref) };
  const misfit = missing.length === 0 ? fieldNotServed(object, cluster) : undefined;
  if (misfit) return { ref, value, answer: misfit };
  // Cozystack's own server has its applications, and is not simulated: the rule says what it would.
  const invalid = about.filter(({ rule }) => rule === 'invalid-application');
  const [first] = invalid;
  if (first) return { ref, value, answer: { ...saidAnswer(422, 'Invalid', first.message), ...doubtIn(invalid) } };
  if (missing.length === 0 && isServed(ref)) return { ref, value };
  const metadata = wrong.get(object);
  if (metadata) return { ref, value, answer: metadata };
  if (!isApplied(object)) return { what: unknownName(ref), why: 'its kind, in that version, is not known' };
  const right = rights.access(entrypoint, 'patch', ref);
  if (right.allowed === false) {
    const body = { reason: 'Forbidden', message: right.refusal };
    return { ref, value, answer: { status: 403, ...body, body } };
  }
  // Where the kind is there after all, nothing else is known to be wrong with it.
  if (doubt !== undefined) return { ref, value, answer: { ...noMatches(ref), unsure: doubt } };
  const schema = cluster.contract.schemas.find(ref.apiVersion, ref.kind);
  if (schema.known && !schema.offByDefault) return { what: unknownName(ref), why: 'its kind is not simulated' };
  const unsure = `nobody knows whether the cluster serves ${kindWords(ref)}; where it does not, Flux applies nothing of this`;
  return { what: unknownName(ref), why: 'its kind, in that version, is not known', unsure };
}

/** As Flux sends it; what the rules say is asked for where it is encrypted. */
export function sentBy(
  object: RenderedObject,
  built: Pick<Built, 'entrypoint'>,
  cluster: Cluster,
  said: () => readonly Finding[],
): Sent {
  return {
    ref: object.ref,
    value: toApplyRequest(decrypted(object, said), built.entrypoint, cluster.contract.schemas),
  };
}

/** What is of another version is the same object, and may be served. */
function isOfVersion({ object, also = [] }: Finding, { apiVersion }: ObjectRef): boolean {
  return [object, ...also].some((one) => one?.apiVersion === apiVersion);
}

/** In the words of Flux. */
function noMatches({ apiVersion, kind }: ObjectRef): NonNullable<Answered['answer']> {
  return saidAnswer(404, 'NotFound', `no matches for kind "${kind}" in version "${apiVersion}"`);
}

/** By a rule, which knows what is not asked here. */
function saidAnswer(status: number, reason: string, message: string): NonNullable<Answered['answer']> {
  return { status, reason, message, body: { reason, message }, isSaid: true };
}

/** What a server says that is older than the types which Flux converts to; the one that is asked here is as new. */
function fieldNotServed({ ref, value }: RenderedObject, { contract }: Cluster): Answered['answer'] {
  const { apiVersion, kind, namespace = '', name } = ref;
  const schema = contract.schemas.find(apiVersion, kind);
  if (!schema.known || !schema.server) return undefined;
  const { violations } = validateOnce(value, schema, { partial: true });
  const first = violations.find((one) => one.kind === 'unknown-field' && !one.dropped);
  if (!first) return undefined;
  const of = `${namespace}/${name}; ${apiVersion}, Kind=${kind}`;
  const message = `failed to create typed patch object (${of}): .${formatPath(first.path)}: field not declared in schema`;
  return { status: 500, reason: '', message, body: { message }, isSaid: true };
}

/** What only a warning says is not certain. */
export function doubtIn(findings: readonly Finding[]): { unsure?: string } {
  if (findings.some(({ severity }) => severity === 'error')) return {};
  const rules = [...new Set(findings.map(({ rule }) => rule))].sort();
  return { unsure: `check only warns of it (${rules.join(', ')})` };
}

/**
 * Of what Flux decrypts only the fields are known, and not their values: the ciphertext stands for them. What nothing decrypts is sent
 * as it is, by the rule that says so.
 */
function decrypted(object: RenderedObject, said: () => readonly Finding[]): RenderedObject {
  if (!isEncrypted(object)) return object;
  if (findingsAbout(object, said()).some(({ rule }) => rule === 'encrypted-without-decryption')) return object;
  const { sops: _, ...value } = object.value;
  const { data } = value;
  if (object.ref.kind !== 'Secret' || !isObject(data)) return { ...object, value };
  const bytes = Object.entries(data).map(([key, text]) => [key, Buffer.from(String(text)).toString('base64')]);
  return { ...object, value: { ...value, data: Object.fromEntries(bytes) as JsonObject } };
}

/** By the rule about its service account. */
function deniedIn(
  { kustomization, account }: Entrypoint,
  { said }: SourceContext,
): Pick<Source, 'isDenied' | 'unsure'> {
  const { name, namespace } = kustomization;
  if (name === undefined || account === undefined || account === 'flux') return {};
  const isIts = ({ rule, object }: Finding) =>
    rule === 'unbound-service-account' &&
    object?.kind === 'Kustomization' &&
    object.name === name &&
    object.namespace === namespace;
  const findings = said.filter(isIts);
  return findings.length > 0 ? { isDenied: true, ...doubtIn(findings) } : {};
}

export function kindWords({ apiVersion, kind }: Pick<ObjectRef, 'apiVersion' | 'kind'>): string {
  return `${apiVersion} ${kind}`;
}

/** By which a server tells kinds apart, whatever the version. */
export function groupKind({ apiVersion, kind }: Pick<ObjectRef, 'apiVersion' | 'kind'>): string {
  return `${groupOf(apiVersion)}/${kind}`;
}

/** How `Unknown.what` calls an object. */
export function unknownName(ref: ObjectRef): string {
  return `${kindWords(ref)} ${[ref.namespace, ref.name].filter(Boolean).join('/')}`;
}
