import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import type { Json } from '../../src/core/model.js';
import {
  type AccessRequest,
  allows,
  type Grants,
  grantedBeyond,
  grantsOf,
  insteadOf,
  loadRbac,
  type PolicyRule,
  reaches,
} from '../../src/cozystack/rbac.js';
import { root } from '../support/cli.js';

const rbac = loadRbac(join(root, 'schemas'));
const customizer = grantsOf(rbac);
const user = 'User "system:serviceaccount:cozy-system:cozystack-customizer"';

/** `verb group/resource/subresource name@namespace`; a group has a dot, so that the core group can be left out. */
function request(text: string): AccessRequest {
  const [verb = '', what = '', which = ''] = text.split(' ');
  const parts = what.split('/');
  const group = parts[0]?.includes('.') || parts[0] === 'apps' ? (parts.shift() ?? '') : '';
  const [resource = '', subresource] = parts;
  const [name, namespace] = which.split('@');
  return {
    verb,
    group,
    resource,
    ...(subresource && { subresource }),
    ...(name && { name }),
    ...(namespace && { namespace }),
  };
}

function allowed(grants: Grants, text: string): boolean {
  return allows(grants, request(text)).allowed;
}

describe('the documented rights', () => {
  test.each([
    ['patch cozystack.io/packages cozystack.metallb', true],
    ['update cozystack.io/packages cozystack.metallb', true],
    ['list cozystack.io/packages', true],
    ['create cozystack.io/packages cozystack.metallb', false],
    ['delete cozystack.io/packages cozystack.metallb', false],
    ['patch cozystack.io/packages/status cozystack.metallb', false],
    ['create cozystack.io/packagesources acme.portal', true],
    ['delete cozystack.io/packagesources acme.portal', true],
    ['deletecollection cozystack.io/packagesources', false],
    ['get helm.toolkit.fluxcd.io/helmreleases metallb@cozy-metallb', true],
    ['patch helm.toolkit.fluxcd.io/helmreleases metallb@cozy-metallb', false],
    ['patch helm.toolkit.fluxcd.io/helmreleases mine@cozy-customizer', true],
    ['create source.toolkit.fluxcd.io/ocirepositories x@cozy-system', true],
    ['patch source.toolkit.fluxcd.io/gitrepositories/status x@tenant-root', true],
    ['create source.extensions.fluxcd.io/artifactgenerators x@cozy-system', false],
    ['patch k8s.keycloak.org/keycloakrealmimports x@cozy-keycloak', true],
    ['patch v1.edp.epam.com/keycloakrealms x@cozy-keycloak', false],
    ['patch configmaps x@cozy-customizer', true],
    ['patch rbac.authorization.k8s.io/rolebindings x@cozy-customizer', true],
    ['create pods/exec x@cozy-customizer', true],
    ['patch configmaps x@cozy-system', false],
    ['patch configmaps x', false],
    ['patch namespaces cozy-customizer', true],
    ['delete namespaces cozy-customizer', true],
    ['patch namespaces platform-tools', false],
    ['list namespaces', false],
    ['patch rbac.authorization.k8s.io/clusterroles x', false],
    ['patch apiextensions.k8s.io/customresourcedefinitions x', false],
    ['patch admissionregistration.k8s.io/validatingwebhookconfigurations x', false],
    ['patch apps/deployments cozystack-controller@cozy-system', false],
    ['get configmaps x@kube-system', false],
  ])('%s: %s', (text, expected) => {
    expect(allowed(customizer, text)).toBe(expected);
  });

  test('in other owned namespaces', () => {
    const grants = grantsOf(rbac, { ownedNamespaces: ['platform-tools'] });
    expect(allowed(grants, 'patch configmaps x@platform-tools')).toBe(true);
    expect(allowed(grants, 'patch namespaces platform-tools')).toBe(true);
    expect(allowed(grants, 'patch configmaps x@cozy-customizer')).toBe(false);
    expect(allowed(grants, 'patch cozystack.io/packages x')).toBe(true);
  });

  test('are of nobody else', () => {
    const grants = grantsOf(rbac, { account: { namespace: 'cozy-customizer', name: 'cozystack-customizer' } });
    expect(allowed(grants, 'patch cozystack.io/packages x')).toBe(false);
    expect(allowed(grants, 'patch configmaps x@cozy-customizer')).toBe(false);
  });
});

