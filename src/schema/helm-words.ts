/** What a schema of values refuses, in the words of a message, and what to do about it. */
import type { Json } from '../core/model.js';
import { nearest } from '../core/suggest.js';
import type { ValueRefusal } from './helm-values.js';

/** The kinds of JSON. */
export const typeNouns: { readonly [type: string]: string } = {
  array: 'a list',
  boolean: 'a boolean',
  integer: 'an integer',
  number: 'a number',
  object: 'a map',
  string: 'a string',
};

/** The words of the validator of schemas, as they complete "FIELD …": `must be a boolean, not a string`. A value is not repeated. */
export function faultOf({ words, unknownKey }: ValueRefusal): string {
  if (unknownKey) return 'is not a known value';
  const [, got, want] = /^got (\S+), want (.+)$/.exec(words) ?? [];
  if (got && want)
    return `must be ${want.replace(/\w+/g, (type) => typeNouns[type] ?? type)}, not ${typeNouns[got] ?? got}`;
  if (words.startsWith('value must be')) return words.slice('value '.length).replaceAll("'", '');
  const at = Math.max(words.lastIndexOf("' does not match "), words.lastIndexOf("' is not valid "));
  return words.startsWith("'") && at >= 0 ? words.slice(at + 2) : words;
}

export type ValueAdvice = {
  help?: string;
  instead?: { place: (string | number)[] } | { value: string | number | boolean } | { quotes: number | boolean };
};

export function adviceOn(value: Json, { wants = [], words }: ValueRefusal): ValueAdvice {
  const wantsNumber = wants.some((type) => type === 'integer' || type === 'number');
  if (wants.includes('boolean') && (value === 'true' || value === 'false'))
    return { help: `write ${value} without quotes`, instead: { value: value === 'true' } };
  if (wantsNumber && typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value))
    return {
      help: `write ${value} without quotes`,
      ...(String(Number(value)) === value && { instead: { value: Number(value) } }),
    };
  if (wants.includes('string') && (typeof value === 'number' || typeof value === 'boolean'))
    return { instead: { quotes: value } };
  if (wants.includes('array')) return { help: 'write a list' };
  if (wants.includes('object')) return { help: 'write a map' };
  const allowed = [...words.matchAll(/'([^']*)'/g)].map(([, word]) => word as string);
  const meant = typeof value === 'string' && words.startsWith('value must') ? nearest(value, allowed) : undefined;
  return meant === undefined ? {} : { help: `did you mean "${meant}"?`, instead: { value: meant } };
}
