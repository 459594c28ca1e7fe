/** What is a Package of Cozystack, and where the platform's values stand in one. */
import { expect, test } from '@jest/globals';
import {
  isOfCozystack,
  isPackage,
  isPackageSource,
  isPackageValue,
  platformValuePath,
} from '../../src/cozystack/package.js';

test.each([
  ['cozystack.io/v1alpha1', 'Package', [true, true, false]],
  ['cozystack.io/v2', 'Package', [true, true, false]],
  ['cozystack.io/v1alpha1', 'PackageSource', [true, false, true]],
  ['cozystack.io/v1alpha1', 'Bundle', [true, false, false]],
  ['cozystack.io.example.org/v1alpha1', 'Package', [false, false, false]],
  ['example.org/v1', 'Package', [false, false, false]],
  ['example.org/v1', 'PackageSource', [false, false, false]],
  ['v1', 'Package', [false, false, false]],
])('%s %s', (apiVersion, kind, [isOurs, isOne, isSource]) => {
  const object = { ref: { apiVersion, kind, name: 'a' } };
  expect([isOfCozystack(object), isPackage(object), isPackageSource(object)]).toEqual([isOurs, isOne, isSource]);
  expect(isPackageValue({ apiVersion, kind })).toBe(isOne);
});

test('an object without a version is no Package', () => {
  expect([isPackageValue({ kind: 'Package' }), isPackageValue({ kind: 'Package', apiVersion: 1 })]).toEqual([
    ...[false, false],
  ]);
});

test('a value of the platform stands below those of its component', () => {
  expect(platformValuePath('publishing.host').join(' ')).toBe('spec components platform values publishing host');
});