const proposed = join(root, '../shared/upstream/customizer-chart/packages/system/customizer');
const hasProposed = existsSync(proposed);
if (!hasProposed) console.log('skipped: the roles of the customizer, as its chart is not beside the repository');

(hasProposed ? describe : describe.skip)('the chart of the customizer', () => {
  test('has these rules', () => {
    expect(read('templates/clusterrole.yaml')).toMatchObject({ rules: rbac.cluster });
  });

  test('binds them, and cluster-admin in the owned namespaces', () => {
    expect(read('templates/clusterrolebinding.yaml')).toMatchObject({
      roleRef: { kind: 'ClusterRole', name: 'cozystack-customizer' },
      subjects: [{ kind: 'ServiceAccount', name: rbac.account.name }],
    });
    expect(read('templates/rolebindings.yaml')).toMatchObject({
      roleRef: { kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ kind: 'ServiceAccount', name: rbac.account.name }],
    });
    expect(read('values.yaml')).toMatchObject({ rbac: { ownedNamespaces: rbac.ownedNamespaces } });
  });

  /** The last document of a file, without what a template would put there. */
  function read(file: string): unknown {
    const text = readFileSync(join(proposed, file), 'utf8');
    return parseAllDocuments(text.replace(/^\{\{.*\}\}$/gm, '').replace(/\{\{.*?\}\}/g, 'x'))
      .at(-1)
      ?.toJS();
  }
});

const seeds = join(root, '../shared/seeds');
const seed = existsSync(seeds) ? readdirSync(seeds).find((name) => name.startsWith('001')) : undefined;
if (!seed) console.log('skipped: the rights in the documentation, as it is not beside the repository');

(seed ? describe : describe.skip)('the documentation', () => {
  const lines = seed ? readFileSync(join(seeds, seed), 'utf8').split('\n') : [];

  test('has these rules', () => {
    const start = lines.indexOf('| Resource | Verbs | Notes |') + 2;
    const end = lines.findIndex((line, index) => index > start && !line.includes('|'));
    const documented = lines.slice(start, end).map((line) => {
      const [resources = '', verbs = ''] = line.split('|').map((cell) => cell.trim());
      return { ...kindsOf(resources), verbs: verbs === 'full' ? verbs : verbs.split(', ') };
    });
    const full = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];
    const isFull = (verbs: readonly string[]) => verbs.includes('*') || full.every((verb) => verbs.includes(verb));
    expect(documented).toEqual(
      rbac.cluster.map((rule) => ({ ...rule, verbs: isFull(rule.verbs) ? 'full' : [...rule.verbs] })),
    );
  });

  test('names what is not granted', () => {
    const start = lines.findIndex((line) => /explicitly not granted/i.test(line)) + 1;
    const end = lines.findIndex((line, index) => index > start && line.startsWith('If you need'));
    const items = lines.slice(start, end).join(' ').split('- ');
    const rows = rbac.notGranted.filter(({ documented }) => documented);
    expect(
      items.map((item) => rows.filter((row) => words(row).some((word) => item.includes(word))).map(({ what }) => what)),
    ).toEqual([
      ['deleting a Package'],
      ['custom resource definitions'],
      ["the platform's controller and its account", "the rights of the platform's controller"],
      ['admission webhooks and policies'],
      ['anything in kube-system'],
    ]);
  });

  /** `a, b (group)`, `a.group` or `*.group`, perhaps with a remark behind it. */
  function kindsOf(cell: string): { apiGroups: string[]; resources: string[] } {
    const several = /^(.+) \((\S+\.\S+)\)$/.exec(cell);
    if (several) return { apiGroups: [several[2] ?? ''], resources: (several[1] ?? '').split(', ') };
    const [, resource = '', group = ''] = /^([^.]+)\.(\S+)/.exec(cell) ?? [];
    return { apiGroups: [group], resources: [resource] };
  }

  /** What a row is recognized by in a sentence. */
  function words({
    apiGroups = [],
    resources = [],
    resourceNames = [],
    namespaces = [],
  }: PolicyRule & Where): string[] {
    if (resourceNames.length > 0) return [...resourceNames];
    if (namespaces.length > 0) return [...namespaces];
    if (apiGroups[0] === 'admissionregistration.k8s.io') return ['webhookconfigurations'];
    if (resources.includes('*')) return [...apiGroups];
    return resources.map((resource) => `${resource}.${apiGroups[0]}`);
  }
  type Where = { namespaces?: readonly string[] };
});

