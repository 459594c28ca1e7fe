/**
 * What a `values.schema.json` refuses of the values that are written, in Helm's words. Helm holds all values of a chart against
 * it; those that are not written here are the chart's own, so nothing is missing but in the items of a list.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../core/model.js';
import { isObject } from '../core/object.js';
import { matchesPattern } from './pattern.js';
import { isUnresolved } from './walk.js';
import { maySecret } from './wording.js';

/** The part of JSON Schema that is judged; what else a schema says refuses nothing here. */
export type ValuesSchema =
  | boolean
  | {
      readonly $ref?: string;
      readonly type?: string | readonly string[];
      readonly enum?: readonly Json[];
      readonly const?: Json;
      readonly pattern?: string;
      readonly minLength?: number;
      readonly maxLength?: number;
      readonly minimum?: number;
      readonly maximum?: number;
      readonly minItems?: number;
      readonly maxItems?: number;
      readonly properties?: { readonly [name: string]: ValuesSchema };
      readonly patternProperties?: { readonly [pattern: string]: ValuesSchema };
      readonly additionalProperties?: ValuesSchema;
      readonly items?: ValuesSchema | readonly ValuesSchema[];
      readonly required?: readonly string[];
      readonly allOf?: readonly ValuesSchema[];
      readonly anyOf?: readonly ValuesSchema[];
      readonly oneOf?: readonly ValuesSchema[];
    };

export type ValueRefusal = {
  /** Below the chart's values. */
  path: (string | number)[];
  /** As Helm says it: `got string, want boolean`. */
  words: string;
  /** There may be no such key. */
  unknownKey?: true;
  /** The kinds that would do, where the kind is wrong. */
  wants?: readonly string[];
};

type Node = { root: ValuesSchema; path: (string | number)[]; whole: boolean; depth: number };

export function refusals(values: Json, schema: ValuesSchema): ValueRefusal[] {
  return judge(values, schema, { root: schema, path: [], whole: false, depth: 0 });
}

/** Deeper than any chart; what is below is not judged. */
const deepest = 100;

function judge(value: Json, schema: ValuesSchema, node: Node): ValueRefusal[] {
  // A null takes the chart's own value away before anything is judged; what is filled in later is not known yet.
  if (value === null || schema === true || node.depth > deepest) return [];
  if (typeof value === 'string' && isUnresolved(value)) return [];
  const { path } = node;
  if (schema === false) return [{ path, words: 'false schema' }];
  if (schema.$ref !== undefined) return judge(value, pointedAt(schema.$ref, node.root), deeper(node));
  const types = typeof schema.type === 'string' ? [schema.type] : schema.type;
  if (types && !types.some((type) => isOf(value, type)))
    return [{ path, words: `got ${typeName(value)}, want ${types.join(' or ')}`, wants: types }];
  return [
    ...judgeContent(value, schema, path),
    ...(isObject(value) ? judgeMap(value, schema, node) : []),
    ...(Array.isArray(value) ? judgeList(value, schema, node) : []),
    ...judgeChoices(value, schema, node),
  ];
}

type Rules = Exclude<ValuesSchema, boolean>;

function judgeContent(value: Json, schema: Rules, path: Node['path']): ValueRefusal[] {
  const found: ValueRefusal[] = [];
  const refuse = (words: string) => found.push({ path, words });
  const { enum: words } = schema;
  if (words && !words.some((word) => isDeepStrictEqual(word, value)))
    refuse(`value must be ${words.length > 1 ? 'one of ' : ''}${words.map(quoted).join(', ')}`);
  if (schema.const !== undefined && !isDeepStrictEqual(schema.const, value))
    refuse(`value must be ${quoted(schema.const)}`);
  const bound = (name: 'minLength' | 'maxLength' | 'minimum' | 'maximum' | 'minItems' | 'maxItems', got: number) => {
    const want = schema[name];
    if (want !== undefined && (name.startsWith('min') ? got < want : got > want))
      refuse(`${name}: got ${got}, want ${want}`);
  };
  if (typeof value === 'string') {
    bound('minLength', [...value].length);
    bound('maxLength', [...value].length);
    if (schema.pattern !== undefined && matchesPattern(schema.pattern, value) === false)
      refuse(`${maySecret(path) ? 'the value' : quoted(value)} does not match pattern ${quoted(schema.pattern)}`);
  }
  if (typeof value === 'number') {
    bound('minimum', value);
    bound('maximum', value);
  }
  if (Array.isArray(value)) {
    bound('minItems', value.length);
    bound('maxItems', value.length);
  }
  return found;
}

