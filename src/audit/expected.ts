/** Which fields of a live Package are not the customizer's, whose they are, and what their owner sets. */

import { isDeepStrictEqual } from 'node:util';
import { type Owned, ownedIn } from '../cluster/owned-values.js';
import { chartsVariant } from '../cluster/platform.js';
import { defined } from '../core/defined.js';
import type { FactName, FieldPath, Json } from '../core/model.js';
import { formatPath, getString, lookUp } from '../core/object.js';
import { platformName } from '../cozystack/catalog.js';
import type { Contract } from '../cozystack/contract.js';
import type { FieldRow } from '../cozystack/ownership.js';
import { platformValuePath } from '../cozystack/package.js';
import { presentObjects } from '../flux/applied.js';
import { keyOf, managedIn, ownersIn } from '../simulate/managed-fields.js';
import { manager as flux } from '../simulate/reconcile.js';
import { type Live, type LivePackage, type Possible, withFact } from './live.js';

export type Owner = 'helm' | 'administrator' | 'flux';

export type Expected = {
  field: FieldPath;
  owner: Owner;
  /** What the owner sets, where that is known. */
  set?: Json;
  /** Whether the field has to be there. */
  isRequired: boolean;
  /** Whether all that stands below the field is the owner's too. */
  isOpen: boolean;
  why?: string;
  isEqual(value: Json): boolean;
  /** The assumed facts without which the field may be anybody's. */
  assumes: FactName[];
};

/** As helm-controller applies a release, and as somebody does who runs Helm by hand. */
const helms = ['helm-controller', 'helm'];

export function isOwner(owner: Owner, manager: string): boolean {
  if (owner === 'helm') return helms.includes(manager);
  // Whoever made the platform's Package is its administrator, with whatever tool; only the repository is not.
  return owner === 'flux' ? manager === flux : manager !== flux;
}

export function expectedOf(one: LivePackage, live: Live): Expected[] {
  const rows = live.contract.ownership.rowsOf(one.name).filter(({ field }) => !field.includes('*'));
  const fluxRows = rows.filter(({ owner }) => owner === 'Flux').map((row) => toExpected(row, 'flux', undefined));
  if (one.name === platformName) {
    const { value, source, file } = live.facts.get('variant');
    // What the live object says itself is what is in question.
    const known = source === 'config' || (source === 'snapshot' && file !== live.from) ? value : undefined;
    const own = rows.filter(({ owner }) => owner === 'platform administrator');
    return [...own.map((row) => toExpected(row, 'administrator', known)), ...fluxRows];
  }
  if (!isHelms(one, live)) return fluxRows;
  const written = rows
    .filter(({ owner }) => owner === 'platform chart' || owner === 'Helm')
    .filter(({ field }) => field.join('.') !== 'metadata.name');
  const values = ownedBy(one.name, live, live).filter(({ when, dead }) => !when && !dead);
  return [
    ...written.map((row) =>
      toExpected(
        row,
        'helm',
        formatPath(row.field) === 'spec.variant' ? variantOf(one, live) : constants(live)[formatPath(row.field)],
      ),
    ),
    ...values.map((owned) => toExpectedValue(owned, one, live)),
    ...fluxRows,
  ];
}

/** The chart's, whoever may have written it since: Helm has left a trace, or the chart is known to emit it. */
export function isHelms({ name, value }: LivePackage, { contract, facts }: Live): boolean {
  if (!contract.catalog.isManaged(name) || name === platformName) return false;
  if (managedIn(value).some(({ manager }) => helms.includes(manager))) return true;
  if (getString(value, ['metadata', 'annotations', 'meta.helm.sh/release-name']) !== undefined) return true;
  const variant = facts.get('variant');
  return variant.source !== 'assumed' && contract.catalog.emitted(name, String(variant.value)) === 'always';
}

/** The HelmRelease that makes the Packages. */
export function platformRelease({ catalog }: Contract): { namespace: string; name: string } {
  const [variant] = catalog.source(platformName)?.variants ?? [];
  const { namespace = 'cozy-system', releaseName = 'cozystack-platform' } = variant?.components[0]?.install ?? {};
  return { namespace, name: releaseName };
}

