/** Objects of charts as a person reads them: where they come from, and which lines their values. */
import { describe, expect, test } from '@jest/globals';
import type { ShownObject } from '../../src/charts/shown.js';
import type { Origin, RenderedObject } from '../../src/core/model.js';
import { chartObjectsData, chartObjectsText } from '../../src/explain/chart-objects.js';
import { Locator } from '../../src/yaml/locator.js';
import { treeOf } from '../support/tree-of.js';

const locator = new Locator({ head: treeOf({ 'a.yaml': 'spec:\n  pools:\n    - name: one\n' }) });
const key: Origin = { file: 'a.yaml', document: 0, path: ['spec', 'pools'], part: 'key' };
const value: Origin = { file: 'a.yaml', document: 0, path: ['spec', 'pools'], part: 'value' };
const object = {
  ...{ revision: 'head', entrypoint: '.', value: { spec: { pools: [{ name: 'one' }] } } },
  writers: (_: unknown, part: string) => [{ by: 'resource', from: [part === 'key' ? key : value] }],
} as unknown as RenderedObject;

const shown = (more: Partial<ShownObject> = {}): ShownObject => ({
  ...{ release: 'n/r', template: 'c/templates/a.yaml', ref: { apiVersion: 'v1', kind: 'ConfigMap', name: 'a' } },
  ...{ object: { kind: 'ConfigMap', data: { a: 'b' } }, origins: [] },
  ...more,
});

describe('the title of an object', () => {
  test.each<[string, Partial<ShownObject>, string]>([
    ['of a HelmRelease alone', {}, 'HelmRelease n/r: c/templates/a.yaml'],
    ['of a Package', { package: 'p', component: 'c' }, 'Package p, component c, HelmRelease n/r: c/templates/a.yaml'],
    ['of one of several clusters', { cluster: 'lab' }, 'cluster lab: HelmRelease n/r: c/templates/a.yaml'],
    ['that is a hook', { hook: ['pre-install'] }, 'HelmRelease n/r: c/templates/a.yaml, a hook (pre-install)'],
    ['that is a definition', { crd: true }, 'HelmRelease n/r: c/templates/a.yaml, a definition'],
  ])('%s', (_, more, title) => {
    expect(chartObjectsText([shown(more)], locator).split('\n')[0]).toBe(`# ${title}`);
  });
});

test('a value is said to come from where it stands, be it a list below its key', () => {
  const origins = [{ path: ['data', 'a'], from: [{ object, path: ['spec', 'pools'] }] }];
  expect(chartObjectsText([shown({ origins })], locator)).toContain('a: b # from a.yaml:3\n');
  expect(chartObjectsData([shown({ origins })], locator)[0]?.origins).toEqual([
    {
      path: ['data', 'a'],
      from: [{ file: 'a.yaml', line: 3, column: 5, precision: 'exact', field: ['spec', 'pools'] }],
    },
  ]);
});
