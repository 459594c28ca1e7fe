/** Which PackageSources are the repository's own, and what is read of them. */

import { describe, expect, test } from '@jest/globals';
import { ownSources } from '../../src/cluster/own-sources.js';
import type { Json, RenderedObject } from '../../src/core/model.js';
import type { Contract } from '../../src/cozystack/contract.js';
import { applied } from '../support/known.js';

const contract = {
  catalog: { source: (name: string) => (name === 'cozystack.metallb' ? {} : undefined) },
} as unknown as Contract;

function source(spec: Json, { name = 'own', ref = {}, annotations = {} } = {}): RenderedObject {
  const apiVersion = 'cozystack.io/v1alpha1';
  return {
    ref: { apiVersion, kind: 'PackageSource', name, ...ref },
    value: { apiVersion, kind: 'PackageSource', metadata: { name, annotations }, spec },
  } as unknown as RenderedObject;
}
const variantsOf = (spec: Json) => ownSources(applied([source(spec)]), contract)[0]?.variants;
const componentsOf = (...components: Json[]) => variantsOf({ variants: [{ components }] })?.[0]?.components;

describe('of the repository itself', () => {
  test('are those that the platform does not have', () => {
    const objects = [
      source({}),
      source({}, { name: 'cozystack.metallb' }),
      source({}, { name: 'cozystack.customizer' }),
      source({}, { name: 'package', ref: { kind: 'Package' } }),
      source({}, { name: 'foreign', ref: { apiVersion: 'example.org/v1' } }),
      source({}, { name: 'ignored', annotations: { 'kustomize.toolkit.fluxcd.io/reconcile': 'disabled' } }),
    ];
    const found = ownSources(applied(objects), contract);
    expect(found).toEqual([{ object: objects[0], name: 'own', variants: [] }]);
  });

  test('has each variant with its path and what it waits for', () => {
    const spec = { variants: [{ name: 'a', dependsOn: ['x', 1, 'y'] }, 'wrong', { dependsOn: 'wrong' }] };
    expect(variantsOf(spec)).toEqual([
      {
        ...{ name: 'a', path: ['spec', 'variants', 0], libraries: new Set(), components: [] },
        dependsOn: [
          { name: 'x', path: ['spec', 'variants', 0, 'dependsOn', 0] },
          { name: 'y', path: ['spec', 'variants', 0, 'dependsOn', 2] },
        ],
      },
      { name: '', path: ['spec', 'variants', 2], dependsOn: [], libraries: new Set(), components: [] },
    ]);
    expect(variantsOf({ variants: 'wrong' })).toEqual([]);
  });

  test('has a library under its name and under that of its folder', () => {
    const libraries = [{ name: 'a', path: 'library/b/' }, { path: 'c' }, { name: 'd' }, {}, 'wrong'];
    expect([...(variantsOf({ variants: [{ libraries }] })?.[0]?.libraries ?? [])]).toStrictEqual(['a', 'b', 'c', 'd']);
  });
});

describe('a component', () => {
  const path = ['spec', 'variants', 0, 'components', 0];

  test('has its chart and its libraries', () => {
    expect(componentsOf({ name: 'a', path: 'charts/a', libraries: ['x'] })).toStrictEqual([
      { name: 'a', path, chart: 'charts/a', libraries: [{ name: 'x', path: [...path, 'libraries', 0] }] },
    ]);
    expect(componentsOf({})).toStrictEqual([{ name: '', path, chart: undefined, libraries: [] }]);
  });

  test('makes a release where it is installed, under its own name unless it has another', () => {
    const installed = (install: Json) => componentsOf({ name: 'a', install })?.[0]?.install;
    expect(installed({})).toStrictEqual({ releaseName: 'a', privileged: false, dependsOn: [] });
    expect(installed({ releaseName: '', namespace: '' })).toStrictEqual({
      ...{ releaseName: 'a', privileged: false, dependsOn: [] },
    });
    expect(installed({ releaseName: 'b', namespace: 'x', privileged: true, dependsOn: ['y'] })).toStrictEqual({
      ...{ namespace: 'x', releaseName: 'b', privileged: true },
      dependsOn: [{ name: 'y', path: [...path, 'install', 'dependsOn', 0] }],
    });
    expect(installed({ privileged: 'true' })?.privileged).toBe(false);
    expect([installed('wrong'), installed(null)]).toEqual([undefined, undefined]);
  });
});