describe('a refusal reads as that of the API server', () => {
  test.each([
    // The manifest of a Package that is not there: patching is allowed, creating is not.
    [
      'create cozystack.io/packages myorg.internal-portal',
      `${user} cannot create resource "packages" in API group "cozystack.io" at the cluster scope`,
    ],
    [
      'delete cozystack.io/packages cozystack.metallb',
      `${user} cannot delete resource "packages" in API group "cozystack.io" at the cluster scope`,
    ],
    [
      'patch namespaces platform-tools',
      `${user} cannot patch resource "namespaces" in API group "" in the namespace "platform-tools"`,
    ],
    [
      'patch rbac.authorization.k8s.io/clusterroles x',
      `${user} cannot patch resource "clusterroles" in API group "rbac.authorization.k8s.io" at the cluster scope`,
    ],
    [
      'patch secrets x@kube-system',
      `${user} cannot patch resource "secrets" in API group "" in the namespace "kube-system"`,
    ],
    // A namespaced object without a namespace.
    ['patch configmaps r26', `${user} cannot patch resource "configmaps" in API group "" at the cluster scope`],
    [
      'create pods/exec x@cozy-system',
      `${user} cannot create resource "pods/exec" in API group "" in the namespace "cozy-system"`,
    ],
  ])('%s', (text, refusal) => {
    expect(allows(customizer, request(text))).toMatchObject({ allowed: false, refusal, unsure: [] });
  });

  test('and says which right is missing', () => {
    expect(allows(customizer, request('patch namespaces platform-tools'))).toMatchObject({
      missing: {
        verb: 'patch',
        group: '',
        resource: 'namespaces',
        namespace: 'platform-tools',
        name: 'platform-tools',
      },
    });
  });
});

describe('a rule', () => {
  test.each<[rule: PolicyRule, text: string, expected: boolean]>([
    [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }, 'get pods x@n', true],
    [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }, 'list pods @n', false],
    [{ apiGroups: [''], resources: ['pods'], verbs: ['*'] }, 'approve pods x@n', true],
    [{ apiGroups: ['*'], resources: ['pods'], verbs: ['get'] }, 'get metrics.k8s.io/pods x@n', true],
    [{ apiGroups: ['apps'], resources: ['*'], verbs: ['get'] }, 'get pods x@n', false],
    [{ apiGroups: ['apps'], resources: ['*'], verbs: ['get'] }, 'get apps/deployments/scale x@n', true],
    [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }, 'get pods/log x@n', false],
    [{ apiGroups: [''], resources: ['pods/log'], verbs: ['get'] }, 'get pods/log x@n', true],
    [{ apiGroups: [''], resources: ['pods/log'], verbs: ['get'] }, 'get pods x@n', false],
    [{ apiGroups: ['*'], resources: ['*/scale'], verbs: ['get'] }, 'get apps/deployments/scale x@n', true],
    [{ apiGroups: ['*'], resources: ['*/scale'], verbs: ['get'] }, 'get apps/deployments/status x@n', false],
    [{ apiGroups: ['*'], resources: ['*/scale'], verbs: ['get'] }, 'get apps/deployments x@n', false],
    [{ apiGroups: [''], resources: ['pods/*'], verbs: ['get'] }, 'get pods/log x@n', false],
    [{ apiGroups: [''], resources: ['pods'], verbs: ['get'], resourceNames: ['x'] }, 'get pods x@n', true],
    [{ apiGroups: [''], resources: ['pods'], verbs: ['get'], resourceNames: ['x'] }, 'get pods y@n', false],
    [{ apiGroups: [''], resources: ['pods'], verbs: ['list'], resourceNames: ['x'] }, 'list pods @n', false],
    [{ apiGroups: [''], resources: ['pods'], verbs: ['get'], resourceNames: ['*'] }, 'get pods x@n', false],
    [{ apiGroups: [''], resources: ['pods'], verbs: ['get'], resourceNames: [] }, 'get pods x@n', true],
    [{ resources: ['pods'], verbs: ['get'] }, 'get pods x@n', false],
    [{ apiGroups: [''], verbs: ['get'] }, 'get pods x@n', false],
    [{ apiGroups: [''], resources: ['Pods'], verbs: ['get'] }, 'get pods x@n', false],
  ])('%j on %s: %s', (rule, text, expected) => {
    const grants: Grants = {
      account: { namespace: 'n', name: 'a' },
      cluster: [rule],
      namespaces: new Map(),
      unknown: [],
    };
    expect(allowed(grants, text)).toBe(expected);
  });
});

