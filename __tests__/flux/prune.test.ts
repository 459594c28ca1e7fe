/** What Flux deletes after a change, what it leaves, and what another takes over. */
import { describe, expect, test } from '@jest/globals';
import type { Entrypoint, Rendered, RenderedObject } from '../../src/core/model.js';
import { isLeft, prunedObjects, sameEntrypoint, setsAnything } from '../../src/flux/prune.js';

const namespace = 'flux-system';
const apps = (more: Partial<Entrypoint> = {}): Entrypoint => ({
  path: 'apps',
  why: 'a test',
  kustomization: { name: 'apps', namespace },
  ...more,
});
const named = (name: string, more: Partial<Entrypoint> = {}) => apps({ kustomization: { name, namespace }, ...more });
const cluster = (more: Partial<Entrypoint> = {}) => named('cluster', { path: 'clusters/prod', ...more });

function object(name: string, annotations = {}): RenderedObject {
  const ref = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'x', name };
  return { ref, value: { kind: 'ConfigMap', metadata: { name, annotations } } } as unknown as RenderedObject;
}
function flux(name: string, spec: object = {}, { kind = 'Kustomization', api = 'kustomize' } = {}): RenderedObject {
  const ref = { apiVersion: `${api}.toolkit.fluxcd.io/v1`, kind, namespace, name };
  return { ref, value: { kind, metadata: { name, namespace }, spec } } as unknown as RenderedObject;
}
const built = (entrypoint: Entrypoint, ...objects: RenderedObject[]) =>
  ({ ok: true, entrypoint, objects, files: [] }) as unknown as Rendered;
const refused = (entrypoint: Entrypoint) => ({ ok: false, entrypoint, files: [] }) as unknown as Rendered;

/** What is pruned, by name: whether it stays, where it has moved, what it is deleted with. */
const pruned = (before: Rendered[], after: Rendered[]) =>
  prunedObjects(before, after).map(({ object, stays, movedTo, deletedWith, isDoubtful }) =>
    [
      object.ref.name,
      stays && 'stays',
      isDoubtful && 'in doubt',
      movedTo && `to ${movedTo.path}`,
      deletedWith && `with ${deletedWith}`,
    ]
      .filter(Boolean)
      .join(' '),
  );

const off = { 'kustomize.toolkit.fluxcd.io/prune': 'disabled' };
const [a, b, kept] = [object('a'), object('b'), object('kept', off)];

describe('what is no longer in a directory', () => {
  test('is deleted, but for what says that it stays', () => {
    expect(pruned([built(apps(), a, b, kept)], [built(apps(), b)])).toEqual(['a', 'kept stays']);
  });

  test('stays only where neither of the two specs prunes', () => {
    const none = apps({ prunes: false });
    expect(pruned([built(none, a)], [built(none, b)])).toEqual(['a stays']);
    expect(pruned([built(none, a)], [built(apps(), b)])).toEqual(['a']);
    expect(pruned([built(apps(), a)], [built(none, b)])).toEqual(['a']);
  });

  test('is not told of a directory that does not build, is gone or is empty', () => {
    for (const after of [[refused(apps())], [], [built(apps())]]) expect(pruned([built(apps(), a)], after)).toEqual([]);
    expect(pruned([refused(apps())], [built(apps(), b)])).toEqual([]);
  });

  test('is not told of what Flux never applied', () => {
    const ignored = object('a', { 'kustomize.toolkit.fluxcd.io/reconcile': 'disabled' });
    expect(pruned([built(apps(), ignored, b)], [built(apps(), b)])).toEqual([]);
  });

  test('is told of the same Flux Kustomization with another path, where there is one of that name', () => {
    const moved = apps({ path: 'other' });
    expect(pruned([built(apps(), a, b)], [built(moved, b)])).toEqual(['a']);
    expect(pruned([built(apps(), a, b)], [built(moved, b), built(apps({ path: 'third' }), a, b)])).toEqual([
      'a in doubt',
    ]);
    const suspended = apps({ path: 'apps', reach: 'suspended' });
    expect(pruned([built(apps(), a, b)], [built(suspended, a, b), built(moved, b)])).toEqual(['a']);
    expect(pruned([built(apps(), a, b), built(moved, b)], [built(apps({ path: 'third' }), b)])).toEqual([]);
  });
});

describe('what another directory has now', () => {
  const other = (more: Partial<Entrypoint> = {}) => named('other', { path: 'other', ...more });

  test('has moved there', () => {
    expect(pruned([built(apps(), a, b)], [built(apps(), b), built(other(), a)])).toEqual(['a to other']);
    expect(pruned([built(apps(), a, b)], [built(apps(), b), built(other({ reach: 'suspended' }), a)])).toEqual(['a']);
    expect(pruned([built(apps(), a, b)], [built(apps(), b), refused(other())])).toEqual(['a']);
  });

  test('does not come in time where that waits for the first, by whatever way', () => {
    const afterwards = (...objects: RenderedObject[]) => [
      built(apps(), b),
      built(other(), a),
      built(cluster(), ...objects),
    ];
    const waits = (name: string, ...others: string[]) =>
      flux(name, { dependsOn: others.map((one) => ({ name: one })) });
    const found = (...objects: RenderedObject[]) => pruned([built(apps(), a, b)], afterwards(...objects));
    expect(found(flux('apps'), flux('other'))).toEqual(['a to other']);
    expect(found(flux('apps'), waits('other', 'apps'))).toEqual(['a']);
    expect(found(flux('apps'), waits('other', 'between'), waits('between', 'apps'))).toEqual(['a']);
    expect(found(flux('apps'), waits('other', 'nobody'))).toEqual(['a']);
    expect(found(waits('apps', 'other'), flux('other'))).toEqual(['a to other']);
  });

  test('takes over what stays, unless it is suspended', () => {
    const afterwards = (reach?: string) => [built(apps(), b), built(other(reach ? { reach } : {}), kept)];
    expect(pruned([built(apps(), kept, b)], afterwards())).toEqual(['kept stays to other']);
    expect(pruned([built(apps(), kept, b)], afterwards('suspended'))).toEqual(['kept stays']);
  });
});

