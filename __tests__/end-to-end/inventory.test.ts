/** `inventory` as a user runs it. That Flux records these very ids, `end-to-end/cluster/simulation.test.ts` shows. */
import { afterAll, expect, test } from '@jest/globals';
import { runHere } from '../support/here.js';
import { configMap, createRepo, kustomization, removeRepo } from '../support/trees.js';

const folder = createRepo({
  'kustomization.yaml': kustomization({ resources: ['a.yaml', 'p.yaml', 'r.yaml', 'off.yaml'] }),
  'a.yaml': configMap('settings'),
  'p.yaml': 'apiVersion: cozystack.io/v1alpha1\nkind: Package\nmetadata: {name: cozystack.metallb, namespace: tools}\n',
  'r.yaml': 'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: "tools:read"}\nrules: []\n',
  'off.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: off, namespace: a, annotations: {kustomize.toolkit.fluxcd.io/ssa: Ignore}}\n',
});

afterAll(() => removeRepo(folder));

test('the ids, sorted, without what Flux passes over, and without the namespace of what is in none', async () => {
  const { stdout, status } = await runHere(['inventory', folder]);
  expect({ status, stdout }).toEqual({
    status: 0,
    stdout: `# .: the root has a kustomization
_cozystack.metallb_cozystack.io_Package
_tools__read_rbac.authorization.k8s.io_ClusterRole
cozy-customizer_settings__ConfigMap
`,
  });
});

test('with versions, as Flux has them', async () => {
  const { stdout } = await runHere(['inventory', folder, '--format', 'json']);
  expect(JSON.parse(stdout)[0].entries[0]).toEqual({ id: '_cozystack.metallb_cozystack.io_Package', v: 'v1alpha1' });
});
