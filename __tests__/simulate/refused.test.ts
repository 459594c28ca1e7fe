/** What the API server refuses, and what Flux drops before it can, in the words that were seen (src/simulate/FACTS.md). */
import { describe, expect, test } from '@jest/globals';
import { inventoryEntry } from '../../src/core/object.js';
import { applied, configMap, created, flux, live, type Manifest, packageOf, source, values, World } from './world.js';

const typed = 'failed to create typed patch object (/cozystack.x; cozystack.io/v1alpha1, Kind=Package): ';

describe('a custom resource that does not fit its schema', () => {
  test.each<[string, Manifest, string]>([
    ['a field beside components', { spec: { values: {} } }, '.spec.values: field not declared in schema'],
    [
      'a field of a component',
      { spec: { components: { metallb: { value: {} } } } },
      '.spec.components.metallb.value: field not declared in schema',
    ],
    ['a field at the top', { values: {} }, '.values: field not declared in schema'],
    ['what SOPS adds', { sops: {} }, '.sops: field not declared in schema'],
    [
      'a number for a text',
      { spec: { variant: 5 } },
      '.spec.variant: expected string, got &value.valueUnstructured{Value:5}',
    ],
    [
      'a list for a map',
      { spec: { components: [{ name: 'metallb' }] } },
      '.spec.components: expected map, got &{[map[name:metallb]]}',
    ],
    [
      'a text for a boolean',
      { spec: { components: { metallb: { enabled: 'false' } } } },
      '.spec.components.metallb.enabled: expected boolean, got &{false}',
    ],
  ])('%s', async (_, more, words) => {
    const world = await World.of(applied('helm-controller', packageOf({ variant: 'default' })));
    const { refused } = await world.reconcile({ ...packageOf(undefined), ...more });
    expect(refused.map(({ status }) => status)).toEqual([500]);
    expect(refused[0]?.message).toBe(typed + words);
  });

  test('of two unknown fields the server tells any, and here it is the first', async () => {
    const world = await World.of(applied('helm-controller', packageOf({})));
    const { refused } = await world.reconcile(packageOf({ values: {}, other: {} }));
    expect(refused).toHaveLength(1);
    expect(
      [`${typed}.spec.values: `, `${typed}.spec.other: `].map((text) => `${text}field not declared in schema`),
    ).toContain(refused[0]?.message);
  });

  test('a status in git is passed over', async () => {
    const world = await World.of(applied('helm-controller', packageOf({ variant: 'default' })));
    const done = await world.reconcile({ ...packageOf({}), status: { conditions: [] } });
    expect(done.reason).toBe('ReconciliationSucceeded');
    expect((await live()).status).toBeUndefined();
  });

  test('of a PackageSource all that is wrong is told', async () => {
    const world = await World.of();
    const manifest = source([{ components: [{ path: 'apps/a' }] }]);
    manifest.spec.sourceRef.kind = 'HelmRepository';
    const { refused } = await world.other({ all: true }).reconcile(manifest);
    const causes = refused[0]?.body.details?.causes?.map(({ field, message }) => `${field}: ${message}`);
    expect(new Set(causes)).toEqual(
      new Set([
        'spec.sourceRef.kind: Unsupported value: "HelmRepository": supported values: "GitRepository", "OCIRepository"',
        'spec.variants[0].components[0].name: Required value',
        'spec.variants[0].name: Required value',
      ]),
    );
  });
});

describe('built-in kinds', () => {
  function deployment(spec: Manifest, container: Manifest = {}): Manifest {
    const containers = [{ name: 'c', image: 'x', ...container }];
    const template = { metadata: { labels: { app: 'a' } }, spec: { containers } };
    return {
      ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd', namespace: 'cozy-customizer' } },
      spec: { selector: { matchLabels: { app: 'a' } }, template, ...spec },
    };
  }
  const service = (ports: Manifest[]): Manifest => ({
    ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 's', namespace: 'cozy-customizer' } },
    spec: { selector: { app: 'a' }, ports },
  });
  const rbac = (kind: string, more: Manifest): Manifest => ({
    ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind, metadata: { name: 'r', namespace: 'cozy-customizer' } },
    ...more,
  });

  test('unknown fields are dropped without a word', async () => {
    const world = await World.of();
    const manifest = deployment({ replica: 2 }, { imagePullPolicyy: 'Always', resources: { limit: {} } });
    manifest.metadata.lables = { a: 'b' };
    expect((await world.reconcile(manifest)).reason).toBe('ReconciliationSucceeded');
    const { spec, metadata } = await live(manifest);
    expect(Object.keys(spec)).not.toContain('replica');
    expect(Object.keys(metadata)).not.toContain('lables');
    expect(Object.keys(spec.template.spec.containers[0])).not.toContain('imagePullPolicyy');
  });

  test('a binding of "subject" has no subjects', async () => {
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' };
    const binding = rbac('RoleBinding', { roleRef, subject: [{ kind: 'User', name: 'somebody' }] });
    const world = await World.of();
    expect((await world.reconcile(binding)).reason).toBe('ReconciliationSucceeded');
    expect((await live(binding)).subjects).toBeUndefined();
  });

  test.each<[string, Manifest, string]>([
    [
      'unknown fields of a Role are refused',
      rbac('Role', { rules: [{ apiGroups: [''], resource: ['pods'], verbs: ['get'] }] }),
      '.rules[0].resource: field not declared in schema',
    ],
    [
      'and those of what cannot be read as its type',
      deployment({ replicas: '3', replica: 2 }),
      '.spec.replica: field not declared in schema',
    ],
    [
      'a number in the data of a ConfigMap',
      { ...configMap('n'), data: { a: 5 } },
      '.data.a: expected string, got &value.valueUnstructured{Value:5}',
    ],
    [
      'a port twice',
      deployment({}, { ports: [{ containerPort: 80 }, { containerPort: 80 }] }),
      '.spec.template.spec.containers[name="c"].ports: duplicate entries for key [containerPort=80,protocol="TCP"]',
    ],
    [
      'a variable twice',
      deployment(
        {},
        {
          env: [
            { name: 'A', value: '1' },
            { name: 'A', value: '2' },
          ],
        },
      ),
      '.spec.template.spec.containers[name="c"].env: duplicate entries for key [name="A"]',
    ],
    [
      'a port of a Service twice',
      service([
        { name: 'a', port: 53 },
        { name: 'b', port: 53 },
      ]),
      '.spec.ports: duplicate entries for key [port=53,protocol="TCP"]',
    ],
  ])('%s', async (_, manifest, words) => {
    const world = await World.of();
    const { refused } = await world.reconcile(manifest);
    expect(refused).toHaveLength(1);
    expect(refused[0]?.message).toContain(words);
  });

  test('the same port with another protocol is fine', async () => {
    const ports = ['TCP', 'UDP'].map((protocol) => ({ name: protocol.toLowerCase(), port: 53, protocol }));
    const world = await World.of();
    expect((await world.reconcile(service(ports))).reason).toBe('ReconciliationSucceeded');
  });
});

