/** The secret values that a revision is known to have, from what it renders and from the files that this is rendered from. */
import type { Entrypoint, Json, JsonObject, RenderedObject, Tree } from '../core/model.js';
import { isObject } from '../core/object.js';
import { remembering } from '../core/once.js';
import { linesOf, secretSpans } from './file.js';
import { isSecretKey } from './mask.js';
import { namedFiles } from './named.js';
import { isReference, isSecretField, isSecretOption, keysOfSecret, mayBeSecret, secretGeneratorIn } from './names.js';
import { valuesInFiles } from './redact.js';
import { textsIn } from './values.js';

/** What is needed of a `Rendered`. */
export type SomeRendered = {
  entrypoint: Pick<Entrypoint, 'kustomization'>;
  files: readonly string[];
  ok: boolean;
  objects?: readonly RenderedObject[];
};

/** All of a revision; a value may be there twice. */
export function collectedValues(tree: Tree, rendered: readonly SomeRendered[]): string[] {
  return [
    ...rendered.flatMap(({ objects = [] }) => objects.flatMap(({ value }) => secretsOf(value))),
    ...rendered.flatMap(({ entrypoint }) => secretVariables(entrypoint.kustomization.postBuild?.substitute ?? {})),
    ...valuesInFiles(tree, telling(tree, rendered)),
    ...defaultsIn(tree, new Set(rendered.flatMap(({ files }) => files))),
  ];
}

/** Files that tell more than what is rendered: of builds that fail, and those of generators of Secrets. */
function telling(tree: Tree, rendered: readonly SomeRendered[]): Set<string> {
  const generates = (file: string) => /kustomization/i.test(file) && secretGeneratorIn(tree.text(file) ?? '') >= 0;
  return new Set([
    ...rendered.flatMap(({ ok, files }) => (ok ? files.filter(generates) : files)),
    ...[...namedFiles(tree)].flatMap(([file, { whole }]) => (whole ? [file] : [])),
  ]);
}

const defaults = /\$\{(\w{1,80}):?[-=]([^}\n]{1,500})/g;

/** Defaults of variables are taken before anything is rendered. */
function defaultsIn(tree: Tree, files: ReadonlySet<string>): string[] {
  return [...files].flatMap((file) => {
    const text = tree.text(file) ?? '';
    if (!text.includes('${')) return [];
    return [...text.matchAll(defaults)].flatMap(([, name = '', value = '']) => (isSecretKey(name) ? [value] : []));
  });
}

function secretVariables(variables: { [name: string]: unknown }): string[] {
  return Object.entries(variables).flatMap(([name, text]) => (isSecretKey(name) ? [String(text)] : []));
}

/** Of one object. What the fields of a definition are called says nothing of them. */
function secretsOf(object: JsonObject): readonly string[] {
  if (object.kind === 'CustomResourceDefinition') return [];
  if (mayBeSecret(String(object.kind))) return heldBy(object);
  return below(object);
}

function heldBy(object: JsonObject): string[] {
  const texts = Object.entries(object).flatMap(([key, value]) => (keysOfSecret.has(key) ? [] : textsIn(value)));
  return [...texts, ...textsIn(object.data).map((text) => Buffer.from(text, 'base64').toString())];
}

/** Values at keys that sound secret, and what a text gives away. */
function below(value: Json): readonly string[] {
  if (typeof value === 'string') return inText(value);
  if (Array.isArray(value))
    return value.flatMap((item, index) => (isSecretOption(value[index - 1]) ? textsIn(item) : below(item)));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    isSecretField(key, item, value) ? keyedTexts(item) : below(item),
  );
}

/** Below `password:` a key such as `name` says where the secret is. */
function keyedTexts(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(keyedTexts);
  if (!isObject(value)) return textsIn(value);
  return Object.entries(value).flatMap(([key, item]) => (isReference(key) ? [] : keyedTexts(item)));
}

/** Longer texts are files, which are shown by their own lines. */
const longest = 1 << 14;

function inText(text: string): readonly string[] {
  return text.length <= longest && /[@=$"'{]|:\s|:\/\/|\s-|\n/.test(text) ? spansIn(text) : [];
}

const spansIn = remembering((text: string): readonly string[] => {
  const spans = secretSpans(text);
  return linesOf(text).flatMap((line, index) => spans(index).map(({ start, end }) => line.slice(start, end)));
});
