/** `.customizer-lint.yaml`: read, checked, and problems in it reported at their line like any other. */
import type { ErrorObject } from 'ajv';
import { isMap, isNode, isSeq, parseDocument } from 'yaml';
import { isDay } from '../core/day.js';
import { shorten } from '../core/escape.js';
import type { Tree } from '../core/model.js';
import { type FieldPath, type JsonObject, type Problem, type Severity, UsageError } from '../core/model.js';
import { isObject } from '../core/object.js';
import { renamed } from '../core/remedies.js';
import { nearest } from '../core/suggest.js';
import { keyTwice } from '../yaml/keys.js';
import { depthExceeds, hasManyAliases, maxDepth } from '../yaml/syntax.js';
import { type ConfigFile, type ConfigurableRule, configSchema, patternNouns } from './schema.js';

export const configFile = '.customizer-lint.yaml';

type RuleSeverity = Severity | 'off';
type RuleConfig = {
  severity?: RuleSeverity;
  paths?: { paths: string[]; severity: RuleSeverity }[];
  /** The rule's own options. */
  [option: string]: unknown;
};
type Item<List extends 'ignores' | 'ownership' | 'clusters'> = NonNullable<ConfigFile[List]>[number];
/** A map of the file is JSON, whatever it is of. */
type Values<Of> = Omit<Of, 'platformValues'> & { platformValues?: JsonObject };

export type ClusterConfig = Values<NonNullable<ConfigFile['cluster']>>;
export type ConfiguredIgnore = Item<'ignores'>;
export type ConfiguredOwner = Item<'ownership'>;
export type DryRunConfig = NonNullable<ConfigFile['dryRun']>;

/** What the file says, with nothing where it says nothing. */
export type Config = Pick<ConfigFile, 'entrypoints' | 'baseline'> & {
  /** The file, whether it is there or not. */
  file: string;
  /** What is known of every cluster that `clusters` does not name. */
  cluster: ClusterConfig;
  clusters: Values<Item<'clusters'>>[];
  /** A severity alone stands for a map of it. */
  rules: { readonly [id: string]: RuleConfig };
  ignores: ConfiguredIgnore[];
  require: NonNullable<ConfigFile['require']>;
  ownership: ConfiguredOwner[];
  cozystack: NonNullable<ConfigFile['cozystack']>;
  dryRun: DryRunConfig;
};

export function defaults(file = configFile): Config {
  return {
    file,
    cluster: {},
    clusters: [],
    rules: {},
    ignores: [],
    require: [],
    ownership: [],
    cozystack: {},
    dryRun: {},
  };
}

/**
 * The configuration of a tree; undefined where it has none. A file with a mistake counts as one that says nothing.
 * `named` is a file that the user asked for. Throws a `UsageError` if that one is not there.
 */
export async function readConfig(
  tree: Tree,
  rules: readonly ConfigurableRule[],
  named?: string,
): Promise<{ config: Config | undefined; problems: Problem[] }> {
  const { config, problems } = await readFile(tree, rules, named ?? configFile);
  return { config, problems: [...problems, ...(named === undefined ? misnamed(tree) : [])] };
}

/** Names that somebody would give the file: under none of them it is read. */
const stems = ['.customizer-lint', 'customizer-lint', '.customizer_lint', '.customizerlint', '.customizer-linter'];
const endings = ['', '.yaml', '.yml', '.json', '.yaml.yaml', '.yml.yaml', '.yaml.yml', '.yml.yml', '.yaml.txt'];
const nearNames = new Set(stems.flatMap((stem) => endings.map((ending) => stem + ending)));

