/** What Flux sends of built-in kinds beyond what is written; that it does, end-to-end/cluster/fixtures.test.ts shows. */
import { expect, test } from '@jest/globals';
import { live, type Manifest, World } from './world.js';

async function ownedOf(manifest: Manifest): Promise<Manifest> {
  await (await World.of()).reconcile(manifest);
  return (await live(manifest)).metadata.managedFields[0].fieldsV1;
}

const metadata = { name: 'x', namespace: 'cozy-customizer' };

test('of a Deployment a strategy, resources and the protocol of ports are its own', async () => {
  const containers = [{ name: 'c', image: 'x', ports: [{ containerPort: 80 }] }];
  const template = { metadata: { labels: { app: 'a' } }, spec: { containers } };
  const owned = await ownedOf({
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata },
    spec: { selector: { matchLabels: { app: 'a' } }, template },
  });
  expect(owned['f:spec']['f:strategy']).toEqual({});
  const container = owned['f:spec']['f:template']['f:spec']['f:containers']['k:{"name":"c"}'];
  expect(container['f:resources']).toEqual({});
  expect(container['f:ports']['k:{"containerPort":80,"protocol":"TCP"}']['f:protocol']).toEqual({});
});

test('of a Service the target of its ports', async () => {
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata,
    spec: { selector: { app: 'a' }, ports: [{ port: 80 }] },
  };
  const owned = await ownedOf(service);
  expect(owned['f:spec']['f:ports']['k:{"port":80,"protocol":"TCP"}']['f:targetPort']).toEqual({});
  expect((await live(service)).spec.ports).toEqual([{ port: 80, protocol: 'TCP', targetPort: 80 }]);
});

test('of a Namespace its spec', async () => {
  const owned = await ownedOf({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'cozy-customizer' } });
  expect(owned['f:spec']).toEqual({});
});

test('bytes without line breaks', async () => {
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata, data: { a: 'aGVs\nbG8=\n' } };
  await (await World.of()).reconcile(secret);
  expect((await live(secret)).data).toEqual({ a: 'aGVsbG8=' });
});
