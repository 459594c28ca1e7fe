/** What the objects of a cluster say of it: its Packages, its release and its variant of the platform. */
import { describe, expect, test } from '@jest/globals';
import { liveOf } from '../../src/audit/live.js';
import type { JsonObject } from '../../src/core/model.js';
import { all, schemas as data, newest } from '../support/releases.js';

const packageOf = (name: string, spec: JsonObject = {}): JsonObject => ({
  ...{ apiVersion: 'cozystack.io/v1alpha1', kind: 'Package', metadata: { name: `cozystack.${name}` } },
  spec,
});
const live = (objects: JsonObject[], release?: string) =>
  liveOf(objects, { from: 'live.yaml', data, ...(release !== undefined && { release }) });

test('the Packages are in the order of their names, and nothing else is one', () => {
  const other = { apiVersion: 'example.org/v1', kind: 'Package', metadata: { name: 'a' } };
  const { packages } = live([packageOf('metallb'), packageOf('cilium'), other, packageOf('linstor')]);
  expect(packages.map(({ name }) => name)).toEqual(['cozystack.cilium', 'cozystack.linstor', 'cozystack.metallb']);
  expect(packages[0]?.value).toEqual(packageOf('cilium'));
});

describe('the platform', () => {
  test('is of the variant that its own Package says', () => {
    const { facts, platform, others } = live([packageOf('cozystack-platform', { variant: 'isp-hosted' })], newest);
    expect(facts.get('variant')).toMatchObject({ value: 'isp-hosted', source: 'snapshot', file: 'live.yaml' });
    expect(platform?.ref.name).toBe('cozystack.cozystack-platform');
    expect(others).toEqual([]);
  });

  test('may be of any that makes Packages, where its own is not there', () => {
    const { facts, platform, others, contract } = live([packageOf('metallb')], newest);
    expect(platform).toBeUndefined();
    const variants = [facts, ...others.map((other) => other.facts)].map((one) => one.get('variant').value);
    expect(variants.sort()).toEqual(contract.catalog.variantsWithPackages().toSorted());
    expect([...new Set(others.map(({ because }) => because))]).toEqual(['variant']);
  });

  test('may be of any release that there is data for, where nobody says which', () => {
    const { contract, others } = live([packageOf('cozystack-platform', { variant: 'isp-full' })]);
    expect([contract, ...others.map((other) => other.contract)].map(({ release }) => release).sort()).toEqual(
      all.toSorted(),
    );
    expect([...new Set(others.map(({ because }) => because))]).toEqual(['release']);
  });
});
