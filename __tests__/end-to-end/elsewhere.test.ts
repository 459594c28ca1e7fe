/**
 * Changes whose harm is done elsewhere than where they stand: an old line that hits one object more, a directory that another
 * cluster takes, a Namespace that moves too late, a source that gets other files. Each is a stranger's pull request.
 */
import { afterAll, describe, expect, test } from '@jest/globals';
import type { Json } from '../../src/core/model.js';
import { runHere } from '../support/here.js';
import { commitTwice, type History, withSubmodule } from '../support/history.js';
import { runActionHere } from '../support/job.js';
import { someOf } from '../support/sample.js';
import { configMap, type Files, kustomization, removeRepo } from '../support/trees.js';

const planted: string[] = [];
afterAll(() => planted.forEach(removeRepo));

type Change = Parameters<typeof commitTwice>[1];

/** The exit status and the new errors of the action, and all that it logs. */
async function judged(files: Files, change: Change, from: 'fork' | 'branch' = 'fork') {
  const made = commitTwice(files, change);
  planted.push(made.folder);
  return judgedOf(made, from);
}

async function judgedOf({ folder, base, head }: History, from: 'fork' | 'branch' = 'fork') {
  const repo = { full_name: from === 'fork' ? 'someone/r' : 'o/r' };
  const payload = {
    pull_request: {
      number: 7,
      base: { sha: base, ref: 'main', repo: { full_name: 'o/r' } },
      head: { sha: head, repo },
    },
  };
  const env = { GITHUB_REPOSITORY: 'o/r', GITHUB_SERVER_URL: 'https://github.com' };
  return runActionHere(folder, { comment: 'false' }, { name: 'pull_request', payload }, env);
}

const flux = 'kustomize.toolkit.fluxcd.io';
const pack = (
  name: string,
  spec: Json,
  annotations: Json = { [`${flux}/ssa`]: 'Merge', [`${flux}/prune`]: 'disabled' },
) => JSON.stringify({ apiVersion: 'cozystack.io/v1alpha1', kind: 'Package', metadata: { name, annotations }, spec });
const tuned = { components: { metallb: { values: { metallb: { speaker: { logLevel: 'debug' } } } } } };
const metallb = pack('cozystack.metallb', tuned);
const linstor = pack('cozystack.linstor', { components: {} });
const taken = pack('cozystack.metallb', { ...tuned, variant: 'oidc' });
const root = (...resources: string[]) => kustomization({ resources });
const namespace = 'apiVersion: v1\nkind: Namespace\nmetadata: {name: team-a}\n';
const self = { kind: 'GitRepository', name: 'self' };

type Spec = { [key: string]: Json };
const apply = (name: string, path: string, spec: Spec = {}) =>
  JSON.stringify({
    apiVersion: `${flux}/v1`,
    kind: 'Kustomization',
    metadata: { name, namespace: 'cozy-customizer' },
    spec: { interval: '5m', prune: true, path, sourceRef: self, ...spec },
  });
const source = (name: string, url: string, spec: Spec = {}, kind = 'GitRepository') =>
  JSON.stringify({
    apiVersion: 'source.toolkit.fluxcd.io/v1',
    kind,
    metadata: { name, namespace: 'cozy-customizer' },
    spec: { interval: '5m', url, ref: { branch: 'main' }, ...spec },
  });
const ours = source('self', 'https://github.com/o/r');
const release = (spec: Spec) =>
  JSON.stringify({
    apiVersion: 'helm.toolkit.fluxcd.io/v2',
    kind: 'HelmRelease',
    metadata: { name: 'x', namespace: 'cozy-customizer' },
    spec: { interval: '5m', ...spec },
  });
const chart: Files = {
  'charts/x/Chart.yaml': 'apiVersion: v2\nname: x\nversion: 0.1.0\n',
  'charts/x/templates/a.yaml': 'kind: ConfigMap\n',
};
const kubeConfig = { kubeConfig: { secretRef: { name: 'spoke' } } };
/** The root applies these, and what stands in `apps`. */
const applied = (flux: Files, apps: Files): Files => ({
  'kustomization.yaml': root(...Object.keys(flux)),
  ...flux,
  ...apps,
});

