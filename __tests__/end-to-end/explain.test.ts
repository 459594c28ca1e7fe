/** `explain` as a user runs it: whose a field is, what applying does to it, and what taking it out again does. */
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { root } from '../support/cli.js';
import { runHere } from '../support/here.js';
import { configMap, createRepo, type Files, kustomization, removeRepo } from '../support/trees.js';

const folders: string[] = [];

afterAll(() => {
  for (const folder of folders) removeRepo(folder);
});

function planted(files: Files): string {
  const folder = createRepo(files);
  folders.push(folder);
  return folder;
}

function repository(...objects: object[]): string {
  return planted({
    '.customizer-lint.yaml': 'cluster: {release: v1.6.2, variant: isp-full}\n',
    'kustomization.yaml': kustomization({ resources: ['all.yaml'] }),
    'all.yaml': objects.map((one) => JSON.stringify(one)).join('\n---\n'),
  });
}

async function explain(directory: string, subject: string, ...more: string[]) {
  const { stdout, stderr, status } = await runHere(['explain', '-C', directory, subject, ...more]);
  return { status, stdout, lines: stdout.split('\n'), stderr: stderr.replace(/^(?:rendering|simulating).*\n/gm, '') };
}

const fixture = (name: string) => join(root, '__tests__', 'rules', name);
const flux = 'kustomize.toolkit.fluxcd.io';

function packageOf(name: string, spec: object, annotations: object = { [`${flux}/ssa`]: 'Merge' }) {
  return {
    ...{ apiVersion: 'cozystack.io/v1alpha1', kind: 'Package' },
    metadata: { name: `cozystack.${name}`, annotations },
    spec,
  };
}

const own = (name: string, data: Record<string, string>) => JSON.parse(configMap(name, data));
const metallb = (value: unknown) => ({ components: { metallb: { values: { metallb: { mine: value } } } } });
const mine = 'spec.components.metallb.values.metallb.mine';

