/** Values of objects for people, without what is secret in them, however deep. */
import type { FieldPath, Json, JsonObject, KnownSecrets, ObjectRef } from '../model.js';
import { isObject, lookUp } from '../object.js';
import { mayTargetSecret } from '../secrets/names.js';
import { hidden, isSecretKey, remembering, replaceSpans } from './mask.js';
import { linesOf, secretSpans } from './secrets.js';

/** `object` is where the path leads: a `value` is secret where the `name` beside it says so, a `patch` is read as its `target` says. */
export function maskedValue(
  { ref, value: object }: { ref: Pick<ObjectRef, 'kind'>; value: JsonObject },
  path: FieldPath,
  value: Json,
): Json {
  const [last, above] = [path.at(-1), path.slice(0, -1)];
  const name = last === 'value' ? lookUp(object, [...above, 'name']) : undefined;
  const target = last === 'patch' ? lookUp(object, [...above, 'target']) : undefined;
  const keys = [...path, name].filter((step) => typeof step === 'string');
  const isData = ref.kind === 'Secret' && (path[0] === 'data' || path[0] === 'stringData');
  const isOwn = ref.kind === 'Secret' && typeof value === 'string' && heldBy(object).has(value);
  if (isData || isOwn || keys.some(isSecretKey)) return secret(value);
  const isPatch = typeof value === 'string' && isObject(target) && mayTargetSecret(target);
  return isPatch ? shownText(value, { patch: true }) : masked(value);
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
  if (Array.isArray(value)) return value.map(masked);
  if (!isObject(value)) return value;
  const isNamed = typeof value.name === 'string' && isSecretKey(value.name);
  const patches = isObject(value.target) && mayTargetSecret(value.target);
  const entries = Object.entries(value).map(([key, item]): [string, Json] => [
    key,
    isSecretKey(key) || (key === 'value' && isNamed)
      ? secret(item)
      : key === 'patch' && patches && typeof item === 'string'
        ? shownText(item, { patch: true })
        : masked(item),
  ]);
  return Object.fromEntries(entries);
}

const maskedText = remembering((text: string): string => shownText(text));

function shownText(text: string, known: KnownSecrets = {}): string {
  const spans = secretSpans(text, known);
  return linesOf(text)
    .map((line, index) => replaceSpans(line, spans(index)))
    .join('\n');
}