describe('roles and bindings', () => {
  const account = { namespace: 'team', name: 'deployer' };
  const self = { kind: 'ServiceAccount', name: 'deployer', namespace: 'team' };

  function role(kind: 'Role' | 'ClusterRole', name: string, rules: Json, more: { [key: string]: Json } = {}): Json {
    const metadata = { name, ...(kind === 'Role' && { namespace: 'team' }) };
    return { apiVersion: 'rbac.authorization.k8s.io/v1', kind, metadata, rules, ...more };
  }

  function binding(namespace: string | undefined, subject: Json, roleKind: string, roleName: string): Json {
    return {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding',
      metadata: { name: 'binding', ...(namespace !== undefined && { namespace }) },
      subjects: [subject],
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: roleKind, name: roleName },
    };
  }

  const reader = role('ClusterRole', 'reader', [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }]);
  const writer = role('Role', 'writer', [{ apiGroups: [''], resources: ['configmaps'], verbs: ['patch'] }]);

  test.each<[what: string, objects: Json[], text: string, expected: boolean]>([
    ['nothing', [], 'get configmaps x@team', false],
    ['a role that nobody is bound to', [writer], 'patch configmaps x@team', false],
    ['a role', [writer, binding('team', self, 'Role', 'writer')], 'patch configmaps x@team', true],
    ['a role, elsewhere', [writer, binding('team', self, 'Role', 'writer')], 'patch configmaps x@other', false],
    [
      'a role of another namespace',
      [writer, binding('other', self, 'Role', 'writer')],
      'patch configmaps x@other',
      false,
    ],
    [
      'a cluster role in a namespace',
      [reader, binding('other', self, 'ClusterRole', 'reader')],
      'get configmaps x@other',
      true,
    ],
    [
      'a cluster role in a namespace, elsewhere',
      [reader, binding('other', self, 'ClusterRole', 'reader')],
      'get configmaps x@team',
      false,
    ],
    [
      'a cluster role everywhere',
      [binding(undefined, self, 'ClusterRole', 'reader'), reader],
      'get configmaps x@team',
      true,
    ],
    ['a cluster role in none', [binding(undefined, self, 'ClusterRole', 'reader'), reader], 'get configmaps x', true],
    [
      'a role cannot be bound everywhere',
      [writer, binding(undefined, self, 'Role', 'writer')],
      'patch configmaps x@team',
      false,
    ],
    ['cluster-admin everywhere', [binding(undefined, self, 'ClusterRole', 'cluster-admin')], 'delete nodes x', true],
    [
      'cluster-admin in a namespace',
      [binding('team', self, 'ClusterRole', 'cluster-admin')],
      'delete secrets x@team',
      true,
    ],
    [
      'cluster-admin in a namespace, its Namespace',
      [binding('team', self, 'ClusterRole', 'cluster-admin')],
      'delete namespaces team',
      true,
    ],
    [
      'cluster-admin in a namespace, outside',
      [binding('team', self, 'ClusterRole', 'cluster-admin')],
      'get nodes x',
      false,
    ],
    [
      'a subject without a namespace is in that of the role binding',
      [writer, binding('team', { kind: 'ServiceAccount', name: 'deployer' }, 'Role', 'writer')],
      'patch configmaps x@team',
      true,
    ],
    [
      'a subject without a namespace is nobody in a cluster role binding',
      [reader, binding(undefined, { kind: 'ServiceAccount', name: 'deployer' }, 'ClusterRole', 'reader')],
      'get configmaps x@team',
      false,
    ],
    [
      'a service account of the same name elsewhere',
      [reader, binding(undefined, { ...self, namespace: 'other' }, 'ClusterRole', 'reader')],
      'get configmaps x@team',
      false,
    ],
    ...[
      ['User', 'system:serviceaccount:team:deployer', true],
      ['User', 'system:serviceaccount:team:other', false],
      ['User', 'deployer', false],
      ['Group', 'system:serviceaccounts', true],
      ['Group', 'system:serviceaccounts:team', true],
      ['Group', 'system:serviceaccounts:other', false],
      ['Group', 'system:authenticated', true],
      ['Group', 'system:unauthenticated', false],
      ['Group', 'system:masters', false],
      ['Robot', 'deployer', false],
    ].map(([kind = '', name = '', expected]): [string, Json[], string, boolean] => [
      `the ${kind} ${name}`,
      [reader, binding(undefined, { kind, name }, 'ClusterRole', 'reader')],
      'get configmaps x@team',
      expected as boolean,
    ]),
    [
      'other kinds of the same name',
      [
        {
          apiVersion: 'example.org/v1',
          kind: 'ClusterRoleBinding',
          subjects: [self],
          roleRef: { kind: 'ClusterRole', name: 'cluster-admin' },
        },
      ],
      'get configmaps x@team',
      false,
    ],
    [
      'what has the wrong shape',
      [
        null,
        'text',
        binding(undefined, null, 'ClusterRole', 'cluster-admin'),
        { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRoleBinding', subjects: 'x', roleRef: [] },
        role('ClusterRole', 'reader', { a: 1 }),
        role('Role', 'writer', [null, { verbs: 'get', apiGroups: '', resources: [1] }]),
        binding('team', self, 'Role', 'writer'),
      ],
      'get configmaps x@team',
      false,
    ],
  ])('%s', (_, objects, text, expected) => {
    expect(allowed(grantsOf(rbac, { account, objects }), text)).toBe(expected);
  });

  test('what is bound but not known leaves the verdict open, where it is bound', () => {
    const grants = grantsOf(rbac, {
      account,
      objects: [
        binding('team', self, 'Role', 'gone'),
        binding(undefined, self, 'ClusterRole', 'edit'),
        role('ClusterRole', 'edit', [], { aggregationRule: { clusterRoleSelectors: [] } }),
      ],
    });
    expect(allows(grants, request('get configmaps x@team'))).toMatchObject({
      allowed: false,
      unsure: ['ClusterRole/edit', 'Role/team/gone'],
    });
    expect(allows(grants, request('get configmaps x@other'))).toMatchObject({ unsure: ['ClusterRole/edit'] });
  });

  test('an aggregated role counts by the rules that it was seen with', () => {
    const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }];
    const view = role('ClusterRole', 'view', rules, { aggregationRule: { clusterRoleSelectors: [] } });
    const grants = grantsOf(rbac, { account, objects: [view, binding('team', self, 'ClusterRole', 'view')] });
    expect(allowed(grants, 'get configmaps x@team')).toBe(true);
  });

  test('add to what is documented', () => {
    const subject = { kind: 'ServiceAccount', name: 'cozystack-customizer', namespace: 'cozy-system' };
    const creator = role('ClusterRole', 'creator', [
      { apiGroups: ['cozystack.io'], resources: ['packages'], verbs: ['create'] },
    ]);
    const grants = grantsOf(rbac, { objects: [creator, binding(undefined, subject, 'ClusterRole', 'creator')] });
    expect(allowed(grants, 'create cozystack.io/packages x')).toBe(true);
    expect(allowed(grants, 'patch cozystack.io/packages x')).toBe(true);
    expect(allowed(grants, 'delete cozystack.io/packages x')).toBe(false);
  });
});

