/** Values of another shape than those that a chart comes with. */
import type { Json, JsonObject } from '../core/model.js';
import { isObject, isWithin } from '../core/object.js';
import { refusals, type ValueRefusal } from '../schema/helm-values.js';
import { isUnresolved } from '../schema/walk.js';
import { childOf } from './misplaced.js';
import type { ChartValues, Kind, ValueTree } from './values.js';

export type Misshapen =
  /** Helm itself refuses anything but a map for a sub-chart. */
  | { kind: 'subchart'; path: string[] }
  | { kind: 'schema'; path: (string | number)[]; chart: readonly string[]; refusal: ValueRefusal; optional: boolean }
  | { kind: 'shape'; path: string[]; expected: 'map' | 'list' | 'scalar' };

export function misshapen(values: JsonObject, chart: ChartValues): Misshapen[] {
  const refused = chart.schemas.flatMap(({ path, schema, optional }): Misshapen[] => {
    const below = valueAt(values, path);
    if (!isObject(below)) return [];
    return refusals(below, schema).map((refusal) => ({
      kind: 'schema',
      optional,
      chart: path,
      refusal,
      path: [...path, ...refusal.path],
    }));
  });
  const shaped = shapes(values, chart.values, []).filter(
    ({ path }) => !refused.some((one) => isWithin(path, one.path) || isWithin(one.path, path)),
  );
  return [...unique(refused), ...shaped.map((one) => asSubchart(one, chart))];
}

function asSubchart(one: Misshapen, { subcharts }: ChartValues): Misshapen {
  const isOne = subcharts.some((path) => path.join('\n') === one.path.join('\n'));
  return isOne ? { kind: 'subchart', path: one.path as string[] } : one;
}

/** What several branches of a schema say of one place is said once. */
function unique(found: Misshapen[]): Misshapen[] {
  const seen = new Set<string>();
  return found.filter(({ path }) => {
    const key = JSON.stringify(path);
    return !seen.has(key) && seen.add(key);
  });
}

function shapes(map: JsonObject, tree: ValueTree, path: string[]): (Misshapen & { kind: 'shape' })[] {
  return Object.entries(map).flatMap(([key, value]) => {
    const child = childOf(tree, key);
    if (child === undefined) return [];
    const place = [...path, key];
    if (isObject(value) && typeof child === 'object') return shapes(value, child, place);
    const expected = expectedOf(value, child);
    return expected ? [{ kind: 'shape' as const, path: place, expected }] : [];
  });
}

/**
 * What a chart expects instead of a value; undefined where it may do. A null takes the default away; an empty default may stand
 * for a map as well as for a list; templates take a text for a number or a truth and the other way round.
 */
function expectedOf(value: Json, child: ValueTree | Kind): 'map' | 'list' | 'scalar' | undefined {
  if (value === null || child === 'any' || (typeof value === 'string' && isUnresolved(value))) return undefined;
  const isScalar = typeof value !== 'object';
  if (typeof child === 'object') return 'map';
  if (child === 'empty map') return isScalar ? 'map' : undefined;
  if (child === 'list') return Array.isArray(value) ? undefined : 'list';
  if (child === 'empty list') return isScalar ? 'list' : undefined;
  return isScalar ? undefined : 'scalar';
}

function valueAt(values: Json, path: readonly string[]): Json | undefined {
  let node: Json | undefined = values;
  for (const key of path) node = isObject(node) && Object.hasOwn(node, key) ? node[key] : undefined;
  return node;
}
