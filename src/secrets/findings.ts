/**
 * Findings without the value of their own field, where that is secret: taken from a Secret, or left readable in a file of SOPS, or
 * secret by its looks. A name that happens to stand in a Secret too stays.
 */
import { defined } from '../core/defined.js';
import {
  type Finding,
  type Json,
  type Rendered,
  type RenderedObject,
  type Revision,
  revisionOf,
} from '../core/model.js';
import { inventoryId, isObject, lookUp } from '../core/object.js';
import { once } from '../core/once.js';
import { shortest } from './known.js';
import { hidden } from './mask.js';
import { maskedValue } from './masked-values.js';
import { isReference } from './names.js';
import { isTelling } from './redact.js';

/** Of a field that holds many. */
const most = 200;

/**
 * `values` are those that are secret wherever they stand (`secretValues`); asked for where a finding has a value. `hide` is told which
 * are hidden, so that they are not shown as code either.
 */
export function withoutOwnValues(
  rendered: { [revision in Revision]?: readonly Rendered[] | undefined },
  values: () => ReadonlySet<string>,
  hide: (finding: Finding, values: readonly string[]) => void,
): (finding: Finding) => Finding {
  const objects = { head: once(() => byName(rendered.head)), base: once(() => byName(rendered.base)) };
  return (finding) => {
    const { object, field, entrypoints, at } = finding;
    if (!object || field.length === 0) return finding;
    const found = entrypoints.map((path) => objects[revisionOf(at.revision)]().get(nameOf(path, inventoryId(object))));
    const changes = new Map(found.flatMap((one) => (one ? changesOf(one, finding, values) : [])));
    if (changes.size === 0) return finding;
    hide(
      finding,
      [...changes].filter(([, shown]) => shown === hidden).map(([text]) => text),
    );
    return changed(finding, [...changes].toSorted(longestFirst));
  };
}

function changesOf(object: RenderedObject, { field }: Finding, values: () => ReadonlySet<string>): [string, string][] {
  const value = lookUp(object.value, field);
  const { kind, name, namespace } = object.ref;
  // As in `secretName`: what is below a key that sounds secret may say where the secret is.
  const isName = isReference(String(field.findLast((step) => typeof step === 'string')));
  const names = new Set<string | number | undefined>([kind, name, namespace, ...field]);
  return firstScalars(value).flatMap((one): [string, string][] => {
    const text = String(one);
    if (text.length < shortest || names.has(text) || !isTelling(text)) return [];
    const shown = values().has(text.trim()) ? hidden : isName ? text : String(maskedValue(object, field, one));
    return shown === text
      ? []
      : [
          [text, shown],
          [inJson(text), inJson(shown)],
        ];
  });
}

function changed(finding: Finding, changes: readonly [string, string][]): Finding {
  const without = (text: string) => changes.reduce((said, [from, to]) => said.replaceAll(from, () => to), text);
  const { message, help, related, upstream } = finding;
  return {
    ...finding,
    message: without(message),
    ...defined({ help: help && without(help), upstream: upstream && { ...upstream, text: without(upstream.text) } }),
    related: related.map((one) => ({ ...one, message: without(one.message) })),
  };
}

/** However much there is below, no more of it is looked at. */
function firstScalars(value: Json | undefined): (string | number)[] {
  const found: (string | number)[] = [];
  for (const one of scalarsIn(value)) {
    if (found.length >= most) break;
    found.push(one);
  }
  return found;
}

function* scalarsIn(value: Json | undefined): Generator<string | number> {
  if (typeof value === 'string' || typeof value === 'number') yield value;
  else if (Array.isArray(value)) for (const item of value) yield* scalarsIn(item);
  else if (isObject(value)) for (const item of Object.values(value)) yield* scalarsIn(item);
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** A value may be a part of another. */
function longestFirst([one]: [string, string], [other]: [string, string]): number {
  return other.length - one.length;
}

function byName(rendered: readonly Rendered[] = []): ReadonlyMap<string, RenderedObject> {
  const objects = rendered.flatMap((one) => (one.ok ? one.objects : []));
  return new Map(objects.map((object) => [nameOf(object.entrypoint, inventoryId(object.ref)), object]));
}

function nameOf(entrypoint: string, id: string): string {
  return JSON.stringify([entrypoint, id]);
}
