/** What kustomize-controller was seen to do (src/simulate/FACTS.md), each as an outcome of the simulation. */
import { describe, expect, test } from '@jest/globals';
import type { Reconciled } from '../../src/simulate/reconcile.js';
import {
  applied,
  configMap,
  created,
  engine,
  flux,
  kubectlPatch,
  lastApplied,
  live,
  type Manifest,
  merge,
  packageOf,
  source,
  values,
  World,
} from './world.js';

const whole = { variant: 'isp-full', ...values({ host: 'a', other: 1 }) };
const partial = values({ host: 'b' });

describe('a partial manifest of a Package that kubectl made', () => {
  test.each([
    ['kubectl apply', [created('kubectl-client-side-apply', packageOf(whole, { [lastApplied]: '{}' }))]],
    ['kubectl apply --server-side', [applied('kubectl', packageOf(whole))]],
    ['kubectl create', [created('kubectl-create', packageOf(whole))]],
  ])('%s: what git does not have vanishes, and all is green', async (_, seed) => {
    const world = await World.of(...seed);
    expect((await world.reconcile(packageOf(partial))).reason).toBe('ReconciliationSucceeded');
    expect((await live()).spec).toEqual(partial);
    expect((await live()).metadata.annotations?.[lastApplied]).toBeUndefined();
  });

  test('apply and patch, two entries: the same', async () => {
    const world = await World.of(created('kubectl-client-side-apply', packageOf(whole)));
    await kubectlPatch({ spec: { variant: 'patched' } });
    await world.reconcile(packageOf(partial));
    expect((await live()).spec).toEqual(partial);
  });

  test.each([
    ['flux-client-side-apply', created],
    ['helm-controller', created],
    ['helm-controller', applied],
    ['helm', created],
    ['cozypkg', created],
    ['Terraform', applied],
  ])('but what %s has set is kept', async (manager, how) => {
    const world = await World.of(how(manager, packageOf(whole)));
    await world.reconcile(packageOf(partial));
    expect((await live()).spec).toEqual({ variant: 'isp-full', ...values({ host: 'b', other: 1 }) });
  });

  test('of a Package of Helm’s only the field that kubectl patched is deleted', async () => {
    const world = await World.of(applied('helm-controller', packageOf(values({ host: 'a' }))));
    await kubectlPatch({ spec: { variant: 'patched' } });
    await world.reconcile(packageOf(partial));
    expect((await live()).spec).toEqual(partial);
  });

  test.each([
    ['an annotation', packageOf(partial, merge)],
    ['in lower case', packageOf(partial, { [`${flux}/ssa`]: 'merge' })],
    ['a label', packageOf(partial, {}, merge)],
  ])('ssa: Merge keeps it: %s', async (_, manifest) => {
    const world = await World.of(created('kubectl-client-side-apply', packageOf(whole)));
    await world.reconcile(manifest);
    await world.reconcile(manifest);
    expect((await live()).spec.variant).toBe('isp-full');
  });

  test('as it does on the live object alone', async () => {
    const world = await World.of(created('kubectl-client-side-apply', packageOf(whole, merge)));
    await world.reconcile(packageOf(partial));
    expect((await live()).spec.variant).toBe('isp-full');
  });

  test('Merge that is dropped: the first reconcile removes the annotation, the second wipes', async () => {
    const world = await World.of(created('kubectl-client-side-apply', packageOf(whole)));
    await world.reconcile(packageOf(partial, merge));
    await world.reconcile(packageOf(partial));
    expect((await live()).spec.variant).toBe('isp-full');
    await world.reconcile(packageOf(partial));
    expect((await live()).spec).toEqual(partial);
  });

  test('it is taken over even where the stage fails, so that the fix with Merge wipes', async () => {
    const world = await World.of(created('kubectl-client-side-apply', packageOf(whole)));
    const failed = await world.reconcile(packageOf(partial), configMap('no', 'kube-system'));
    expect(failed.reason).toBe('ReconciliationFailed');
    expect((await live()).spec).toEqual(whole);
    await world.reconcile(packageOf(partial, merge));
    expect((await live()).spec).toEqual(partial);
  });

  test('a repair by kubectl is wiped again, unless Merge comes first', async () => {
    const world = await World.of(created('kubectl-client-side-apply', packageOf(whole)));
    await world.reconcile(packageOf(partial));
    await engine.ask([applied('kubectl', packageOf(whole))]);
    await world.reconcile(packageOf(partial));
    expect((await live()).spec).toEqual(partial);
    await world.reconcile(packageOf(partial, merge));
    await engine.ask([applied('kubectl', packageOf(whole))]);
    await world.reconcile(packageOf(partial, merge));
    await world.reconcile(packageOf(partial, merge));
    expect((await live()).spec.variant).toBe('isp-full');
  });

  test('with Merge a patch of what git does not set survives, and of what it sets does not', async () => {
    const world = await World.of(applied('helm-controller', packageOf(values({ host: 'a' }))));
    await world.reconcile(packageOf(partial, merge));
    await kubectlPatch({ spec: { variant: 'mine', ...values({ host: 'mine' }) } });
    await world.reconcile(packageOf(partial, merge));
    expect((await live()).spec).toEqual({ variant: 'mine', ...partial });
  });
});

