/** What is known of the platform chart in a cluster: its values, and whether it makes a Package. */

import type { Trust } from '../config/policy.js';
import type { Fact, JsonObject, RenderedObject } from '../core/model.js';
import { isObject, lookUp } from '../core/object.js';
import { oncePer } from '../core/once.js';
import { type Emitted, type PlatformVariant, platformName } from '../cozystack/catalog.js';
import type { Contract } from '../cozystack/contract.js';
import { type Condition, isMet } from '../cozystack/ownership.js';
import { isPackage, platformValuesPath } from '../cozystack/package.js';
import type { Applied } from '../flux/applied.js';
import { objectsNamed } from '../flux/index-of.js';
import type { Known } from './known.js';
import type { Snapshot } from './snapshot.js';

export function isPlatform(object: RenderedObject): boolean {
  return isPackage(object) && object.ref.name === platformName;
}

/** The manifests of the platform's Package. */
export function platformsIn(objects: readonly Applied[]): Applied[] {
  return objects.filter(isPlatform);
}

/**
 * The values of the platform that something says, as one map; what is not in it is not known. The repository's own word
 * counts before that of the configuration.
 */
export function knownPlatformValues({ facts, objects }: Pick<Known, 'facts' | 'objects'>): JsonObject {
  return platformValuesOf(facts)(objects);
}

/** Rules ask it for each Package. */
const platformValuesOf = oncePer((facts: Known['facts']) =>
  oncePer((objects: Known['objects']) => platformValuesIn({ facts, objects })),
);

function platformValuesIn({ facts, objects }: Pick<Known, 'facts' | 'objects'>): JsonObject {
  const [configured, optional] = [facts.all.get('platformValues'), facts.all.get('optionalPackages')];
  const written = objectsNamed(objects, 'Package', platformName)
    .filter(isPlatform)
    .map(({ value }) => lookUp(value, platformValuesPath))
    .filter(isObject);
  const said = [
    ...(configured && configured.source !== 'assumed' && isObject(configured.value) ? [configured.value] : []),
    ...(optional && optional.source !== 'assumed' ? [{ bundles: { enabledPackages: optional.value } }] : []),
    ...written.reverse(),
  ];
  return said.reduce<JsonObject>(merge, {});
}

/**
 * Whether the platform chart makes the Package in this cluster; undefined where that is not known. The platform's own
 * Package is nobody's but the administrator's, yet it is there: true. `isBelieved` says whether the platform's variant counts.
 */
export function isEmittedByPlatform(
  name: string,
  known: Known,
  isBelieved: (fact: Fact) => boolean = ({ source }) => source !== 'assumed',
): boolean | undefined {
  const { contract, facts, snapshot } = known;
  if (name === platformName) return true;
  const values = knownPlatformValues(known);
  const disabled = lookUp(values, ['bundles', 'disabledPackages']);
  if (Array.isArray(disabled) && disabled.includes(name)) return false;
  const managers = own(snapshot?.packages ?? {}, name)?.managers ?? [];
  if (managers.length > 0) return managers.some(({ manager }) => manager === helm);
  const variant = facts.get('variant');
  if (!isBelieved(variant)) return undefined;
  const emission = contract.catalog.emitted(name, String(variant.value));
  if (emission === 'always') return !isLeftOut(name, String(variant.value), contract, values);
  if (emission === 'optional') return isListed(name, String(variant.value), known);
  if (typeof emission === 'object') return isMet(switched(emission.switch), values);
  return emission === 'never' ? false : undefined;
}

/** Whether some variant of the platform makes the Package with a switch alone, and that is known to be off. */
export function isSwitchedOff(name: string, known: Known): boolean {
  const { catalog } = known.contract;
  const emissions = catalog.variantsWithPackages().map((variant) => catalog.emitted(name, variant));
  const switches = emissions.filter((emission) => typeof emission === 'object');
  const values = knownPlatformValues(known);
  return switches.length > 0 && switches.every((emission) => isMet(switched(emission.switch), values) === false);
}