describe('a Package of the platform', () => {
  const autoMount = 'spec.components.cilium.values.cilium.cgroup.autoMount';

  test('a value that the chart sets is taken from it, and is not given back', async () => {
    const folder = fixture('claimed-field-dropped/bad.base');
    const { lines, status } = await explain(folder, 'Package/cozystack.networking', `${autoMount}.enabled`);
    expect({ status, lines }).toEqual({
      status: 0,
      lines: [
        'Package cozystack.networking in .',
        '  is changed',
        `  ${autoMount}.enabled = true`,
        '    set by  resource     networking.yaml:17:24',
        "    whose   the platform chart's, which sets it to false: the platform's variant decides; Talos mounts it, other systems do not",
        '    owner   helm-controller → kustomize-controller',
        '    apply   taken from helm-controller: false → true',
        `    remove  goes, and is back only when the platform is next upgraded; ${autoMount} is left as null`,
        '',
      ],
    });
  });

  test('a value that the chart sets only once the platform says so, and to what is not known', async () => {
    const spec = { components: { kubeovn: { values: { 'kube-ovn': { MASTER_NODES: '10.0.0.1' } } } } };
    const { lines } = await explain(repository(packageOf('networking', spec)), 'Package/cozystack.networking');
    expect(lines.filter((line) => line.startsWith('    whose'))).toEqual([
      "    whose   the platform chart's, which sets it once networking.kubeovn.MASTER_NODES is set: " +
        'the nodes that run the network\'s database; set networking.kubeovn.MASTER_NODES of Package "cozystack.cozystack-platform" instead',
    ]);
    const field = 'spec.components.kubeovn.values.kube-ovn.MASTER_NODES';
    const asked = await explain(repository(packageOf('networking', spec)), 'Package/cozystack.networking', field);
    // Nobody knows whether the chart would bring it back.
    expect(asked.lines.filter((line) => line.startsWith('    remove'))).toEqual(['    remove  goes']);
  });

  test('what the API server then refuses', async () => {
    const folder = fixture('claimed-field-dropped/refused.base');
    const field = 'spec.components.kubevirt.values.cpuAllocationRatio';
    const { stdout } = await explain(folder, 'Package/cozystack.kubevirt', field);
    expect(stdout).toContain('; set resources.cpuAllocationRatio of Package "cozystack.cozystack-platform" instead\n');
    expect(stdout).toMatch(/^ {4}remove {2}refused: .* must be of type object: "null"$/m);
  });

  test('with the very value of the chart both have it', async () => {
    const { stdout } = await explain(
      fixture('chart-owned-field/inline-patch'),
      'Package/cozystack.metallb',
      'spec.variant',
    );
    expect(stdout).toContain(
      '    owner   helm-controller → helm-controller and kustomize-controller\n' +
        '    apply   stays; helm-controller has set it too\n' +
        '    remove  stays, as helm-controller has set it too\n',
    );
  });

  test('a value that is only tuned is the repository’s own', async () => {
    const folder = repository(packageOf('metallb', metallb(1)));
    const { lines } = await explain(folder, 'Package/cozystack.metallb', mine);
    expect(lines.slice(2)).toEqual([
      `  ${mine} = 1`,
      expect.stringContaining('    set by  resource     all.yaml:1:'),
      "    whose   the repository's",
      '    owner   kustomize-controller',
      '    apply   new',
      '    remove  goes',
      '',
    ]);
  });

  test('what Helm and Flux write on it themselves is theirs', async () => {
    const labels = { 'app.kubernetes.io/managed-by': 'me', [`${flux}/name`]: 'me' };
    const metallb = packageOf('metallb', { components: {} });
    const labelled = { ...metallb, metadata: { ...metallb.metadata, labels } };
    const { lines } = await explain(repository(labelled), 'Package/cozystack.metallb');
    expect(lines.filter((line) => line.startsWith('    whose'))).toEqual([
      expect.stringContaining("    whose   Helm's: Helm tells by it"),
      expect.stringContaining("    whose   Flux's: Flux writes it"),
    ]);
  });

  test('one that only others write in the snapshot of the cluster is none that the platform makes', async () => {
    const managers = [{ manager: 'kubectl', operation: 'Apply', fields: ['spec.variant'] }];
    const folder = planted({
      '.customizer-lint.yaml': 'cluster: {release: v1.6.2, variant: isp-full, snapshot: s.snapshot}\n',
      's.snapshot': JSON.stringify({ taken: '2026-11-01', packages: { 'cozystack.metallb': { managers } } }),
      'kustomization.yaml': kustomization({ resources: ['all.yaml'] }),
      'all.yaml': JSON.stringify(packageOf('metallb', { variant: 'default' })),
    });
    const { lines } = await explain(folder, 'Package/cozystack.metallb', 'spec.variant');
    expect(lines).toContain("    whose   nobody else's: the platform makes no such Package");
  });

  test('a null changes nothing where the chart has a map', async () => {
    const spec = { components: { cilium: { values: { cilium: { cgroup: null } } } } };
    const { lines } = await explain(repository(packageOf('networking', spec)), 'Package/cozystack.networking');
    expect(lines).toContain('    apply   nothing: {"autoMount":{"enabled":false}} stays');
  });

  test.each([
    ['a map with nothing in it changes nothing', '{}', 'nothing: {"autoMount":{"enabled":false}} stays'],
    ['a text takes its place', '"x"', 'taken from helm-controller: {"autoMount":{"enabled":false}} → "x"'],
  ])('where the chart has a map %s', async (_, written, words) => {
    const spec = { components: { cilium: { values: { cilium: { cgroup: JSON.parse(written) } } } } };
    const { lines } = await explain(repository(packageOf('networking', spec)), 'Package/cozystack.networking');
    expect(lines.filter((line) => line.startsWith('    apply'))).toEqual([`    apply   ${words}`]);
  });

  test('without fields only what is not to be expected is told, and what changes beside what is set', async () => {
    const { lines } = await explain(fixture('kubectl-takeover/bad'), 'Package/cozystack.cozystack-platform');
    expect(lines.filter((line) => /^ {4}(?:whose|owner|apply|remove)/.test(line))).toEqual([
      "    whose   the platform administrator's: nothing in the cluster writes it but the command that made the Package, so once it is lost nothing restores it",
      '    owner   kubectl-client-side-apply → nobody',
      '    apply   goes: "isp-full" of kubectl-client-side-apply',
    ]);
    expect(lines).toContain('  spec.variant is not set');
    expect(lines).toContain('    set by  resource     platform.yaml:12:17');
  });

  test('what the annotation holds goes with it', async () => {
    const annotation = `metadata.annotations["${flux}/ssa"]`;
    const { lines } = await explain(
      fixture('kubectl-takeover/good'),
      'Package/cozystack.cozystack-platform',
      annotation,
    );
    expect(lines).toContain('    remove  goes; spec.variant goes: "isp-full"');
  });
});

