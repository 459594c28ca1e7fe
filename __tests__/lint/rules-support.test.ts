/** What several rules ask for: entries of kustomizations over all builds, and components that a Package switches off. */
import { expect, test } from '@jest/globals';
import type { Rendered, RenderedObject } from '../../src/core/model.js';
import { disabledComponents } from '../../src/rules/support/disabled-components.js';
import { stepsIn } from '../../src/rules/support/steps.js';
import { knownOf } from '../support/known.js';
import { newest } from '../support/releases.js';

const built = (path: string, ...steps: object[]) => ({ ok: true, entrypoint: { path }, steps }) as unknown as Rendered;

test('an entry of a kustomization that several builds read is counted once, with what it did in all of them', () => {
  const at = { kustomization: 'base/kustomization.yaml', kind: 'patch' };
  const first = { ...at, field: ['patches', 0] };
  const other = { ...at, field: ['patches', 1], selected: 0, changed: 0 };
  const found = stepsIn([
    built('a', { ...first, selected: 1, changed: 1 }, other),
    { ok: false } as unknown as Rendered,
    built('b', { ...first, selected: 2, changed: 0 }),
  ]);
  expect(found.map(({ step, entrypoints, ...rest }) => [step.at.path, [...entrypoints], rest])).toEqual([
    [['patches', 0], ['a', 'b'], { selected: 3, changed: 1 }],
    [['patches', 1], ['a'], { selected: 0, changed: 0 }],
  ]);
});

test('of a Package with one variant nothing is guessed, of one with several which it is', () => {
  const assumedOf = (name: string, component: string) => {
    const components = { [component]: { enabled: false } };
    const ref = { apiVersion: 'cozystack.io/v1alpha1', kind: 'Package', name };
    const object = { ref, value: { spec: { components } } } as unknown as RenderedObject;
    const known = { ...knownOf({ release: newest }, [object]), snapshot: undefined, objects: [object] };
    return disabledComponents(object, { known: known as never }).map(({ assumes }) => assumes);
  };
  expect(assumedOf('cozystack.metallb', 'metallb')).toEqual([['release']]);
  expect(assumedOf('cozystack.networking', 'cilium')).toEqual([['release', 'variant']]);
});
