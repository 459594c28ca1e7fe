/** What the repository's own Package of the platform says of the cluster, and what it cannot say. */
import { expect, test } from '@jest/globals';
import type { Json, RenderedObject } from '../../src/core/model.js';
import { knownOf } from '../support/known.js';
import { newest } from '../support/releases.js';

const platform = (decryption: Json) =>
  ({
    ref: { apiVersion: 'cozystack.io/v1alpha1', kind: 'Package', name: 'cozystack.cozystack-platform' },
    value: {
      ...{ apiVersion: 'cozystack.io/v1alpha1', kind: 'Package', metadata: { name: 'cozystack.cozystack-platform' } },
      spec: { components: { platform: { values: { customizer: { kustomization: { decryption } } } } } },
    },
    source: { file: 'platform.yaml', document: 0 },
  }) as unknown as RenderedObject;

test.each<[string, Json, string]>([
  ['a map', { provider: 'sops' }, 'manifest'],
  ['an empty map', {}, 'contract'],
  ['a text', 'sops', 'contract'],
  ['a list', ['sops'], 'contract'],
  ['nothing', null, 'contract'],
])('whether Flux decrypts is not told by what is no decryption: %s', (_, decryption, source) => {
  const { value, ...fact } = knownOf({ release: newest }, [platform(decryption)]).facts.get('decryption');
  expect(fact.source).toBe(source);
  if (source === 'manifest') expect([value, fact.file]).toEqual([decryption, 'platform.yaml']);
});