describe('a cluster as it is', () => {
  const live = (fields: object, spec: object, manager = 'kubectl-edit') =>
    join(
      planted({
        'live.json': JSON.stringify({
          ...{ apiVersion: 'cozystack.io/v1alpha1', kind: 'Package' },
          metadata: {
            name: 'cozystack.metallb',
            managedFields: [
              {
                ...{ manager, apiVersion: 'cozystack.io/v1alpha1' },
                operation: manager === 'kubectl-edit' ? 'Update' : 'Apply',
                ...{ time: '2026-01-01T00:00:00Z', fieldsType: 'FieldsV1', fieldsV1: { 'f:spec': fields } },
              },
            ],
          },
          spec,
        }),
      }),
      'live.json',
    );
  const path = { 'f:components': { 'f:metallb': { 'f:values': { 'f:metallb': { 'f:mine': {} } } } } };

  test('a value that an administrator has set is taken over', async () => {
    const file = live(path, metallb('edited'));
    const folder = repository(packageOf('metallb', metallb('git'), {}));
    const { lines } = await explain(folder, 'Package/cozystack.metallb', mine, '--live', file);
    expect(lines).toContain('    owner   kubectl-edit → kustomize-controller');
    expect(lines).toContain('    apply   taken from kubectl-edit: "edited" → "git"');
    expect(lines).toContain('    remove  goes, and is back only when kubectl-edit writes it again');
  });

  test('and so is one that is the same', async () => {
    const file = live(path, metallb('git'));
    const folder = repository(packageOf('metallb', metallb('git'), {}));
    const { lines } = await explain(folder, 'Package/cozystack.metallb', mine, '--live', file);
    expect(lines).toContain('    owner   kubectl-edit → kustomize-controller');
    expect(lines).toContain('    apply   taken from kubectl-edit, with the value that it has');
  });

  test('and goes where the manifest does not have it', async () => {
    const file = live({ 'f:variant': {}, ...path }, { variant: 'edited', ...metallb('edited') });
    const folder = repository(packageOf('metallb', metallb('git'), {}));
    const { lines } = await explain(folder, 'Package/cozystack.metallb', 'spec.variant', '--live', file);
    expect(lines.slice(2)).toEqual([
      '  spec.variant is not set',
      expect.stringContaining("    whose   the platform chart's: "),
      '    owner   kubectl-edit → nobody',
      '    apply   goes: "edited" of kubectl-edit',
      '',
    ]);
    const its = live({ 'f:variant': {} }, { variant: 'edited' }, 'kustomize-controller');
    const own = await explain(folder, 'Package/cozystack.metallb', 'spec.variant', '--live', its);
    expect(own.lines).toContain('    apply   goes: "edited"');
  });
});