describe('what to do instead', () => {
  test.each([
    ['delete cozystack.io/packages x', 'deleting a Package'],
    ['create cozystack.io/packages x', 'creating a Package'],
    ['patch apiextensions.k8s.io/customresourcedefinitions x', 'custom resource definitions'],
    ['patch admissionregistration.k8s.io/mutatingwebhookconfigurations x', 'admission webhooks and policies'],
    ['patch apps/deployments cozystack-controller@cozy-system', "the platform's controller and its account"],
    [
      'patch rbac.authorization.k8s.io/clusterrolebindings cozystack-controller',
      "the rights of the platform's controller",
    ],
    ['patch rbac.authorization.k8s.io/clusterrolebindings x', 'rights in the whole cluster'],
    ['patch rbac.authorization.k8s.io/rolebindings x@kube-system', 'anything in kube-system'],
    ['patch rbac.authorization.k8s.io/rolebindings x@cozy-system', 'anything in the namespaces of the platform'],
    ['patch rbac.authorization.k8s.io/rolebindings x@tools', 'rights in namespaces that the customizer does not own'],
    ['patch namespaces platform-tools', 'namespaces that the customizer does not own'],
    ['patch namespaces cozy-system', 'namespaces of Kubernetes, of the platform and of tenants'],
    ['patch namespaces cozy-customizer', 'namespaces that the customizer does not own'],
    ['patch helm.toolkit.fluxcd.io/helmreleases x@cozy-metallb', 'HelmReleases of the platform'],
    [
      'patch helm.toolkit.fluxcd.io/helmreleases x@tools',
      'HelmReleases in namespaces that the customizer does not own',
    ],
    ['patch configmaps x@default', 'anything in the namespaces of Kubernetes'],
    ['patch configmaps x@tenant-root', 'anything in the namespace of a tenant'],
    ['patch configmaps x@cozy-customizer', 'objects in namespaces that the customizer does not own'],
    [
      'patch apps.cozystack.io/tenants x@tenant-root',
      'applications and tenants, which count in the namespace of their tenant only',
    ],
    ['patch v1.edp.epam.com/clusterkeycloakrealms x', 'realms, clients and users of Keycloak'],
    ['patch source.extensions.fluxcd.io/artifactgenerators x@cozy-system', 'generators of artifacts'],
    ['patch cert-manager.io/clusterissuers x', 'objects that are in no namespace'],
    [
      'patch metallb.io/ipaddresspools x@cozy-metallb',
      'the configuration of MetalLB, which reads its own namespace only',
    ],
    ['patch snapshot.storage.k8s.io/volumesnapshots x@tools', 'objects in namespaces that the customizer does not own'],
  ])('of %s: %s', (text, what) => {
    expect(insteadOf(rbac, request(text))?.what).toBe(what);
  });

  test('nothing that is granted is documented as not granted', () => {
    for (const { apiGroups = [], resources = [], verbs } of rbac.cluster) {
      for (const verb of verbs.filter((verb) => verb !== '*')) {
        const text = `${verb} ${apiGroups[0]}/${resources[0]} x@cozy-system`;
        expect([text, insteadOf(rbac, request(text))?.documented]).toEqual([text, false]);
      }
    }
  });
});