describe('where a Flux Kustomization has got another name', () => {
  const earlier = (old = flux('apps'), more: Partial<Entrypoint> = {}) => [
    built(cluster(), old, b),
    built(apps(more), a, kept),
  ];
  const later = (parent: Partial<Entrypoint> = {}, ...others: Rendered[]) => [
    built(cluster(parent), flux('new'), b),
    built(named('new'), a, kept),
    ...others,
  ];
  /** Without the old one itself, which its own parent prunes. */
  const found = (then: Rendered[], now: Rendered[]) => pruned(then, now).filter((one) => !one.startsWith('apps'));
  const gone = ['a with flux-system/apps', 'kept stays to apps'];

  test('all that it has applied is deleted with it', () => {
    expect(found(earlier(), later())).toEqual(gone);
  });

  test.each<[string, Rendered[], Rendered[]]>([
    ['it was suspended', earlier(undefined, { reach: 'suspended' }), later()],
    ['it has no name', [built(cluster(), flux('apps'), b), built(apps({ kustomization: {} }), a)], later()],
    ['it was rendered by nobody', earlier(object('apps')), later()],
    ['what rendered it was of another kind', earlier(flux('apps', {}, { kind: 'Receiver' })), later()],
    ['what rendered it was of another group', earlier(flux('apps', {}, { api: 'helm' })), later()],
    ['what rendered it does not prune', earlier(), later({ prunes: false })],
    ['what rendered it is suspended', earlier(), later({ reach: 'suspended' })],
    ['what rendered it is refused', earlier(), [refused(cluster()), built(named('new'), a)]],
    ['it is still there', earlier(), [built(cluster(), flux('apps'), b), built(named('new'), a)]],
    ['another renders it now', earlier(), later({}, built(named('second', { path: 'second' }), flux('apps')))],
    ['it leaves what it has applied', earlier(flux('apps', { deletionPolicy: 'Orphan' })), later()],
    ['it does not prune', earlier(undefined, { prunes: false }), later()],
    ['its directory is not applied any more', earlier(), [built(cluster(), flux('new'), b)]],
    ['its directory does not build any more', earlier(), [built(cluster(), flux('new'), b), refused(named('new'))]],
    ['another directory is applied', earlier(), [built(cluster(), b), built(named('new', { path: 'new' }), a)]],
  ])('nothing is where %s', (_, then, now) => {
    expect(found(then, now).filter((one) => one.includes(' with '))).toEqual([]);
  });

  test('it is where another rendered one of its name before as well', () => {
    const second = built(named('second', { path: 'second' }), flux('apps'));
    expect(found([...earlier(), second], later({}, second))).toEqual(gone);
  });

  test('what its policy says counts above whether it prunes', () => {
    const policy = (deletionPolicy: string) => flux('apps', { deletionPolicy });
    expect(found(earlier(policy('Delete'), { prunes: false }), later())).toEqual(gone);
    expect(found(earlier(policy('MirrorPrune')), later())).toEqual(gone);
  });
});

test('who deletes it is told: of what is deleted with it the old one, else the one that is there now', () => {
  const [then, now] = [apps({ why: 'then' }), apps({ why: 'now' })];
  expect(prunedObjects([built(then, a, b)], [built(now, b)])).toEqual([{ object: a, by: now, stays: false }]);
  const renamed = [built(cluster(), b), built(named('new'), b)];
  const found = prunedObjects([built(cluster(), flux('apps'), b), built(then, a)], renamed);
  expect(found).toContainEqual({ object: a, by: then, stays: false, deletedWith: 'flux-system/apps' });
});

test('what waits for nobody, or has no name, comes in time', () => {
  const nameless = apps({ path: 'other', kustomization: {} });
  expect(pruned([built(apps(), a, b)], [built(apps(), b), built(nameless, a)])).toEqual(['a to other']);
});

test('an entrypoint is known by its path and its Flux Kustomization', () => {
  const same = (other: Entrypoint) => sameEntrypoint(apps(), other);
  expect([same(apps({ why: 'x' })), same(named('b')), same(apps({ path: 'b' }))]).toEqual([true, false, false]);
  expect(same(apps({ kustomization: { name: 'apps', namespace: 'b' } }))).toBe(false);
});

test('what is set to stay, or is of what does not prune, is left', () => {
  expect([isLeft(a, apps()), isLeft(kept, apps()), isLeft(a, apps({ prunes: false }))]).toEqual([false, true, true]);
});

test('a spec of empty maps sets nothing', () => {
  expect([undefined, {}, { x: { y: {} } }].map(setsAnything)).toEqual([false, false, false]);
  expect([null, [], false, { x: { y: 0 } }].map((one) => setsAnything(one))).toEqual([true, true, true, true]);
});