describe('a manifest that is removed', () => {
  const helms = applied('helm-controller', packageOf(whole));

  test('the Package may not be deleted: it fails once, is then forgotten, and stays as it is', async () => {
    const world = await World.of(helms);
    await world.reconcile(packageOf(partial));
    const first = await world.reconcile();
    expect(first).toMatchObject({
      reason: 'PruneFailed',
      refused: [{ message: expect.stringContaining('cannot delete resource "packages" in API group "cozystack.io"') }],
    });
    expect(world.inventory).toEqual([]);
    expect((await world.reconcile()).reason).toBe('ReconciliationSucceeded');
    expect((await live()).spec.components.c.values.host).toBe('b');
    expect((await live()).metadata.labels[`${flux}/name`]).toBe('cozystack-customizer');
  });

  test('what the platform guards from being deleted nobody deletes: it fails once, is forgotten, and stays', async () => {
    const guarded = packageOf(whole, {}, { 'platform.cozystack.io/no-delete': 'true' });
    const world = (await World.of(applied('helm-controller', guarded))).other({ all: true });
    await world.reconcile(packageOf(partial));
    const first = await world.reconcile();
    expect(first).toMatchObject({
      reason: 'PruneFailed',
      refused: [{ message: expect.stringContaining('object carries platform.cozystack.io/no-delete=true') }],
    });
    expect((await world.reconcile()).reason).toBe('ReconciliationSucceeded');
    expect((await live()).spec).toMatchObject(partial);
  });

  test('prune: disabled passes it over without an error', async () => {
    const world = await World.of(helms);
    await world.reconcile(packageOf(partial, { [`${flux}/prune`]: 'disabled' }));
    const done = await world.reconcile();
    expect(done).toMatchObject({ reason: 'ReconciliationSucceeded', changes: [{ action: 'skipped' }] });
  });

  test('reconcile: disabled on the live object passes it over too, whatever the rights', async () => {
    const world = (await World.of(helms)).other({ all: true });
    await world.reconcile(packageOf(partial));
    await kubectlPatch({ metadata: { annotations: { [`${flux}/reconcile`]: 'disabled' } } });
    expect((await world.reconcile()).changes).toMatchObject([{ action: 'skipped' }]);
    expect((await live()).spec).toMatchObject(partial);
  });

  test('with the right to, it is deleted', async () => {
    const world = (await World.of(helms)).other({ all: true });
    await world.reconcile(packageOf(partial));
    expect((await world.reconcile()).changes).toMatchObject([{ action: 'deleted' }]);
    expect(await live()).toBeUndefined();
  });
});

