/** The managed fields of live Packages, held against who owns them by contract. */

import { defined } from '../core/defined.js';
import type { FactName, FieldPath, Json, JsonObject, RenderedObject } from '../core/model.js';
import { isObject, lookUp } from '../core/object.js';
import { isPackage } from '../cozystack/package.js';
import { isSetTo } from '../flux/settings.js';
import { keyOf, type Managed, managedIn } from '../simulate/managed-fields.js';
import { cleanup, manager as flux } from '../simulate/reconcile.js';
import { type Expected, expectedOf, isHelms, isOwner, type Owner } from './expected.js';
import type { Live, LivePackage } from './live.js';

/** Who has written a field, as the managed fields have it. */
export type FieldWriter = Pick<Managed, 'manager' | 'operation' | 'time'>;

export type AuditFinding = {
  package: string;
  /**
   * `taken`: somebody else than its owner has the field. `lost`: it is not there any more. `doomed`: Flux removes what kubectl
   * has set when it next applies the Package. `shared`: an equal value has two owners. `odd`: anything else worth a look.
   */
  kind: 'taken' | 'lost' | 'doomed' | 'shared' | 'odd';
  /** One, but of what is doomed all that one manager loses. */
  fields: FieldPath[];
  /** What stands there now, or in the place of a map that leads there. */
  now?: { value: Json; path: FieldPath };
  /** What the owner sets, where that is known. */
  set?: Json;
  /** Whose it is; absent of what is doomed or odd. */
  owner?: Owner;
  by: FieldWriter[];
  why?: string;
  /** The assumed facts that it rests on: a guess is no more than a notice. */
  assumes: FactName[];
};

export type Audit = {
  packages: number;
  /** How many of them the platform chart makes. */
  emitted: number;
  /** How Helm writes them: by server-side apply (Apply), or on a cluster that was born before 1.5 by patches (Update). */
  helm?: 'Apply' | 'Update';
  findings: AuditFinding[];
};

/** `rendered`: what the repository applies, where there is one. */
export function audit(live: Live, rendered: readonly RenderedObject[] | undefined): Audit {
  const { packages } = live;
  const helm = helmOf(packages);
  return {
    packages: packages.length,
    emitted: packages.filter((one) => isHelms(one, live)).length,
    ...(helm && { helm }),
    findings: packages.flatMap((one) => {
      const judged = expectedOf(one, live).flatMap((expected) => judge(one, expected));
      const told = new Set(judged.flatMap(({ now }) => (now ? [keyOf(now.path)] : [])));
      return [...judged, ...oddIn(one, told), ...doomedIn(one, rendered)];
    }),
  };
}

/** Whether the finding makes the exit status 1. */
export function isSerious({ kind, assumes }: AuditFinding): boolean {
  return (kind === 'taken' || kind === 'lost' || kind === 'doomed') && assumes.length === 0;
}

/**
 * A release stays with the method that it was installed with, so one entry of an older Helm tells (cozystack/FACTS.md, Flux and
 * Helm).
 */
function helmOf(packages: readonly LivePackage[]): Audit['helm'] {
  const entries = packages
    .flatMap(({ value }) => managedIn(value))
    .filter(({ manager }) => manager === 'helm-controller');
  if (entries.some(({ operation }) => operation === 'Update')) return 'Update';
  return entries.length > 0 ? 'Apply' : undefined;
}

function judge(one: LivePackage, expected: Expected): AuditFinding[] {
  // In a map that is passed on, each key is a field.
  const below = expected.isOpen ? leavesAt(one.value, expected.field) : [expected.field];
  return below.flatMap((field) => judgeField(one, field, expected) ?? []);
}

function judgeField({ name, value }: LivePackage, field: FieldPath, expected: Expected): AuditFinding | undefined {
  const { owner, set, why, assumes, isRequired, isEqual } = expected;
  const now = standing(value, field);
  const by = writersOf(value, now?.path ?? field);
  const [theirs, others] = [true, false].map((wanted) =>
    by.filter(({ manager }) => isOwner(owner, manager) === wanted),
  ) as [FieldWriter[], FieldWriter[]];
  const about = {
    package: name,
    fields: [field],
    owner,
    by: others,
    assumes,
    ...defined({ now }),
    ...defined({ set, why }),
  };
  const isThere = now?.path.length === field.length;
  if (!now || (now.value === null && theirs.length > 0)) return isRequired ? { ...about, kind: 'lost' } : undefined;
  if (!isThere && isObject(now.value)) return isRequired ? { ...about, kind: 'lost' } : undefined;
  if (owner === 'flux') return others.length > 0 && theirs.length === 0 ? { ...about, kind: 'odd' } : undefined;
  if (theirs.length > 0 && isThere) return others.length > 0 ? { ...about, kind: 'shared' } : undefined;
  if (others.length > 0) return { ...about, kind: 'taken' };
  // A field with no manager at all says nothing of who has written it; a null in the chart's place speaks for itself.
  if (now.value === null) return { ...about, kind: 'lost' };
  return set !== undefined && !isEqual(now.value) ? { ...about, kind: 'odd' } : undefined;
}

