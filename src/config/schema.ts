/** The JSON Schema of `.customizer-lint.yaml`: what is accepted, and what an editor completes from. */
import type { FromSchema } from 'json-schema-to-ts';
import type { JsonObject } from '../core/model.js';

/** What the schema needs to know of a rule. */
export type ConfigurableRule = { id: string; summary: string; options?: { readonly [name: string]: JsonObject } };

/** Where editors and other programs get it from; the tag is that of the major version, which workflows name too. */
export const schemaId = 'https://raw.githubusercontent.com/cozystack/customizer-lint/v0/schemas/config.schema.json';

const stageNames = ['base', 'simulation', 'charts', 'dry-run', 'judged'] as const;
const variantNames = ['default', 'isp-full', 'isp-full-generic', 'isp-hosted'] as const;

// All of it keeps its literal types, as the types of the configuration are made from them.
const text = (description: string) => ({ type: 'string', minLength: 1, description }) as const;
const texts = (description: string) =>
  ({ type: 'array', items: { type: 'string', minLength: 1 }, description }) as const;
/** `examples` are right values: an editor offers them, and a message names them. */
const patterned = <const Examples extends readonly string[]>(
  pattern: string,
  description: string,
  ...examples: Examples
) => ({ type: 'string', pattern, description, examples }) as const;
const map = <const Properties, const More>(properties: Properties, more: More) =>
  ({ type: 'object', additionalProperties: false, properties, ...more }) as const;

const patterns = {
  kubernetes: '^v1\\.\\d{1,3}(\\.\\d{1,3})?$',
  date: '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$',
  name: '^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$',
  image: '^[a-zA-Z0-9][\\w./:@-]{0,254}$',
  duration: '^[1-9]\\d{0,3}[sm]$',
} as const;

/** What fits a pattern, in words. */
export const patternNouns: { readonly [pattern: string]: string } = {
  [patterns.kubernetes]: 'a version of Kubernetes',
  [patterns.date]: 'a date',
  [patterns.name]: 'a name of lower-case letters, digits and hyphens',
  [patterns.image]: 'the name of an image',
  [patterns.duration]: 'a duration in seconds or minutes',
};

/** Facts of a cluster, as `cluster` (the only one) and as an item of `clusters`. */
const cluster = {
  release: { ...text('The release of Cozystack, e.g. v1.6.2'), examples: ['v1.6.2'] },
  kubernetes: patterned(patterns.kubernetes, 'The version of Kubernetes, e.g. v1.35', 'v1.35'),
  variant: { enum: variantNames, description: 'spec.variant of the Package cozystack.cozystack-platform' },
  optionalPackages: texts('The Packages that bundles.enabledPackages of the platform lists'),
  platformValues: {
    type: 'object',
    description: 'Values of the platform that are set outside of this repository, as spec.components.platform.values',
  },
  ownedNamespaces: texts(
    'Namespaces in which the service account of the customizer is allowed everything (customizer.rbac.ownedNamespaces)',
  ),
  roles: texts('Files of this repository with the Roles and bindings that other service accounts have in the cluster'),
  decryption: { type: 'boolean', description: 'Whether the customizer decrypts SOPS files' },
  substitution: { type: 'boolean', description: 'Whether the customizer substitutes variables' },
  snapshot: text('A file written by customizer-lint snapshot'),
} as const;

const glob = {
  ...texts('Globs over files, relative to the root of the repository'),
  examples: [['clusters/lab/**']],
} as const;

/** The severity alone, or everything that can be said of a rule. */
function ruleSetting({ summary, options = {} }: ConfigurableRule) {
  const severity = <const About extends string>(description: About) =>
    ({ enum: ['error', 'warning', 'notice', 'off'], description }) as const;
  const paths = {
    type: 'array',
    description: 'Another severity below some paths; the last that fits counts',
    items: map(
      { paths: glob, severity: severity('The severity below these paths') },
      { required: ['paths', 'severity'] },
    ),
  } as const;
  const own = severity('The severity of what the rule finds, where paths sets no other');
  return { anyOf: [severity(summary), map({ severity: own, paths, ...options }, {})], description: summary } as const;
}

export function configSchema(rules: readonly ConfigurableRule[]) {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: schemaId,
    title: 'customizer-lint',
    description: 'The configuration of customizer-lint: .customizer-lint.yaml',
    ...map(
      {
        entrypoints: texts('The directories that Flux applies, where they are not found by themselves'),
        cluster: map(cluster, { description: 'What is known of the cluster' }),
        clusters: {
          type: 'array',
          description: 'What is known of each of several clusters',
          items: map(
            {
              name: text('The name of the cluster in messages, and for --cluster'),
              paths: texts('The entrypoints of this cluster, or globs'),
              ...cluster,
            },
            { required: ['name', 'paths'] },
          ),
        },
        rules: map(Object.fromEntries(rules.map((rule) => [rule.id, ruleSetting(rule)])), {
          description: 'Severity and options by rule',
        }),
        ignores: {
          type: 'array',
          description: 'Findings that are known and accepted',
          items: map(
            {
              rule: { enum: rules.map(({ id }) => id), description: 'The id of the rule' },
              paths: glob,
              object: text('The object, as KIND/NAME or KIND/NAMESPACE/NAME'),
              reason: text('Why the finding is accepted; the report shows it'),
              expires: patterned(patterns.date, 'The last day on which it counts, e.g. 2026-12-31', '2026-12-31'),
            },
            { required: ['rule', 'reason'] },
          ),
        },
        baseline: text(
          'A file of findings that are accepted as they are: check --baseline FILE --write-baseline writes it',
        ),
        require: {
          type: 'array',
          items: { enum: stageNames },
          description: 'Stages without which the check fails',
        },
        ownership: {
          type: 'array',
          description: 'Fields of Packages that this repository must not set, besides those of the platform',
          items: map(
            {
              packages: texts('Names of Packages, or globs; all of the platform where it is left out'),
              field: text('The path of the field, where * stands for any key, e.g. spec.components.*.values.global'),
              owner: text('Who owns the field'),
              help: text('What to do instead; the help of the finding'),
            },
            { required: ['field', 'owner'] },
          ),
        },
        dryRun: map(
          {
            name: patterned(
              patterns.name,
              'The cluster that kind makes is called customizer-lint-NAME; by default customizer-lint',
              'lab',
            ),
            image: patterned(
              patterns.image,
              'The image of its node, e.g. kindest/node:v1.34.0; by default the image of kind itself',
              'kindest/node:v1.34.0',
            ),
            wait: patterned(
              patterns.duration,
              'How long kind waits until the cluster is ready; by default 120s',
              '120s',
              '5m',
            ),
            timeout: patterned(
              patterns.duration,
              'How long the whole dry run takes at most; by default 10m',
              '90s',
              '10m',
            ),
          },
          { description: 'How --dry-run=kind makes its cluster, and how long a dry run takes at most' },
        ),
        cozystack: map(
          { data: text('A directory of this repository with the data of a fork, or of another release') },
          { description: 'The data of Cozystack to check with' },
        ),
      },
      {},
    ),
  } as const;
}

/** `.customizer-lint.yaml`, as its schema says; what depends on the rules is typed by `config.ts`. */
export type ConfigFile = FromSchema<ReturnType<typeof configSchema>>;