function judgeMap(map: { [key: string]: Json }, schema: Rules, node: Node): ValueRefusal[] {
  const { properties = {}, patternProperties = {}, additionalProperties: others = true, required = [] } = schema;
  const found: ValueRefusal[] = [];
  for (const [key, value] of Object.entries(map)) {
    const child = { ...deeper(node), path: [...node.path, key] };
    const named = Object.hasOwn(properties, key) ? properties[key] : undefined;
    const patterns = Object.entries(patternProperties).filter(([pattern]) => matchesPattern(pattern, key) !== false);
    if (named !== undefined) found.push(...judge(value, named, child));
    else if (patterns.length > 0 || isUnresolved(key)) continue;
    else if (others !== false) found.push(...judge(value, others, child));
    else if (value !== null)
      found.push({ path: child.path, words: `additional properties ${quoted(key)} not allowed`, unknownKey: true });
  }
  const missing = node.whole ? required.filter((key) => !Object.hasOwn(map, key)) : [];
  if (missing.length > 0)
    found.push({
      path: node.path,
      words: `missing propert${missing.length > 1 ? 'ies' : 'y'} ${missing.map(quoted).join(', ')}`,
    });
  return found;
}

function judgeList(list: readonly Json[], { items }: Rules, node: Node): ValueRefusal[] {
  if (items === undefined || Array.isArray(items)) return [];
  return list.flatMap((item, index) =>
    judge(item, items as ValuesSchema, { ...deeper(node), path: [...node.path, index], whole: true }),
  );
}

function judgeChoices(value: Json, { allOf = [], anyOf, oneOf }: Rules, node: Node): ValueRefusal[] {
  const found = allOf.flatMap((branch) => judge(value, branch, deeper(node)));
  for (const [name, branches] of Object.entries({ anyOf, oneOf })) {
    const tried = branches?.map((branch) => judge(value, branch, deeper(node)));
    if (!tried || tried.some((refused) => refused.length === 0)) continue;
    const wants = tried.flatMap(([first]) => (first?.path.length === node.path.length ? (first.wants ?? []) : []));
    const deep = tried.filter(([first]) => first?.wants === undefined || first.path.length > node.path.length);
    // Where one branch alone is of the right kind, what it refuses is what is wrong.
    if (deep.length === 1 && deep[0]) found.push(...deep[0]);
    else if (deep.length === 0)
      found.push({ path: node.path, words: `got ${typeName(value)}, want ${[...new Set(wants)].join(' or ')}`, wants });
    else found.push({ path: node.path, words: `'${name}' failed${name === 'oneOf' ? ', none matched' : ''}` });
  }
  return found;
}

function deeper(node: Node): Node {
  return { ...node, depth: node.depth + 1 };
}

/** What is not there refuses nothing. */
function pointedAt(reference: string, root: ValuesSchema): ValuesSchema {
  if (!reference.startsWith('#')) return true;
  let found: unknown = root;
  for (const step of reference.slice(1).split('/').filter(Boolean)) {
    const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return true;
    found = (found as { [name: string]: unknown })[name];
  }
  return found as ValuesSchema;
}

function isOf(value: Json, type: string): boolean {
  if (type === 'object') return isObject(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

function typeName(value: Json): string {
  if (Array.isArray(value)) return 'array';
  return typeof value;
}

function quoted(value: Json): string {
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
}