test('a right on a path of the server is none on an API group', () => {
  const rule = { verbs: ['get'], nonResourceURLs: ['/metrics'] } as PolicyRule;
  const grants = { ...customizer, cluster: [rule], namespaces: new Map() };
  expect(reaches(grants, { verb: 'get', group: '' })).toBe(false);
  const more = { ...grants, cluster: [rule, { verbs: ['get'], apiGroups: ['apps'], resources: ['deployments'] }] };
  expect([reaches(more, { verb: 'get', group: 'apps' }), reaches(more, { verb: 'get', group: '' })]).toEqual([
    true,
    false,
  ]);
});

describe('who does not have a right himself grants it where he may', () => {
  const group = 'rbac.authorization.k8s.io';
  const rules = [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }];
  const object = (kind: string, name: string, more: { [key: string]: Json }) => ({
    ...{ apiVersion: `${group}/v1`, kind, metadata: { name, ...(/^C/.test(kind) ? {} : { namespace: 'b' }) } },
    ...more,
  });
  const role = (kind: string, name: string) => object(kind, name, { rules });
  const binding = (kind: string, of: string, name: string) =>
    object(kind, 'a-binding', { roleRef: { apiGroup: group, kind: of, name }, subjects: [] });
  const known = ['Role', 'ClusterRole'].flatMap((kind) => ['mine', 'other'].map((name) => role(kind, name)));
  const may = (verb: string, resource: string, name = 'mine'): PolicyRule => ({
    ...{ apiGroups: [group], resources: [resource], verbs: [verb], resourceNames: [name] },
  });

  test.each<[string, PolicyRule, ReturnType<typeof object>, boolean]>([
    ['escalate this role', may('escalate', 'roles'), role('Role', 'mine'), true],
    ['escalate another role', may('escalate', 'roles'), role('Role', 'other'), false],
    ['escalate this cluster role', may('escalate', 'clusterroles'), role('ClusterRole', 'mine'), true],
    ['escalate another cluster role', may('escalate', 'clusterroles'), role('ClusterRole', 'other'), false],
    ['escalate roles, and this is a cluster role', may('escalate', 'roles'), role('ClusterRole', 'mine'), false],
    ['bind this role', may('bind', 'roles'), binding('RoleBinding', 'Role', 'mine'), true],
    ['bind another role', may('bind', 'roles'), binding('RoleBinding', 'Role', 'other'), false],
    ['bind this cluster role here', may('bind', 'clusterroles'), binding('RoleBinding', 'ClusterRole', 'mine'), true],
    [
      'bind this cluster role everywhere',
      may('bind', 'clusterroles'),
      binding('ClusterRoleBinding', 'ClusterRole', 'mine'),
      true,
    ],
    [
      'bind another cluster role',
      may('bind', 'clusterroles'),
      binding('ClusterRoleBinding', 'ClusterRole', 'other'),
      false,
    ],
    [
      'bind what is named as the binding is',
      may('bind', 'roles', 'a-binding'),
      binding('RoleBinding', 'Role', 'mine'),
      false,
    ],
    ['only bind, and this is a role', may('bind', 'roles'), role('Role', 'mine'), false],
  ])('who may %s', (_, rule, granting, isGranted) => {
    const grants = { ...customizer, cluster: [rule], namespaces: new Map() };
    expect(grantedBeyond(grants, granting, known)).toEqual(
      isGranted ? { beyond: undefined } : expect.objectContaining({ beyond: 'get secrets' }),
    );
  });
});

