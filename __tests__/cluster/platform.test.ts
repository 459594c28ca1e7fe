/** What is known of the values of the platform, and of what its chart makes. */
import { describe, expect, test } from '@jest/globals';
import {
  chartsVariant,
  isEmittedByPlatform,
  isLeftToRepository,
  knownPlatformValues,
} from '../../src/cluster/platform.js';
import type { SnapshotContent } from '../../src/cluster/snapshot.js';
import type { ClusterConfig } from '../../src/config/config.js';
import type { JsonObject, RenderedObject } from '../../src/core/model.js';
import { applied, knownOf } from '../support/known.js';
import { newest } from '../support/releases.js';

const platform = (values: JsonObject, annotations: JsonObject = {}) =>
  ({
    ref: { apiVersion: 'cozystack.io/v1alpha1', kind: 'Package', name: 'cozystack.cozystack-platform' },
    value: { metadata: { annotations }, spec: { components: { platform: { values } } } },
  }) as unknown as RenderedObject;

const factsOf = (cluster: ClusterConfig, objects: readonly RenderedObject[] = []) =>
  knownOf({ release: newest, ...cluster }, objects).facts;

describe('the values of the platform', () => {
  const valuesOf = (platformValues: JsonObject | undefined, ...objects: RenderedObject[]) =>
    knownPlatformValues({
      facts: factsOf(platformValues ? { platformValues } : {}, objects),
      objects: applied(objects),
    });

  test('are none where nobody says any', () => {
    expect(valuesOf(undefined)).toEqual({});
  });

  test('are those of the configuration, and over them those of the repository', () => {
    const configured = { publishing: { host: 'a.example', apiServerEndpoint: 'b' }, networking: { mtu: 1400 } };
    expect(valuesOf(configured, platform({ publishing: { host: 'c.example' } }))).toEqual({
      ...configured,
      publishing: { host: 'c.example', apiServerEndpoint: 'b' },
    });
  });

  test.each([
    ['a text', 'text'],
    ['a list', ['text']],
    ['nothing', null],
  ])('what is a map in the repository takes the place of %s', (_, publishing) => {
    expect(valuesOf({ publishing }, platform({ publishing: { host: 'c.example' } }))).toEqual({
      publishing: { host: 'c.example' },
    });
  });

  test('that are a list or a text are replaced whole', () => {
    const configured = { publishing: { exposedServices: ['api', 'dashboard'] } };
    expect(valuesOf(configured, platform({ publishing: { exposedServices: ['api'] } }))).toEqual({
      publishing: { exposedServices: ['api'] },
    });
  });

  test('of a Package that Flux does not apply do not count', () => {
    const ignored = platform({ a: 'b' }, { 'kustomize.toolkit.fluxcd.io/reconcile': 'disabled' });
    expect(valuesOf(undefined, ignored)).toEqual({});
  });
});

type Packages = SnapshotContent['packages'];

/** With what was seen in the cluster. */
function seenOf(cluster: ClusterConfig, objects: RenderedObject[] = [], packages?: Packages) {
  const snapshot = packages && { taken: '2026-12-31', packages, file: 'snapshot.yaml' };
  return { ...knownOf({ release: newest, ...cluster }, objects), snapshot, objects: applied(objects) };
}
const full = { variant: 'isp-full' as const };
const disabling = (...names: string[]) => platform({ bundles: { disabledPackages: names } });
const enabling = (...names: string[]) => platform({ bundles: { enabledPackages: names } });
const metallb = 'cozystack.metallb';
const gpu = 'cozystack.gpu-operator';

describe('whether the chart makes a Package', () => {
  test('is not known while nobody says which variant of the platform it is', () => {
    expect(isEmittedByPlatform(metallb, seenOf({}))).toBeUndefined();
    expect(isEmittedByPlatform(metallb, seenOf({}), () => true)).toBe(true);
    expect(isEmittedByPlatform('cozystack.cozystack-platform', seenOf({}))).toBe(true);
  });

  test('is told by the variant, by the lists of the platform and by its switches', () => {
    expect(isEmittedByPlatform(metallb, seenOf(full))).toBe(true);
    expect(isEmittedByPlatform('cozystack.my-own', seenOf(full))).toBeUndefined();
    expect(isEmittedByPlatform(metallb, seenOf(full, [disabling(metallb)]))).toBe(false);
    expect(isEmittedByPlatform(metallb, seenOf(full, [disabling('cozystack.linstor')]))).toBe(true);
    expect(isEmittedByPlatform(gpu, seenOf(full))).toBeUndefined();
    expect(isEmittedByPlatform(gpu, seenOf(full, [enabling(gpu)]))).toBe(true);
    expect(isEmittedByPlatform(gpu, seenOf(full, [enabling('cozystack.hami')]))).toBe(false);
  });

  test('is told by who manages it, where a snapshot has seen it', () => {
    const seen = (manager: string): Packages => ({
      [metallb]: { managers: [{ manager, operation: 'Apply', fields: [] }] },
    });
    expect(isEmittedByPlatform(metallb, seenOf(full, [], seen('helm-controller')))).toBe(true);
    expect(isEmittedByPlatform(metallb, seenOf(full, [], seen('kubectl')))).toBe(false);
    expect(isEmittedByPlatform(metallb, seenOf(full, [], { [metallb]: {} }))).toBe(true);
  });
});

describe('a Package is the repository’s to write whole', () => {
  const isLeft = (after: RenderedObject[], before?: RenderedObject[], trust: 'fork' | 'same-repository' = 'fork') => {
    const { facts, contract } = seenOf(full, before);
    const base = before && { applied: applied(before), known: { facts, contract } };
    return isLeftToRepository(metallb, { base, trust, known: seenOf(full, after) });
  };

  test('where the chart makes it neither before the change nor after it', () => {
    expect(isLeft([disabling(metallb)])).toBe(true);
    expect(isLeft([disabling(metallb)], [disabling(metallb)])).toBe(true);
    expect(isLeft([disabling(metallb)], [disabling()])).toBe(false);
    expect(isLeft([disabling()], [disabling(metallb)])).toBe(false);
  });

  test('where the whole cluster comes with the change, unless that is a fork’s', () => {
    expect(isLeft([disabling(metallb)], [], 'same-repository')).toBe(true);
    expect(isLeft([disabling(metallb)], [])).toBe(false);
  });
});

test('the variant of a Package is the one that the chart gives it, where that is known', () => {
  const variantOf = (cluster: ClusterConfig, name: string) => chartsVariant(name, seenOf(cluster));
  expect(variantOf(full, metallb)).toBe('default');
  expect(variantOf(full, 'cozystack.networking')).toBe('kubeovn-cilium');
  expect(variantOf({}, metallb)).toBeUndefined();
  expect(variantOf(full, 'cozystack.my-own')).toBeUndefined();
});