describe('a value that git had taken from the chart and lets go', () => {
  async function released(before: object, taken: object, left: object, how = applied): Promise<Reconciled> {
    const world = await World.of(how('helm-controller', packageOf(before)));
    await world.reconcile(packageOf(taken));
    return world.reconcile(packageOf(left));
  }

  test('disappears where its map has other keys', async () => {
    await released(values({ m: { a: 1, b: 2 } }), values({ m: { a: 5 } }), values({}));
    expect((await live()).spec).toEqual(values({ m: { b: 2 } }));
  });

  test('stays where it was the chart’s own', async () => {
    await released(values({ m: { a: 1 } }), values({ m: { a: 1 } }), values({}));
    expect((await live()).spec).toEqual(values({ m: { a: 1 } }));
  });

  test.each([
    ['apply', applied],
    ['update', created],
  ])('leaves null in place of a map that has nothing left, after Helm’s %s', async (_, how) => {
    await released(values({ cgroup: { autoMount: { a: 1 } } }), values({ cgroup: { autoMount: { a: 5 } } }), {}, how);
    expect((await live()).spec).toEqual(values({ cgroup: { autoMount: null } }));
  });

  test('is refused where the schema wants a map', async () => {
    const done = await released(
      { components: { c: { enabled: true } } },
      { components: { c: { enabled: false } } },
      {},
    );
    expect(done.refused).toMatchObject([
      { status: 422, reason: 'Invalid', message: expect.stringContaining('in body must be of type object: "null"') },
    ]);
  });

  test('with the map kept in git: null at first, {} only after the second reconcile', async () => {
    const world = await World.of(applied('helm-controller', packageOf(values({ m: { a: 1 }, n: 1 }))));
    await world.reconcile(packageOf(values({ m: { a: 5 } })));
    await world.reconcile(packageOf(values({ m: {} })));
    expect((await live()).spec.components.c.values.m).toBeNull();
    await world.reconcile(packageOf(values({ m: {} })));
    expect((await live()).spec.components.c.values.m).toEqual({});
  });
});

describe('null and {} in values', () => {
  test.each<[string, object, unknown, unknown]>([
    ['null where nothing was', {}, { a: null }, { a: null }],
    ['{} where nothing was', {}, { a: {} }, { a: {} }],
    ['[] where nothing was', {}, { a: [] }, { a: [] }],
    ['null over a map', { a: { b: 1 } }, { a: null }, { a: { b: 1 } }],
    ['{} over a map', { a: { b: 1 } }, { a: {} }, { a: { b: 1 } }],
    ['null over a scalar', { a: 1 }, { a: null }, { a: null }],
    ['null over a list', { a: ['x'] }, { a: null }, { a: null }],
    ['a scalar over a map', { a: { b: 1 } }, { a: 5 }, { a: 5 }],
    ['a map over a scalar', { a: 1 }, { a: { b: 5 } }, { a: { b: 5 } }],
    ['{} over a list', { a: ['x'] }, { a: {} }, { a: {} }],
    ['a list over a list', { a: ['x', 'y'] }, { a: ['z'] }, { a: ['z'] }],
    ['a text in place of all', { a: 1 }, 'a: b', 'a: b'],
  ])('%s', async (_, before, git, after) => {
    const world = await World.of(applied('helm-controller', packageOf(values({ keep: 1, ...before }))));
    expect((await world.reconcile(packageOf(values(git)))).reason).toBe('ReconciliationSucceeded');
    const expected = typeof after === 'object' ? { keep: 1, ...after } : after;
    expect((await live()).spec).toEqual(values(expected));
  });

  test.each<[string, Manifest, string]>([
    ['variant', { variant: null }, 'spec.variant in body must be of type string: "null"'],
    ['enabled', { components: { c: { enabled: null } } }, 'must be of type boolean: "null"'],
  ])('a null in place of %s is refused', async (_, spec, words) => {
    const world = await World.of(applied('helm-controller', packageOf(whole)));
    expect((await world.reconcile(packageOf(spec))).refused[0]?.message).toContain(words);
  });

  test('an empty variant is accepted', async () => {
    const world = await World.of(applied('helm-controller', packageOf(whole)));
    await world.reconcile(packageOf({ variant: '' }));
    expect((await live()).spec.variant).toBe('');
  });
});