/** `apps` has the Namespace, which a Flux Kustomization of that name applies. */
const withNamespace = (spec: Spec = {}): Files =>
  applied(
    { 'self.yaml': ours, 'apps.yaml': apply('apps', './apps', spec) },
    { 'apps/kustomization.yaml': root('ns.yaml'), 'apps/ns.yaml': namespace },
  );
const another: Files = { 'apps2/kustomization.yaml': root('note.yaml'), 'apps2/note.yaml': configMap('note') };

type Case = [what: string, rule: string, files: Files, change: Change];

const cases: Case[] = [
  // One line, another object.
  [
    'a patch that is wrong for one object gets a wider target',
    'chart-owned-field',
    {
      'kustomization.yaml': kustomization({
        resources: ['a.yaml', 'b.yaml'],
        patches: [{ path: 'p.yaml', target: { kind: 'Package', name: 'cozystack.metallb' } }],
      }),
      ...{ 'a.yaml': metallb, 'b.yaml': linstor, 'p.yaml': '- {op: add, path: /spec/variant, value: oidc}\n' },
    },
    {
      'kustomization.yaml': kustomization({
        resources: ['a.yaml', 'b.yaml'],
        patches: [{ path: 'p.yaml', target: { kind: 'Package' } }],
      }),
    },
  ],
  [
    'an object is added under such a patch, which is excused',
    'chart-owned-field',
    {
      'kustomization.yaml': kustomization({
        resources: ['a.yaml'],
        patches: [{ path: 'p.yaml', target: { kind: 'Package' } }],
      }),
      'a.yaml': metallb,
      'p.yaml':
        '- {op: add, path: /spec/variant, value: oidc} # customizer-lint ignore chart-owned-field -- equals the default\n',
    },
    {
      'kustomization.yaml': kustomization({
        resources: ['a.yaml', 'b.yaml'],
        patches: [{ path: 'p.yaml', target: { kind: 'Package' } }],
      }),
      'b.yaml': linstor,
    },
  ],
  ...[taken, taken.replace('{', '# customizer-lint ignore chart-owned-field -- lab\n{')].map(
    (text, index): Case => [
      `what the lab has${index ? ', and is excused for it,' : ''} is taken for production`,
      'chart-owned-field',
      {
        'clusters/lab/kustomization.yaml': root('metallb.yaml'),
        'clusters/lab/metallb.yaml': index
          ? `apiVersion: cozystack.io/v1alpha1\nkind: Package\nmetadata:\n  name: cozystack.metallb\n  annotations: {${flux}/ssa: Merge, ${flux}/prune: disabled}\nspec:\n  variant: oidc # customizer-lint ignore chart-owned-field -- lab\n`
          : text,
        'clusters/prod/kustomization.yaml': root('note.yaml'),
        'clusters/prod/note.yaml': configMap('note'),
      },
      { 'clusters/prod/kustomization.yaml': root('note.yaml', '../lab/metallb.yaml') },
    ],
  ),
  [
    'what was applied only where it was missing is applied for good',
    'chart-owned-field',
    {
      'kustomization.yaml': root('a.yaml'),
      'a.yaml': pack('cozystack.metallb', { variant: 'oidc' }, { [`${flux}/ssa`]: 'IfNotPresent' }),
    },
    { 'a.yaml': pack('cozystack.metallb', { variant: 'oidc' }, { [`${flux}/ssa`]: 'Merge' }) },
  ],
  // Facts that come with the change.
  ...([{ [`${flux}/reconcile`]: 'disabled' }, { [`${flux}/ssa`]: 'Merge' }] as Spec[]).map(
    (annotations): Case => [
      `the change itself switches off what it takes, with ${JSON.stringify(annotations)}`,
      'chart-owned-field',
      {
        'kustomization.yaml': root('note.yaml'),
        'note.yaml': configMap('note'),
        '.customizer-lint.yaml': 'cluster: {release: v1.6.2, variant: isp-full}\n',
      },
      {
        'kustomization.yaml': root('note.yaml', 'platform.yaml', 'networking.yaml'),
        'platform.yaml': pack(
          'cozystack.cozystack-platform',
          { components: { platform: { values: { bundles: { disabledPackages: ['cozystack.networking'] } } } } },
          annotations,
        ),
        'networking.yaml': pack('cozystack.networking', { variant: 'noop' }),
      },
    ],
  ),
  // A Namespace that nobody takes over in time.
  ...(
    [
      ['suspended', { suspend: true }],
      ['waiting for the first', { dependsOn: [{ name: 'apps' }] }],
      ['waiting for what nobody knows', { dependsOn: [{ name: 'nobody' }] }],
    ] as [string, Spec][]
  ).map(
    ([what, spec]): Case => [
      `a Namespace moves to a Flux Kustomization that is ${what}`,
      'pruned-namespace',
      applied(
        { 'self.yaml': ours, 'apps.yaml': apply('apps', './apps'), 'infra.yaml': apply('infra', './infra', spec) },
        {
          'apps/kustomization.yaml': root('ns.yaml', 'note.yaml'),
          ...{ 'apps/ns.yaml': namespace, 'apps/note.yaml': configMap('note') },
          ...{ 'infra/kustomization.yaml': root('other.yaml'), 'infra/other.yaml': configMap('other') },
        },
      ),
      {
        'apps/kustomization.yaml': root('note.yaml'),
        'apps/ns.yaml': null,
        ...{ 'infra/kustomization.yaml': root('other.yaml', 'ns.yaml'), 'infra/ns.yaml': namespace },
      },
    ],
  ),
  [
    'a Flux Kustomization gets another name',
    'pruned-namespace',
    withNamespace(),
    { 'apps.yaml': apply('apps2', './apps') },
  ],
  [
    'a Flux Kustomization that prunes nothing, but deletes all with itself, gets another name',
    'pruned-namespace',
    withNamespace({ prune: false, deletionPolicy: 'Delete' }),
    { 'apps.yaml': apply('apps2', './apps') },
  ],
  [
    'a Flux Kustomization gets another path, and a suspended one keeps the old',
    'pruned-namespace',
    { ...withNamespace(), ...another },
    {
      'kustomization.yaml': root('self.yaml', 'apps.yaml', 'keep.yaml'),
      'apps.yaml': apply('apps', './apps2'),
      'keep.yaml': apply('keep', './apps', { suspend: true }),
    },
  ],
  [
    'a Flux Kustomization gets another path, and a file that nothing renders names the old one',
    'pruned-namespace|missing-entrypoint',
    { ...withNamespace(), ...another },
    { 'apps.yaml': apply('apps', './apps2'), 'docs/example.yaml': apply('apps', './apps') },
  ],
  [
    'a Namespace moves to a directory that nothing but such a file names',
    'pruned-namespace',
    applied(
      { 'self.yaml': ours, 'apps.yaml': apply('apps', './apps') },
      {
        'apps/kustomization.yaml': root('ns.yaml', 'note.yaml'),
        ...{ 'apps/ns.yaml': namespace, 'apps/note.yaml': configMap('note') },
      },
    ),
    {
      ...{ 'apps/kustomization.yaml': root('note.yaml'), 'apps/ns.yaml': null },
      'docs/example.yaml': apply('decoy', './decoy'),
      ...{ 'decoy/kustomization.yaml': root('ns.yaml'), 'decoy/ns.yaml': namespace },
    },
  ],
  [
    'what a suspended Flux Kustomization alone had is applied by one whose source nobody knows',
    'chart-owned-field',
    applied(
      { 'self.yaml': ours, 'apps.yaml': apply('apps', './apps', { suspend: true }) },
      { 'apps/kustomization.yaml': root('a.yaml'), 'apps/a.yaml': taken },
    ),
    {
      'kustomization.yaml': root('self.yaml', 'apps.yaml', 'more.yaml'),
      'more.yaml': apply('more', './apps', { sourceRef: { ...self, name: 'other' } }),
    },
  ],
  [
    'a Flux Kustomization is parked where a suspended one would apply it',
    'pruned-namespace',
    withNamespace(),
    {
      'kustomization.yaml': root('self.yaml', 'parked.yaml'),
      'apps.yaml': null,
      'parked.yaml': apply('parked', './parked', { suspend: true }),
      ...{ 'parked/kustomization.yaml': root('apps.yaml'), 'parked/apps.yaml': apply('apps', './apps') },
    },
  ],
  [
    'a directory begins not to be pruned when something is taken out of it',
    'pruned-namespace',
    applied(
      { 'self.yaml': ours, 'apps.yaml': apply('apps', './apps') },
      {
        'apps/kustomization.yaml': root('ns.yaml', 'note.yaml'),
        ...{ 'apps/ns.yaml': namespace, 'apps/note.yaml': configMap('note') },
      },
    ),
    {
      'apps.yaml': apply('apps', './apps', { prune: false }),
      ...{ 'apps/kustomization.yaml': root('note.yaml'), 'apps/ns.yaml': null },
    },
  ],
  // Sources.
  [
    'another source that fetches another branch takes the place of the one that did not',
    'unverifiable-change',
    applied(
      { 'self.yaml': ours, 'apps.yaml': apply('apps', './apps') },
      { 'apps/kustomization.yaml': root('note.yaml'), 'apps/note.yaml': configMap('note') },
    ),
    {
      'kustomization.yaml': root('self.yaml', 'other.yaml', 'apps.yaml'),
      'other.yaml': source('other', 'https://github.com/o/r', { ref: { branch: 'old' } }),
      'apps.yaml': apply('apps', './apps', { sourceRef: { kind: 'GitRepository', name: 'other' } }),
    },
  ],
  [
    'of another source another revision is fetched',
    'unverifiable-change',
    applied(
      {
        'shared.yaml': source('shared', 'https://github.com/o/shared'),
        'apply.yaml': apply('shared', './', { sourceRef: { kind: 'GitRepository', name: 'shared' } }),
      },
      {},
    ),
    { 'shared.yaml': source('shared', 'https://github.com/o/shared', { ref: { name: 'refs/pull/66/head' } }) },
  ],
  ...(
    [
      ['only a part', { sparseCheckout: ['clusters'] }],
      ['another branch', { ref: { branch: 'pr' } }],
    ] as [string, Spec][]
  ).map(
    ([what, spec]): Case => [
      `the source of this repository fetches ${what}`,
      'unverifiable-change',
      applied({ 'self.yaml': ours }, {}),
      { 'self.yaml': source('self', 'https://github.com/o/r', spec) },
    ],
  ),
  [
    'commits need no signature any more',
    'unverifiable-change',
    applied(
      { 'self.yaml': source('self', 'https://github.com/o/r', { verify: { mode: 'HEAD', secretRef: { name: 'k' } } }) },
      {},
    ),
    { 'self.yaml': ours },
  ],
  ...(
    [
      ['GitRepository', { url: 'https://github.com/eve/shared' }],
      ['OCIRepository', { url: 'oci://ghcr.io/eve/shared' }],
      ['Bucket', { endpoint: 'eve.example.org' }],
    ] as [string, Spec][]
  ).map(([kind, spec]): Case => {
    const object = apply('shared', './', { sourceRef: { kind, name: 'shared' } });
    return [
      `a ${kind} that is applied here is fetched from elsewhere`,
      'unverifiable-change',
      applied({ 'shared.yaml': source('shared', 'https://github.com/o/shared', {}, kind), 'apply.yaml': object }, {}),
      { 'shared.yaml': source('shared', 'https://github.com/o/shared', spec, kind) },
    ];
  }),
  [
    'what another source holds is patched',
    'unverifiable-change',
    applied(
      {
        'shared.yaml': source('shared', 'https://github.com/o/shared'),
        'apply.yaml': apply('shared', './', { sourceRef: { kind: 'GitRepository', name: 'shared' } }),
      },
      {},
    ),
    {
      'apply.yaml': apply('shared', './', {
        sourceRef: { kind: 'GitRepository', name: 'shared' },
        patches: [{ patch: '- {op: add, path: /spec/variant, value: oidc}', target: { kind: 'Package' } }],
      }),
    },
  ],
  // Directories that nothing here renders.
  [
    'what is applied to another cluster changes',
    'unverifiable-change',
    applied(
      { 'self.yaml': ours, 'spoke.yaml': apply('spoke', './spoke', kubeConfig) },
      { 'spoke/kustomization.yaml': root('a.yaml'), 'spoke/a.yaml': metallb },
    ),
    { 'spoke/a.yaml': taken },
  ],
  [
    'what is applied to another cluster is removed',
    'unverifiable-change',
    applied({ 'self.yaml': ours, 'spoke.yaml': apply('spoke', './spoke', kubeConfig) }, { 'spoke/a.yaml': metallb }),
    { 'spoke/a.yaml': null },
  ],
  [
    'what is not applied to another cluster any more is applied again',
    'unverifiable-change',
    applied({ 'self.yaml': ours, 'spoke.yaml': apply('spoke', './spoke', { ...kubeConfig, suspend: true }) }, {}),
    { 'spoke.yaml': apply('spoke', './spoke', kubeConfig) },
  ],
  [
    'a template changes, and its folder is rendered by what is suspended',
    'unverifiable-change',
    applied(
      {
        'self.yaml': ours,
        'release.yaml': release({ chart: { spec: { chart: './charts/x', sourceRef: self } } }),
        'apps.yaml': apply('apps', './apps'),
      },
      { ...chart, 'apps/kustomization.yaml': root('note.yaml'), 'apps/note.yaml': configMap('note') },
    ),
    {
      'apps.yaml': apply('apps', './charts/x', { suspend: true }),
      'charts/x/templates/a.yaml': 'kind: Secret\n',
      ...{ 'charts/x/kustomization.yaml': root('note.yaml'), 'charts/x/note.yaml': configMap('note2') },
    },
  ],
  [
    'what a ResourceSet applies changes',
    'unverifiable-change',
    applied(
      {
        'self.yaml': ours,
        'set.yaml': JSON.stringify({
          apiVersion: 'fluxcd.controlplane.io/v1',
          kind: 'ResourceSet',
          metadata: { name: 'tenants', namespace: 'cozy-customizer' },
          spec: { resources: [JSON.parse(apply('<< inputs.name >>', './tenants/<< inputs.name >>'))] },
        }),
      },
      { 'tenants/x/kustomization.yaml': root('a.yaml'), 'tenants/x/a.yaml': metallb },
    ),
    { 'tenants/x/a.yaml': taken },
  ],
  [
    'a directory changes that a variable of the cluster names',
    'unverifiable-change',
    applied(
      {
        'self.yaml': ours,
        'apps.yaml': apply('apps', './apps', { postBuild: { substituteFrom: [{ kind: 'Secret', name: 's' }] } }),
      },
      {
        'apps/kustomization.yaml': root('env.yaml'),
        'apps/env.yaml': apply('env', `./envs/\${NAME}`),
        ...{ 'envs/x/kustomization.yaml': root('a.yaml'), 'envs/x/a.yaml': metallb },
      },
    ),
    { 'envs/x/a.yaml': taken },
  ],
  ...(
    [
      ['ResourceSetInputProvider', 'fluxcd.controlplane.io/v1', { type: 'Static' }],
      ['FluxInstance', 'fluxcd.controlplane.io/v1', { sync: { url: 'https://github.com/eve/x' } }],
      ['Application', 'argoproj.io/v1alpha1', { source: { repoURL: 'https://github.com/eve/x' } }],
    ] as [string, string, Spec][]
  ).map(
    ([kind, apiVersion, spec]): Case => [
      `a new ${kind} has objects made that are not here`,
      'unverifiable-change',
      applied({ 'self.yaml': ours }, {}),
      {
        'kustomization.yaml': root('self.yaml', 'maker.yaml'),
        'maker.yaml': JSON.stringify({
          ...{ apiVersion, kind, metadata: { name: 'maker', namespace: 'cozy-customizer' }, spec },
        }),
      },
    ],
  ),
  // Charts of this repository.
  ...(
    [
      ['a template changes', {}, { 'charts/x/templates/a.yaml': 'kind: Secret\n' }],
      ['a file of values changes', { valuesFiles: ['values/prod.yaml'] }, { 'values/prod.yaml': 'a: c\n' }],
      [
        'a chart that it depends on changes',
        {},
        { 'charts/y/templates/b.yaml': 'kind: Secret\n' },
        { 'charts/x/Chart.yaml': 'name: x\nversion: 0.1.0\ndependencies: [{name: y, repository: "file://../y"}]\n' },
      ],
    ] as [string, Spec, Change, Files?][]
  ).map(
    ([what, spec, change, more = {}]): Case => [
      `of a HelmChart of this repository ${what}`,
      'unverifiable-change',
      applied(
        {
          'self.yaml': ours,
          'chart.yaml': source('x', '', { chart: './charts/x', sourceRef: self, ...spec }, 'HelmChart'),
          'release.yaml': release({ chartRef: { kind: 'HelmChart', name: 'x' } }),
        },
        { ...chart, 'values/prod.yaml': 'a: b\n', 'charts/y/templates/b.yaml': 'kind: ConfigMap\n', ...more },
      ),
      change,
    ],
  ),
  [
    'the values of an own chart change',
    'unverifiable-change',
    applied(
      {
        'self.yaml': ours,
        'release.yaml': release({ chart: { spec: { chart: './charts/x', sourceRef: self } }, values: { a: 1 } }),
      },
      chart,
    ),
    { 'release.yaml': release({ chart: { spec: { chart: './charts/x', sourceRef: self } }, values: { a: 2 } }) },
  ],
  [
    'where an own chart is installed changes',
    'unverifiable-change',
    applied(
      {
        'self.yaml': ours,
        'release.yaml': release({ chart: { spec: { chart: './charts/x', sourceRef: self } }, targetNamespace: 'a' }),
      },
      chart,
    ),
    { 'release.yaml': release({ chart: { spec: { chart: './charts/x', sourceRef: self } }, targetNamespace: 'b' }) },
  ],
  [
    'a file of an own chart changes that is too large to be read',
    'unverifiable-change',
    applied(
      { 'self.yaml': ours, 'release.yaml': release({ chart: { spec: { chart: './charts/x', sourceRef: self } } }) },
      { ...chart, 'charts/x/templates/large.yaml': `kind: ConfigMap\n${'#'.repeat(5 << 20)}` },
    ),
    { 'charts/x/templates/large.yaml': `kind: Secret   \n${'#'.repeat(5 << 20)}` },
  ],
  // Who applies it.
  [
    'the change brings somebody with more rights',
    'platform-object-edited',
    applied({ 'self.yaml': ours }, {}),
    {
      'kustomization.yaml': root('self.yaml', 'apps.yaml'),
      'apps.yaml': apply('apps', './apps'),
      'apps/kustomization.yaml': root('packages.yaml'),
      'apps/packages.yaml':
        'apiVersion: source.toolkit.fluxcd.io/v1\nkind: OCIRepository\nmetadata: {name: cozystack-packages, namespace: cozy-system}\nspec: {interval: 5m, url: "oci://ghcr.io/eve/x", ref: {tag: v1}}\n',
    },
  ],
];