describe('a role of many rights hides none that its author does not have', () => {
  const numbered = (name: string) => Array.from({ length: 2000 }, (_, index) => `${name}${index}`);
  const [resources, verbs] = [numbered('r'), numbered('v')];
  const odd = { apiGroups: [''], resources: ['secrets'], verbs: ['get'] };
  const beyond = (held: PolicyRule[], rules: PolicyRule[]) => {
    const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name: 'a', namespace: 'b' } };
    const grants = { ...customizer, cluster: held, namespaces: new Map() };
    return grantedBeyond(grants, { ...role, rules: rules as unknown as Json }, []);
  };

  test.each<[string, PolicyRule[], PolicyRule]>([
    [
      'held as one',
      [{ apiGroups: [''], resources, verbs }],
      { apiGroups: [''], resources: [...resources, ...resources], verbs: [...verbs, ...verbs] },
    ],
    [
      'the same right again and again',
      [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
      { apiGroups: [''], resources: resources.map(() => 'pods'), verbs: verbs.map(() => 'get') },
    ],
    [
      'held in two parts',
      [
        { apiGroups: [''], resources: ['pods'], verbs: ['get'] },
        { apiGroups: [''], resources: ['pods'], verbs: ['list'] },
      ],
      { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] },
    ],
  ])('%s', (_, held, rule) => {
    expect(beyond(held, [rule])).toEqual({ beyond: undefined });
    expect(beyond(held, [rule, odd])).toMatchObject({ beyond: 'get secrets', field: ['rules', 1] });
  });

  test('nor where there are more than can be compared', () => {
    const held = verbs.map((verb) => ({ apiGroups: [''], resources, verbs: [verb] }));
    expect(beyond(held, [{ apiGroups: [''], resources, verbs }, odd])).toMatchObject({ field: ['rules', 0] });
  });

  test('nor is the end looked for of more than can be compared, however little the author has', () => {
    const all = verbs.slice(0, 20);
    const held = [{ verbs: all.slice(0, -1), nonResourceURLs: ['*'] }];
    const rule = { verbs: all, nonResourceURLs: Array.from({ length: 60_000 }, (_, index) => `/${index}`) };
    // One that the author has: more than a million of these come before the first that he does not have.
    expect(beyond(held, [rule])).toMatchObject({ beyond: expect.not.stringContaining('v19 '), field: ['rules', 0] });
  });
});
