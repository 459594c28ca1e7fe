/** How messages of the schema checks name fields and values. */
import type { FieldPath, Json } from '../core/model.js';
import { isObject } from '../core/object.js';

/** `spec.containers[0].image`, `metadata.labels["example.org/team"]`. */
export function spell(path: FieldPath): string {
  return path
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`;
      if (!/^[\w-]{1,80}$/.test(step)) return `[${JSON.stringify(shorten(step, 80))}]`;
      return index > 0 ? `.${step}` : step;
    })
    .join('');
}

/** A scalar as it is written, a list or a map by its name. What is `hidden` because it may be a secret is not repeated. */
export function describe(value: Json, hidden: boolean): string {
  if (Array.isArray(value)) return 'a list';
  if (isObject(value)) return 'a map';
  if (typeof value === 'boolean' || value === null || value === '') return JSON.stringify(value);
  if (hidden) return `a ${typeof value}`;
  return typeof value === 'number' ? String(value) : JSON.stringify(shorten(value, 60));
}

/** Whether a field's name says that its value is nobody's business. */
export function maySecret(path: FieldPath): boolean {
  return path.some((step) => typeof step === 'string' && /pass|secret|token|key|credential/i.test(step));
}

function shorten(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

const nouns = {
  object: 'a map',
  array: 'a list',
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
} as const;

export function nounOf(type: keyof typeof nouns): string {
  return nouns[type];
}

/** `"a"`, `"a" or "b"`, `one of "a", "b", "c"`; of many, the first few. */
export function alternatives(values: readonly Json[], most = 12): string {
  const shown = values.slice(0, most).map((value) => JSON.stringify(value));
  if (shown.length < 3) return shown.join(' or ');
  return `one of ${shown.join(', ')}${values.length > most ? ` and ${values.length - most} more` : ''}`;
}
