/** What is left of values that git had taken from the chart, and how fields are owned (src/simulate/FACTS.md). */
import { describe, expect, test } from '@jest/globals';
import type { Reconciled } from '../../src/simulate/reconcile.js';
import { applied, created, engine, live, type Manifest, packageOf, values, World } from './world.js';

const helms = [
  ['apply', applied],
  ['update', created],
] as const;

/** The chart's Package, then a commit that takes of it, then one that does not. */
async function released(how: typeof applied, before: object, taken: object, left?: object): Promise<Reconciled> {
  const world = await World.of(how('helm-controller', packageOf(before)));
  expect((await world.reconcile(packageOf(taken))).reason).toBe('ReconciliationSucceeded');
  return world.reconcile(packageOf(left));
}

describe.each(helms)('after Helm’s %s', (way, how) => {
  test('a map that the chart declares empty, and git has added to, becomes null', async () => {
    await released(how, values({ p: {} }), values({ p: { a: 1 } }), {});
    expect((await live()).spec).toEqual(values({ p: null }));
  });

  test.each<[string, unknown]>([
    ['a scalar', 1],
    ['a list', ['x']],
    ['null', null],
  ])('%s right below the values', async (_, taken) => {
    // What git adds beside an `a` that the chart has: nothing else is there.
    const done = await released(how, values({ a: 7 }), values({ a: taken }), {});
    if (way === 'apply') {
      expect(done.refused).toMatchObject([{ status: 422, message: expect.stringContaining('spec.components.c') }]);
    } else {
      expect(done.reason).toBe('ReconciliationSucceeded');
      expect((await live()).spec.components).toEqual({ c: {} });
    }
  });

  test.each<[string, object, object, string]>([
    [
      'enabled',
      { components: { c: { enabled: true } } },
      { components: { c: { enabled: false } } },
      'spec.components.c',
    ],
    ['variant', { variant: 'isp-full' }, { variant: 'other' }, 'spec'],
  ])('%s, alone in its map, is refused when it is released', async (_, before, taken, field) => {
    const done = await released(how, before, taken, {});
    const text = `${field}: Invalid value: "null": ${field} in body must be of type object: "null"`;
    expect(done).toMatchObject({ reason: 'ReconciliationFailed', refused: [{ status: 422, reason: 'Invalid' }] });
    expect(done.refused[0]?.message).toContain(text);
  });
});

describe('however it is dropped', () => {
  const before = { components: { c: { enabled: true } } };
  const taken = { components: { c: { enabled: false } } };

  test.each<[string, object | undefined]>([
    ['no spec', undefined],
    ['spec: {}', {}],
    ['component: {}', { components: { c: {} } }],
  ])('%s', async (_, left) => {
    expect((await released(applied, before, taken, left)).refused).toMatchObject([{ status: 422 }]);
  });
});

test('a variant that was all of an applied spec goes with the spec', async () => {
  const done = await released(applied, { variant: 'isp-full' }, { variant: 'other' });
  expect(done.reason).toBe('ReconciliationSucceeded');
  expect((await live()).spec).toBeUndefined();
});

describe('what brings the chart’s value back', () => {
  const chart = packageOf(values({ m: { a: 1 } }));

  test('Helm’s next apply does', async () => {
    await released(applied, values({ m: { a: 1 } }), values({ m: { a: 5 } }), {});
    expect((await live()).spec).toEqual(values({ m: null }));
    await engine.ask([applied('helm-controller', chart)]);
    expect((await live()).spec).toEqual(values({ m: { a: 1 } }));
  });

  test('an empty map in git, dropped before that, makes null of the map above', async () => {
    const world = await World.of(applied('helm-controller', packageOf(values({ o: { m: { a: 1 } } }))));
    await world.reconcile(packageOf(values({ o: { m: { a: 5 } } })));
    await world.reconcile(packageOf(values({ o: { m: {} } })));
    await world.reconcile(packageOf(values({ o: { m: {} } })));
    expect((await live()).spec).toEqual(values({ o: { m: {} } }));
    await world.reconcile(packageOf({}));
    expect((await live()).spec).toEqual(values({ o: null }));
  });

  test('the chart’s own value in git until Helm has applied it again leaves nothing behind', async () => {
    const world = await World.of(applied('helm-controller', chart));
    await world.reconcile(packageOf(values({ m: { a: 5 } })));
    await world.reconcile(packageOf(values({ m: { a: 1 } })));
    await engine.ask([applied('helm-controller', chart)]);
    await world.reconcile(packageOf({}));
    await world.reconcile(packageOf({}));
    expect((await live()).spec).toEqual(chart.spec);
  });
});

describe('empty places', () => {
  const whole = { variant: 'isp-full', ...values({ a: { b: 1 } }) };

  test.each<[string, Manifest]>([
    ['values: {}', { spec: { components: { c: { values: {} } } } }],
    ['values: null', { spec: { components: { c: { values: null } } } }],
    ['component: {}', { spec: { components: { c: {} } } }],
    ['component: null', { spec: { components: { c: null } } }],
    ['components: {}', { spec: { components: {} } }],
    ['components: null', { spec: { components: null } }],
    ['spec: {}', { spec: {} }],
    ['spec: null', { spec: null }],
  ])('%s changes nothing', async (_, more) => {
    const world = await World.of(applied('helm-controller', packageOf(whole)));
    const done = await world.reconcile({ ...packageOf(undefined), ...more });
    expect(done.reason).toBe('ReconciliationSucceeded');
    expect((await live()).spec).toEqual(whole);
  });

  test('who owns what: maps inside of values are marked, those above are not', async () => {
    const world = await World.of(applied('helm-controller', packageOf(whole)));
    await world.reconcile(
      packageOf({ components: { metallb: { values: { metallb: { frrk8s: { enabled: true } } } } } }),
    );
    const entries = (await live()).metadata.managedFields;
    const own = entries.find(({ manager }: { manager: string }) => manager === 'kustomize-controller');
    const inner = { '.': {}, 'f:frrk8s': { '.': {}, 'f:enabled': {} } };
    expect(own.fieldsV1['f:spec']).toEqual({
      'f:components': { 'f:metallb': { '.': {}, 'f:values': { 'f:metallb': inner } } },
    });
  });
});
