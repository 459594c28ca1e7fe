/** The JSON Schema of the configuration: what an editor takes for right, and what is a mistake. */
import { describe, expect, test } from '@jest/globals';
import Ajv from 'ajv';
import { configSchema } from '../../src/config/schema.js';

const rules = [
  { id: 'a-rule', summary: 'what it finds', options: { days: { type: 'integer', minimum: 1, description: 'a' } } },
];
const validate = new Ajv({ strict: false }).compile(configSchema(rules));

/** The places of settings without a description, which an editor shows. */
function undescribed(node: object, path = ''): string[] {
  const { properties = {}, items, anyOf = [] } = node as Record<string, never>;
  return [
    ...Object.entries<{ description?: string }>(properties).flatMap(([name, one]) => [
      ...(one.description ? [] : [`${path}.${name}`]),
      ...undescribed(one, `${path}.${name}`),
    ]),
    ...(items ? undescribed(items, `${path}[]`) : []),
    ...(anyOf as object[]).flatMap((one) => undescribed(one, path)),
  ];
}

test('every setting says what it is', () => {
  expect(undescribed(configSchema(rules))).toEqual([]);
  expect(undescribed({ properties: { a: { items: { properties: { b: {} } } } } })).toEqual(['.a', '.a[].b']);
});

const cluster = { name: 'lab', paths: ['lab'] };
const ignored = { rule: 'a-rule', reason: 'known' };
const owned = { field: 'spec.components.*.values.global', owner: 'us' };

describe('is right', () => {
  test.each<[string, object]>([
    ['with nothing in it', {}],
    ['with directories', { entrypoints: ['apps'] }],
    ['with a cluster', { cluster: { release: 'v1.6.2', kubernetes: 'v1.35', variant: 'isp-full', decryption: true } }],
    ['with a patch of Kubernetes', { cluster: { kubernetes: 'v1.35.4' } }],
    ['with any values of the platform', { cluster: { platformValues: { publishing: { host: 'a' } } } }],
    ['with several clusters', { clusters: [cluster, { ...cluster, name: 'prod', snapshot: 'prod.yaml' }] }],
    ['with the severity of a rule', { rules: { 'a-rule': 'off' } }],
    ['with the options of a rule', { rules: { 'a-rule': { severity: 'notice', days: 3 } } }],
    ['with another severity for paths', { rules: { 'a-rule': { paths: [{ paths: ['apps/**'], severity: 'off' }] } } }],
    ['with an ignore', { ignores: [{ ...ignored, paths: ['apps'], object: 'Package/a', expires: '2026-12-31' }] }],
    ['with a stage that is required', { require: ['base', 'simulation', 'dry-run'] }],
    ['with an owner', { ownership: [{ ...owned, packages: ['cozystack.*'], help: 'ask us' }] }],
    ['with a dry run', { dryRun: { name: 'lab', image: 'kindest/node:v1.34.0', wait: '120s', timeout: '10m' } }],
    ['with data of a fork', { cozystack: { data: 'data' } }],
  ])('%s', (_, config) => {
    expect([validate(config), validate.errors]).toEqual([true, null]);
  });
});

describe('is wrong', () => {
  test.each<[string, object]>([
    ['with another key', { clutser: {} }],
    ['with another key of the cluster', { cluster: { realease: 'v1.6.2' } }],
    ['with another key of one of several clusters', { clusters: [{ ...cluster, path: 'lab' }] }],
    ['with a rule that there is none of', { rules: { 'b-rule': 'off' } }],
    ['with an option that the rule does not have', { rules: { 'a-rule': { hours: 3 } } }],
    ['with an option of another kind', { rules: { 'a-rule': { days: 'three' } } }],
    ['with another key for paths', { rules: { 'a-rule': { paths: [{ paths: ['a'], severity: 'off', why: 'a' }] } } }],
    ['with another key of an ignore', { ignores: [{ ...ignored, until: '2026-12-31' }] }],
    ['with another key of an owner', { ownership: [{ ...owned, fields: [] }] }],
    ['with another key of the dry run', { dryRun: { names: 'lab' } }],
    ['with another key of the data', { cozystack: { date: 'data' } }],
    ['without the name of a cluster', { clusters: [{ paths: ['lab'] }] }],
    ['without the directories of a cluster', { clusters: [{ name: 'lab' }] }],
    ['without a reason', { ignores: [{ rule: 'a-rule' }] }],
    ['without the rule', { ignores: [{ reason: 'known' }] }],
    ['without the owner', { ownership: [{ field: 'spec' }] }],
    ['without a severity for paths', { rules: { 'a-rule': { paths: [{ paths: ['a'] }] } } }],
    ['with an empty text', { cluster: { release: '' } }],
    ['with an empty path', { entrypoints: [''] }],
    ['with a variant of the platform that there is none of', { cluster: { variant: 'isp' } }],
    ['with a version of Kubernetes that is none', { cluster: { kubernetes: '1.35' } }],
    ['with a day that is none', { ignores: [{ ...ignored, expires: '31.12.2026' }] }],
    ['with a severity that there is none of', { rules: { 'a-rule': 'fatal' } }],
    ['with a stage that there is none of', { require: ['render'] }],
    ['with a name that kind does not take', { dryRun: { name: '-lab' } }],
    ['with an option where the image stands', { dryRun: { image: '--privileged' } }],
    ['with a time that is none', { dryRun: { wait: '0s' } }],
    ['with a time without a unit', { dryRun: { timeout: '10' } }],
  ])('%s', (_, config) => {
    expect(validate(config)).toBe(false);
  });
});