/** What the chart writes on every Package (`_helpers.tpl` of the platform chart), and Helm on all that it makes. */
function constants({ contract }: Live): { [field: string]: string } {
  const { namespace, name } = platformRelease(contract);
  return {
    'metadata.annotations["helm.sh/resource-policy"]': 'keep',
    'metadata.annotations["meta.helm.sh/release-name"]': name,
    'metadata.annotations["meta.helm.sh/release-namespace"]': namespace,
    'metadata.labels["app.kubernetes.io/managed-by"]': 'Helm',
  };
}

function toExpected({ field, why }: FieldRow, owner: Owner, set: Json | undefined): Expected {
  return {
    field,
    owner,
    why,
    isRequired: owner !== 'flux',
    isOpen: false,
    assumes: [],
    ...defined({ set }),
    isEqual: (value) => value === set,
  };
}

function toExpectedValue(owned: Owned, one: LivePackage, live: Live): Expected {
  const { field, why, shape } = owned;
  const elsewhere = possibleOf(one, live).map((other) => ({
    because: other.because,
    owned: ownedBy(one.name, other, live).find(
      (value) => isSettled(value, one.name, other) && formatPath(value.field) === formatPath(field),
    ),
  }));
  // Of a cluster that is in none of the cases that are known, nothing is.
  const isKnownCase = live.others.length === 0 || isPossible(one, live, live);
  const isCommon = isKnownCase && elsewhere.every(({ owned: other }) => isDeepStrictEqual(other?.set, owned.set));
  const set = isCommon && isKnown(owned, live) ? owned.set : undefined;
  const doubts = isKnownCase ? elsewhere.filter((other) => !other.owned) : live.others;
  const assumes = new Set<FactName>(doubts.map(({ because }) => because));
  return {
    field,
    owner: 'helm',
    isOpen: shape === 'map',
    isRequired: shape !== 'map',
    assumes: [...assumes],
    ...defined({ set, why }),
    isEqual: owned.isEqual,
  };
}

/** A value that comes with the Package itself is there when that is. */
function isSettled({ when }: Owned, name: string, { contract, facts }: Possible): boolean {
  const emission = contract.catalog.emitted(name, String(facts.get('variant').value));
  return !when || (typeof emission === 'object' && isDeepStrictEqual(when, { switch: emission.switch }));
}

function possibleOf(one: LivePackage, live: Live): readonly Possible[] {
  return live.others.filter((possible) => isPossible(one, possible, live));
}

/** Whether the Package is one of such a cluster: it is there, and of the variant that Helm has given it. */
function isPossible({ name, value }: LivePackage, possible: Pick<Live, 'facts' | 'contract'>, live: Live): boolean {
  const emission = possible.contract.catalog.emitted(name, String(possible.facts.get('variant').value));
  if (emission === 'never' || emission === 'unknown') return false;
  const writers = ownersIn(value).get(keyOf(['spec', 'variant'])) ?? [];
  if (!writers.some((manager) => isOwner('helm', manager))) return true;
  const emitted = variantIn(name, possible, live);
  return emitted === undefined || emitted === getString(value, ['spec', 'variant']);
}

function ownedBy(name: string, { facts, contract }: Pick<Live, 'facts' | 'contract'>, { platform }: Live): Owned[] {
  return ownedIn(name, { facts, contract, objects: presentObjects(platform ? [platform] : []) });
}

/** The variant that the chart gives the Package, if it is the same in all that may be. */
function variantOf(one: LivePackage, live: Live): string | undefined {
  const found = [live, ...possibleOf(one, live)].map((possible) => variantIn(one.name, possible, live));
  return found.every((other) => other === found[0]) ? found[0] : undefined;
}

function variantIn(name: string, { facts, contract }: Pick<Live, 'facts' | 'contract'>, { platform }: Live) {
  const known = withFact(facts, 'variant', String(facts.get('variant').value));
  return chartsVariant(name, { facts: known, contract, objects: presentObjects(platform ? [platform] : []) });
}

/** A knob that nobody has turned stands where the chart has it, but for an address, which the cluster may say elsewhere. */
function isKnown({ isSure, knob }: Owned, { platform }: Live): boolean {
  if (isSure || knob === undefined) return isSure;
  if (!platform || knob.startsWith('publishing.') || getString(platform.value, ['spec', 'variant']) === undefined)
    return false;
  return lookUp(platform.value, platformValuePath(knob)) === undefined;
}
