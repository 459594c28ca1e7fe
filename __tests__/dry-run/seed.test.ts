/** What a cluster of our own is filled with before it is asked. */
import { afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Cluster } from '../../src/cluster/cluster.js';
import { Client } from '../../src/dry-run/client.js';
import { seed } from '../../src/dry-run/seed.js';
import { loadWorkspace } from '../../src/lint/load.js';
import { type Fake, type Recorded, startFake } from '../support/apiserver.js';
import { root } from '../support/cli.js';
import { configMap, createRepo, kustomization, removeRepo } from '../support/trees.js';

let cluster: Cluster;
beforeAll(async () => {
  const folder = createRepo({
    'kustomization.yaml': kustomization({ resources: ['a.yaml', 'b.yaml', 'platform.yaml'] }),
    'a.yaml': configMap('a'),
    'b.yaml': configMap('b').replace('"cozy-customizer"', '"Not_a_name"'),
    'platform.yaml':
      'apiVersion: cozystack.io/v1alpha1\nkind: Package\nmetadata: {name: cozystack.cozystack-platform}\nspec: {}\n',
    '.customizer-lint.yaml': 'cluster: {release: v1.6.2, variant: isp-full, ownedNamespaces: [tools]}\n',
  });
  await loadWorkspace({ home: root, directory: folder, paths: [], remotes: [] }, ({ clusters: [only] }) => {
    cluster = only as Cluster;
  });
  removeRepo(folder);
});

let server: Fake;
afterEach(() => server.close());

const packages = '/apis/cozystack.io/v1alpha1/packages';

/** What the server is asked to take, one that answers as told and else takes all. */
async function filled(...recorded: Recorded[]) {
  const established = { status: { conditions: [{ type: 'Established', status: 'True' }] } };
  const definitions = 'GET /apis/apiextensions.k8s.io/v1/customresourcedefinitions/';
  const made = { to: `POST ${packages}`, status: 201, body: {} };
  server = await startFake([...recorded, made, { to: definitions, status: 200, body: established }]);
  const credentials = {
    server: `http://127.0.0.1:${server.port}`,
    options: async () => ({ agent: undefined as never }),
    close: () => {},
  };
  await seed(new Client(credentials, { writes: true, signal: new AbortController().signal }), cluster);
  return server.heard.filter(({ method }) => method === 'PATCH').map(({ body }) => JSON.parse(body));
}

test('the namespaces that the repository names are there, but for what is no name', async () => {
  const names = (await filled()).filter(({ kind }) => kind === 'Namespace').map(({ metadata }) => metadata.name);
  expect(names).toEqual(expect.arrayContaining(['cozy-system', 'cozy-customizer', 'tools']));
  expect(names).not.toContain('Not_a_name');
});

test('the customizer has its rights in the namespaces that it owns', async () => {
  const bindings = (await filled()).filter(
    ({ kind, metadata }) => kind === 'RoleBinding' && /owned$/.test(metadata.name),
  );
  expect(bindings).toMatchObject([
    {
      metadata: { name: 'cozystack-customizer-owned', namespace: 'tools' },
      roleRef: { kind: 'ClusterRole', name: 'cozystack-customizer-owned' },
      subjects: [{ kind: 'ServiceAccount', namespace: 'cozy-system', name: 'cozystack-customizer' }],
    },
  ]);
});

test('the Package of the platform is made as kubectl makes one, and may be there', async () => {
  await filled({ to: `POST ${packages}`, status: 409, body: { message: 'it is there' } });
  const made = server.heard.filter(({ method, url }) => method === 'POST' && url.startsWith(packages));
  expect(made.map(({ url }) => url)).toEqual([`${packages}?fieldManager=kubectl-client-side-apply`]);
  expect(made.map(({ body }) => JSON.parse(body))).toMatchObject([
    { kind: 'Package', metadata: { name: 'cozystack.cozystack-platform' }, spec: { variant: 'isp-full' } },
  ]);
});

test.each([300, 403, 409])('one that does not take something (%i) is told of', async (status) => {
  const refused = filled({ to: 'PATCH /api/v1/namespaces/tools', status, body: { message: 'not today' } });
  await expect(refused).rejects.toThrow('the cluster could not be filled: Namespace tools: not today');
});

const review = 'POST /apis/authorization.k8s.io/v1/subjectaccessreviews';

test('nothing is asked of a server before it judges by the roles that it was given', async () => {
  await filled(
    { to: review, status: 201, body: { status: { allowed: false } }, times: 2 },
    { to: review, status: 201, body: { status: { allowed: true } }, times: 1 },
    { to: review, status: 201, body: { status: { allowed: false } }, times: 2 },
  );
  const asked = server.heard.flatMap(({ method, url, body }) =>
    `${method} ${url}`.startsWith(review) ? [JSON.parse(body).spec.user.replace(/:[^:]*$/, '')] : [],
  );
  const [cluster, namespace] = ['customizer-lint:cluster', 'customizer-lint:namespace'];
  expect(asked).toEqual([cluster, cluster, cluster, namespace, namespace, namespace]);
  expect(server.heard.at(-1)?.url).toMatch(/subjectaccessreviews$/);
  const bound = server.heard.findLastIndex(({ body }) => body.includes('cozystack-customizer-owned'));
  expect(server.heard.findIndex(({ body }) => body.includes('customizer-lint-probe'))).toBeGreaterThan(bound);
});

test('one that cannot be asked for the rights is told of', async () => {
  const refused = filled({ to: review, status: 403, body: { message: 'not you' } });
  await expect(refused).rejects.toThrow('the cluster could not be filled: SubjectAccessReview: not you');
});
