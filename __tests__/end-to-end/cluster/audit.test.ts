/** `audit --kubeconfig` on a real API server: what Helm, kubectl and Flux have written there, read only. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { definitionOf } from '../../../src/cluster/crds.js';
import { type Definition, loadSchemas } from '../../../src/cozystack/schemas.js';
import { root, runCli } from '../../support/cli.js';
import { type Cluster, type Definition as Crd, startCluster } from '../../support/cluster.js';
import { chartPackage, type Manifest, packageOf, values } from '../../support/live.js';
import { createRepo, removeRepo } from '../../support/trees.js';

const path = '/apis/cozystack.io/v1alpha1/packages';
const folder = createRepo({});
let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster({ audit: true });
  const schemas = loadSchemas(join(root, 'schemas'), 'v1.6.2');
  await cluster.define(definitionOf(schemas.definition('cozystack.io', 'Package') as Definition) as unknown as Crd);
  await write('POST', 'kubectl-create', packageOf('cozystack-platform', { variant: 'isp-full' }));
  await write('POST', 'helm-controller', chartPackage('metallb', {}));
  await write('PATCH', 'helm-controller', chartPackage('kubevirt', values('kubevirt', { cpuAllocationRatio: 10 })));
});

afterAll(async () => {
  await cluster?.stop();
  removeRepo(folder);
});

async function write(method: 'POST' | 'PATCH', manager: string, object: Manifest): Promise<void> {
  const at = method === 'POST' ? path : `${path}/${object.metadata.name}`;
  const force = method === 'PATCH' ? '&force=true' : '';
  const { status, body } = await cluster.adminRequest(method, `${at}?fieldManager=${manager}${force}`, object);
  if (status > 201) throw new Error(body.message);
}

function audit() {
  return runCli(['audit', '--kubeconfig', cluster.kubeconfig, '--release', 'v1.6.2'], { cwd: folder });
}

test('a clean cluster, then what Flux takes there; nothing is written', async () => {
  const clean = await audit();
  expect({ status: clean.status, first: clean.stdout.split('\n')[0] }).toEqual({
    status: 0,
    first: 'Nothing is taken in 3 Packages, 2 of them made by the platform chart',
  });
  await write('PATCH', 'kustomize-controller', packageOf('metallb', { variant: 'oidc' }));
  await write('PATCH', 'kustomize-controller', packageOf('kubevirt', values('kubevirt', { cpuAllocationRatio: 3 })));
  const before = cluster.audit().length;
  const { status, stdout } = await audit();
  expect(status).toBe(1);
  expect(stdout.match(/^ {2}\w+ .*$/gm)?.slice(0, 2)).toEqual([
    '  taken   spec.components.kubevirt.values.cpuAllocationRatio: 3, where the platform sets 10',
    '  taken   spec.variant: "oidc", where the platform sets "default"',
  ]);
  const asked = cluster
    .audit()
    .slice(before)
    .filter(({ userAgent }) => userAgent === 'customizer-lint');
  expect(asked.map(({ verb }) => verb)).toEqual(['list', 'list']);
});
