/** `render --as-applied` as a user runs it. That Flux sends these very objects in this order, `end-to-end/cluster/as-applied.test.ts` shows. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { runHere } from '../support/here.js';
import { configMap, createRepo, type Files, kustomization, removeRepo } from '../support/trees.js';

const flux = 'kustomize.toolkit.fluxcd.io';
const folders: string[] = [];

function repository(files: Files): string {
  const folder = createRepo(files);
  folders.push(folder);
  return folder;
}

afterAll(() => {
  for (const folder of folders) removeRepo(folder);
});

const render = (folder: string, ...more: string[]) => runHere(['render', folder, '--as-applied', ...more]);

const object = (apiVersion: string, kind: string, name: string, more: object = {}, namespace?: string) =>
  JSON.stringify({ apiVersion, kind, metadata: { name, ...(namespace && { namespace }) }, ...more });

describe('what Flux sends', () => {
  let folder: string;
  beforeAll(() => {
    folder = repository({
      'kustomization.yaml': kustomization({ resources: ['secret.yaml', 'role.yaml', 'package.yaml', 'off.yaml'] }),
      'secret.yaml': object('v1', 'Secret', 's', { stringData: { on: 'yes' }, data: {} }, 'cozy-customizer'),
      'role.yaml': object('rbac.authorization.k8s.io/v1', 'ClusterRole', 'r', { rules: [] }),
      'package.yaml': object('cozystack.io/v1alpha1', 'Package', 'cozystack.metallb', { spec: { variant: 'on' } }),
      'off.yaml': configMap('off').replace('"metadata":{', `"metadata":{"annotations":{"${flux}/ssa":"Ignore"},`),
    });
  });

  const labels = { [`${flux}/name`]: 'cozystack-customizer', [`${flux}/namespace`]: 'cozy-system' };
  const sent = [
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'r', labels },
      rules: [],
    },
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's', namespace: 'cozy-customizer', labels },
      data: { on: 'eWVz' },
    },
    {
      apiVersion: 'cozystack.io/v1alpha1',
      kind: 'Package',
      metadata: { name: 'cozystack.metallb', labels },
      spec: { variant: 'on' },
    },
  ];

  test('in its order, converted, with the labels of its owner, without what is passed over', async () => {
    const { stdout, stderr, status } = await render(folder, '--format', 'json');
    expect({ status, objects: JSON.parse(stdout) }).toEqual({ status: 0, objects: sent });
    expect(stderr).toBe('');
  });

  test('as YAML that a parser of YAML 1.1, as kubectl’s, reads the same', async () => {
    const { stdout } = await render(folder);
    const documents = parseAllDocuments(stdout, { version: '1.1' });
    expect([...documents].map((document) => document.toJS())).toEqual(sent);
  });

  test('the labels are those of the Flux Kustomization that applies it', async () => {
    const own = repository({
      'flux.yaml': object(
        `${flux}/v1`,
        'Kustomization',
        'apps',
        {
          spec: { path: './apps', sourceRef: { kind: 'GitRepository', name: 'flux-system' }, prune: true },
        },
        'flux-system',
      ),
      'apps/kustomization.yaml': kustomization({ resources: ['a.yaml'] }),
      'apps/a.yaml': configMap('a'),
    });
    const { stdout } = await render(own, '--format', 'json');
    expect(JSON.parse(stdout)[0].metadata.labels).toEqual({
      [`${flux}/name`]: 'apps',
      [`${flux}/namespace`]: 'flux-system',
    });
  });
});

test('what cannot be built is said, and the rest printed', async () => {
  const folder = repository({
    'clusters/a/kustomization.yaml': kustomization({ resources: ['a.yaml'] }),
    'clusters/a/a.yaml': configMap('a'),
    'clusters/broken/kustomization.yaml': kustomization({ resources: ['nowhere.yaml'] }),
  });
  const { stdout, stderr, status } = await render(folder, '--format', 'json');
  expect({ status, names: JSON.parse(stdout).map((one: { metadata: { name: string } }) => one.metadata.name) }).toEqual(
    { status: 1, names: ['a'] },
  );
  expect(stderr).toContain('error  clusters/broken: ');
  const one = await render(folder, '--format', 'json', '--cluster', 'broken');
  expect(JSON.parse(one.stdout)).toEqual([]);
});

test('what is encrypted is printed so, and that is said', async () => {
  const folder = repository({
    'kustomization.yaml': kustomization({ resources: ['p.yaml'] }),
    'p.yaml': object('cozystack.io/v1alpha1', 'Package', 'p', { spec: {}, sops: { mac: 'ENC[x]' } }),
  });
  const { stderr } = await render(folder);
  expect(stderr).toBe('warning  Package/p is encrypted, and is printed so; what Flux makes of it is not known\n');
});

test.each([
  [['--as-applied', '--provenance'], '--as-applied and --provenance do not go together: lines are of what is rendered'],
  [
    ['--as-applied', '--format', 'digest'],
    '--as-applied has no digest: what Flux hashes is what render prints without it',
  ],
  [
    ['--as-applied', '--cluster', 'nowhere'],
    'the repository has no cluster "nowhere", as it does not tell clusters apart; leave --cluster out',
  ],
])('%j is refused', async (args, message) => {
  const folder = repository({
    'kustomization.yaml': kustomization({ resources: ['a.yaml'] }),
    'a.yaml': configMap('a'),
  });
  const { status, stderr } = await runHere(['render', folder, ...args]);
  expect({ status, stderr }).toEqual({ status: 2, stderr: `customizer-lint: ${message}\n` });
});