function misnamed(tree: Tree): Problem[] {
  // What has the name of the command alone may be anything, and what has a kind is a manifest.
  const isMeant = (file: string) =>
    file !== configFile &&
    file !== 'customizer-lint' &&
    nearNames.has(file.toLowerCase()) &&
    !/^[ {]*"?apiVersion"?:/m.test(tree.text(file) ?? '');
  const help = tree.has(configFile)
    ? `move what it says to ${configFile}, and remove it`
    : `rename it to ${configFile}`;
  return tree.files.filter(isMeant).map((file) => ({
    rule: 'invalid-config',
    message: `"${file}" is not read`,
    help,
    at: { revision: tree.revision, file },
  }));
}

async function readFile(
  tree: Tree,
  rules: readonly ConfigurableRule[],
  file: string,
): Promise<{ config: Config | undefined; problems: Problem[] }> {
  const at = (path: FieldPath) => ({ revision: tree.revision, file, document: 0, path, part: 'key' as const });
  const text = tree.text(file);
  if (text === undefined) {
    const why = tree.links.includes(file) ? 'is a symbolic link, which is not followed' : tree.refused.get(file);
    if (why === undefined) return { config: undefined, problems: [] };
    const message = `The configuration ${why}`;
    return { config: defaults(file), problems: [{ rule: 'invalid-config', message, at: at([]) }] };
  }
  const { value, problems } = await check(text, rules);
  return {
    config: problems.length > 0 ? defaults(file) : merge(file, value),
    problems: problems.map(({ path, meant, ...words }) => ({
      rule: 'invalid-config',
      ...words,
      at: at(path),
      ...(meant !== undefined && { remedy: renamed(at(path), meant) }),
    })),
  };
}

/** Throws where `--config` names a file that the tree does not have. */
export function requireConfig(tree: Tree, named: string | undefined): void {
  if (named !== undefined && !tree.has(named))
    throw new UsageError(`--config ${named}: there is no such file in ${tree.description}`);
}

const reporting = { allErrors: true, verbose: true, strict: false } as const;
/** It runs once, for a small document: to check the schema, or to optimize its code, would take longer than all of the rest. */
const trusting = { meta: false, validateSchema: false, code: { optimize: false } } as const;

/** `meant` is the key that it should be. */
type Mistake = { path: FieldPath; message: string; help?: string; meant?: string };

async function check(
  text: string,
  rules: readonly ConfigurableRule[],
): Promise<{ value: JsonObject; problems: Mistake[] }> {
  const failed = (message: string) => ({ value: {}, problems: [{ path: [], message }] });
  if (text.length > 1 << 18 || depthExceeds(text, maxDepth))
    return failed('The configuration is larger or deeper than any could be');
  const document = parseDocument(text, { logLevel: 'silent', uniqueKeys: false });
  const error = document.errors[0];
  if (error)
    return failed(`The configuration is not valid YAML: ${error.message.split('\n', 1)[0]?.replace(/:$/, '')}`);
  if (isNode(document.contents) && keyTwice(document.contents))
    return failed('The configuration is not valid YAML: Map keys must be unique');
  if (document.contents !== null && !isMap(document.contents) && !isSeq(document.contents))
    return failed('The configuration must be a map');
  const repeated = 'The configuration repeats aliases more often than any could need';
  if (hasManyAliases(document)) return failed(repeated);
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 10 }) ?? {};
  } catch (error) {
    // The name is not repeated: it may be a password that somebody has not quoted.
    if (String(error).includes('Unresolved alias')) return failed('The configuration has an alias without its anchor');
    return failed(repeated);
  }
  const schema: JsonSchema = configSchema(rules);
  // A tenth of the command, which is loaded where there is a configuration.
  const { default: Ajv } = await import(/* webpackMode: "eager" */ 'ajv');
  const ajv = new Ajv({ ...reporting, ...trusting });
  const validate = ajv.compile(partFor(value, schema));
  const problems = validate(value)
    ? [...sameClusters(value as Partial<Config>), ...missingDays(value as Partial<Config>)]
    : setupProblems(validate.errors ?? [], schema);
  return { value: isObject(value as JsonObject) ? (value as JsonObject) : {}, problems };
}

/** Clusters are told apart by their names: of a second one with the same name nothing would count. */
function sameClusters({ clusters = [] }: Partial<Config>): Mistake[] {
  const first = new Map<string, number>();
  return clusters.flatMap(({ name }, index) => {
    const other = first.get(name);
    if (other === undefined) first.set(name, index);
    if (other === undefined) return [];
    const said = `"clusters.${index}.name" is "${shorten(name, 60)}", as "clusters.${other}.name" is`;
    return [{ path: ['clusters', index, 'name'], message: `${said}: each cluster needs a name of its own` }];
  });
}

/** A pattern knows no calendar: 30 February. */
function missingDays({ ignores = [] }: Partial<Config>): Mistake[] {
  return ignores.flatMap(({ expires }, index) =>
    expires === undefined || isDay(expires)
      ? []
      : [
          {
            path: ['ignores', index, 'expires'],
            message: `"ignores.${index}.expires" must be a date such as 2026-12-31, and "${expires}" does not exist`,
          },
        ],
  );
}

type JsonSchema = {
  readonly [keyword: string]: unknown;
  readonly properties?: { readonly [name: string]: JsonSchema };
};

