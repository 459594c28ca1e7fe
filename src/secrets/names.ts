/** What the names of fields say of the values that stand there. */
import type { Json, JsonObject } from '../core/model.js';
import { isNear } from '../core/suggest.js';
import { isRandom } from './chance.js';
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

/** True if the key is `value`, or was meant to be. */
export function isValueKey(key: string): boolean {
  return key === 'value' || (key.length > 2 && isNear(key, 'value', key.length > 4 ? 2 : 1));
}

/** True if the key is `name`, or was meant to be. */
export function isNameKey(key: string): boolean {
  return key === 'name' || key === 'key' || (key.length > 2 && isNear(key, 'name', 1));
}

/** The `auth` of a registry is its login, that of a chart a map or a word. */
export function isLogin(key: string, value: string): boolean {
  return /^_?auth$/i.test(key) && /[\dA-Z+/=]/.test(value) && value.length >= 4 && !/^\d+$/.test(value);
}

/** Start of the secret in a literal of a generator: after its key, if it has a key. Base64 without one ends in what looks like a value. */
export function secretStart(literal: string): number {
  const equals = literal.indexOf('=') + 1;
  const key = literal.slice(0, Math.max(equals - 1, 0)).replace(/^["']/, '');
  const isPair = /^[A-Za-z_.-][\w.-]*$/.test(key) && /[^="'\s]/.test(literal.slice(equals));
  return isPair ? equals : 0;
}

const wordsOfPath = /^[a-z_.-]+(?:\/[a-z_.-]+)*$/;
const pathOfFile = /^(?:[\w.-]+\/)*(?:[\w.-]*\.[A-Za-z]\w{0,9}|id_\w+)$/;

/** True if an entry of `files` is rather a literal: `password=hunter2`, with a value that is not the path of a file. */
export function isLiteralOfFiles(entry: string): boolean {
  const start = secretStart(entry);
  if (start === 0)
    return (
      entry.includes('=') || (!/[./]/.test(entry) && (isRandom(entry) || (/\d/.test(entry) && /[A-Z]/.test(entry))))
    );
  const [key, path] = [entry.slice(0, start - 1), entry.slice(start)];
  if (isSecretKey(key) && !/[./]/.test(path)) return true;
  return !wordsOfPath.test(path) && !pathOfFile.test(path);
}

/** True of an option such as `--password`, whose value is the next item of its list. */
export function isSecretOption(item: Json | undefined): boolean {
  return typeof item === 'string' && isSecretKey(/^--?([\w-]{1,80})$/.exec(item)?.[1] ?? '');
}

/** True if the value of the key is secret: by the key, by the name beside it in the same map, or as a login. */
export function isSecretField(key: string, value: Json, beside: JsonObject): boolean {
  const isText = typeof value === 'string' || typeof value === 'number';
  const isByName = isSecretKey(key) || key === 'auths' || isNamedSecret(key, beside);
  return isByName || (isText && isLogin(key, String(value)));
}

/** True for the key of a value whose name, in the same map, is that of a secret: `{name: DB_PASSWORD, value: …}`. */
export function isNamedSecret(key: string, beside: JsonObject): boolean {
  if (!isValueKey(key)) return false;
  return Object.entries(beside).some(
    ([name, text]) => isNameKey(name) && typeof text === 'string' && isSecretKey(text),
  );
}
