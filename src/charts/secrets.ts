/** What of the objects of charts is shown: a chart writes secrets of its values wherever its author liked. */
import type { ChartObjectDiff, JsonObject } from '../core/model.js';
import { lookUp } from '../core/object.js';
import { shortest } from '../secrets/known.js';
import { isSecretKey } from '../secrets/mask.js';
import { maskedValue } from '../secrets/masked-values.js';
import { heldBySecret, textsIn, withoutSecrets } from '../secrets/values.js';
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
  const texts = [...packages.flatMap(underSecretKeys), ...secrets.flatMap(heldBySecret)].filter(
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
