/** Values of objects for people, without what is secret in them, however deep. */
import type { FieldPath, Json, JsonObject, KnownSecrets, ObjectRef } from '../core/model.js';
import { isObject, lookUp } from '../core/object.js';
import { remembering } from '../core/once.js';
import { linesOf, secretSpans } from './file.js';
import { hidden, isSecretKey, replaceSpans } from './mask.js';
import { isNamedSecret, isSecretField, isSecretOption, mayTargetSecret } from './names.js';

/** `object` is where the path leads: a `value` is secret where the `name` beside it says so, a `patch` is read as its `target` says. */
export function maskedValue(
  { ref, value: object }: { ref: Pick<ObjectRef, 'kind'>; value: JsonObject },
  path: FieldPath,
  value: Json,
): Json {
  const last = path.at(-1);
  const beside = lookUp(object, path.slice(0, -1));
  const isData = ref.kind === 'Secret' && (path[0] === 'data' || path[0] === 'stringData');
  const isOwn = ref.kind === 'Secret' && typeof value === 'string' && heldBy(object).has(value);
  const isBelow = path.some((_, depth) => isNamedAt(path.slice(0, depth), object));
  if (
    isData ||
    isOwn ||
    isBelow ||
    path.some((step) => typeof step === 'string' && (isSecretKey(step) || step === 'auths'))
  )
    return secret(value);
  if (typeof last === 'number' && Array.isArray(beside) && isSecretOption(beside[last - 1])) return secret(value);
  return typeof last === 'string' && isObject(beside) ? maskedField(last, value, beside) : masked(value);
}

/** True for the path of a value whose name, beside it, is that of a secret. */
function isNamedAt(path: FieldPath, object: JsonObject): boolean {
  const [key, beside] = [path.at(-1), lookUp(object, path.slice(0, -1))];
  return typeof key === 'string' && isObject(beside) && isNamedSecret(key, beside);
}

/** The whole object. */
export function maskedObject(object: { ref: Pick<ObjectRef, 'kind'>; value: JsonObject }): JsonObject {
  const fields = Object.entries(object.value).map(([key, value]) => [key, maskedValue(object, [key], value)]);
  return Object.fromEntries(fields);
}

const held = new WeakMap<JsonObject, ReadonlySet<string>>();

/** What a Secret holds, which may stand in its annotations as well. */
function heldBy(object: JsonObject): ReadonlySet<string> {
  const known = held.get(object);
  if (known) return known;
  const texts = [object.data, object.stringData].flatMap((field) => (isObject(field) ? Object.values(field) : []));
  const values = texts.filter((text) => typeof text === 'string' && text !== '') as string[];
  const found = new Set(values.flatMap((text) => [text, Buffer.from(text, 'base64').toString()]));
  held.set(object, found);
  return found;
}

/** That there is nothing, anybody may know. */
function secret(value: Json): Json {
  return value === null ? value : hidden;
}

function masked(value: Json): Json {
  if (typeof value === 'string') return maskedText(value);
  if (Array.isArray(value))
    return value.map((item, index) => (isSecretOption(value[index - 1]) ? secret(item) : masked(item)));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, maskedField(key, item, value)]));
}

/** What `beside` it, in the same map, says of it counts. */
function maskedField(key: string, value: Json, beside: JsonObject): Json {
  if (isSecretField(key, value, beside)) return secret(value);
  const isPatch = key === 'patch' && isObject(beside.target) && mayTargetSecret(beside.target);
  return isPatch && typeof value === 'string' ? shownText(value, { patch: true }) : masked(value);
}

const maskedText = remembering((text: string): string => shownText(text));

function shownText(text: string, known: KnownSecrets = {}): string {
  const spans = secretSpans(text, known);
  return linesOf(text)
    .map((line, index) => replaceSpans(line, spans(index)))
    .join('\n');
}
