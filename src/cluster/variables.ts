/** Variables that no file defines: the cluster has their values. */

import type { FieldPath, Json, RenderedObject } from '../core/model.js';
import { isObject, lookUp } from '../core/object.js';
import { isPackage } from '../cozystack/package.js';

export type OpenVariable = { path: FieldPath /** As `"${NAME}"`. */; text: string };

/** More than anybody needs to be told of in one object. */
const most = 5;

/**
 * Those that stand where an object or a field is named: in its kind, name or namespace, in a key, and of a Package in place of
 * a map of its contract, which may then hold any field.
 */
export function openVariables({ ref, value }: RenderedObject): OpenVariable[] {
  const found: OpenVariable[] = [];
  const add = (path: FieldPath, text: Json | undefined) => {
    const variable = typeof text === 'string' ? variableIn(text) : undefined;
    if (variable !== undefined && found.length < most) found.push({ path, text: `"${variable}"` });
  };
  for (const path of [['apiVersion'], ['kind'], ['metadata', 'name'], ['metadata', 'namespace']])
    add(path, lookUp(value, path));
  if (isPackage({ ref })) {
    add(['spec'], value.spec);
    add(['spec', 'components'], lookUp(value, ['spec', 'components']));
    const components = lookUp(value, ['spec', 'components']);
    for (const [name, component] of Object.entries(isObject(components) ? components : {})) {
      add(['spec', 'components', name], component);
      add(['spec', 'components', name, 'values'], lookUp(component, ['values']));
    }
  }
  for (const path of keysWithVariables(value)) add(path, path.at(-1));
  return found;
}

function* keysWithVariables(value: Json): Generator<FieldPath> {
  // A stack of its own, as the depth is the repository's choice.
  const open: { node: Json; path: FieldPath }[] = [{ node: value, path: [] }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, path } = next;
    if (Array.isArray(node)) node.forEach((item, index) => void open.push({ node: item, path: [...path, index] }));
    if (!isObject(node)) continue;
    for (const [key, item] of Object.entries(node)) {
      if (key.includes('${')) yield [...path, key];
      if (item !== null && typeof item === 'object') open.push({ node: item, path: [...path, key] });
    }
  }
}

/** The first variable of a text, of at most 100 characters. */
function variableIn(text: string): string | undefined {
  const start = text.indexOf('${');
  const end = start < 0 ? -1 : text.indexOf('}', start);
  return end < 0 ? undefined : text.slice(start, Math.min(end + 1, start + 100));
}
