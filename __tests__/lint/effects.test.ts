/** What a merge would do in a cluster, as far as two renders tell. */
import { describe, expect, test } from '@jest/globals';
import type { Cluster } from '../../src/cluster/cluster.js';
import type { Diff, Entrypoint, Finding, Rendered, RenderedObject } from '../../src/core/model.js';
import { effectsOf } from '../../src/lint/effects.js';

const entrypoint = (path: string, more: Partial<Entrypoint> = {}): Entrypoint => ({
  ...{ path, why: '', kustomization: { name: path, namespace: 'flux-system' } },
  ...more,
});
type More = { kind?: string; annotations?: object; in?: string };
function object(name: string, data = 'a', { kind = 'ConfigMap', annotations = {}, in: path = 'apps' }: More = {}) {
  const apiVersion = kind.startsWith('Package') ? 'cozystack.io/v1alpha1' : 'v1';
  const value = { kind, metadata: { name, annotations }, data: { data } };
  return { ref: { apiVersion, kind, name, namespace: 'n' }, value, entrypoint: path } as unknown as RenderedObject;
}
const built = (objects: RenderedObject[], it = entrypoint('apps')) =>
  ({ ok: true, entrypoint: it, objects, files: [] }) as unknown as Rendered;
const refusedBuild = (it = entrypoint('apps')) => ({ ok: false, entrypoint: it, files: [] }) as unknown as Rendered;

type Given = {
  said?: Finding[];
  diffs?: Diff[];
  name?: string;
  mayDelete?: boolean;
  sources?: Record<string, string[]>;
};
function effects(before: Rendered[] | undefined, after: Rendered[], given: Given = {}) {
  const { said = [], diffs, name, mayDelete = true, sources = {} } = given;
  const side = (entrypoints: Rendered[]) => ({
    entrypoints,
    objects: entrypoints.flatMap((one) => (one.ok ? one.objects : [])),
    applied: entrypoints.flatMap((one) => (one.ok ? one.objects : [])),
  });
  const catalog = {
    names: () => Object.keys(sources),
    source: (one: string) => sources[one] && { variants: [{ name: 'x', dependsOn: sources[one], components: [] }] },
  };
  const cluster = {
    ...{ name, head: side(after), base: before && side(before), contract: { release: 'v1', catalog } },
    permissions: { access: () => ({ allowed: mayDelete }) },
  };
  return effectsOf(cluster as unknown as Cluster, said, diffs);
}
const names = (refs: readonly { name: string }[] = []) => refs.map((ref) => ref.name);
function told(...args: Parameters<typeof effects>) {
  const { created, changed, deleted, left, held, unknown } = effects(...args) ?? {};
  const all = {
    created: names(created),
    changed: names(changed),
    deleted: names(deleted),
    left: names(left),
    held,
    unknown,
  };
  return Object.fromEntries(Object.entries(all).filter(([, list]) => list?.length));
}

test('nothing is known where there is nothing to compare with', () => {
  expect(effects(undefined, [built([object('a')])])).toBeUndefined();
});

test('what is new, what differs and what goes are told apart', () => {
  const before = [built([object('same'), object('changed', 'a'), object('gone')])];
  const after = [built([object('same'), object('changed', 'b'), object('new')])];
  expect(told(before, after)).toEqual({ created: ['new'], changed: ['changed'], deleted: ['gone'] });
  expect(effects(before, after)).toEqual({
    created: [after[0]?.ok && after[0].objects[2]?.ref],
    changed: [after[0]?.ok && after[0].objects[1]?.ref],
    deleted: [before[0]?.ok && before[0].objects[2]?.ref],
    ...{ left: [], held: [], unknown: [], sensitive: [] },
  });
  expect(effects(before, after, { name: 'prod' })).toMatchObject({ cluster: 'prod' });
});

test('deletions of data and rows of the table of effects are listed to be looked at first', () => {
  const before = [built([object('gone', 'a', { kind: 'PersistentVolumeClaim' }), object('config')])];
  const after = [built([object('new', 'a', { kind: 'PackageSource' })])];
  expect(effects(before, after)?.sensitive).toMatchObject([
    { kind: 'deletes', ref: { name: 'gone' } },
    { kind: 'rights', ref: { name: 'new' } },
  ]);
});

test('what Flux does not apply counts for nothing', () => {
  const off = object('a', 'a', { annotations: { 'kustomize.toolkit.fluxcd.io/reconcile': 'disabled' } });
  expect(told([built([object('b')])], [built([off, object('b')])])).toEqual({});
});

describe('what is left', () => {
  const [before, after] = [[built([object('a'), object('b')])], [built([object('b')])]];

  test('is what stays, and what the account may not delete', () => {
    const kept = object('a', 'a', { annotations: { 'kustomize.toolkit.fluxcd.io/prune': 'disabled' } });
    expect(told([built([kept, object('b')])], after)).toEqual({ left: ['a'] });
    expect(told(before, after, { mayDelete: false })).toEqual({ left: ['a'] });
  });

  test('is not what another directory has now', () => {
    expect(told(before, [...after, built([object('a')], entrypoint('other'))])).toEqual({});
  });

  test('is not known of a directory that is gone', () => {
    expect(told([...before, built([object('z')], entrypoint('other'))], before)).toEqual({ unknown: ['other'] });
  });
});

