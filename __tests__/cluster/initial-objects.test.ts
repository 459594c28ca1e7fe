/** What the platform leaves in a cluster of what the repository names, before the repository has a say. */
import { describe, expect, test } from '@jest/globals';
import type { Cluster } from '../../src/cluster/cluster.js';
import { seedObjects } from '../../src/cluster/initial-objects.js';
import type { Snapshot, SnapshotContent } from '../../src/cluster/snapshot.js';
import type { ClusterConfig } from '../../src/config/config.js';
import type { RenderedObject } from '../../src/core/model.js';
import { applied, knownOf } from '../support/known.js';
import { newest } from '../support/releases.js';

const named = (name: string, spec: object = {}, kind = 'Package') =>
  ({
    ref: { apiVersion: 'cozystack.io/v1alpha1', kind, name: `cozystack.${name}` },
    value: { spec },
  }) as unknown as RenderedObject;
const platform = (enabledPackages: string[]) =>
  named('cozystack-platform', { components: { platform: { values: { bundles: { enabledPackages } } } } });

type World = { base?: RenderedObject[]; packages?: SnapshotContent['packages']; variant?: ClusterConfig['variant'] };

/** What is there by its name, in a cluster of this variant of the platform. */
function seeded(head: RenderedObject[], { base, packages, variant = 'isp-full' }: World = {}) {
  const snapshot: Snapshot | undefined = packages && { taken: '2026-12-31', packages, file: 'snapshot.yaml' };
  const knownFrom = (objects: RenderedObject[]) => knownOf({ release: newest, variant }, objects);
  const side = (objects: RenderedObject[]) => ({ objects, applied: applied(objects), known: knownFrom(objects) });
  const cluster = { ...knownFrom(head), snapshot, head: side(head), ...(base && { base: side(base) }) };
  const found = seedObjects(cluster as unknown as Cluster);
  return Object.fromEntries(
    found.map(({ object, manager, how }) => {
      const { name } = object.metadata as { name: string };
      return [`${object.kind} ${name.replace('cozystack.', '')}`, { spec: object.spec, by: [manager, how] }];
    }),
  );
}

const byHelm = ['helm-controller', undefined];

test('the platform’s own is as the repository had it before the change', () => {
  const [before, after] = [platform(['cozystack.velero']), platform(['cozystack.gpu-operator'])];
  const spec = {
    variant: 'isp-full',
    components: { platform: { values: { bundles: { enabledPackages: ['cozystack.velero'] } } } },
  };
  const by = ['kubectl-client-side-apply', 'create'];
  expect(seeded([after], { base: [before] })['Package cozystack-platform']).toEqual({ spec, by });
  expect(seeded([after], { base: [named('cozystack-platform')] })['Package cozystack-platform']?.spec).toEqual({
    variant: 'isp-full',
    components: { platform: { values: {} } },
  });
});

describe('a Package', () => {
  test('that the platform always makes is there as the chart has it, whatever the repository says', () => {
    const seeds = seeded([named('metallb', { variant: 'other' })]);
    expect(seeds).toEqual({ 'Package metallb': { spec: { variant: 'default' }, by: byHelm } });
  });

  test('of which no platform knows is not there', () => {
    expect(seeded([named('my-own')])).toEqual({});
  });

  test('that can be listed is there though nothing lists it, as it would not be named otherwise', () => {
    expect(seeded([named('gpu-operator')])).toEqual({
      'Package gpu-operator': { spec: { variant: 'default' }, by: byHelm },
    });
  });

  test('that the change itself lists is not there yet, while one that is listed already is', () => {
    const both = [named('gpu-operator'), named('hami')];
    const objects = [platform(['cozystack.gpu-operator', 'cozystack.hami']), ...both];
    expect(Object.keys(seeded(objects, { base: [platform(['cozystack.hami'])] }))).toEqual([
      ...['Package cozystack-platform', 'Package hami'],
    ]);
    expect(Object.keys(seeded(objects, { base: [platform([]), named('gpu-operator')] }))).toEqual([
      ...['Package cozystack-platform', 'Package gpu-operator'],
    ]);
  });

  test('is there where a snapshot has it, in its variant, and nowhere else', () => {
    const objects = [named('metallb'), named('my-own')];
    expect(seeded(objects, { packages: { 'cozystack.my-own': { variant: 'big' } } })).toEqual({
      'Package my-own': { spec: { variant: 'big' }, by: byHelm },
    });
  });

  test('is made without server-side apply where a snapshot shows that Helm writes so', () => {
    const managers = [{ manager: 'helm-controller', operation: 'Update' as const, fields: [] }];
    const { 'Package metallb': one } = seeded([named('metallb')], { packages: { 'cozystack.metallb': { managers } } });
    expect(one?.by).toEqual(['helm-controller', 'create']);
  });

  test('of the platform itself is the administrator’s, with what is known of its values', () => {
    const { 'Package cozystack-platform': one } = seeded([named('cozystack-platform')], { variant: 'isp-hosted' });
    expect(one).toEqual({
      spec: { variant: 'isp-hosted', components: { platform: { values: {} } } },
      by: ['kubectl-client-side-apply', 'create'],
    });
  });
});

test('a PackageSource of the platform is there with its variants, and none of somebody else', () => {
  const source = (name: string) => named(name, {}, 'PackageSource');
  const seeds = seeded([source('metallb'), source('cozystack-platform'), source('my-own')]);
  expect(Object.entries(seeds).map(([name, { by }]) => [name, ...by])).toEqual([
    ['PackageSource cozystack-platform', 'cozystack-operator', undefined],
    ['PackageSource metallb', ...byHelm],
  ]);
  expect(seeds['PackageSource metallb']?.spec).toMatchObject({ variants: [{ name: 'default' }] });
});
