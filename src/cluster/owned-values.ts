/** The values that the platform chart sets on a Package, as far as the cluster is known. */

import { isDeepStrictEqual } from 'node:util';
import { defined } from '../core/defined.js';
import type { FactName, FieldPath, Json, JsonObject } from '../core/model.js';
import { isObject, lookUp } from '../core/object.js';
import type { OwnedValue } from '../cozystack/catalog.js';
import type { Contract } from '../cozystack/contract.js';
import { type Condition, isMet } from '../cozystack/ownership.js';
import type { Applied } from '../flux/applied.js';
import { isScalar } from '../schema/walk.js';
import type { Facts } from './facts.js';
import { knownPlatformValues } from './platform.js';

export type Owned = Pick<OwnedValue, 'component' | 'path' | 'knob' | 'atInstall' | 'why' | 'dead' | 'shape'> & {
  /** The path in the Package. */
  field: FieldPath;
  /** What the chart sets, as far as is known. */
  set?: Json;
  /** What must hold for the chart to set it at all, where that is not known. */
  when?: Condition;
  /** Whether what the chart sets is sure: the platform's own value, where one decides, is known. */
  isSure: boolean;
  /** An equal value has two owners, and changes nothing. */
  isEqual(value: Json): boolean;
  /** The facts that would tell whether the chart sets it. */
  assumes: FactName[];
};

/** What the chart is known not to set is left out. */
export function ownedIn(
  name: string,
  { contract, facts, objects }: { contract: Contract; facts: Facts; objects: readonly Applied[] },
): Owned[] {
  const known = knownPlatformValues({ facts, objects });
  const rows = contract.catalog.ownedValues(name, { variant: String(facts.get('variant').value) });
  // One path has several rows where the chart sets it to different values.
  const groups = new Map<string, OwnedValue[]>();
  for (const row of rows.filter((one) => holds(one, known) !== false)) {
    const key = JSON.stringify([row.component, row.path]);
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()].map((group) => toOwned(group, known));
}

function toOwned(rows: OwnedValue[], known: JsonObject): Owned {
  const row = (rows.findLast((one) => holds(one, known)) ?? rows[0]) as OwnedValue;
  const set = knobValue(row, known) ?? row.value;
  const open = holds(row, known) === undefined && row.when !== 'always';
  const { component, path, knob, atInstall, why, dead, shape } = row;
  return {
    component,
    path,
    shape,
    ...defined({ knob, atInstall, why }),
    ...defined({ dead, set }),
    ...(open && row.when !== 'always' && { when: row.when }),
    field: ['spec', 'components', component, 'values', ...path],
    isSure: knob === undefined || knobValue(row, known) !== undefined,
    isEqual: (value) => isEmptyMap(row, value) || rows.some((one) => isChartsOwn(value, one, known)),
    assumes: open && row.when !== 'always' ? decidedBy(row.when) : [],
  };
}

/**
 * What is written at a path, or in place of a map that leads there; undefined where nothing is. A null or an empty map over
 * a map of the chart changes nothing (simulate/FACTS.md).
 */
export function reached(value: Json, path: FieldPath): { value: Json; path: FieldPath } | undefined {
  let node: Json | undefined = value;
  for (let depth = 0; ; depth++) {
    if (node === undefined) return undefined;
    if (depth === path.length) return { value: node, path };
    if (node === null) return undefined;
    if (!isObject(node)) return { value: node, path: path.slice(0, depth) };
    node = lookUp(node, [path[depth] as string]);
  }
}

/** Whether the chart sets the value; undefined where that is not known. */
function holds({ when }: OwnedValue, known: JsonObject): boolean | undefined {
  return when === 'always' ? true : isMet(when, known);
}

function isEmptyMap({ shape }: OwnedValue, value: Json): boolean {
  return shape === 'map' && (value === null || (isObject(value) && Object.keys(value).length === 0));
}

function isChartsOwn(value: Json, row: OwnedValue, known: JsonObject): boolean {
  // Where it is not known whether the chart sets it, it is no comfort that the value would be the same.
  if (holds(row, known) !== true) return false;
  const set = knobValue(row, known) ?? row.value;
  return set !== undefined && (isPartOf(value, set) || isSameText(value, set));
}

/** `5` and `"5"` are the same to a chart. */
function isSameText(one: Json, other: Json): boolean {
  return isScalar(one) && isScalar(other) && String(one) === String(other);
}

function isPartOf(value: Json, whole: Json): boolean {
  if (!isObject(value) || !isObject(whole)) return isDeepStrictEqual(value, whole);
  return Object.entries(value).every(([key, part]) => Object.hasOwn(whole, key) && isPartOf(part, whole[key] as Json));
}

/** Platform values that the chart makes something else of: what is set there tells nothing of the value here. */
const reworked = ['publishing.apiServerEndpoint', 'publishing.ingressName', 'gpu.permittedHostDevices'];

function knobValue({ knob }: OwnedValue, known: JsonObject): Json | undefined {
  if (knob === undefined || reworked.some((path) => knob.startsWith(path))) return undefined;
  return lookUp(known, knob.split('.'));
}

function decidedBy({ set, switch: changes, package: listed }: Condition): FactName[] {
  return [
    ...(listed !== undefined ? ['optionalPackages' as const] : []),
    ...((set ?? changes) !== undefined ? ['platformValues' as const] : []),
  ];
}