describe('what is held', () => {
  const namespace = object('team', 'a', { kind: 'Namespace' });
  const kind = object('fast', 'a', { kind: 'StorageClass' });
  const before = [built([object('old')])];
  const now = (it = entrypoint('apps')) => [built([object('a'), kind, namespace], it)];
  const refusal = (of: RenderedObject, severity = 'error') =>
    ({
      rule: 'schema-violation',
      severity,
      field: ['data'],
      object: of.ref,
      entrypoints: ['apps'],
    }) as unknown as Finding;

  test('is all of a directory that does not build or is suspended, and nothing of it is deleted', () => {
    const why = (words: string) => ({ held: [{ path: 'apps', why: words }] });
    expect(told(before, [refusedBuild()])).toEqual(why('it cannot be built'));
    expect(told(before, now(entrypoint('apps', { reach: 'suspended' })))).toEqual(why('it is suspended'));
    expect(told(before, now(entrypoint('apps', { reach: 'unrendered' })))).toMatchObject({ deleted: ['old'] });
  });

  test('is what comes in or after the stage in which one is refused', () => {
    const refused = (of: RenderedObject) => told(before, now(), { said: [refusal(of)] });
    expect(refused(namespace)).toEqual({ held: [{ path: 'apps', why: 'Namespace "team" is refused' }] });
    expect(refused(kind)).toEqual({
      created: ['team'],
      held: [{ path: 'apps', why: 'StorageClass "fast" is refused' }],
    });
    const first = told(before, now(), { said: [refusal(object('a')), refusal(kind)] });
    expect(first.held).toEqual([{ path: 'apps', why: 'StorageClass "fast" is refused' }]);
    const off = object('team', 'a', {
      kind: 'Namespace',
      annotations: { 'kustomize.toolkit.fluxcd.io/reconcile': 'disabled' },
    });
    expect(told(before, [built([object('a'), kind, off])], { said: [refusal(off)] })).toEqual({
      held: [{ path: 'apps', why: 'Namespace "team" is refused' }],
    });
    expect(told(before, now(), { said: [refusal(namespace, 'warning')] })).not.toHaveProperty('held');
  });

  test('is what a simulation has seen refused for sure, in that cluster', () => {
    const diff = (action: string, more: object = {}) =>
      ({ cluster: 'prod', objects: [{ ref: namespace.ref, action, ...more }] }) as unknown as Diff;
    const found = (...diffs: Diff[]) => told(before, now(), { diffs, name: 'prod' }).held;
    expect(found(diff('refused'))).toEqual([{ path: 'apps', why: 'Namespace "team" is refused' }]);
    expect(found(diff('created'))).toBeUndefined();
    expect(found(diff('refused', { unsure: 'x' }))).toBeUndefined();
    expect(found({ ...diff('refused'), cluster: 'other' })).toBeUndefined();
    expect(found({ ...diff('refused'), cluster: 'other' }, diff('refused'))).toHaveLength(1);
  });
});

test('a picture is drawn of Packages that come or go, and of those that wait for them', () => {
  const sources = { core: [], waits: ['core'], other: ['elsewhere'] };
  const now = (name: string, kind: string) => [built([object('b'), object(name, 'a', { kind })])];
  const graphOf = (name: string, kind = 'Package') =>
    effects([built([object('b')])], now(name, kind), { sources })?.graph;
  expect(graphOf('core')).toContain('"waits"');
  expect(graphOf('core')).not.toContain('"other"');
  expect(graphOf('core', 'PackageSource')).toContain('"waits"');
  expect(graphOf('core', 'ConfigMap')).toBeUndefined();
  const core = (data: string, kind = 'Package') => built([object('b'), object('core', data, { kind })]);
  expect(effects([core('a')], [core('b')], { sources })?.graph).toBeUndefined();
  const changed = ['a', 'b'].map((data) => [core(data, 'PackageSource')]) as [Rendered[], Rendered[]];
  expect(effects(...changed, { sources })?.graph).toContain('"waits"');
  expect(effects([core('a')], [built([object('b')])], { sources })?.graph).toContain('"waits"');
  expect(graphOf('alone')).toBeUndefined();
  const both = (data: string, ...more: string[]) => [
    built([object('other', data, { kind: 'Package' }), ...more.map((name) => object(name, 'a', { kind: 'Package' }))]),
  ];
  expect(effects(both('a'), both('b', 'core'), { sources })?.graph).toMatch(/"core"[\s\S]*"other"/);
});

test('a picture of more Packages than can be read is none', () => {
  const names = (size: number) => Array.from({ length: size }, (_, index) => `p${index}`);
  const graphOf = (size: number) =>
    effects([built([object('b')])], [built(names(size).map((name) => object(name, 'a', { kind: 'Package' })))], {
      sources: Object.fromEntries(names(size).map((name, index) => [name, index === 0 ? [] : ['p0']])),
    })?.graph;
  expect(graphOf(40)).toContain('"p39"');
  expect(graphOf(41)).toBeUndefined();
});