describe('what the account may not do stops everything', () => {
  test.each<[string, Manifest, string]>([
    [
      'making a Package',
      packageOf({}),
      'cannot create resource "packages" in API group "cozystack.io" at the cluster scope',
    ],
    [
      'a namespace that is not owned',
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'platform-tools' } },
      'cannot patch resource "namespaces" in API group "" in the namespace "platform-tools"',
    ],
    [
      'a ClusterRole',
      { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'x' }, rules: [] },
      'cannot patch resource "clusterroles" in API group "rbac.authorization.k8s.io" at the cluster scope',
    ],
    [
      'another namespace',
      configMap('a', 'kube-system'),
      'cannot patch resource "configmaps" in API group "" in the namespace "kube-system"',
    ],
  ])('%s', async (_, manifest, words) => {
    const world = await World.of();
    const done = await world.reconcile(manifest, configMap('good'));
    expect(done).toMatchObject({ reason: 'ReconciliationFailed', refused: [{ reason: 'Forbidden' }], inventory: [] });
    expect(done.refused[0]?.message).toContain(words);
    expect(await live(configMap('good'))).toBeUndefined();
  });

  test('the Namespace of an owned one is its own', async () => {
    const world = await World.of();
    const own = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'cozy-customizer' } };
    expect((await world.reconcile(own)).reason).toBe('ReconciliationSucceeded');
    expect((await world.reconcile()).changes).toMatchObject([{ ref: { kind: 'Namespace' }, action: 'deleted' }]);
  });
});

