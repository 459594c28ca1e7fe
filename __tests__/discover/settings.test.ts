/** Variables of `postBuild.substituteFrom`, beside `LoadVariables` of fluxcd/pkg/kustomize. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Entrypoint, FluxKustomization, JsonObject, Rendered } from '../../src/core/model.js';
import { refOf } from '../../src/core/object.js';
import { fluxKustomization } from '../../src/discover/flux.js';
import { resolved, type Settings, settingsOf } from '../../src/discover/settings.js';
import { type Reference, startReference } from '../end-to-end/evasion/reference.js';
import { randomOf } from '../support/random.mjs';
import { sampleOf } from '../support/sample.js';

const flux = 'kustomize.toolkit.fluxcd.io';

function build(objects: readonly JsonObject[], entrypoint: Partial<Entrypoint> = {}): Rendered {
  const rendered = objects.map((value) => ({ ref: refOf(value), value }));
  return { ok: true, entrypoint: { path: '.', ...entrypoint }, objects: rendered } as unknown as Rendered;
}

function provider(kind: 'ConfigMap' | 'Secret', name: string, data: JsonObject, metadata: JsonObject = {}): JsonObject {
  return { apiVersion: 'v1', kind, metadata: { name, namespace: 'n', ...metadata }, data };
}

const configMap = (name: string, data: JsonObject, metadata: JsonObject = {}) =>
  provider('ConfigMap', name, data, metadata);
const secret = (name: string, data: JsonObject) => provider('Secret', name, data);
const annotated = (setting: string, value: string) => ({ annotations: { [`${flux}/${setting}`]: value } });

function resolve(settings: Settings, postBuild: FluxKustomization['postBuild'], referring: Partial<Entrypoint> = {}) {
  const reach = referring.reach;
  return resolved({ namespace: 'n', ...(postBuild && { postBuild }) }, { cluster: undefined, reach }, settings)
    .postBuild;
}

const from = (...refs: string[]) =>
  refs.map((ref) => {
    const [kind = '', name = ''] = ref.split('/');
    return { kind, name };
  });

describe('substituteFrom', () => {
  test('takes the texts of a rendered ConfigMap', () => {
    const settings = settingsOf([build([configMap('a', { A: '1', B: '2' })])]);
    expect(resolve(settings, { substituteFrom: from('ConfigMap/a') })).toEqual({ substitute: { A: '1', B: '2' } });
  });

  test('gives a later entry, and substitute, precedence', () => {
    const settings = settingsOf([build([configMap('a', { A: '1', B: '2' }), configMap('b', { B: 'two' })])]);
    expect(resolve(settings, { substituteFrom: from('ConfigMap/b', 'ConfigMap/a') })?.substitute).toEqual({
      ...{ A: '1', B: '2' },
    });
    expect(
      resolve(settings, { substituteFrom: from('ConfigMap/a', 'ConfigMap/b'), substitute: { A: 'own' } })?.substitute,
    ).toEqual({ A: 'own', B: 'two' });
  });

  test('makes the keys of a Secret unknown, also those of an earlier ConfigMap', () => {
    const settings = settingsOf([build([configMap('a', { A: '1', B: '2' }), secret('s', { B: 'Yg==', C: 'Yw==' })])]);
    expect(resolve(settings, { substituteFrom: from('ConfigMap/a', 'Secret/s') })).toEqual({
      substitute: { A: '1' },
      unknown: ['B', 'C'],
    });
    expect(resolve(settings, { substituteFrom: from('Secret/s', 'ConfigMap/a') })).toEqual({
      substitute: { A: '1', B: '2' },
      unknown: ['C'],
    });
  });

  test('keeps an entry that nothing renders', () => {
    const settings = settingsOf([build([configMap('b', { B: 'two' })])]);
    expect(resolve(settings, { substituteFrom: from('ConfigMap/b', 'Secret/other') })).toEqual({
      substitute: { B: 'two' },
      substituteFrom: from('Secret/other'),
    });
    expect(resolve(settings, { substitute: { A: 'own' } })).toEqual({ substitute: { A: 'own' } });
    expect(resolve(settings, undefined)).toBeUndefined();
  });

  test('ignores a namesake in another namespace or API group', () => {
    const others = [
      configMap('a', { A: '1' }, { namespace: 'm' }),
      { ...configMap('a', { A: '1' }), apiVersion: 'example.org/v1' },
    ];
    const postBuild = { substituteFrom: from('ConfigMap/a') };
    expect(resolve(settingsOf([build(others)]), postBuild)).toEqual(postBuild);
  });
});

describe('a ConfigMap that Flux may not apply as it is rendered', () => {
  const postBuild = { substituteFrom: from('ConfigMap/a') };
  const unknown = { substitute: {}, unknown: ['A'] };
  const calm = (metadata: JsonObject = {}) => configMap('a', { A: 'calm' }, metadata);

  test.each([
    ['reconcile: disabled', annotated('reconcile', 'disabled')],
    ['ssa: Ignore', annotated('ssa', 'Ignore')],
  ])('does not count if it has %s', (_, metadata) => {
    expect(resolve(settingsOf([build([calm(metadata)])]), postBuild)).toEqual(postBuild);
  });

  test('does not count if its Flux Kustomization is suspended', () => {
    expect(resolve(settingsOf([build([calm()], { reach: 'suspended' })]), postBuild)).toEqual(postBuild);
  });

  test('is unknown if it stays as it is once it exists', () => {
    expect(resolve(settingsOf([build([calm(annotated('ssa', 'IfNotPresent'))])]), postBuild)).toEqual(unknown);
  });

  test('is unknown if an absent owner may delete it', () => {
    const owned = calm({ ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'gone', uid: 'x' }] });
    expect(resolve(settingsOf([build([owned])]), postBuild)).toEqual(unknown);
  });

  test('is unknown if more stands in its way than in that of the Flux Kustomization', () => {
    const settings = settingsOf([build([calm()], { reach: 'GitRepository n/x + unrendered' })]);
    expect(resolve(settings, postBuild)).toEqual(unknown);
    expect(resolve(settings, postBuild, { reach: 'GitRepository n/x' })).toEqual(unknown);
    expect(resolve(settings, postBuild, { reach: 'GitRepository n/x + unrendered' })).toEqual({
      substitute: { A: 'calm' },
    });
  });

  test('is unknown if two builds disagree', () => {
    const settings = settingsOf([build([calm()]), build([configMap('a', { A: 'other' })])]);
    expect(resolve(settings, postBuild)).toEqual(unknown);
    expect(resolve(settingsOf([build([calm()]), build([calm()])]), postBuild)).toEqual({ substitute: { A: 'calm' } });
  });

  test('does not count in a folder of another cluster', () => {
    const settings = settingsOf([build([calm()], { path: 'clusters/lab' })]);
    const kustomization = { namespace: 'n', postBuild };
    expect(resolved(kustomization, { cluster: 'prod', reach: undefined }, settings).postBuild).toEqual(postBuild);
    expect(resolved(kustomization, { cluster: 'lab', reach: undefined }, settings).postBuild).toEqual({
      substitute: { A: 'calm' },
    });
  });
});

type Case = { kustomization: JsonObject; objects: JsonObject[] };

/** A Flux Kustomization with some entries of substituteFrom, and objects of a cluster that may have them. */
function caseOf(n: number): Case {
  const random = randomOf(n);
  const names = ['A', 'B', 'C', 'D'];
  const value = () => random.pick(['1', 'two', '', 'line\nbreak', '$5', 'x y']);
  const some = (share: number) => names.filter(() => random.chance(share));
  const encoded = (text: string) => Buffer.from(text).toString('base64');
  const objects = ['a', 'b', 'c'].flatMap((name) =>
    (['ConfigMap', 'Secret'] as const).flatMap((kind) => {
      if (random.chance(0.3)) return [];
      const data = some(0.5).map((key) => [key, kind === 'Secret' ? encoded(value()) : value()]);
      const namespace = random.chance(0.9) ? 'n' : 'm';
      const object = provider(kind, name, Object.fromEntries(data), { namespace });
      const isPlain = kind === 'Secret' && random.chance(0.3);
      return [
        isPlain
          ? { ...object, data: {}, stringData: Object.fromEntries(some(0.5).map((key) => [key, value()])) }
          : object,
      ];
    }),
  );
  const substituteFrom = Array.from({ length: random.below(5) }, () => ({
    kind: random.pick(['ConfigMap', 'Secret']),
    name: random.pick(['a', 'b', 'c', 'none']),
    ...(random.chance(0.6) && { optional: true }),
  }));
  const substitute = Object.fromEntries(some(0.2).map((key) => [key, value()]));
  const postBuild = { substituteFrom, ...(random.chance(0.5) && { substitute }) };
  const metadata = { name: 'apps', namespace: 'n' };
  return {
    objects,
    kustomization: { apiVersion: `${flux}/v1`, kind: 'Kustomization', metadata, spec: { postBuild } },
  };
}

