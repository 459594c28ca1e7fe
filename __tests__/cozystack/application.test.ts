import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { applicationKind } from '../../src/cozystack/application.js';
import { loadSchemas } from '../../src/cozystack/schemas.js';
import { undeclared } from '../../src/cozystack/undeclared.js';
import { type ChartValues, loadValues } from '../../src/cozystack/values.js';

const data = 'schemas';
const apps = 'apps.cozystack.io/v1alpha1';

test.each([
  ['v1.5.4', 29, ['KubernetesNodes', 'ComputePlane']],
  ['v1.6.2', 30, ['ComputePlane']],
  ['next', 31, []],
])('%s has %i applications, each with the schema of its values', (release, count, absent) => {
  const schemas = loadSchemas(data, release);
  const values = loadValues(data, release);
  const index = JSON.parse(readFileSync(join(data, 'cozystack', release, 'applications.json'), 'utf8'));
  const kinds = Object.keys(index.kinds).map((key) => key.split('/')[1] as string);
  expect(kinds).toHaveLength(count);
  for (const kind of kinds) {
    expect(schemas.find(apps, kind)).toMatchObject({ known: true, scope: 'Namespaced', unknownFields: 'refused' });
    expect(values.ofApplication(kind)?.schemas.some(({ path }) => path.length === 0)).toBe(true);
  }
  for (const kind of [...absent, 'constructor', 'Application']) {
    expect(schemas.find(apps, kind)).toMatchObject({ known: false, why: 'unknown-kind' });
    expect(values.ofApplication(kind)).toBeUndefined();
  }
});

test('what an application is served as and by which component it comes', () => {
  expect(loadSchemas(data, 'v1.6.2').find(apps, 'VMInstance')).toMatchObject({
    plural: 'vminstances',
    installedBy: ['cozystack.vm-instance-application/vm-instance-rd'],
  });
  expect(applicationKind(data, 'v1.6.2', 'VMInstance')).toMatchObject({ prefix: 'vm-instance-' });
  expect(applicationKind(data, 'v1.6.2', 'Monitoring')).toMatchObject({ prefix: '' });
  expect(loadSchemas(data, 'v1.6.2').isTheSameEverywhere(apps, 'Tenant')).toBe(true);
  expect(loadSchemas(data, 'v1.6.2').isTheSameEverywhere(apps, 'KubernetesNodes')).toBe(false);
});

test('data that were generated before there were applications have none, and they are read for one of them only', () => {
  const own = mkdtempSync(join(tmpdir(), 'data-'));
  const folder = join(own, 'cozystack', 'v1.0.0');
  mkdirSync(folder, { recursive: true });
  mkdirSync(join(own, 'kubernetes'));
  writeFileSync(join(own, 'kubernetes', 'v1.35.json'), '{"kinds":{},"metadata":"a"}');
  for (const file of ['crds.json', 'catalog.json']) writeFileSync(join(folder, file), '{"kinds":{}}');
  const schemas = loadSchemas(own, 'v1.0.0');
  expect(schemas.find(apps, 'Tenant')).toEqual({ known: false, why: 'unknown-kind' });
  expect(loadValues(own, 'v1.0.0').ofApplication('Tenant')).toBeUndefined();
  const other = join(own, 'cozystack', 'v2.0.0');
  mkdirSync(other);
  writeFileSync(join(other, 'crds.json'), '{"kinds":{}}');
  writeFileSync(join(other, 'applications.json'), 'no JSON');
  expect(loadSchemas(own, 'v2.0.0').find('example.org/v1', 'Tenant')).toEqual({ known: false, why: 'unknown-kind' });
  expect(() => loadSchemas(own, 'v2.0.0').find(apps, 'Tenant')).toThrow();
  rmSync(own, { recursive: true });
});

test('values that a chart neither declares nor reads', () => {
  const chart: ChartValues = {
    values: {
      replicas: 'number',
      read: 'any',
      users: 'empty map',
      nested: { a: 'text', known: 'text' },
      taken: 'empty map',
    },
    ...{ subcharts: [], optional: [], open: [['taken'], ['nested', 'taken']], mentioned: ['named'] },
    schemas: [
      {
        path: [],
        optional: false,
        schema: {
          properties: {
            replicas: { type: 'integer' },
            users: { additionalProperties: { properties: { password: { type: 'string' } } } },
            nested: { properties: { a: { type: 'string' } } },
            taken: { properties: { a: { type: 'string' } } },
            any: { type: 'object' },
          },
        },
      },
    ],
  };
  const values = {
    ...{ replcas: 1, replicas: 1, read: 1, named: 1, _own: 1, global: {}, tags: {}, ['$' + '{name}']: 1 },
    users: { anybody: { password: '', pasword: '' } },
    nested: { _a: '', b: '', tags: '', known: '' },
    taken: { b: '' },
    any: { b: '' },
  };
  expect(undeclared(values, chart)).toEqual([
    { path: ['replcas'], meant: [['replicas']] },
    { path: ['users', 'anybody', 'pasword'], meant: [['users', 'anybody', 'password']] },
    { path: ['nested', '_a'], meant: [] },
    { path: ['nested', 'b'], meant: [] },
    { path: ['nested', 'tags'], meant: [] },
  ]);
  expect(undeclared(values, { ...chart, schemas: [] })).toEqual([]);
});
