/** `diff` as a user runs it: what the simulation says of small repositories, told in their own fixtures or here. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { root } from '../support/cli.js';
import { runHere } from '../support/here.js';
import { configMap, createRepo, type Files, kustomization, removeRepo } from '../support/trees.js';

const folders: string[] = [];

afterAll(() => {
  for (const folder of folders) removeRepo(folder);
});

function repository(files: Files): string {
  const folder = createRepo({ '.customizer-lint.yaml': 'cluster: {release: v1.6.2, variant: isp-full}\n', ...files });
  folders.push(folder);
  return folder;
}

async function diff(directory: string, more: string[] = []) {
  const { stdout, stderr, status } = await runHere(['diff', directory, ...more]);
  return { status, lines: stdout.split('\n'), stdout, stderr: stderr.replace(/^(?:rendering|simulating).*\n/gm, '') };
}

const fixture = (name: string) => join(root, '__tests__', 'rules', name);
const flux = 'kustomize.toolkit.fluxcd.io';

function packageOf(name: string, spec: object, annotations: object = { [`${flux}/ssa`]: 'Merge' }): string {
  return JSON.stringify({
    ...{ apiVersion: 'cozystack.io/v1alpha1', kind: 'Package' },
    metadata: { name: `cozystack.${name}`, annotations },
    spec,
  });
}

const variable = (name: string) => `\${${name}}`;
const one = (file: string) => kustomization({ resources: [file] });

describe('what becomes of fields', () => {
  test('the documented first example: what kubectl has set vanishes', async () => {
    const { lines, status } = await diff(fixture('kubectl-takeover/bad'));
    expect(status).toBe(1);
    expect(lines).toContain('    - spec.variant: "isp-full", was of kubectl-client-side-apply');
  });

  test('and stays with ssa: Merge', async () => {
    const { stdout } = await diff(fixture('kubectl-takeover/good'));
    expect(stdout).toContain('cozystack.');
    expect(stdout).not.toContain('spec.variant');
  });

  test('a field of the chart is taken, on its line', async () => {
    const { lines } = await diff(fixture('chart-owned-field/bad'));
    expect(lines).toContain(
      '    ~ spec.variant: "default" → "oidc", helm-controller → kustomize-controller  metallb.yaml:9',
    );
  });

  test('a value that is released leaves null behind', async () => {
    const { lines } = await diff(fixture('claimed-field-dropped/bad'), [
      '--base',
      fixture('claimed-field-dropped/bad.base'),
    ]);
    expect(lines.some((line) => /cgroup\.autoMount: \{"enabled":true\} → null/.test(line))).toBe(true);
  });

  test('what the API server then refuses', async () => {
    const { lines } = await diff(fixture('claimed-field-dropped/refused'), [
      '--base',
      fixture('claimed-field-dropped/refused.base'),
    ]);
    expect(lines[0]).toMatch(/^! Package cozystack\.kubevirt is refused/);
    expect(lines[1]).toContain('spec.components.kubevirt in body must be of type object: "null"');
  });
});

describe('what becomes of objects', () => {
  const files = (data: Record<string, string>): Files => ({
    'kustomization.yaml': one('a.yaml'),
    'a.yaml': configMap('a', data),
  });

  test('made, changed, deleted, left behind', async () => {
    const base = repository({
      'kustomization.yaml': kustomization({ resources: ['a.yaml', 'b.yaml', 'kept.yaml'] }),
      'a.yaml': configMap('a', { k: '1' }),
      'b.yaml': configMap('b'),
      'kept.yaml': configMap('kept').replace('"metadata":{', `"metadata":{"annotations":{"${flux}/prune":"disabled"},`),
    });
    const head = repository({
      'kustomization.yaml': kustomization({ resources: ['a.yaml', 'c.yaml'] }),
      'a.yaml': configMap('a', { k: '2' }),
      'c.yaml': configMap('c'),
    });
    const { lines } = await diff(head, ['--base', base]);
    expect(lines.filter((line) => /^[^ ]/.test(line))).toEqual([
      '~ ConfigMap cozy-customizer/a is changed  a.yaml:1',
      '+ ConfigMap cozy-customizer/c is created  c.yaml:1',
      '- ConfigMap cozy-customizer/b is deleted',
      '· ConfigMap cozy-customizer/kept is left behind, as it is',
      '4 objects: 1 created, 1 changed, 1 deleted, 1 left behind',
    ]);
    expect(lines).toContain('    ~ data.k: "1" → "2"  a.yaml:1');
  });

  test('a Package may not be deleted, so it is left', async () => {
    const base = repository({
      'kustomization.yaml': one('p.yaml'),
      'p.yaml': packageOf('metallb', { components: { metallb: { values: { a: 1 } } } }),
    });
    const { lines, stdout } = await diff(repository({ 'kustomization.yaml': kustomization({ resources: [] }) }), [
      '--base',
      base,
    ]);
    expect(lines[0]).toBe('· Package cozystack.metallb is left behind, as it is');
    expect(stdout).toContain('PruneFailed, then Ready');
  });

  test('with a namespace goes what is in it, and cannot be made again', async () => {
    const { lines, status } = await diff(fixture('pruned-namespace/bad'), [
      '--base',
      fixture('pruned-namespace/bad.base'),
    ]);
    expect(status).toBe(1);
    expect(lines.slice(0, 3)).toEqual([
      '- ConfigMap cozy-customizer/settings is deleted  settings.yaml:4',
      '    cannot be made again: namespaces "cozy-customizer" not found',
      '- Namespace cozy-customizer is deleted',
    ]);
    expect(lines).toContain('  the repository is Ready, then ReconciliationFailed');
  });

  test('what cannot be built stays as it is, and the reason is said', async () => {
    const base = repository(files({ k: '1' }));
    const broken = repository({
      'kustomization.yaml': kustomization({ resources: ['a.yaml', 'missing.yaml'] }),
      'a.yaml': configMap('a', { k: '2' }),
    });
    const { lines } = await diff(broken, ['--base', base]);
    expect(lines.slice(0, 2)).toEqual([
      'Nothing changes in the cluster',
      expect.stringMatching(
        /^ {2}the repository cannot be built, so what is there of it stays as it is: BuildFailed: .*missing\.yaml/,
      ),
    ]);
  });

  const beside = (object: object): Files => ({
    'kustomization.yaml': kustomization({ resources: ['a.yaml', 'b.yaml'] }),
    'a.yaml': configMap('a'),
    'b.yaml': JSON.stringify(object),
  });
  const metadata = { name: 'b', namespace: 'cozy-customizer' };
  const sops = { mac: 'ENC[AES256_GCM,data:x]' };

  test.each<[string, object, string[]]>([
    [
      'a kind that is misspelt',
      { apiVersion: 'helm.toolkit.fluxcd.io/v2', kind: 'HelmRelaese', metadata },
      [
        '! HelmRelaese cozy-customizer/b is refused  b.yaml:1',
        '    no matches for kind "HelmRelaese" in version "helm.toolkit.fluxcd.io/v2"',
        '',
      ],
    ],
    [
      'a kind that is not installed: not for certain',
      { apiVersion: 'v1.edp.epam.com/v1', kind: 'KeycloakRealm', metadata },
      [
        '! KeycloakRealm cozy-customizer/b is refused  b.yaml:1',
        '    no matches for kind "KeycloakRealm" in version "v1.edp.epam.com/v1"',
        '    not certain: check only warns of it (kind-not-installed)',
      ],
    ],
    [
      'a version that is not served',
      { apiVersion: 'source.toolkit.fluxcd.io/v1beta2', kind: 'OCIRepository', metadata },
      [
        '! OCIRepository cozy-customizer/b is refused  b.yaml:1',
        '    no matches for kind "OCIRepository" in version "source.toolkit.fluxcd.io/v1beta2"',
      ],
    ],
    [
      'a Secret that nothing decrypts',
      { apiVersion: 'v1', kind: 'Secret', metadata, data: { x: 'ENC[AES256_GCM,data:x]' }, sops },
      [
        '! Secret cozy-customizer/b is refused  b.yaml:1',
        '    it is SOPS encrypted, configuring decryption is required for this secret to be reconciled',
      ],
    ],
  ])('refused, and with it all: %s', async (_, object, expected) => {
    const { lines } = await diff(repository(beside(object)));
    expect(lines.slice(0, expected.length)).toEqual(expected);
    expect(lines).toContain('  stopped with it: ConfigMap cozy-customizer/a');
  });

  test('of a Secret whose text is encrypted the ciphertext is applied', async () => {
    const { lines } = await diff(
      repository(
        beside({ apiVersion: 'v1', kind: 'Secret', metadata, stringData: { x: 'ENC[AES256_GCM,data:x]' }, sops }),
      ),
    );
    expect(lines).toContain('2 objects: 2 created');
  });

  test('of a kind that nobody knows the rest is applied, and that is not certain', async () => {
    const { lines } = await diff(repository(beside({ apiVersion: 'example.org/v1', kind: 'Gizmo', metadata })));
    expect(lines).toContain('1 object: 1 created');
    expect(lines).toContain(
      '  not certain of the repository: nobody knows whether the cluster serves example.org/v1 Gizmo; where it does not, Flux applies nothing of this',
    );
  });

  const source = { kind: 'GitRepository', name: 'cozystack-customizer', namespace: 'cozy-customizer' };
  const applying = (name: string, spec: object) =>
    JSON.stringify({
      ...{ apiVersion: 'kustomize.toolkit.fluxcd.io/v1', kind: 'Kustomization' },
      metadata: { name, namespace: 'cozy-customizer' },
      spec: { interval: '1h', prune: true, sourceRef: source, ...spec },
    });

  test('what waits for a Flux Kustomization that fails is not applied', async () => {
    const files = (data: object): Files => ({
      'kustomization.yaml': kustomization({ resources: ['first.yaml', 'then.yaml'] }),
      'first.yaml': applying('first', { path: './first' }),
      'then.yaml': applying('then', { path: './then', dependsOn: [{ name: 'first' }] }),
      ...{ 'first/a.yaml': JSON.stringify({ ...JSON.parse(configMap('a')), data }), 'then/b.yaml': configMap('b') },
    });
    const failed = await diff(repository(files({ k: { no: 'text' } })));
    expect(failed.stdout).toContain('! ConfigMap cozy-customizer/a is refused');
    expect(failed.stdout).toContain('"then" is not applied, as it waits for another that is not ready');
    expect(failed.stdout).not.toContain('ConfigMap cozy-customizer/b is created');
    expect((await diff(repository(files({ k: 'text' })))).stdout).toContain('ConfigMap cozy-customizer/b is created');
  });

  test('a definition that no server can keep objects of does not keep the rest from being simulated', async () => {
    const [group, name] = [
      'example.org',
      { plural: 'gizmos', singular: 'gizmo', kind: 'Gizmo', listKind: 'GizmoList' },
    ];
    const version = { name: 'v1', served: true, storage: false, schema: { openAPIV3Schema: { type: 'object' } } };
    const definition = {
      ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
      metadata: { name: `gizmos.${group}` },
      spec: { group, names: name, scope: 'Namespaced', versions: [version] },
    };
    const { stdout, stderr } = await diff(
      repository({
        'kustomization.yaml': kustomization({ resources: ['apps.yaml', 'a.yaml'] }),
        ...{ 'apps.yaml': applying('apps', { path: './apps' }), 'a.yaml': configMap('a') },
        'apps/gizmos.yaml': JSON.stringify(definition),
      }),
    );
    expect(stdout).toContain('+ ConfigMap cozy-customizer/a is created');
    expect(stderr).toBe('');
  });

  test('what is applied by a Flux Kustomization that is suspended is not applied', async () => {
    const { lines } = await diff(
      repository({
        'kustomization.yaml': kustomization({ resources: ['apps.yaml'] }),
        'apps.yaml': applying('apps', { path: './apps', suspend: true }),
        'apps/a.yaml': configMap('a'),
      }),
    );
    expect(lines).toContain('  "apps" is suspended, so nothing of it is applied');
    expect(lines).toContain('1 object: 1 created');
  });

  test('nothing changes', async () => {
    const same = repository(files({ k: '1' }));
    const { status, stdout } = await diff(same, ['--base', same]);
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'Nothing changes in the cluster\n' });
  });

  test('a change in one of several clusters is a change', async () => {
    const clusters = (b: string): Files => ({
      ...{ 'clusters/a/kustomization.yaml': one('a.yaml'), 'clusters/a/a.yaml': configMap('a') },
      ...{ 'clusters/b/kustomization.yaml': one('b.yaml'), 'clusters/b/b.yaml': configMap('b', { k: b }) },
    });
    const { status, lines } = await diff(repository(clusters('2')), ['--base', repository(clusters('1'))]);
    expect(lines).toContain('    ~ data.k: "1" → "2"  clusters/b/b.yaml:1');
    expect(status).toBe(1);
  });

  test('onto a fresh cluster everything is made', async () => {
    const same = repository(files({ k: '1' }));
    const { lines } = await diff(same, ['--base', same, '--fresh']);
    expect(lines[0]).toBe('+ ConfigMap cozy-customizer/a is created  a.yaml:1');
  });

  test('one refusal stops the rest', async () => {
    const { lines, status } = await diff(fixture('forbidden-object/bad'));
    expect(status).toBe(1);
    // What a later stage would come to as well is said with it, as the rules say it.
    expect(lines.filter((line) => /^[^ \d]/.test(line))).toEqual([
      expect.stringMatching(/^! ConfigMap tools\/settings is refused/),
      expect.stringMatching(/^! ClusterRole readers is refused/),
    ]);
    expect(lines[3]).toContain('cannot patch resource "clusterroles"');
  });

  test('what a commit itself enables is not there while it is applied', async () => {
    const { lines } = await diff(fixture('not-there-yet/bad'), ['--base', fixture('not-there-yet/bad.base')]);
    expect(lines[0]).toMatch(/^! ConfigMap tools\/settings is refused/);
    expect(lines.join('\n')).toContain('stays so');
  });

  const role = `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: all, namespace: tools}
rules: [{apiGroups: ['*'], resources: ['*'], verbs: ['*']}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: all, namespace: tools}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: all}
subjects: [{kind: ServiceAccount, name: cozystack-customizer, namespace: cozy-system}]
`;

  test('a right that a commit takes away is missed one reconcile later', async () => {
    const settings = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: tools}\n';
    const base = repository({
      'kustomization.yaml': kustomization({ resources: ['a.yaml', 'role.yaml'] }),
      ...{ 'a.yaml': settings, 'role.yaml': role },
    });
    const head = repository({ 'kustomization.yaml': one('a.yaml'), 'a.yaml': settings });
    const { lines, stdout } = await diff(head, ['--base', base]);
    expect(lines[0]).toMatch(/^! ConfigMap tools\/settings is refused/);
    expect(stdout).toContain('Ready, then ReconciliationFailed');
  });

  test.each([
    ['a commit leaves in place', { 'kustomization.yaml': kustomization({ resources: ['a.yaml', 'role.yaml'] }) }],
    [
      'the configuration names',
      { '.customizer-lint.yaml': 'cluster: {release: v1.6.2, variant: isp-full, roles: [role.yaml]}\n' },
    ],
  ])('a right that %s holds in both reconciles', async (_, more: Files) => {
    const settings = (k: string) => configMap('settings', { k }).replace('cozy-customizer', 'tools');
    const files = { 'kustomization.yaml': one('a.yaml'), 'role.yaml': role, ...more };
    const base = repository({ ...files, 'a.yaml': settings('1') });
    const { lines, stdout } = await diff(repository({ ...files, 'a.yaml': settings('2') }), ['--base', base]);
    expect(lines).toContain('~ ConfigMap tools/settings is changed  a.yaml:1');
    expect(stdout).not.toMatch(/refused|Failed/);
  });

  test('what is refused only before Flux fills in its variables stops nothing', async () => {
    const settings = (interval: string) =>
      repository({
        'kustomization.yaml': kustomization({ resources: ['tenant.yaml', 'settings.yaml'] }),
        'settings.yaml': configMap('settings', { a: variable('DOMAIN') }),
        'tenant.yaml': JSON.stringify({
          ...{
            apiVersion: `${flux}/v1`,
            kind: 'Kustomization',
            metadata: { name: 'tenant', namespace: 'cozy-customizer' },
          },
          spec: { interval, prune: true, path: './tenant', sourceRef: { kind: 'GitRepository', name: 'other' } },
        }),
      });
    const [open, wrong] = [settings(variable('INTERVAL')), settings('sometimes')];
    const { lines } = await diff(open);
    expect(lines.filter((line) => /^[+~!-] | not simulated/.test(line))).toEqual([
      '+ ConfigMap cozy-customizer/settings is created  settings.yaml:1',
      '  not simulated: kustomize.toolkit.fluxcd.io/v1 Kustomization cozy-customizer/tenant: it has variables, and is refused as it stands',
    ]);
    expect((await diff(wrong)).stdout).toContain('! Kustomization cozy-customizer/tenant is refused');
    const simulated = await runHere(['check', open, '--simulate']);
    expect(simulated.stdout).not.toContain('refused-by-server');
  });

  test('of a kind that nobody knows nothing is said but that', async () => {
    const folder = repository({
      'kustomization.yaml': one('w.yaml'),
      'w.yaml': 'apiVersion: example.org/v1\nkind: Widget\nmetadata: {name: w, namespace: cozy-customizer}\n',
    });
    expect((await diff(folder)).stdout).toContain(
      'not simulated: example.org/v1 Widget cozy-customizer/w: its kind, in that version, is not known',
    );
  });
});

test('what is not simulated is told by its reason', async () => {
  const names = Array.from({ length: 10 }, (_, index) => `w${index}`);
  const widget = (name: string) =>
    JSON.stringify({ apiVersion: 'example.org/v1', kind: 'Widget', metadata: { name, namespace: 'cozy-customizer' } });
  const { lines } = await diff(
    repository({
      'kustomization.yaml': kustomization({ resources: ['all.yaml'] }),
      'all.yaml': names.map(widget).join('\n---\n'),
    }),
  );
  const shown = names.slice(0, 8).map((name) => `example.org/v1 Widget cozy-customizer/${name}`);
  expect(lines.filter((line) => line.includes('not simulated'))).toEqual([
    `  not simulated: ${shown.join(', ')}, and 2 more: its kind, in that version, is not known`,
  ]);
});

describe('a cluster as it is', () => {
  const live = {
    apiVersion: 'v1',
    kind: 'List',
    items: [
      {
        ...{ apiVersion: 'cozystack.io/v1alpha1', kind: 'Package' },
        metadata: {
          name: 'cozystack.metallb',
          managedFields: [
            {
              ...{ manager: 'kubectl-edit', operation: 'Update', apiVersion: 'cozystack.io/v1alpha1' },
              ...{ time: '2026-01-01T00:00:00Z', fieldsType: 'FieldsV1' },
              fieldsV1: { 'f:spec': { '.': {}, 'f:variant': {} } },
            },
          ],
        },
        spec: { variant: 'edited' },
      },
    ],
  };
  function written(objects: object): string {
    const place = createRepo({ 'live.json': JSON.stringify(objects) });
    folders.push(place);
    return join(place, 'live.json');
  }

  const folder = () =>
    repository({
      'kustomization.yaml': one('p.yaml'),
      'p.yaml': packageOf('metallb', { components: { metallb: { values: { a: 1 } } } }, {}),
    });

  test('is taken from what kubectl prints', async () => {
    const head = folder();
    const file = written(live);
    const { lines } = await diff(head, ['--live', file]);
    expect(lines).toContain('    - spec.variant: "edited", was of kubectl-edit');
  });

  test('needs its field managers', async () => {
    const head = folder();
    const file = written({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } });
    const { status, stderr } = await diff(head, ['--live', file]);
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: `customizer-lint: ${file} has objects without managedFields; add --show-managed-fields to kubectl get\n`,
    });
  });
});

test('a refusal does not repeat what is secret', async () => {
  const spec = { components: { metallb: { values: { password: 'hunter2' }, enabled: { password: 'hunter2' } } } };
  const folder = repository({ 'kustomization.yaml': one('p.yaml'), 'p.yaml': packageOf('metallb', spec) });
  for (const format of ['text', 'json']) {
    const { stdout } = await diff(folder, ['--format', format]);
    expect(stdout).toContain('expected boolean');
    expect(stdout).not.toContain('hunter2');
  }
});

test('nor does it repeat what is secret deep in a list, in a text, or in what Go prints of it', async () => {
  const env = (value: string) => [{ name: 'DB_PASSWORD', value }];
  const files = (value: string) => ({
    'kustomization.yaml': one('p.yaml'),
    'p.yaml': packageOf('metallb', {
      components: { metallb: { values: { env: env(value), url: `postgres://u:${value}@h` } } },
    }),
  });
  const [base, head] = [repository(files('hunter1')), repository(files('hunter2'))];
  const refused = repository({
    'kustomization.yaml': one('p.yaml'),
    'p.yaml': packageOf('metallb', { variant: env('hunter2') }),
  });
  for (const format of ['text', 'json']) {
    const changed = await diff(head, ['--base', base, '--format', format]);
    expect(changed.stdout).toContain('DB_PASSWORD');
    const { stdout } = await diff(refused, ['--format', format]);
    expect(stdout).toContain('.spec.variant: expected string');
    expect(changed.stdout + stdout).not.toContain('hunter');
  }
});

test('a variant that is let go stays behind or not by how Helm has made the Package, which a snapshot tells', async () => {
  const bare = { apiVersion: 'cozystack.io/v1alpha1', kind: 'Package', metadata: { name: 'cozystack.metallb' } };
  const files = (operation: string, body: object) => ({
    'kustomization.yaml': one('p.yaml'),
    'p.yaml': JSON.stringify(body),
    '.customizer-lint.yaml': 'cluster: {snapshot: s.snapshot}',
    's.snapshot': JSON.stringify({
      taken: '2026-11-01',
      packages: {
        'cozystack.metallb': {
          variant: 'default',
          managers: [{ manager: 'helm-controller', operation, fields: ['spec.variant'] }],
        },
      },
    }),
  });
  const outcome = async (operation: string) => {
    const folder = repository(files(operation, bare));
    const before = repository(files(operation, { ...bare, spec: { variant: 'oidc' } }));
    return (await diff(folder, ['--base', before])).stdout;
  };
  const [applied, updated] = [await outcome('Apply'), await outcome('Update')];
  expect(applied).toContain('- spec.variant: "oidc"');
  expect(updated).toMatch(/Package cozystack\.metallb is refused.*\n.* is invalid: spec: /);
});

test('the same for a comment', async () => {
  const folder = repository({
    'kustomization.yaml': one('p.yaml'),
    'p.yaml': packageOf('metallb', { variant: 'oidc' }),
  });
  const { stdout } = await diff(folder, ['--format', 'markdown']);
  expect(stdout).toMatch(/^### What the merge does\n\n```diff\n~ Package cozystack\.metallb is changed {2}p\.yaml:1\n/);
  expect(stdout).toContain(
    '-     spec.variant: "default"\n+     spec.variant: "oidc", helm-controller → kustomize-controller  p.yaml:',
  );
});

test('everything for programs, without what is secret', async () => {
  const secret = (value: string) => ({
    'kustomization.yaml': one('s.yaml'),
    's.yaml': JSON.stringify({
      ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace: 'cozy-customizer' } },
      stringData: { password: value },
    }),
  });
  const { stdout } = await diff(repository(secret('hunter2')), [
    '--base',
    repository(secret('hunter1')),
    '--format',
    'json',
  ]);
  expect(stdout).not.toMatch(/hunter|aHVudGVy/);
  const [{ objects, reconciles }] = JSON.parse(stdout);
  expect(reconciles).toEqual([
    { path: '.', first: 'ReconciliationSucceeded', second: 'ReconciliationSucceeded', stopped: [] },
  ]);
  expect(objects).toMatchObject([
    { kind: 'Secret', name: 's', action: 'changed', fields: [{ path: ['data', 'password'], before: '••••••' }] },
  ]);
});

test('a refused commit takes no rights: what another account applies goes on', async () => {
  const clean = join(root, '__tests__', 'clean', 'flux-stages');
  const folder = repository({});
  cpSync(clean, folder, { recursive: true });
  const file = join(folder, 'flux', 'account.yaml');
  const [account, binding] = readFileSync(file, 'utf8').split('---\n') as [string, string];
  writeFileSync(file, `${account}---\n${binding.replace('namespace: cozy-customizer', 'namespace: kube-system')}`);
  const { lines } = await diff(folder, ['--base', clean]);
  expect(lines.filter((line) => / is refused| not applied|ReconciliationFailed|DependencyNotReady/.test(line))).toEqual(
    [
      '! RoleBinding kube-system/stages is refused  flux/account.yaml:10',
      '  the repository is not applied as it stands: ReconciliationFailed, and stays so',
    ],
  );
});
