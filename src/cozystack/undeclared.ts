/**
 * Values that neither the schema of a chart declares, nor its defaults or templates name. The schema of an application lists all that
 * its chart has (`FACTS.md`, Applications), and Helm takes any key beside that.
 */
import type { Json, JsonObject } from '../core/model.js';
import { isObject } from '../core/object.js';
import { nearest } from '../core/suggest.js';
import type { ValuesSchema } from '../schema/helm-values.js';
import { isUnresolved } from '../schema/walk.js';
import { childOf, type Misplaced } from './misplaced.js';
import type { ChartValues, Kind, ValueTree } from './values.js';

type Node = { schema: ValuesSchema | undefined; tree: ValueTree | Kind | undefined; path: string[] };

/** In maps only: what stands in a list has no place that a finding could move it to. */
export function undeclared(values: JsonObject, chart: ChartValues): Misplaced[] {
  const schema = chart.schemas.find(({ path }) => path.length === 0)?.schema;
  const found: Misplaced[] = [];
  walk(values, { schema, tree: chart.values, path: [] });
  return found;

  function walk(value: Json, { schema, tree, path }: Node): void {
    if (!isObject(value) || typeof schema !== 'object' || isOpen(path, chart)) return;
    const { properties = {}, additionalProperties, patternProperties } = schema;
    const isClosed = patternProperties === undefined && hasOwnKeys(properties);
    for (const [key, below] of Object.entries(value)) {
      const place = [...path, key];
      const declared = Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
      const child = typeof tree === 'object' ? childOf(tree, key) : undefined;
      if (declared !== undefined) walk(below, { schema: declared, tree: child, path: place });
      else if (isClosed && child === undefined && !isPassedOver(key, path)) found.push(unknown(key, path, properties));
    }
  }

  function unknown(key: string, path: string[], properties: { [name: string]: ValuesSchema }): Misplaced {
    const meant = nearest(key, Object.keys(properties));
    return { path: [...path, key], meant: meant === undefined ? [] : [[...path, meant]] };
  }

  function isPassedOver(key: string, path: readonly string[]): boolean {
    // What begins so at the top the server of applications refuses.
    if (path.length === 0 && (key.startsWith('_') || key === 'global' || key === 'tags')) return true;
    return isUnresolved(key) || chart.mentioned.includes(key);
  }
}

/** A map that a template takes as a whole. */
function isOpen(path: readonly string[], { open }: ChartValues): boolean {
  return open.some((one) => one.every((key, depth) => path[depth] === key));
}

function hasOwnKeys(properties: object): boolean {
  return Object.keys(properties).length > 0;
}