describe('further', () => {
  const variant = (name: string) => ({ name, components: [{ name: 'a', path: 'apps/a' }] });

  test('force on a PackageSource that is invalid deletes the live one', async () => {
    const world = await World.of(applied('helm-controller', source([variant('default')])));
    const broken = source([variant('default')], { annotations: { [`${flux}/force`]: 'enabled' } });
    broken.spec.sourceRef.kind = 'HelmRepository';
    expect((await world.reconcile(broken)).refused).toMatchObject([{ reason: 'Invalid' }]);
    expect(await live(source([]))).toBeUndefined();
  });

  test('on a wrong type nothing is deleted', async () => {
    const world = await World.of(applied('helm-controller', packageOf(whole)));
    const done = await world.reconcile(packageOf({ variant: 5 }, { [`${flux}/force`]: 'enabled' }));
    expect(done.refused).toMatchObject([{ status: 500 }]);
    expect((await live()).spec).toEqual(whole);
  });

  test('the variants of a source are replaced whole; removed, the source is deleted', async () => {
    const world = await World.of(applied('helm-controller', source([variant('default'), variant('other')])));
    await world.reconcile(source([variant('mine')]));
    expect((await live(source([]))).spec.variants).toEqual([variant('mine')]);
    expect((await world.reconcile()).changes).toMatchObject([{ action: 'deleted' }]);
  });

  test('two Flux Kustomizations on one Package: the second removes what the first has set', async () => {
    const world = await World.of(applied('helm-controller', packageOf(values({ a: 1 }))));
    await world.reconcile(packageOf(values({ mine: 1 }), { [`${flux}/prune`]: 'disabled' }));
    await world.other({ name: 'second' }).reconcile(packageOf(values({ theirs: 1 })));
    const { spec, metadata } = await live();
    expect(spec).toEqual(values({ a: 1, theirs: 1 }));
    expect(metadata.labels[`${flux}/name`]).toBe('second');
    expect(metadata.annotations).toBeUndefined();
  });

  test('what is not Ready is patched all the same: its health is looked at afterwards', async () => {
    const sick = {
      ...packageOf(whole),
      status: {
        conditions: [
          { type: 'Ready', status: 'False', reason: 'A', message: 'b', lastTransitionTime: '2026-01-01T00:00:00Z' },
        ],
      },
    };
    const world = await World.of({ op: 'put-raw', object: sick });
    expect((await world.reconcile(packageOf(partial))).changes).toMatchObject([{ action: 'configured' }]);
    expect(await live()).toMatchObject({ spec: partial, status: sick.status });
  });

  test('what is passed over and may not be read is waited for in a stage, after which nothing is applied', async () => {
    const namespace = (name: string, annotations: object = {}) => ({
      ...{ apiVersion: 'v1', kind: 'Namespace' },
      metadata: { name, annotations },
    });
    const world = (await World.of()).other({ all: true, unseen: 'off' });
    const off = namespace('off', { [`${flux}/reconcile`]: 'disabled' });
    const done = await world.reconcile(namespace('on'), off, configMap('a', 'on'));
    expect(done).toMatchObject({
      reason: 'ReconciliationFailed',
      refused: [{ ref: { name: 'off' }, status: 403, message: expect.stringContaining('it may not be read') }],
    });
    expect(done.stopped.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['ConfigMap a']);
    expect(await live(namespace('on'))).toBeDefined();
    expect(await live(configMap('a', 'on'))).toBeUndefined();
  });

  test.each(['IfNotPresent', 'Ignore'])('ssa: %s on a Package that is there does nothing', async (word) => {
    const world = await World.of(applied('helm-controller', packageOf(whole)));
    const done = await world.reconcile(packageOf(partial, { [`${flux}/ssa`]: word }));
    expect(done).toMatchObject({ reason: 'ReconciliationSucceeded', changes: [{ action: 'skipped' }], inventory: [] });
    expect((await live()).spec).toEqual(whole);
  });

  test('ssa: IfNotPresent makes what is not there', async () => {
    const world = await World.of();
    const done = await world.other({ all: true }).reconcile(packageOf(partial, { [`${flux}/ssa`]: 'IfNotPresent' }));
    expect(done).toMatchObject({ reason: 'ReconciliationSucceeded', changes: [{ action: 'created' }] });
    expect((await live()).spec).toEqual(partial);
  });

  test.each([
    [{ uid: '6f1dd1e9-6f14-4c2e-9d6b-0d8f2f3c8a11' }, 'Invalid', 'field is immutable'],
    [{ resourceVersion: '999999' }, 'Conflict', 'the object has been modified'],
  ])('what was copied from a live object is refused: %j', async (copied, reason, words) => {
    const world = await World.of(applied('helm-controller', packageOf(whole)));
    const manifest = packageOf(partial);
    Object.assign(manifest.metadata, copied);
    const { refused } = await world.reconcile(manifest);
    expect(refused).toMatchObject([{ reason, message: expect.stringContaining(words) }]);
  });

  test('one label that is no text drops all of them', async () => {
    const world = await World.of();
    const manifest = configMap('labelled');
    manifest.metadata.labels = { team: 'a', public: true };
    await world.reconcile(manifest);
    expect(Object.keys((await live(manifest)).metadata.labels)).toEqual([`${flux}/name`, `${flux}/namespace`]);
  });
});

