/** What a schema says about a single value beyond its type: enums, patterns, formats, bounds, sizes. */
import type { Json } from '../core/model.js';
import { isObject } from '../core/object.js';
import { nearest } from '../core/suggest.js';
import { durationMeant, exampleOf } from './durations.js';
import { checkFormat, isBase64 } from './formats.js';
import { matchesPattern } from './pattern.js';
import { isHidden, type Node, report, skip, tell, type Violation, type Walk } from './walk.js';
import { alternatives, spell } from './wording.js';

/** Why a rule of a definition is not judged here: Kubernetes' own code is asked for it (simulate/validation.ts). */
export const needsCel = 'a rule of the schema needs CEL';

/** The constraints on a value of the right type, but for choices between forms. */
export function checkConstraints(walk: Walk, value: Json, node: Node): void {
  const { schema } = node;
  if (schema.enum) checkEnum(walk, value, node);
  if (typeof value === 'string') checkText(walk, value, node);
  else if (typeof value === 'number') checkNumber(walk, value, node);
  else if (Array.isArray(value)) checkSize(walk, value.length, 'items', schema.minItems, schema.maxItems, node);
  else if (isObject(value)) {
    checkSize(walk, Object.keys(value).length, 'entries', schema.minProperties, schema.maxProperties, node);
  }
  if (schema['x-kubernetes-validations'] && !node.declared) {
    skip(walk, needsCel, schema['x-kubernetes-validations'].length);
  }
}

export function checkEnum(walk: Walk, value: Json, { schema, path }: Node): void {
  const values = schema.enum ?? [];
  if (values.some((allowed) => allowed === value)) return;
  const words = values.filter((allowed) => typeof allowed === 'string');
  const meant = typeof value === 'string' ? nearest(value, words) : undefined;
  report(walk, {
    path,
    part: 'value',
    kind: 'enum',
    message: `${spell(path)} is ${tell(walk, value, path)}, but must be ${alternatives(values)}`,
    ...(meant !== undefined && { help: `did you mean "${meant}"?`, instead: { value: meant } }),
  });
}

function checkText(walk: Walk, text: string, node: Node): void {
  const { schema, path } = node;
  const complain = (kind: Violation['kind'], problem: string, advice: Pick<Violation, 'help' | 'instead'> = {}) => {
    const message = `${spell(path)} is ${tell(walk, text, path)}, ${problem}`;
    report(walk, { path, part: 'value', kind, message, ...advice });
  };
  if (schema.minLength !== undefined || schema.maxLength !== undefined) {
    const length = [...text].length;
    if (length < (schema.minLength ?? 0))
      complain('length', `but must have at least ${count(schema.minLength, 'character')}`);
    if (length > (schema.maxLength ?? Number.POSITIVE_INFINITY)) {
      complain('length', `but may have at most ${count(schema.maxLength, 'character')}, and has ${length}`);
    }
  }
  if (schema.pattern !== undefined) {
    const matches = matchesPattern(schema.pattern, text);
    if (matches === undefined) skip(walk, 'a pattern or text that only Go can judge');
    else if (!matches) complain('pattern', mismatch(schema.pattern), adviceOn(walk, text, node));
  }
  if (schema.format === 'byte' && node.lax) {
    if (!isBase64(text)) complain('format', 'but must be base64');
  } else if (schema.format !== undefined && schema.format !== 'int-or-string') {
    const format = checkFormat(schema.format, text);
    if (format.verdict === 'unknown') skip(walk, `format ${schema.format}`);
    if (format.verdict === 'invalid') complain('format', `but must be ${format.expected}`);
  }
}

function mismatch(pattern: string): string {
  const example = exampleOf(pattern);
  return example === undefined ? `which does not match ${pattern}` : `which is not a duration such as ${example}`;
}

/** What was meant by a duration that is written in words. */
function adviceOn(
  walk: Walk,
  text: string,
  { schema: { pattern = '' }, path }: Node,
): Pick<Violation, 'help' | 'instead'> {
  if (exampleOf(pattern) === undefined || isHidden(walk.known, path)) return {};
  const meant = durationMeant(text, pattern);
  return meant === undefined ? {} : { help: `write ${meant}`, instead: { value: meant } };
}

function checkNumber(walk: Walk, number: number, { schema, path }: Node): void {
  const { minimum, maximum, multipleOf } = schema;
  const complain = (bound: string) =>
    report(walk, { path, part: 'value', kind: 'range', message: `${spell(path)} is ${number}, but must be ${bound}` });
  if (minimum !== undefined) {
    if (schema.exclusiveMinimum && number <= minimum) complain(`more than ${minimum}`);
    else if (number < minimum) complain(`at least ${minimum}`);
  }
  if (maximum !== undefined) {
    if (schema.exclusiveMaximum && number >= maximum) complain(`less than ${maximum}`);
    else if (number > maximum) complain(`at most ${maximum}`);
  }
  if (multipleOf !== undefined && Number.isInteger(multipleOf) && number % multipleOf !== 0) {
    complain(`a multiple of ${multipleOf}`);
  }
}

function checkSize(walk: Walk, size: number, what: string, least = 0, most = Infinity, node: Node): void {
  const { path } = node;
  const complain = (problem: string) => {
    const name = path.length > 0 ? spell(path) : 'the object';
    report(walk, { path, part: 'value', kind: 'size', message: `${name} has ${size} ${what}, but ${problem}` });
  };
  if (size > most) complain(`may have at most ${most}`);
  if (size >= least) return;
  // Others may add to what is not replaced as one.
  if (node.whole || (node.schema.type === 'array' && !node.schema['x-kubernetes-list-type']))
    complain(`must have at least ${least}`);
  else walk.undecided++;
}

function count(number = 0, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
