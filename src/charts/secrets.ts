/** What of the objects of charts is shown: a chart writes secrets of its values wherever its author liked. */
import { shorten } from '../core/escape.js';
import type { ChartObjectDiff, JsonObject } from '../core/model.js';
import { lookUp } from '../core/object.js';
import { shortest } from '../secrets/known.js';
import { isSecretKey } from '../secrets/mask.js';
import { maskedValue } from '../secrets/masked-values.js';
import { isTelling, withoutValues } from '../secrets/redact.js';
import { heldBySecret, textsIn } from '../secrets/values.js';
import { leavesIn } from '../simulate/changes.js';

/** What somebody reads of texts in which a chart may say what it was told: first without the secrets, then cut, as a part of one would be left. */
export function shownReasons(texts: readonly string[], secrets: ReadonlySet<string>): string[] {
  return withoutValues(texts, secrets).map((text) => shorten(text, longestReason));
}

/** Characters of a message with a reason. */
const longestReason = 400;

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
 * What is secret wherever a chart has written it: the values of Packages and HelmReleases that a key calls secret, those that a HelmRelease
 * takes from a Secret (`values`), and what the Secrets of the charts hold.
 * A chart writes a text as it is, in Base64, as a string of JSON, or line by line with an indent.
 */
export function chartSecrets(
  manifests: readonly JsonObject[],
  secrets: readonly JsonObject[],
  values: readonly JsonObject[],
): ReadonlySet<string> {
  const texts = [...manifests.flatMap(underSecretKeys), ...secrets.flatMap(heldBySecret), ...values.flatMap(textsIn)];
  return new Set(texts.flatMap(formsOf).filter((text) => text.length >= shortest && isTelling(text)));
}

function formsOf(text: string): string[] {
  const bare = text.trim();
  const encoded = [text, bare].map((one) => Buffer.from(one).toString('base64'));
  const lines = bare.split('\n').map((line) => line.trim());
  return [bare, ...encoded, ...lines, ...lines.map((line) => JSON.stringify(line).slice(1, -1))];
}

export function isSecret({ kind }: JsonObject): boolean {
  return kind === 'Secret';
}

function underSecretKeys(object: JsonObject): string[] {
  return [...leavesIn(object).values()]
    .filter((path) => path.some((step) => typeof step === 'string' && isSecretKey(step)))
    .flatMap((path) => textsIn(lookUp(object, path)));
}
