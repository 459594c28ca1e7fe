/** The JSON Schema of `.customizer-lint.yaml`: what is accepted, and what an editor completes from. */
import type { FromSchema } from 'json-schema-to-ts';
import type { JsonObject } from '../core/model.js';

/** What the schema needs to know of a rule. */
export type ConfigurableRule = { id: string; summary: string; options?: { readonly [name: string]: JsonObject } };

/** Where editors and other programs get it from; the tag is that of the major version, which workflows name too. */
export const schemaId = 'https://raw.githubusercontent.com/cozystack/customizer-lint/v0/schemas/config.schema.json';

const stageNames = ['base', 'simulation', 'dry-run'] as const;
const variantNames = ['default', 'isp-full', 'isp-full-generic', 'isp-hosted'] as const;

// All of it keeps its literal types, as the types of the configuration are made from them.
const text = (description: string) => ({ type: 'string', minLength: 1, description }) as const;
const texts = (description: string) =>
  ({ type: 'array', items: { type: 'string', minLength: 1 }, description }) as const;
const map = <const Properties, const More>(properties: Properties, more: More) =>
  ({ type: 'object', additionalProperties: false, properties, ...more }) as const;

/** Facts of a cluster, as `cluster` (the only one) and as an item of `clusters`. */
const cluster = {
  release: text('The release of Cozystack, e.g. v1.6.2'),
  kubernetes: {
    type: 'string',
    pattern: '^v1\\.\\d{1,3}(\\.\\d{1,3})?$',
    description: 'The version of Kubernetes, e.g. v1.35',
  },
  variant: { enum: variantNames, description: 'spec.variant of the Package cozystack.cozystack-platform' },
  optionalPackages: texts('What bundles.enabledPackages lists'),
  platformValues: {
    type: 'object',
    description: 'Values of the platform that are set outside of this repository, as spec.components.platform.values',
  },
  ownedNamespaces: texts('customizer.rbac.ownedNamespaces: namespaces in which the customizer may do everything'),
  roles: texts('Files of this repository with the Roles and bindings that other service accounts have in the cluster'),
  decryption: { type: 'boolean', description: 'Whether the customizer decrypts SOPS files' },
  substitution: { type: 'boolean', description: 'Whether the customizer substitutes variables' },
  snapshot: text('A file written by customizer-lint snapshot'),
} as const;

const glob = texts('Globs over files, relative to the root of the repository');

/** The severity alone, or everything that can be said of a rule. */
function ruleSetting({ summary, options = {} }: ConfigurableRule) {
  const severity = { enum: ['error', 'warning', 'notice', 'off'], description: summary } as const;
  const paths = {
    type: 'array',
    description: 'Another severity below some paths; the last that fits counts',
    items: map({ paths: glob, severity }, { required: ['paths', 'severity'] }),
  } as const;
  return { anyOf: [severity, map({ severity, paths, ...options }, {})], description: summary } as const;
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
            { name: text('For the messages'), paths: texts('The entrypoints of this cluster, or globs'), ...cluster },
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
              rule: { enum: rules.map(({ id }) => id), description: 'The rule' },
              paths: glob,
              object: text('KIND/NAME or KIND/NAMESPACE/NAME'),
              reason: text('Why; it is shown in the report'),
              expires: {
                type: 'string',
                pattern: '^\\d{4}-\\d{2}-\\d{2}$',
                description: 'The last day on which it counts, as 2026-12-31',
              },
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
          description: 'Fields of Packages that are not this repository’s to set, besides those of the platform',
          items: map(
            {
              packages: texts('Names of Packages, or globs; all of the platform where it is left out'),
              field: text('The path, as spec.components.*.values.global'),
              owner: text('Who sets it'),
              help: text('What to do instead'),
            },
            { required: ['field', 'owner'] },
          ),
        },
        dryRun: map(
          {
            name: {
              type: 'string',
              pattern: '^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$',
              description: 'The cluster that kind makes is called customizer-lint-NAME; by default customizer-lint',
            },
            image: {
              type: 'string',
              pattern: '^[a-zA-Z0-9][\\w./:@-]{0,254}$',
              description: 'The image of its node, as kindest/node:v1.34.0; by default that of kind itself',
            },
            wait: {
              type: 'string',
              pattern: '^[1-9]\\d{0,3}[sm]$',
              description: 'How long kind may take until the cluster is ready, as 120s; by default 120s',
            },
            timeout: {
              type: 'string',
              pattern: '^[1-9]\\d{0,3}[sm]$',
              description: 'How long the whole dry run may take, as 10m; by default 10m',
            },
          },
          { description: 'Asking an API server what it would say' },
        ),
        cozystack: map(
          { data: text('A directory written by the data generator, for a fork or another release') },
          { description: 'What is known of Cozystack' },
        ),
      },
      {},
    ),
  } as const;
}

/** `.customizer-lint.yaml`, as its schema says; what depends on the rules is typed by `config.ts`. */
export type ConfigFile = FromSchema<ReturnType<typeof configSchema>>;