describe('an object of one’s own', () => {
  test('is made, changed, and its fields go again', async () => {
    const [before, after] = [repository(own('a', { k: '1', l: '1' })), repository(own('a', { k: '2', l: '1' }))];
    const made = await explain(after, 'ConfigMap/a', 'data.k');
    expect(made.lines.slice(1)).toEqual([
      '  is created',
      '  data.k = "2"',
      expect.stringContaining('    set by  resource     all.yaml:1:'),
      '    owner   kustomize-controller',
      '    apply   new',
      '    remove  goes',
      '',
    ]);
    const { lines } = await explain(after, 'ConfigMap/a', '--base', before);
    expect(lines[1]).toBe('  is changed');
    expect(lines.filter((line) => /^ {4}(?:whose|owner|apply|remove)/.test(line))).toEqual(['    apply   "1" → "2"']);
    const same = await explain(after, 'ConfigMap/a', 'data.k', '--base', after);
    expect(same.lines[1]).toBe('  stays as it is in the cluster');
    expect(same.lines.filter((line) => /^ {4}(?:apply|remove)/.test(line))).toEqual([
      '    apply   stays',
      '    remove  goes',
    ]);
  });

  test('loses what it writes as only a Secret may', async () => {
    const { data: _, ...bare } = own('a', {});
    const [before, after] = [repository(own('a', { k: '1' })), repository({ ...bare, stringData: { k: '2' } })];
    const { lines } = await explain(after, 'ConfigMap/a', '--base', before);
    expect(lines.slice(-3)).toEqual(['  data.k is not set', '    apply   goes: "1"', '']);
  });

  test('keeps its metadata, without which it would be none; what stands in them may go', async () => {
    const object = own('a', {});
    const folder = repository({ ...object, metadata: { ...object.metadata, labels: { l: '1' } } });
    const told = async (field: string) => (await explain(folder, 'ConfigMap/a', field)).lines;
    expect((await told('metadata')).filter((line) => line.startsWith('    remove'))).toEqual([]);
    expect(await told('metadata.labels')).toContain('    remove  goes');
  });

  test('what a patch sets is told with its file', async () => {
    const folder = planted({
      'kustomization.yaml': kustomization({ resources: ['all.yaml'], patches: [{ path: 'patch.yaml' }] }),
      'all.yaml': configMap('a', { k: '1', l: '1' }),
      'patch.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: cozy-customizer}\ndata:\n  k: "2"\n  m: "3"\n',
    });
    const { lines } = await explain(folder, 'ConfigMap/a', 'data.k', 'data.m');
    expect(lines.filter((line) => /set by|before/.test(line))).toEqual([
      '    set by  merge-patch  patch.yaml:5:6',
      expect.stringContaining('    before  resource     all.yaml:1:'),
      '    set by  merge-patch  patch.yaml:6:6',
    ]);
  });

  test('what a patch takes out is told with its file, and has no value', async () => {
    const folder = planted({
      'kustomization.yaml': kustomization({ resources: ['all.yaml'], patches: [{ path: 'patch.yaml' }] }),
      'all.yaml': configMap('a', { k: '1', l: '1' }),
      'patch.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: cozy-customizer}\ndata:\n  k: null\n',
    });
    const { lines } = await explain(folder, 'ConfigMap/a', 'data.k');
    expect(lines.slice(2, 4)).toEqual(['  data.k (removed)', '    set by  merge-patch  patch.yaml:5:6']);
    const [{ fields }] = JSON.parse((await explain(folder, 'ConfigMap/a', 'data.k', '--format', 'json')).stdout);
    expect(fields[0]).toMatchObject({ removed: true, setBy: [{ by: 'merge-patch', file: 'patch.yaml', line: 5 }, {}] });
    expect(Object.keys(fields[0])).not.toContain('value');
  });

  test('what is taken out, nobody knows where, is told with the file of the object', async () => {
    const transformer = ['apiVersion: builtin', 'kind: PatchTransformer', 'metadata: {name: x}'];
    const patch = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { k: null } });
    const transformers = [[...transformer, 'target: {kind: ConfigMap}', `patch: '${patch}'`].join('\n')];
    const folder = planted({
      'kustomization.yaml': kustomization({ resources: ['all.yaml'], transformers }),
      'all.yaml': configMap('a', { k: '1', l: '1' }),
    });
    const { lines } = await explain(folder, 'ConfigMap/a', 'data.k', 'data.l');
    expect(lines.filter((line) => /^ {2}data|set by|before|somewhere/.test(line))).toEqual([
      '  data.l = "1"',
      expect.stringContaining('    set by  resource     all.yaml:1:'),
      ...['  data.k (removed)', '    somewhere in all.yaml'],
    ]);
  });

  test('of a patch of a Secret in a list nothing is shown', async () => {
    const release = (kind: string, value: string) => ({
      ...{ apiVersion: 'helm.toolkit.fluxcd.io/v2', kind: 'HelmRelease' },
      metadata: { name: 'a', namespace: 'cozy-customizer' },
      spec: {
        interval: '5m',
        chartRef: { kind: 'OCIRepository', name: 'a' },
        postRenderers: [{ kustomize: { patches: [{ patch: `data: {k: ${value}}`, target: { kind } }] } }],
      },
    });
    const told = async (kind: string) => {
      const [before, after] = [repository(release(kind, 'one')), repository(release(kind, 'two'))];
      const { lines } = await explain(after, 'HelmRelease/a', 'spec.postRenderers', '--base', before);
      return lines.filter((line) => line.startsWith('    apply'));
    };
    expect(await told('Secret')).toEqual(['    apply   the list spec.postRenderers: another value']);
    expect(await told('ConfigMap')).toEqual([expect.stringContaining('{k: one}')]);
  });

  test('of a list is told as a whole', async () => {
    const source = (names: string[]) => ({
      ...{ apiVersion: 'cozystack.io/v1alpha1', kind: 'PackageSource', metadata: { name: 'mine' } },
      spec: {
        sourceRef: { kind: 'OCIRepository', name: 'a', namespace: 'cozy-system' },
        variants: names.map((name) => ({ name })),
      },
    });
    const { lines } = await explain(
      repository(source(['a', 'b'])),
      'PackageSource/mine',
      'spec.variants[1]',
      '--base',
      repository(source(['a'])),
    );
    expect(lines.slice(2)).toEqual([
      '  spec.variants[1].name = "b"',
      expect.stringContaining('    set by  resource     all.yaml:1:'),
      "    whose   nobody else's",
      '    owner   kustomize-controller',
      '    apply   the list spec.variants: [{"name":"a"}] → [{"name":"a"},{"name":"b"}]',
      '    remove  becomes [{"name":"a"}]',
      '',
    ]);
  });

  test('of a source of the platform, the list that is there has what its Package waits for', async () => {
    const source = {
      ...{ apiVersion: 'cozystack.io/v1alpha1', kind: 'PackageSource' },
      metadata: { name: 'cozystack.backup-controller' },
      spec: {
        sourceRef: { kind: 'OCIRepository', name: 'cozystack-packages', namespace: 'cozy-system' },
        variants: [{ name: 'default' }],
      },
    };
    const args = ['PackageSource/cozystack.backup-controller', 'spec.variants', '--format', 'json'] as const;
    const [{ fields }] = JSON.parse((await explain(repository(source), ...args)).stdout);
    expect(fields[0].apply.before).toMatchObject([{ name: 'default', dependsOn: ['cozystack.networking'] }]);
  });

  test('loses what its kind does not have', async () => {
    const deployment = {
      ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a', namespace: 'cozy-customizer' } },
      spec: {
        replica: 1,
        selector: { matchLabels: { a: 'b' } },
        template: {
          metadata: { labels: { a: 'b' } },
          spec: { containers: [{ name: 'a', image: 'a', imagePullPolicyy: 'Always' }] },
        },
      },
    };
    const { stdout } = await explain(repository(deployment), 'Deployment/a');
    const lost = [...stdout.matchAll(/^ {2}(\S+) = .*\n.*\n {4}apply {3}left out by Flux/gm)].map(([, name]) => name);
    expect(lost).toEqual(['spec.replica', 'spec.template.spec.containers[0].imagePullPolicyy']);
    expect(stdout).not.toContain('is not set');
  });

  test.each<[string, object, string]>([
    ['is not applied', own('a', {}), '  is not applied: ClusterRole "r" is refused, which stops the rest'],
    [
      'is passed over',
      { ...own('a', {}), metadata: { ...own('a', {}).metadata, annotations: { [`${flux}/reconcile`]: 'disabled' } } },
      '  is passed over: the manifest tells Flux to leave it alone',
    ],
    [
      'is not simulated',
      { apiVersion: 'example.org/v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'cozy-customizer' } },
      '  is not simulated: its kind, in that version, is not known (not certain: nobody knows whether the cluster serves example.org/v1 ConfigMap; where it does not, Flux applies nothing of this)',
    ],
  ])('%s', async (_, object, line) => {
    const role = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'r' },
      rules: [],
    };
    const { lines, status } = await explain(repository(role, object), 'ConfigMap/a', 'metadata.name', 'metadata');
    expect({ status, line: lines[1] }).toEqual({ status: 0, line });
    expect(lines.join('\n')).not.toMatch(/^ {4}remove/m);
  });

  test('is refused, and so are its fields', async () => {
    const { lines } = await explain(fixture('forbidden-object/bad'), 'ClusterRole/readers', 'rules');
    expect(lines[1]).toMatch(/^ {2}is refused: User .* cannot patch resource "clusterroles"/);
    expect(lines.filter((line) => /^ {4}(?:apply|remove)/.test(line))).toEqual([
      '    apply   the list rules: nothing, as the object is refused',
    ]);
  });
});

