/** What of the objects of charts is shown: a chart writes secrets of its values wherever its author liked. */
import type { ChartObjectDiff, Json, JsonObject } from '../core/model.js';
import { isObject, lookUp } from '../core/object.js';
import { shortest } from '../secrets/known.js';
import { isSecretKey } from '../secrets/mask.js';
import { maskedValue } from '../secrets/masked-values.js';
import { withoutSecrets } from '../secrets/values.js';
import { leavesIn } from '../simulate/changes.js';

/** Of an object as it was and as it is, the fields without what is secret by its place. */
export function maskedFields(
  ref: ChartObjectDiff['ref'],
  [old, now]: [JsonObject, JsonObject],
  fields: ChartObjectDiff['fields'],
): ChartObjectDiff['fields'] {
  return fields.map(({ path, before, after }) => ({
    path,
    ...(before !== undefined && { before: maskedValue({ ref, value: old }, path, before) }),
    ...(after !== undefined && { after: maskedValue({ ref, value: now }, path, after) }),
  }));
}

/**
 * Without the values of Packages that a key calls secret, and without what the Secrets of the charts hold, wherever a chart has written
 * them, as they are or in Base64.
 */
export function withoutChartSecrets<Told>(
  told: Told,
  packages: readonly JsonObject[],
  secrets: readonly JsonObject[],
): Told {
  const texts = [...packages.flatMap(underSecretKeys), ...secrets.flatMap(heldBy)].filter(
    (text) => text.length >= shortest,
  );
  const encoded = texts.map((text) => Buffer.from(text).toString('base64'));
  return withoutSecrets(told, new Set([...texts, ...encoded]));
}

function underSecretKeys(object: JsonObject): string[] {
  return [...leavesIn(object).values()]
    .filter((path) => path.some((step) => typeof step === 'string' && isSecretKey(step)))
    .flatMap((path) => textsIn(lookUp(object, path)));
}

function heldBy(secret: JsonObject): string[] {
  const data = textsIn(secret.data);
  return [...textsIn(secret.stringData), ...data, ...data.map((text) => Buffer.from(text, 'base64').toString())];
}

function textsIn(value: Json | undefined): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isObject(value) ? Object.values(value).flatMap(textsIn) : [];
}