describe('is red:', () => {
  test.concurrent.each(someOf(cases, 6, ([title]) => title))('%s', async (_, rule, files, change) => {
    const { status, log } = await judged(files, change);
    expect({ status, log }).toEqual({
      status: 1,
      log: expect.stringMatching(new RegExp(`error\\S*\\[${rule}\\]`)),
    });
  });
});

describe('a submodule', () => {
  const files = (spec: Spec): Files => ({
    'kustomization.yaml': root('self.yaml', 'note.yaml'),
    ...{ 'self.yaml': source('self', 'https://github.com/o/r', spec), 'note.yaml': configMap('note') },
    '.gitmodules': '[submodule "third"]\n\tpath = third\n\turl = https://github.com/o/third\n',
  });
  const fetched = files({ recurseSubmodules: true });
  const [one, other] = ['1'.repeat(40), '2'.repeat(40)];
  const eve = { '.gitmodules': '[submodule "third"]\n\tpath = third\n\turl = https://github.com/eve/third\n' };

  const cases: [string, Files, Change, (string | undefined)[], number][] = [
    ['that comes', fetched, {}, [undefined, one], 1],
    ['that stands at another commit', fetched, {}, [one, other], 1],
    ['that comes from elsewhere', fetched, eve, [one, one], 1],
    ['that Flux did not fetch before', files({}), fetched, [one, one], 1],
    ['that stays, beside another change', fetched, { 'note.yaml': configMap('note', { a: 'b' }) }, [one, one], 0],
    ['that Flux does not fetch', files({}), {}, [one, other], 0],
  ];

  test.each(someOf(cases, 1, ([title]) => title))('%s', async (_, before, change, commits, expected) => {
    const made = withSubmodule(commitTwice(before, change), 'third', commits);
    planted.push(made.folder);
    const { status, log } = await judgedOf(made);
    expect({ status, log }).toEqual({
      status: expected,
      log: (expected === 1 ? expect.stringContaining : expect.not.stringContaining)('unverifiable-change'),
    });
    // On a local machine the index says where it stands.
    const { stdout } = await runHere(['check', made.folder, '--base', made.base]);
    expect(stdout.includes('unverifiable-change')).toBe(expected === 1);
  });
});

