import { isDeepStrictEqual } from 'node:util';
import { type OwnedValue, platformName } from '../../contract/catalog.js';
import { type Condition, isMet } from '../../contract/ownership.js';
import { isMade, isPackage, knownPlatformValues } from '../../facts/platform.js';
import type { FactName, FieldPath, Json, JsonObject } from '../../model.js';
import { isObject, lookUp, spell } from '../../object.js';
import type { Rule } from '../rule.js';

export default {
  id: 'chart-owned-value',
  severity: 'error',
  summary: 'a Package sets a value that the platform chart sets itself, so the two take it from each other',
  check(context) {
    const { objects, contract, facts, report } = context;
    const variant = facts.get('variant');
    const known = knownPlatformValues(context);
    for (const object of objects) {
      const { name } = object.ref;
      if (!isPackage(object) || isMade(name, context) === false) continue;
      const replaced = new Set<string>();
      for (const rows of byPath(contract.catalog.ownedValues(name, { variant: String(variant.value) }))) {
        const { component, path } = rows[0] as OwnedValue;
        const top = ['spec', 'components', component, 'values'];
        const written = reached(lookUp(object.value, top), path);
        if (!written) continue;
        const place = [...top, ...path.slice(0, written.depth)];
        const possible = rows.filter((row) => holds(row, known) !== false);
        const row = possible.findLast((one) => holds(one, known) === true) ?? possible[0];
        const whole = written.depth === path.length;
        if (!row || (whole && possible.some((one) => isChartsOwn(written.value, one, known)))) continue;
        // Many values of the chart may hang below what is replaced.
        if (!whole && replaced.has(spell(place))) continue;
        replaced.add(spell(place));
        const { certain, assumes } = weigh(row, known, whole);
        report({
          message: `Package "${name}" sets ${subject(row, written.depth)}${outcome(row, known, whole)}`,
          help: whole ? helpFor(row) : 'write a map there, with only the values that are to be tuned',
          at: { object, path: place, part: 'key' },
          ...(!certain && { severity: 'warning' as const }),
          assumes: ['variant', ...assumes],
        });
      }
    }
  },
} satisfies Rule;

/** One path has several rows where the chart sets it to different values. */
function byPath(rows: readonly OwnedValue[]): OwnedValue[][] {
  const groups = new Map<string, OwnedValue[]>();
  for (const row of rows) {
    const key = JSON.stringify([row.component, row.path]);
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()];
}

/**
 * What is written at a path, or in place of the map that leads there; undefined where nothing is. A null or an empty map over
 * a map of the chart changes nothing (oracle.md §3).
 */
function reached(values: Json | undefined, path: FieldPath): { value: Json; depth: number } | undefined {
  let value = values;
  for (let depth = 0; ; depth++) {
    if (value === undefined) return undefined;
    if (depth === path.length) return { value, depth };
    if (value === null) return undefined;
    if (!isObject(value)) return { value, depth };
    value = lookUp(value, [path[depth] as string]);
  }
}

/** Whether the chart sets the value; undefined where that is not known. */
function holds({ when }: OwnedValue, known: JsonObject): boolean | undefined {
  return when === 'always' ? true : isMet(when, known);
}

/** An equal value has two owners and changes nothing. */
function isChartsOwn(value: Json, row: OwnedValue, known: JsonObject): boolean {
  if (row.shape === 'map' && (value === null || (isObject(value) && Object.keys(value).length === 0))) return true;
  // Where it is not known whether the chart sets it, it is no comfort that the value would be the same.
  if (holds(row, known) !== true) return false;
  const set = knobValue(row, known) ?? row.value;
  return set !== undefined && (isPartOf(value, set) || String(value) === String(set));
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

/** Sure is only what holds whatever else is set; for the rest, the facts that would tell. */
function weigh(row: OwnedValue, known: JsonObject, whole: boolean): { certain: boolean; assumes: FactName[] } {
  const { set, switch: changes, package: listed } = row.when === 'always' ? ({} as Condition) : row.when;
  const open = holds(row, known) === undefined;
  // Without the platform's value it may be the same.
  const knobOpen = whole && !row.dead && row.knob !== undefined && knobValue(row, known) === undefined;
  const assumes: FactName[] = [
    ...(open && listed !== undefined ? ['optionalPackages' as const] : []),
    ...((open && (set ?? changes) !== undefined) || knobOpen ? ['platformValues' as const] : []),
  ];
  return { certain: !open && !knobOpen && !row.dead, assumes };
}

function subject({ component, path }: OwnedValue, depth: number): string {
  const field = depth === 0 ? 'the values' : spell(path.slice(0, depth));
  return `${field} of component "${component}"${depth === path.length ? '' : ' to something other than a map'}`;
}

function outcome(row: OwnedValue, known: JsonObject, whole: boolean): string {
  const set = knobValue(row, known) ?? row.value;
  const value = set === undefined || typeof set === 'object' ? '' : ` to ${JSON.stringify(set)}`;
  const when = row.when === 'always' || holds(row, known) ? '' : ` ${conditionWords(row.when)}`;
  if (!whole) return `, and so takes ${spell(row.path)} from the platform chart${when}`;
  const owned = `, which the platform chart sets itself${value}${when}`;
  return row.dead ? `${owned}, and which reaches nothing: ${row.dead}` : `${owned}, so the two take it from each other`;
}

/** `once networking.encryption.enabled is true and cozystack.gpu-operator is in bundles.enabledPackages`. */
function conditionWords({ switch: changes, set, package: listed }: Condition): string {
  const parts = [
    ...(listed === undefined ? [] : [`${listed} is in bundles.enabledPackages`]),
    ...(changes?.split(',').map((change) => change.replace('=', ' is ')) ?? []),
    ...(set === undefined ? [] : [`${set} is set`]),
  ];
  return `once ${parts.join(' and ')}`;
}

function helpFor({ knob, why, dead }: OwnedValue): string {
  const instead = knob
    ? `set ${knob} in spec.components.platform.values of Package "${platformName}" instead`
    : 'remove it';
  return why === undefined || dead ? instead : `${instead}: ${why}`;
}
