/** The snapshot of a cluster: what kubectl prints goes in, and no value of it comes out. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { runHere } from '../support/here.js';

const folder = mkdtempSync(join(tmpdir(), 'snapshot-'));
afterAll(() => rmSync(folder, { recursive: true }));

let planted = 0;
const canary = () => `canary-${++planted}-7f3a`;

/** Everywhere a value can stand in what kubectl prints of a cluster. */
function cluster() {
  const names = ['metallb', 'linstor', 'kubevirt', 'keycloak', 'monitoring-agents', 'cozystack-platform'];
  const packages = names.map((name) => ({
    apiVersion: 'cozystack.io/v1alpha1',
    kind: 'Package',
    metadata: {
      name: `cozystack.${name}`,
      labels: { note: canary() },
      annotations: { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify({ spec: canary() }) },
      managedFields: [
        {
          manager: 'helm-controller',
          operation: 'Apply',
          fieldsV1: {
            'f:spec': {
              'f:variant': {},
              'f:components': {
                'f:main': {
                  '.': {},
                  'f:values': {
                    'f:list': { [`v:"${canary()}"`]: {} },
                    'f:items': { [`k:{"name":"${canary()}"}`]: { 'f:value': {} } },
                  },
                },
              },
            },
          },
        },
        { manager: 'kubectl-client-side-apply', operation: 'Update', fieldsV1: { 'f:spec': { 'f:x': {} } } },
        { manager: 'operator', operation: 'Update', subresource: 'status', fieldsV1: { 'f:status': {} } },
      ],
    },
    spec: {
      variant: 'default',
      components: { main: { values: { password: canary(), list: [canary()], nested: { deep: { token: canary() } } } } },
    },
    status: { conditions: [{ message: canary() }] },
  }));
  const others = [
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a', namespace: 'b' }, data: { x: canary() } },
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: canary() }, stringData: { [canary()]: canary() } },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: canary() }, data: { x: canary() } },
    {
      apiVersion: 'cozystack.io/v1alpha1',
      kind: 'PackageSource',
      metadata: { name: 'cozystack.metallb', annotations: { a: canary() } },
      spec: { sourceRef: { kind: 'OCIRepository', name: canary() }, variants: [{ name: canary() }] },
    },
    {
      apiVersion: 'source.toolkit.fluxcd.io/v1',
      kind: 'OCIRepository',
      metadata: { name: 'cozystack-platform', namespace: 'cozy-system' },
      spec: { url: `oci://user:${canary()}@example.org/x`, ref: { tag: 'v1.6.2' } },
    },
    {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'pools.metallb.io', annotations: { a: canary() } },
      spec: {
        group: 'metallb.io',
        names: { kind: 'IPAddressPool' },
        versions: [
          { name: 'v1beta1', served: true, schema: { openAPIV3Schema: { description: canary() } } },
          { name: 'v1alpha1', served: false },
        ],
      },
    },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'customizer', namespace: 'platform-tools', annotations: { a: canary() } },
      subjects: [{ kind: 'ServiceAccount', name: 'cozystack-customizer', namespace: 'cozy-system' }],
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: canary() },
      subjects: [{ kind: 'User', name: canary() }],
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: canary() },
    },
  ];
  return { apiVersion: 'v1', kind: 'List', items: [...packages, ...others] };
}

describe('a snapshot', () => {
  const dump = cluster();
  const forms: [string, string][] = [
    ['YAML', stringify(dump)],
    ['YAML of many documents', dump.items.map((item) => stringify(item)).join('---\n')],
    ['JSON', JSON.stringify(dump, null, 2)],
  ];

  test.each(forms)('out of %s holds names and managers, and none of the planted values', async (form, text) => {
    expect(planted).toBeGreaterThanOrEqual(50);
    const file = join(folder, form.replaceAll(' ', '-'));
    writeFileSync(file, text);
    const { status, stdout, stderr } = await runHere(['snapshot', file]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout.match(/canary-\d+-7f3a/g) ?? []).toEqual([]);
    const snapshot = parse(stdout);
    expect(snapshot.taken).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(snapshot.release).toBe('v1.6.2');
    expect(snapshot.ownedNamespaces).toEqual(['platform-tools']);
    expect(snapshot.kinds).toEqual({ 'metallb.io/IPAddressPool': ['v1beta1'] });
    expect(snapshot.packages['cozystack.metallb']).toEqual({
      variant: 'default',
      components: ['main'],
      managers: [
        {
          manager: 'helm-controller',
          operation: 'Apply',
          fields: ['spec.components.main.values.items', 'spec.components.main.values.list', 'spec.variant'],
        },
        { manager: 'kubectl-client-side-apply', operation: 'Update', fields: ['spec.x'] },
      ],
    });
  });

  test.each([
    ['no Packages', 'apiVersion: v1\nkind: Secret\nmetadata: {name: a}\n', 'there is no Package'],
    ['broken YAML', 'a: [', 'not valid YAML'],
    ['broken JSON', '{"a": ', 'begins like JSON'],
    ['nothing', '', 'there is no Package'],
  ])('of %s is refused, with a way out', async (name, text, words) => {
    const file = join(folder, name.replaceAll(' ', '-'));
    writeFileSync(file, text);
    const { status, stdout, stderr } = await runHere(['snapshot', file]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(words);
  });
});
