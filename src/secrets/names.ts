/** What the names of fields say of the values that stand there. */
import { isSecretKey } from './mask.js';

/** Keys below `secret:` or `credentials:` that only say where a value is. */
export function isReference(key: string): boolean {
  return /(?:names?|namespace|refs?|^key|^keys|path|file|mode|items|optional|audience|seconds|type|kind|enabled|url)$/i.test(
    key,
  );
}

/** The name of a variable, or the path of a JSON patch. */
export function namesSecret(name: string, isOfSecret: boolean): boolean {
  if (!name.startsWith('/')) return isSecretKey(name);
  return (
    /^\/stringData(?:\/|$)/.test(name) ||
    (isOfSecret && /^\/data(?:\/|$)/.test(name)) ||
    isSecretKey(name.split('/').at(-1) ?? '')
  );
}

/** Whether a kind is a Secret, was meant to be one, or is filled in later. */
export function mayBeSecret(kind: string): boolean {
  return /^secret(?:list)?$/i.test(kind.trim()) || kind.includes('${');
}

/** What a Secret has besides its data. */
export const keysOfSecret: ReadonlySet<string> = new Set([
  'apiVersion',
  'kind',
  'metadata',
  'type',
  'immutable',
  'sops',
]);

/** What a secretGenerator has besides the data; `options` are labels and annotations. */
export const keysOfGenerator: ReadonlySet<string> = new Set([
  'name',
  'namespace',
  'behavior',
  'type',
  'files',
  'envs',
  'env',
  'options',
  'immutable',
  'kvSources',
  'disableNameSuffixHash',
  'labels',
  'annotations',
  'apiVersion',
  'kind',
  'metadata',
]);

/** Whether the target of a patch may be one: its kind is a regular expression, and without one it is any. */
export function mayTargetSecret({ kind }: { kind?: unknown }): boolean {
  return typeof kind !== 'string' || kind === 'Secret' || !/^[A-Z][A-Za-z]*$/.test(kind);
}

/** Where a line has the field of a kustomization, also as a slip of the pen has it: `secretGenerators`, `secret_generator`. */
export function secretGeneratorIn(text: string): number {
  return text.search(/se\w{0,3}r\w{0,2}t[-_]?gen/i);
}

export function isSecretGenerator(key: string): boolean {
  return secretGeneratorIn(key) === 0;
}
