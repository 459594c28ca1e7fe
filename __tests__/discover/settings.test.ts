/** Variables that ConfigMaps of the repository define, and a Flux Kustomization with them. */
import { describe, expect, test } from '@jest/globals';
import type { FluxKustomization, JsonObject } from '../../src/core/model.js';
import { resolved, type Settings, settingsOf } from '../../src/discover/settings.js';

type Build = Parameters<typeof settingsOf>[0][number];
const build = (data: unknown, more: { cluster?: string; ref?: object } = {}): Build => ({
  cluster: more.cluster,
  objects: [
    { ref: { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'n', name: 'a', ...more.ref }, value: { data } },
  ] as never,
});
const valuesOf = (settings: Settings): (JsonObject | undefined)[] => [...settings.values()];

describe('the data of a ConfigMap', () => {
  const rendered = (...all: unknown[]) => valuesOf(settingsOf(all.map((data) => build(data))));

  test('is known where all that is rendered agrees', () => {
    expect(rendered({ a: 'b' })).toEqual([{ a: 'b' }]);
    expect(rendered({ a: 'b' }, { a: 'b' })).toEqual([{ a: 'b' }]);
    expect(rendered({ a: 'b' }, { a: 'c' })).toEqual([undefined]);
    expect(rendered({ a: 'b' }, { a: 'c' }, { a: 'c' })).toEqual([undefined]);
    expect(rendered({}, {})).toEqual([{}]);
    expect(rendered(undefined)).toEqual([{}]);
  });

  test('is another in another cluster, in another namespace and under another name', () => {
    const all = [build({ a: '1' }), build({ a: '2' }, { cluster: 'prod' }), build({ a: '3' }, { ref: { name: 'b' } })];
    expect(valuesOf(settingsOf([...all, build({ a: '4' }, { ref: { namespace: 'm' } })]))).toEqual([
      ...[{ a: '1' }, { a: '2' }, { a: '3' }, { a: '4' }],
    ]);
  });

  test('is none of another kind, or of a kind of that name in another group', () => {
    expect(valuesOf(settingsOf([build({ a: 'b' }, { ref: { kind: 'Secret' } })]))).toEqual([]);
    expect(valuesOf(settingsOf([build({ a: 'b' }, { ref: { apiVersion: 'example.org/v1' } })]))).toEqual([]);
  });
});

describe('a Flux Kustomization', () => {
  const settings = settingsOf([
    build({ A: '1', B: '2', C: 3 }, { cluster: 'prod' }),
    build({ B: 'two' }, { cluster: 'prod', ref: { name: 'b' } }),
  ]);
  const from = (...names: string[]) => names.map((name) => ({ kind: 'ConfigMap', name }));
  const filled = (postBuild: FluxKustomization['postBuild'], more: { cluster?: string; namespace?: string } = {}) => {
    const { cluster = 'prod', namespace = 'n' } = more;
    return resolved({ namespace, ...(postBuild && { postBuild }) }, { cluster }, settings).postBuild;
  };

  test('has the texts of its ConfigMaps, those of later ones over those before, and its own over all', () => {
    expect(filled({ substituteFrom: from('a') })).toEqual({ substitute: { A: '1', B: '2' } });
    expect(filled({ substituteFrom: from('a', 'b') })).toEqual({ substitute: { A: '1', B: 'two' } });
    expect(filled({ substituteFrom: from('b', 'a') })).toEqual({ substitute: { A: '1', B: '2' } });
    expect(filled({ substituteFrom: from('a'), substitute: { A: 'own' } })).toEqual({
      substitute: { A: 'own', B: '2' },
    });
  });

  test('keeps what is not rendered here', () => {
    const others = [...from('other'), { kind: 'Secret', name: 'a' }];
    expect(filled({ substituteFrom: [...from('b'), ...others] })).toEqual({
      ...{ substitute: { B: 'two' }, substituteFrom: others },
    });
    expect(filled({ substituteFrom: others })).toEqual({ substituteFrom: others });
    expect(filled({ substitute: { A: 'own' } })).toEqual({ substitute: { A: 'own' } });
    expect(filled(undefined)).toBeUndefined();
  });

  test('has nothing of another cluster or namespace', () => {
    const substituteFrom = from('a');
    expect(filled({ substituteFrom }, { cluster: 'lab' })).toEqual({ substituteFrom });
    expect(filled({ substituteFrom }, { namespace: 'm' })).toEqual({ substituteFrom });
  });
});