describe('refusals', () => {
  test('of several any one is told, so all of them are known', async () => {
    const world = await World.of();
    const bad = ['a', 'b', 'c', 'd', 'e'].map((name) => configMap(name, 'kube-system'));
    const { refused, inventory } = await world.reconcile(...bad, configMap('good'));
    expect(new Set(refused.map(({ ref }) => ref.name))).toEqual(new Set(['a', 'b', 'c', 'd', 'e']));
    expect(inventory).toEqual([]);
  });

  test('without a namespace the account lacks the right at the cluster scope', async () => {
    const world = await World.of();
    const nowhere = configMap('r26');
    delete nowhere.metadata.namespace;
    const { refused } = await world.reconcile(nowhere, configMap('good'));
    expect(refused.map(({ message }) => message)).toEqual([
      expect.stringContaining('cannot patch resource "configmaps" in API group "" at the cluster scope'),
    ]);
    expect(await live(configMap('good'))).toBeUndefined();
  });

  test('a service account without rights is told as whom it asks', async () => {
    const world = await World.of();
    const { refused } = await world.reconcile(packageOf({}));
    expect(refused[0]?.message).toContain(
      'User "system:serviceaccount:cozy-system:cozystack-customizer" cannot create',
    );
  });

  test('a Namespace and what is in it come in one commit, with the right to', async () => {
    const world = (await World.of()).other({ all: true });
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'new' } };
    const done = await world.reconcile(configMap('in', 'new'), namespace);
    expect(done.changes.map(({ ref, action }) => `${ref.kind} ${action}`)).toEqual([
      'Namespace created',
      'ConfigMap created',
    ]);
  });
});

describe('objects with more than one say', () => {
  test('a namespace on a Package does no harm, and is not in the inventory', async () => {
    const world = await World.of(applied('helm-controller', packageOf({})));
    const manifest = packageOf(values({ a: 1 }));
    manifest.metadata.namespace = 'cozy-customizer';
    const done = await world.reconcile(manifest);
    expect(done.reason).toBe('ReconciliationSucceeded');
    expect(done.inventory.map(inventoryEntry)).toEqual(['_cozystack.x_cozystack.io_Package']);
    expect((await live()).spec).toEqual(values({ a: 1 }));
  });

  test('the customizer’s own GitRepository, once in git, is deleted with its manifest', async () => {
    const repository = {
      ...{ apiVersion: 'source.toolkit.fluxcd.io/v1', kind: 'GitRepository' },
      metadata: { name: 'cozystack-customizer', namespace: 'cozy-customizer' },
      spec: { interval: '1m', url: 'https://git.example.net/a' },
    };
    const world = await World.of(created('kubectl-create', repository));
    await world.reconcile(repository);
    expect((await world.reconcile()).changes).toMatchObject([{ action: 'deleted' }]);
    expect(await live(repository)).toBeUndefined();
  });

  test('two Flux Kustomizations on one Package flip its values and labels each time', async () => {
    const first = await World.of(applied('helm-controller', packageOf({})));
    const second = first.other({ name: 'second' });
    for (const _ of [1, 2]) {
      await first.reconcile(packageOf(values({ a: 1 })));
      expect(await stateOf()).toEqual({ spec: values({ a: 1 }), label: 'cozystack-customizer' });
      await second.reconcile(packageOf(values({ a: 2 })));
      expect(await stateOf()).toEqual({ spec: values({ a: 2 }), label: 'second' });
    }
  });

  async function stateOf() {
    const { spec, metadata } = await live();
    return { spec, label: metadata.labels[`${flux}/name`] };
  }

  test('what git sets as the chart does, and lets go, is not missed; another value is', async () => {
    const chart = values({ keep: 1, same: 1, other: 1 });
    const world = await World.of(applied('helm-controller', packageOf(chart)));
    await world.reconcile(packageOf(values({ same: 1, other: 2 })));
    await world.reconcile(packageOf({}));
    expect((await live()).spec).toEqual(values({ keep: 1, same: 1 }));
  });
});