describe('force: enabled', () => {
  const force = { [`${flux}/force`]: 'enabled' };
  const stale = (metadata: object = { resourceVersion: '999999' }) => {
    const manifest = packageOf(partial, force);
    return { ...manifest, metadata: { ...manifest.metadata, ...metadata } };
  };

  test.each([
    ['of another resourceVersion (409)', { resourceVersion: '999999' }],
    ['of another uid (422)', { uid: '11111111-2222-3333-4444-555555555555' }],
  ])(
    'what is refused as it is %s deletes the live object, though it cannot be made anew so either',
    async (_, metadata) => {
      const world = (await World.of(applied('helm-controller', packageOf(whole)))).other({ all: true });
      expect((await world.reconcile(stale(metadata))).reason).toBe('ReconciliationFailed');
      expect(await live()).toBeUndefined();
    },
  );

  test('without it the object stays', async () => {
    const world = (await World.of(applied('helm-controller', packageOf(whole)))).other({ all: true });
    const manifest = stale();
    delete manifest.metadata.annotations;
    expect((await world.reconcile(manifest)).reason).toBe('ReconciliationFailed');
    expect((await live()).spec).toEqual(whole);
  });

  test('what is refused as a change, and not when it is new, is made anew', async () => {
    const enabled = (value: boolean) => ({ components: { c: { enabled: value } } });
    const seed = applied('helm-controller', packageOf(enabled(true)));
    const outcome = async (annotations: object) => {
      const world = (await World.of(seed)).other({ all: true });
      await world.reconcile(packageOf(enabled(false)));
      return world.reconcile(packageOf({}, annotations));
    };
    expect(await outcome({})).toMatchObject({ reason: 'ReconciliationFailed', refused: [{ status: 422 }] });
    expect(await outcome(force)).toMatchObject({ reason: 'ReconciliationSucceeded', changes: [{ action: 'created' }] });
    expect((await live()).spec).toEqual({});
  });
});

describe('what was applied and is not any more', () => {
  const own = configMap('own');
  const labels = (name: string) => ({ [`${flux}/name`]: name, [`${flux}/namespace`]: 'cozy-system' });

  test('is deleted', async () => {
    const world = await World.of();
    await world.reconcile(own);
    expect((await world.reconcile()).changes).toMatchObject([{ action: 'deleted' }]);
    expect(await live(own)).toBeUndefined();
  });

  test('and somebody has deleted already, is no trouble', async () => {
    const world = await World.of();
    await world.reconcile(own);
    await engine.ask([{ op: 'reset' }]);
    expect(await world.reconcile()).toMatchObject({
      reason: 'ReconciliationSucceeded',
      changes: [{ action: 'deleted' }],
    });
  });

  test.each<[string, Manifest]>([
    ['carries the labels of another Flux Kustomization', { labels: labels('another') }],
    ['is told not to be pruned', { annotations: { [`${flux}/prune`]: 'disabled' } }],
    ['is told to be left alone', { annotations: { [`${flux}/reconcile`]: 'disabled' } }],
  ])('stays where it %s', async (_, metadata) => {
    const world = await World.of();
    await world.reconcile(own);
    await engine.ask([
      { op: 'merge', ref: { apiVersion: 'v1', kind: 'ConfigMap', ...own.metadata }, manager: 'x', patch: { metadata } },
    ]);
    expect((await world.reconcile()).changes).toMatchObject([{ action: 'skipped' }]);
    expect((await live(own)).data).toEqual({ a: 'b' });
  });
});

test('an object in the cluster that is told to be left alone is not changed', async () => {
  const manifest = configMap('own');
  const there = { ...manifest, metadata: { ...manifest.metadata, annotations: { [`${flux}/reconcile`]: 'disabled' } } };
  const world = await World.of(applied('kubectl', { ...there, data: { a: 'mine' } }));
  expect((await world.reconcile(manifest)).changes).toMatchObject([{ action: 'skipped' }]);
  expect((await live(manifest)).data).toEqual({ a: 'mine' });
});

test('what is applied twice is unchanged the second time', async () => {
  const world = await World.of();
  const actions = async () => (await world.reconcile(configMap('own'))).changes.map(({ action }) => action);
  expect([await actions(), await actions()]).toEqual([['created'], ['unchanged']]);
});
