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
    'kustomization.yaml': kustomization({ resources: ['a.yaml', 'b.yaml'] }),
    'a.yaml': configMap('a'),
    'b.yaml': configMap('b').replace('"cozy-customizer"', '"Not_a_name"'),
    '.customizer-lint.yaml': 'cluster: {release: v1.6.2, variant: isp-full, ownedNamespaces: [tools]}\n',
  });
  await loadWorkspace({ home: root, directory: folder, paths: [], remotes: [] }, ({ clusters: [only] }) => {
    cluster = only as Cluster;
  });
  removeRepo(folder);
});

let server: Fake;
afterEach(() => server.close());

/** What the server is asked to take, one that answers as told and else takes all. */
async function filled(...recorded: Recorded[]) {
  const established = { status: { conditions: [{ type: 'Established', status: 'True' }] } };
  const definitions = 'GET /apis/apiextensions.k8s.io/v1/customresourcedefinitions/';
  server = await startFake([...recorded, { to: definitions, status: 200, body: established }]);
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
  const bindings = (await filled()).filter(({ kind }) => kind === 'RoleBinding');
  expect(bindings).toMatchObject([
    {
      metadata: { name: 'cozystack-customizer-owned', namespace: 'tools' },
      roleRef: { kind: 'ClusterRole', name: 'cozystack-customizer-owned' },
      subjects: [{ kind: 'ServiceAccount', namespace: 'cozy-system', name: 'cozystack-customizer' }],
    },
  ]);
});

test.each([300, 403, 409])('one that does not take something (%i) is told of', async (status) => {
  const refused = filled({ to: 'PATCH /api/v1/namespaces/tools', status, body: { message: 'not today' } });
  await expect(refused).rejects.toThrow('the cluster could not be filled: Namespace tools: not today');
});