test('for programs: all that is known, and nothing that is secret', async () => {
  const secret = (password: string) => ({
    ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace: 'cozy-customizer' } },
    stringData: { password },
  });
  const env = (value: string) => packageOf('metallb', metallb([{ name: 'DB_PASSWORD', value }]));
  const [before, after] = [
    repository(secret('hunter1'), env('hunter2')),
    repository(secret('hunter3'), env('hunter4')),
  ];
  for (const more of [[], ['--format', 'json']]) {
    for (const operands of [
      ['Secret/s', 'stringData'],
      ['Package/cozystack.metallb', 'spec'],
    ]) {
      const { stdout } = await explain(after, operands[0] as string, operands[1] as string, '--base', before, ...more);
      expect(stdout).toMatch(more.length > 0 ? /"outcome": "changed"/ : /another value/);
      expect(stdout).not.toMatch(/hunter|aHVudGVy/);
    }
  }
  const { stdout } = await explain(after, 'Secret/s', 'stringData', '--format', 'json');
  expect(JSON.parse(stdout)).toEqual([
    {
      ...{ id: '/Secret/cozy-customizer/s', apiVersion: 'v1', kind: 'Secret', namespace: 'cozy-customizer', name: 's' },
      ...{ entrypoint: '.', action: 'created' },
      fields: [
        {
          ...{ path: ['stringData', 'password'], value: '••••••' },
          setBy: [{ by: 'resource', file: 'all.yaml', line: 1, column: expect.any(Number) }],
          ...{ ownersBefore: [], ownersAfter: ['kustomize-controller'] },
          apply: { outcome: 'added', after: '••••••', as: ['data', 'password'] },
          remove: { outcome: 'goes', others: [] },
        },
      ],
    },
  ]);
});

test('what nobody renders is wrong usage', async () => {
  const { status, stderr } = await explain(repository(own('a', {})), 'ConfigMap/nowhere');
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: 'customizer-lint: no entrypoint renders "ConfigMap/nowhere"\n',
  });
});

test.each(['text', 'json'])(
  'what a release patches a Secret with is not told field by field either, as %s',
  async (format) => {
    const release = {
      ...{ apiVersion: 'helm.toolkit.fluxcd.io/v2', kind: 'HelmRelease' },
      metadata: { name: 'a', namespace: 'cozy-customizer' },
      spec: {
        ...{ interval: '5m', chartRef: { kind: 'OCIRepository', name: 'a' } },
        postRenderers: ['Secret', 'ConfigMap'].map((kind) => ({
          kustomize: { patches: [{ target: { kind }, patch: `data: {user: ${kind}-hunter2}\n` }] },
        })),
      },
    };
    const { stdout } = await explain(repository(release), 'HelmRelease/a', 'spec.postRenderers', '--format', format);
    expect(stdout).not.toContain('Secret-hunter2');
    expect(stdout).toContain('ConfigMap-hunter2');
  },
);
