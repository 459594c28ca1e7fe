/**
 * Values of Secrets of the repository where they have been taken somewhere else: by a replacement, a variable, or by hand. They
 * are hidden in what is told of other objects too.
 */

import { isFluxKustomization } from '../core/flux-api.js';
import type { Json, JsonObject, Rendered, Revision, Tree } from '../core/model.js';
import { isObject, lookUp } from '../core/object.js';
import { shortest } from './known.js';
import { isSecretKey } from './mask.js';
import { isTelling, withoutValues } from './redact.js';
import { sopsDocuments, unencryptedIn } from './sops.js';

type Revisions<Of> = { [revision in Revision]?: Of | undefined };

/** Of both revisions: of rendered Secrets, of variables with such names, and what SOPS has left unencrypted. */
export function secretValues(trees: Revisions<Tree>, rendered: Revisions<readonly Rendered[]>): ReadonlySet<string> {
  const objects = [rendered.head, rendered.base].flatMap((all) =>
    (all ?? []).flatMap((one) => (one.ok ? one.objects : [])),
  );
  const unencrypted = [trees.head, trees.base].flatMap((tree) => (tree ? unencryptedOf(tree) : []));
  const texts = [...objects.flatMap(({ value }) => heldBy(value)), ...unencrypted];
  return new Set(texts.map((text) => text.trim()).filter((text) => text.length >= shortest && isTelling(text)));
}

function heldBy(value: JsonObject): string[] {
  if (value.kind === 'Secret') return heldBySecret(value);
  const variables = isFluxKustomization(value) ? lookUp(value, ['spec', 'postBuild', 'substitute']) : undefined;
  if (!isObject(variables)) return [];
  return Object.entries(variables).flatMap(([name, text]) => (isSecretKey(name) ? textsIn(text) : []));
}

function unencryptedOf(tree: Tree): string[] {
  return sopsDocuments(tree).flatMap((one) =>
    (unencryptedIn(one)?.paths ?? []).flatMap((path) => textsIn(lookUp(one.value, path))),
  );
}

/** The values of a Secret, as they are and in Base64. */
export function heldBySecret({ data, stringData }: JsonObject): string[] {
  const encoded = textsIn(data);
  const decoded = encoded.map((text) => Buffer.from(text, 'base64').toString());
  return [...encoded, ...decoded, ...textsIn(stringData)];
}

/** Of scalars, however deep; what is true, false or null is none. */
export function textsIn(value: Json | undefined): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (isObject(value)) return Object.values(value).flatMap(textsIn);
  return value === null || value === undefined || typeof value === 'boolean' ? [] : [String(value)];
}

/** What of a description is taken from objects; the rest says where it stands and what becomes of it. */
const taken = new Set(['value', 'before', 'after', 'set', 'why']);

/** The same description without such values in it. */
export function withoutSecrets<Told>(told: Told, values: ReadonlySet<string>): Told {
  if (values.size === 0) return told;
  const texts = new Set<string>();
  visit(told, false, (text) => {
    texts.add(text);
    return text;
  });
  const all = [...texts];
  const shown = withoutValues(all, values);
  const changed = new Map(all.map((text, index) => [text, shown[index] ?? '']));
  return visit(told, false, (text) => changed.get(text) ?? text) as Told;
}

function visit(node: unknown, isTaken: boolean, work: (text: string) => string): unknown {
  if (typeof node === 'string') return isTaken ? work(node) : node;
  // A number may be a secret as well: it is one where its text is.
  if (typeof node === 'number') return isTaken && work(String(node)) !== String(node) ? work(String(node)) : node;
  if (Array.isArray(node)) return node.map((item) => visit(item, isTaken, work));
  if (node === null || typeof node !== 'object') return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, item]) => [key, visit(item, isTaken || taken.has(key), work)]),
  );
}