test('a value cannot pretend to be the end of another', async () => {
  const files = (bar: string, foo: string): Files => ({
    'kustomization.yaml': root('a.yaml', 'b.yaml', 's.yaml'),
    ...{ 'a.yaml': configMap('aaa', { a: bar }), 'b.yaml': configMap('bbb', { a: foo }) },
    's.yaml':
      'apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: cozy-customizer}\nstringData: {a: hunter2hunter2}\n',
  });
  const { folder, base } = commitTwice(files('one', 'safe-value'), files('two\n\0\nharmless', 'HARMFUL'));
  planted.push(folder);
  const { stdout } = await runHere(['diff', folder, '--base', base]);
  expect(stdout).toContain('"safe-value" → "HARMFUL"');
});

test('a map in the place of a word is no bug of the linter', async () => {
  const { status, log } = await judged(
    { 'kustomization.yaml': root('note.yaml'), 'note.yaml': configMap('note') },
    {
      'docs/x.yaml':
        '# kustomize.toolkit.fluxcd.io\napiVersion: {toString: 1}\nkind: Kustomization\nmetadata: {name: x}\nspec: {sourceRef: {kind: GitRepository, name: x}}\n',
    },
  );
  expect({ status, log }).toEqual({ status: 0, log: expect.not.stringContaining('bug of the linter') });
});