/** With FULL=1 all of them; otherwise a sample by a committed seed. */
const sample = sampleOf(
  Array.from({ length: 600 }, (_, n) => n),
  { name: 'variables', seed: 1, size: 18, key: String },
);

describe(`variables beside LoadVariables: ${sample.description}`, () => {
  let reference: Reference | undefined;
  beforeAll(() => {
    reference = startReference();
  });
  afterAll(() => reference?.stop());

  test.each(sample.rows)('%i has the same values, and no other unknown ones than those of Secrets', async (n) => {
    if (!reference) throw new Error('there is no Go toolchain to build the reference with');
    const { kustomization, objects } = caseOf(n);
    const answer = await reference.variablesOf(kustomization, objects);
    const settings = settingsOf([build(objects)]);
    const referring = { cluster: undefined, reach: undefined };
    const { postBuild = {} } = resolved(fluxKustomization(kustomization), referring, settings);
    const { substitute = {}, unknown = [], substituteFrom = [] } = postBuild;
    // An entry that nothing provides fails the reconciliation, unless it is optional.
    expect(substituteFrom.some(({ optional }) => !optional)).toBe(answer.error !== undefined);
    if (answer.error !== undefined) return;
    const loaded = answer.variables ?? {};
    const plain = Object.entries(substitute).map(([name, text]) => [name, text.replaceAll('\n', '')]);
    const expected = Object.entries(loaded).filter(([name]) => !unknown.includes(name));
    expect(Object.fromEntries(plain)).toEqual(Object.fromEntries(expected));
    expect(unknown.filter((name) => !Object.hasOwn(loaded, name))).toEqual([]);
    sample.passed(n);
  });
});
