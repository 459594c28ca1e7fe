/** What a render tells of the sources: which documents became Secrets, and what of other files went into them. */

import type { FieldPath, Json, KnownSecrets, Origin, Rendered, RenderedObject, Tree } from '../core/model.js';
import { isObject, lookUp } from '../core/object.js';
import type { Locator } from '../yaml/locator.js';
import { namedFiles } from './named.js';
import { sopsDocuments, unencryptedIn } from './sops.js';

type Mutable = { whole?: boolean; patch?: boolean; documents: Set<number>; values: Set<string> };

/** By file, of one revision. */
export function knownSecrets(
  tree: Tree,
  rendered: readonly Rendered[],
  locator: Locator,
): ReadonlyMap<string, KnownSecrets> {
  const known = new Map<string, Mutable>();
  const of = (file: string) => {
    const one = known.get(file) ?? { documents: new Set<number>(), values: new Set<string>() };
    known.set(file, one);
    return one;
  };
  for (const one of sopsDocuments(tree))
    for (const path of unencryptedIn(one)?.paths ?? []) of(one.file).values.add(String(lookUp(one.value, path)));
  for (const [file, { whole, patch }] of namedFiles(tree)) Object.assign(of(file), { whole, patch });
  const secrets = rendered.flatMap((one) => (one.ok ? one.objects : [])).filter(({ ref }) => ref.kind === 'Secret');
  for (const object of secrets) {
    if (object.source) of(object.source.file).documents.add(object.source.document);
    for (const path of leavesOf(object)) {
      const value = lookUp(object.value, path);
      for (const { by, from } of object.writers(path, 'value'))
        for (const origin of from) note(of(origin.file), origin, { by, value, locator, object });
    }
  }
  return known;
}

type Written = { by: string; value: Json | undefined; locator: Locator; object: RenderedObject };

function note(file: Mutable, origin: Origin, { by, value, locator, object }: Written): void {
  const isOwn = by === 'resource' || by === 'merge-patch';
  if ('document' in origin && isOwn && !('inside' in origin)) file.documents.add(origin.document);
  for (const text of formsOf(value)) file.values.add(text);
  const at = locator.origin(origin, object.revision);
  const line = at && locator.source(object.revision, at.file)?.line(at.range.start.line);
  const written = line?.slice((at?.range.start.column ?? 1) - 1, (at?.range.end.column ?? 1) - 1) ?? '';
  const bare = written.replace(/^(["'])(.*)\1$/, '$2');
  if (bare.length >= shortest) file.values.add(bare);
}

/** Shorter words stand in many places and mean something else there. */
export const shortest = 4;

function formsOf(value: Json | undefined): string[] {
  if (value === null || typeof value === 'object' || value === undefined) return [];
  const text = String(value);
  return [text, Buffer.from(text, 'base64').toString()].filter((form) => form.length >= shortest);
}

/** Paths of the scalars that a Secret holds. */
function leavesOf({ value }: RenderedObject): FieldPath[] {
  return ['data', 'stringData'].flatMap((field) => leavesBelow(lookUp(value, [field]), [field]));
}

function leavesBelow(value: Json | undefined, path: FieldPath): FieldPath[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => leavesBelow(item, [...path, index]));
  if (isObject(value)) return Object.entries(value).flatMap(([key, item]) => leavesBelow(item, [...path, key]));
  return value === undefined || value === null ? [] : [path];
}