/** What stands at a path, or in place of a map that leads there; undefined where nothing does. */
function standing(value: Json, field: FieldPath): AuditFinding['now'] {
  for (let length = 1; length <= field.length; length++) {
    const path = field.slice(0, length);
    const node = lookUp(value, path);
    if (node === undefined) return undefined;
    if (length === field.length || !isObject(node)) return { value: node, path };
  }
  return undefined;
}

/** Those who have set the field, or something below it. */
function writersOf(object: JsonObject, field: FieldPath): FieldWriter[] {
  const covers = (path: FieldPath) => field.every((step, index) => path[index] === step);
  return managedIn(object)
    .filter(({ fields }) => fields.some(covers))
    .map(({ manager, operation, time }) => ({ manager, operation, ...defined({ time }) }));
}

function leavesAt(object: JsonObject, path: FieldPath): FieldPath[] {
  const value = lookUp(object, path);
  if (!isObject(value) || Object.keys(value).length === 0) return value === undefined ? [] : [path];
  return Object.keys(value).flatMap((key) => leavesAt(object, [...path, key]));
}

const valuesDepth = 4;

/** A null that nobody has written is what is left of a map whose last key was taken and let go (simulate/FACTS.md). */
function oddIn({ name, value }: LivePackage, told: ReadonlySet<string>): AuditFinding[] {
  const values = leavesAt(value, ['spec', 'components']).filter(
    (path) => path.length > valuesDepth && lookUp(value, path) === null && !told.has(keyOf(path)),
  );
  return values.flatMap((field): AuditFinding[] => {
    const by = writersOf(value, field);
    if (by.some(({ manager }) => !isOwner('helm', manager))) return [];
    return [{ package: name, kind: 'odd', fields: [field], now: { value: null, path: field }, by, assumes: [] }];
  });
}

/** What Flux takes over and removes when it applies the Package, as git does not have it (simulate/FACTS.md, After a takeover). */
function doomedIn({ name, value }: LivePackage, rendered: readonly RenderedObject[] | undefined): AuditFinding[] {
  const manifests = rendered?.filter((object) => isPackage(object) && object.ref.name === name) ?? [];
  const entries = managedIn(value);
  const applied = entries.filter(({ manager }) => manager === flux);
  if ((applied.length === 0 && manifests.length === 0) || isLeftAlone(value, manifests)) return [];
  const kept = new Set(entries.filter((entry) => !isTakenOver(entry)).flatMap(({ fields }) => fields.map(keyOf)));
  return entries.filter(isTakenOver).flatMap((entry): AuditFinding[] => {
    const { manager, operation, time } = entry;
    const by = [{ manager, operation, ...defined({ time }) }];
    const fields = entry.fields.filter(
      (path) =>
        !kept.has(keyOf(path)) &&
        path.at(-1) !== cleanup.annotations[0] &&
        lookUp(value, path) !== undefined &&
        !manifests.some((manifest) => lookUp(manifest.value, path) !== undefined),
    );
    return fields.length > 0 ? [{ package: name, kind: 'doomed', fields: inOrder(fields), by, assumes: [] }] : [];
  });
}

/** The platform's variant first: without it the platform has no bundles. */
function inOrder(fields: FieldPath[]): FieldPath[] {
  const isVariant = (path: FieldPath) => path.length === 2 && path[1] === 'variant';
  return [...fields.filter(isVariant), ...fields.filter((path) => !isVariant(path))];
}

function isTakenOver({ manager, operation }: Managed): boolean {
  return cleanup.fieldManagers.some(
    ({ name, operationType }) => name !== flux && manager.startsWith(name) && operation === operationType,
  );
}

/** The annotation counts in the manifest, and on the live object for as long as it stays there. */
export function isLeftAlone(value: JsonObject, manifests: readonly RenderedObject[]): boolean {
  if (isSetTo(value, 'ssa', 'Ignore') || isSetTo(value, 'reconcile', 'disabled')) return true;
  const keeps = (object: JsonObject) => isSetTo(object, 'ssa', 'Merge') || isSetTo(object, 'ssa', 'IfNotPresent');
  const isApplied = (object: JsonObject) =>
    !isSetTo(object, 'ssa', 'Ignore') && !isSetTo(object, 'reconcile', 'disabled');
  if (manifests.length > 0 && manifests.every(({ value }) => keeps(value) || !isApplied(value))) return true;
  if (!isSetTo(value, 'ssa', 'Merge')) return false;
  if (manifests.length === 0) return true;
  // What git alone had put there goes with the manifest that no longer says it.
  const annotation = ['metadata', 'annotations', `${Object.keys(cleanup.exclusions)[0]}`];
  return writersOf(value, annotation).some(({ manager }) => manager !== flux);
}