/**
 * Whether a Package is the repository's to write whole, as the chart does not make it: neither after the change nor before it. What
 * the change itself switches off is there until Flux has applied it, and a switch that comes along excuses nothing. Nor does a variant
 * that nobody has said: there the object is refused, unless somebody made the Package by hand.
 */
export function isLeftToRepository(
  name: string,
  { base, trust, known }: { base: Before | undefined; trust: Trust; known: Known },
): boolean {
  if (isEmittedByPlatform(name, known, isSaid) !== false) return false;
  // A cluster that comes with our own change is as the change says.
  if (base?.applied.length === 0 && trust !== 'fork') return true;
  return (
    base === undefined ||
    isEmittedByPlatform(name, { snapshot: undefined, ...base.known, objects: base.applied }, isSaid) === false
  );
}

/** Not what a world gives where nobody says it. */
function isSaid({ source }: Fact): boolean {
  return source !== 'assumed' && source !== 'world';
}

type Before = {
  applied: readonly Applied[];
  known: Omit<Known, 'objects' | 'snapshot'> & { snapshot?: Snapshot };
};

/** The variant that the chart gives a Package in this cluster; undefined where that is not known. */
export function chartsVariant(name: string, known: Omit<Known, 'snapshot'>): string | undefined {
  const platform = known.facts.get('variant');
  const chart = known.contract.catalog.platformVariant(String(platform.value));
  if (platform.source === 'assumed' || !chart) return undefined;
  const values = knownPlatformValues(known);
  const possible = new Set<string>();
  for (const [condition, variant] of variantsOf(chart).get(name) ?? []) {
    const holds = isMet(condition, values);
    if (holds === false) continue;
    if (holds) possible.clear();
    possible.add(variant);
  }
  return possible.size === 1 ? [...possible][0] : undefined;
}

/** By Package: the variants that the chart gives it, and when; what stands behind counts more. */
function variantsOf(chart: PlatformVariant): Map<string, [Condition, string][]> {
  const known = charts.get(chart);
  if (known) return known;
  const changes: [Condition, Emitted][] = [
    [{}, chart.packages],
    ...Object.entries(chart.optional).map(([listed, emitted]): [Condition, Emitted] => [{ package: listed }, emitted]),
    ...Object.entries(chart.switches).map(([change, emitted]): [Condition, Emitted] => [switched(change), emitted]),
  ];
  const found = new Map<string, [Condition, string][]>();
  for (const [condition, emitted] of changes) {
    for (const [name, one] of Object.entries(emitted))
      if (one) found.set(name, [...(found.get(name) ?? []), [condition, one.variant]]);
  }
  charts.set(chart, found);
  return found;
}

const charts = new WeakMap<PlatformVariant, Map<string, [Condition, string][]>>();

/** A switch that was tried together with an optional Package is noted with it. */
function switched(change: string): Condition {
  return { switch: change.replace(/,bundles\.enabledPackages=.*/, '') };
}

/** Writes the objects of a Helm release, in every release of Flux. */
const helm = 'helm-controller';

/** A bundle that is switched off takes its Packages along. */
function isLeftOut(name: string, variant: string, { catalog }: Contract, values: JsonObject): boolean {
  const switches = Object.entries(catalog.platformVariant(variant)?.switches ?? {});
  return switches.some(([change, emitted]) => own(emitted, name) === null && isMet(switched(change), values) === true);
}

function isListed(name: string, variant: string, { contract, facts }: Known): boolean | undefined {
  const listed = facts.all.get('optionalPackages');
  if (!listed || listed.source === 'assumed' || !Array.isArray(listed.value)) return undefined;
  const { value } = listed;
  return contract.catalog.enabledBy(name, variant).some((one) => value.includes(one));
}

/** Maps are merged, everything else is replaced. */
function merge(below: JsonObject, above: JsonObject): JsonObject {
  const merged: JsonObject = Object.assign(Object.create(null), below);
  for (const [key, value] of Object.entries(above)) {
    const known = merged[key];
    merged[key] = isObject(known) && isObject(value) ? merge(known, value) : value;
  }
  return merged;
}

function own<T>(map: { [name: string]: T }, name: string): T | undefined {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}