describe('is not red:', () => {
  const old = applied(
    { 'self.yaml': ours, 'apps.yaml': apply('apps', './apps'), 'spoke.yaml': apply('spoke', './spoke', kubeConfig) },
    {
      ...{
        'apps/kustomization.yaml': root('a.yaml', 'ns.yaml', 'note.yaml'),
        'apps/a.yaml': taken,
        'apps/ns.yaml': namespace,
      },
      ...{
        'apps/note.yaml': configMap('note'),
        'spoke/kustomization.yaml': root('n.yaml'),
        'spoke/n.yaml': configMap('n'),
      },
      'README.md': 'x',
    },
  );
  const pruned = (name: string) =>
    apply(name, './apps').replace('"namespace"', `"annotations":{"${flux}/prune":"disabled"},"namespace"`);

  test.concurrent.each<[string, Files, Change]>([
    ['another file beside an old error', old, { 'apps/note.yaml': configMap('note', { a: 'b' }), 'README.md': 'y' }],
    [
      'an old error in a file of another name',
      old,
      { 'apps/kustomization.yaml': root('b.yaml', 'ns.yaml', 'note.yaml'), 'apps/a.yaml': null, 'apps/b.yaml': taken },
    ],
    [
      'sources of one name in two clusters that fetch two branches',
      {
        'fleet/a/kustomization.yaml': root('self.yaml', 'note.yaml'),
        ...{ 'fleet/a/self.yaml': ours, 'fleet/a/note.yaml': configMap('note') },
        'fleet/b/kustomization.yaml': root('self.yaml'),
        'fleet/b/self.yaml': source('self', 'https://github.com/o/r', { ref: { branch: 'staging' } }),
        '.customizer-lint.yaml': 'entrypoints: [fleet/a, fleet/b]\n',
      },
      { 'fleet/a/note.yaml': configMap('note', { a: 'b' }) },
    ],
    ['an old error that is not applied for now', old, { 'apps.yaml': apply('apps', './apps', { suspend: true }) }],
    [
      'a chart here, where the one that is installed is of another repository and stands at the same place there',
      applied(
        {
          ...{ 'self.yaml': ours, 'other.yaml': source('other', 'https://github.com/o/charts') },
          'release.yaml': release({ chart: { spec: { chart: './charts/x', sourceRef: { ...self, name: 'other' } } } }),
        },
        chart,
      ),
      { 'charts/x/templates/a.yaml': 'kind: Secret\n' },
    ],
    [
      'how often another cluster is looked at',
      old,
      { 'spoke.yaml': apply('spoke', './spoke', { ...kubeConfig, interval: '1h' }) },
    ],
  ])('%s', async (_, files, change) => {
    const { status, log } = await judged(files, change);
    expect({ status, log: status === 0 ? '' : log }).toEqual({ status: 0, log: '' });
  });

  test.concurrent.each<[string, Files, Change]>([
    [
      'a Flux Kustomization of another name, after the old one was told to leave all in place',
      { ...old, 'apps.yaml': pruned('apps') },
      { 'apps.yaml': pruned('apps2') },
    ],
    [
      'a Flux Kustomization of another name, where the old one orphans all',
      { ...old, 'apps.yaml': apply('apps', './apps', { deletionPolicy: 'Orphan' }) },
      { 'apps.yaml': apply('apps2', './apps', { deletionPolicy: 'Orphan' }) },
    ],
  ])('%s, on a branch of the repository', async (_, files, change) => {
    const { status, log } = await judged(files, change, 'branch');
    expect({ status, log: status === 0 ? '' : log }).toEqual({ status: 0, log: '' });
    const fork = await judged(files, change);
    expect(fork).toMatchObject({ status: 1, log: expect.stringContaining('sensitive-change') });
  });

  test('an old error in a directory of another name, which is an error of its own', async () => {
    const { log } = await judged(old, {
      'apps.yaml': apply('apps', './more'),
      ...{ 'apps/kustomization.yaml': null, 'apps/a.yaml': null, 'apps/ns.yaml': null, 'apps/note.yaml': null },
      ...{ 'more/kustomization.yaml': root('a.yaml', 'ns.yaml'), 'more/a.yaml': taken, 'more/ns.yaml': namespace },
    });
    expect(log).toContain('missing-entrypoint');
    expect(log).toContain('3 errors, 1 notice (2 new)');
  });

  test('what our own change takes from one directory to another', async () => {
    const { status, log } = await judged(
      applied(
        { 'self.yaml': ours, 'apps.yaml': apply('apps', './apps'), 'more.yaml': apply('more', './more') },
        {
          ...{
            'apps/kustomization.yaml': root('a.yaml', 'note.yaml'),
            'apps/a.yaml': taken,
            'apps/note.yaml': configMap('note'),
          },
          ...{ 'more/kustomization.yaml': root('n.yaml'), 'more/n.yaml': configMap('n') },
        },
      ),
      {
        ...{ 'apps/kustomization.yaml': root('note.yaml'), 'apps/a.yaml': null },
        ...{ 'more/kustomization.yaml': root('n.yaml', 'a.yaml'), 'more/a.yaml': taken },
      },
      'branch',
    );
    expect({ status, log }).toEqual({ status: 0, log: expect.stringContaining('chart-owned-field') });
  });
});
