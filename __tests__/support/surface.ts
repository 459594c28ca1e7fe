/** What others build on, as short lines that can be compared: keys of the configuration, fields of the report, the command line, the action. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { commands, options as defined } from '../../src/cli/options.js';
import { configSchema } from '../../src/config/schema.js';
import { rules } from '../../src/rules/index.js';
import { root } from './cli.js';

type Schema = {
  type?: string | readonly string[];
  enum?: readonly unknown[];
  const?: unknown;
  $ref?: string;
  required?: readonly string[];
  properties?: { readonly [key: string]: Schema };
  items?: Schema;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
};

/** One line a thing, by where it stands; sorted. */
export type Surface = { readonly [part: string]: readonly string[] };

export function surface(): Surface {
  const report = JSON.parse(readFileSync(join(root, 'schemas/report.schema.json'), 'utf8'));
  const action = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as { inputs: object; outputs: object };
  return {
    configuration: sorted(keysOf(configSchema(rules.map(standIn)) as unknown as Schema, '', namedOnce)),
    report: sorted(fieldsOf(report, '', report)),
    'command line': sorted(commandLine()),
    'inputs of the action': sorted(Object.keys(action.inputs)),
    'outputs of the action': sorted(Object.keys(action.outputs)),
  };
}

const sorted = (lines: readonly string[]) => [...new Set(lines)].sort();

/** The ids are promised on their own: here a rule is one that stands for all, unless it has options. */
function standIn({ options, ...rule }: (typeof rules)[number]) {
  return { ...rule, id: options ? rule.id : 'ID', ...(options && { options }) };
}

const namedOnce = (path: string) => path === 'ignores[].rule';

/** `a.b[]`, and `a.b = value` for each value that a list of them has. */
function keysOf(schema: Schema, path: string, isElsewhere: (path: string) => boolean): string[] {
  const values = isElsewhere(path) ? [] : (schema.enum ?? []).map((value) => `${path} = ${value}`);
  return [
    ...(path ? [path] : []),
    ...values,
    ...Object.entries(schema.properties ?? {}).flatMap(([key, inner]) => keysOf(inner, dotted(path, key), isElsewhere)),
    ...(schema.items ? keysOf(schema.items, `${path}[]`, isElsewhere) : []),
    ...(schema.anyOf ?? []).flatMap((one) => keysOf(one, path, isElsewhere)),
  ];
}

/** `a.b[]: type`, with `?` behind a key that a report may lack. What a field may be is a part of it, but not each of its values. */
function fieldsOf(schema: Schema, path: string, whole: object): string[] {
  const one = schema.$ref ? resolved(schema.$ref, whole) : schema;
  return [
    ...(path ? [`${path}: ${typeOf(one)}`] : []),
    ...Object.entries(one.properties ?? {}).flatMap(([key, inner]) =>
      fieldsOf(inner, dotted(path, one.required?.includes(key) ? key : `${key}?`), whole),
    ),
    ...(one.items ? fieldsOf(one.items, `${path}[]`, whole) : []),
    ...[...(one.anyOf ?? []), ...(one.oneOf ?? [])].flatMap((inner) => fieldsOf(inner, path, whole)),
  ];
}

const dotted = (path: string, key: string) => (path ? `${path}.${key}` : key);

function typeOf({ type, enum: values, const: value }: Schema): string {
  if (value !== undefined) return JSON.stringify(value);
  return values ? 'a word' : [type ?? 'any'].flat().join(' or ');
}

/** `#/$defs/finding` */
function resolved(reference: string, whole: object): Schema {
  const keys = reference.replace(/^#\//, '').split('/');
  return keys.reduce<unknown>((inner, key) => (inner as { [key: string]: unknown })[key], whole) as Schema;
}

type Described = {
  options: readonly (string | { name: string; accepts?: readonly string[] })[];
  shared?: readonly string[];
};

/** `check --format json` for each word that an option takes. What a command names and nothing defines, it does not have. */
function commandLine(): string[] {
  return Object.entries(commands as { [name: string]: Described }).flatMap(([name, { options, shared = [] }]) => [
    name,
    ...[...options, ...shared].flatMap((one) => {
      const { name: option, accepts = [] } = typeof one === 'string' ? { name: one } : one;
      if (!Object.hasOwn(defined, option)) return [];
      return [`${name} --${option}`, ...accepts.map((word) => `${name} --${option} ${word}`)];
    }),
  ]);
}