/**
 * The schema without the settings that the file does not have. To compile all of it takes a seventh of a small run, most of it for
 * rules that nobody configures. Each place that is left is where it is in the whole schema.
 */
function partFor(value: unknown, schema: JsonSchema): JsonSchema {
  const { properties } = schema;
  if (!properties || !isObject(value as JsonObject)) return schema;
  const had = Object.entries(value as JsonObject).filter(([name]) => Object.hasOwn(properties, name));
  const parts = had.map(([name, part]) => [name, partFor(part, properties[name] as JsonSchema)]);
  return { ...schema, properties: Object.fromEntries(parts) };
}

/** The settings of the map whose keyword is at `schemaPath`, as `#/properties/rules/additionalProperties`. */
function settingsAt(schemaPath: string, schema: JsonSchema): string[] {
  const steps = schemaPath.split('/').slice(1, -1);
  const at = steps.reduce<unknown>(
    (node, step) => (node as JsonSchema | undefined)?.[unescaped(decodeURIComponent(step))],
    schema,
  );
  return Object.keys((at as JsonSchema | undefined)?.properties ?? {});
}

/** A step of a JSON pointer. */
function unescaped(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

function merge(file: string, value: JsonObject): Config {
  const { rules, ...rest } = value as JsonObject & { rules?: { [id: string]: RuleSeverity | RuleConfig } };
  const settings = Object.entries(rules ?? {}).map(([id, setting]) => [
    id,
    typeof setting === 'string' ? { severity: setting } : setting,
  ]);
  return { ...defaults(file), ...rest, rules: Object.fromEntries(settings) };
}

/** In our words, one for each place. Of the ways that a setting could be written the one that was meant counts. */
function setupProblems(errors: readonly ErrorObject[], schema: JsonSchema): Mistake[] {
  const alternatives = errors.filter(({ keyword }) => keyword === 'anyOf').map(({ instancePath }) => instancePath);
  const found = new Map<string, Mistake>();
  for (const error of errors) {
    if (error.keyword === 'anyOf') continue;
    const ofAlternative = alternatives.includes(error.instancePath);
    // A severity that is misspelt is no map, and a map is no severity; neither is worth a word.
    if (ofAlternative && error.keyword === (isObject(error.data as JsonObject) ? 'enum' : 'type')) continue;
    const mistake = mistakeOf(error, schema);
    const key = mistake.path.join('/');
    if (!found.has(key)) found.set(key, mistake);
  }
  return [...found.values()];
}

function mistakeOf(error: ErrorObject, whole: JsonSchema): Mistake {
  const { instancePath, schemaPath, keyword, params, parentSchema, schema } = error;
  const path = instancePath
    .split('/')
    .slice(1)
    .map(unescaped)
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step));
  const name = path.length > 0 ? `"${path.join('.')}"` : 'The configuration';
  const nouns: Record<string, string> = {
    object: 'a map',
    array: 'a list',
    string: 'a string',
    boolean: 'true or false',
    integer: 'a whole number',
  };
  switch (keyword) {
    case 'additionalProperties': {
      const known = settingsAt(schemaPath, whole);
      const key = String(params.additionalProperty);
      const meant = nearest(key, known);
      return {
        path: [...path, key],
        message: `"${[...path, key].join('.')}" is not a setting`,
        ...(meant && { meant }),
        help: meant ? `did you mean "${meant}"?` : `known here: ${shorten(known.join(', '), 200)}`,
      };
    }
    case 'enum':
      return { path, message: `${name} must be one of ${(schema as string[]).join(', ')}` };
    case 'type':
      return { path, message: `${name} must be ${nouns[String(params.type)] ?? params.type}${suchAs(parentSchema)}` };
    case 'required':
      return { path, message: `${name} must say "${params.missingProperty}"` };
    case 'minLength':
      return { path, message: `${name} must not be empty` };
    case 'pattern':
      return {
        path,
        message: `${name} must be ${patternNouns[String(schema)] ?? 'another text'}${suchAs(parentSchema)}`,
      };
    case 'minimum':
      return { path, message: `${name} must be at least ${params.limit}` };
    default:
      return { path, message: `${name} does not fit the schema (${keyword})` };
  }
}

/** ` such as 120s or 5m`, where the schema has examples. The value itself is not repeated: it may be a secret in a wrong place. */
function suchAs(parent: JsonSchema | undefined): string {
  const examples = (parent?.examples ?? []) as readonly (string | readonly string[])[];
  const written = examples.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
  return written.length > 0 ? ` such as ${written.join(' or ')}` : '';
}
