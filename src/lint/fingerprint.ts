/** What a finding is known by, from one commit to the next. */
import { createHash } from 'node:crypto';
import type { FieldPath, Finding, Json, Place, Problem } from '../core/model.js';
import { inventoryId, isObject, lookUp } from '../core/object.js';
import { maskedValue } from '../secrets/masked-values.js';
import type { Locator } from '../yaml/locator.js';

/**
 * Writes `fingerprint` into findings in reading order: identity without lines, words and places in lists, so that it outlives
 * edits around it; equal ones are told apart by their order. `problems` are what the finding was made of.
 */
export function fingerprint(
  all: readonly { finding: Finding; problems: readonly [Problem, ...Problem[]] }[],
  locator: Locator,
): void {
  const seen = new Map<string, number>();
  for (const { finding, problems } of all) {
    const subject = finding.object ? inventoryId(finding.object) : finding.at.file;
    const key = JSON.stringify([finding.rule, subject, identityOf(problems[0].at, locator)]);
    const ordinal = seen.get(key) ?? 0;
    seen.set(key, ordinal + 1);
    finding.fingerprint = createHash('sha256').update(`${key}#${ordinal}`).digest('hex').slice(0, 32);
  }
}

/** The path; in place of an index what the item says of itself, as another may come before it. Nothing secret is in it. */
export function identityOf(place: Place, locator: Locator): Json {
  if (!('path' in place)) return [];
  const says = 'object' in place ? saidBy(place.object) : writtenAt(place, locator);
  return place.path.map((step, index) => (typeof step === 'number' ? says(place.path.slice(0, index + 1)) : step));
}

/** What tells the items of a list apart: in Kubernetes, and in a kustomization. */
const names = ['name', 'key', 'path', 'target', 'kind'];

function saidBy({ ref, value }: Extract<Place, { object: object }>['object']) {
  return (path: FieldPath): Json => {
    const item = lookUp(value, path);
    if (item === undefined || Array.isArray(item)) return null;
    if (!isObject(item)) return maskedValue({ ref, value }, path, item);
    return names.map((name) => maskedValue({ ref, value }, [...path, name], item[name] ?? null));
  };
}

function writtenAt(place: Extract<Place, { document: number }>, locator: Locator) {
  const textAt = (path: FieldPath): Json => {
    const text = path[0] === 'secretGenerator' ? undefined : locator.written(place, path)?.text;
    return text === undefined ? null : maskedValue({ ref: { kind: '' }, value: {} }, path, text);
  };
  return (path: FieldPath): Json =>
    locator.written(place, path)?.scalar ? textAt(path) : names.map((name) => textAt([...path, name]));
}
