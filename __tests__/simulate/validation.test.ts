/** The stage `validation`: what Kubernetes' own code says of single objects in a plain check, and when it is asked at all. */
import { afterAll, describe, expect, test } from '@jest/globals';
import type { Tree } from '../../src/core/model.js';
import { root } from '../support/cli.js';
import { runHere } from '../support/here.js';
import { createRepo, type Files, kustomization, removeRepo } from '../support/trees.js';

// After here.ts, which takes the place of the engines.
const { LaterEngine } = await import('../../src/engine/host/apply-engine.js');
const { loadWorkspace } = await import('../../src/lint/load.js');
const { isLarge, mayNeedServer, runValidation } = await import('../../src/simulate/validation.js');

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) removeRepo(folder);
});

function repo(files: { [name: string]: object }, more: object = {}): string {
  const texts: Files = Object.fromEntries(Object.entries(files).map(([name, one]) => [name, JSON.stringify(one)]));
  const folder = createRepo({
    'kustomization.yaml': kustomization({ resources: Object.keys(files), ...more }),
    ...texts,
  });
  folders.push(folder);
  return folder;
}

type Report = {
  findings: { rule: string; severity: string; message: string; isNew?: boolean }[];
  stages: { name: string; ran: boolean; why?: string }[];
  notChecked: { what: string; why: string }[];
};

async function check(folder: string, base?: string): Promise<Report> {
  const { stdout } = await runHere(['check', folder, '--format', 'json', ...(base ? ['--base', base] : [])]);
  return JSON.parse(stdout) as Report;
}

const metadata = { name: 'a', namespace: 'cozy-customizer' };
const settings = (data: object, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata,
  data,
  ...more,
});
const pkg = (more: object = {}) => ({
  apiVersion: 'cozystack.io/v1alpha1',
  kind: 'Package',
  metadata: {
    name: 'cozystack.metallb',
    annotations: { 'kustomize.toolkit.fluxcd.io/ssa': 'Merge', 'kustomize.toolkit.fluxcd.io/prune': 'disabled' },
    ...more,
  },
  spec: { components: { metallb: { values: { metallb: { speaker: { logLevel: 'debug' } } } } } },
});
const refusals = ({ findings }: Report) => findings.filter(({ rule }) => rule === 'refused-by-server');
const names = ({ stages }: Report) => stages.filter(({ ran }) => ran).map(({ name }) => name);

describe('it is asked', () => {
  test('of no repository of Packages alone', async () => {
    expect(names(await check(repo({ 'a.yaml': pkg() })))).toEqual(['render', 'rules']);
  });

  test('of a Package whose labels look wrong, and refuses those', async () => {
    const report = await check(repo({ 'a.yaml': pkg({ labels: { team: 'a b' } }) }));
    expect(names(report)).toContain('validation');
    expect(refusals(report).map(({ message }) => message)).toEqual([expect.stringContaining('metadata.labels.team: ')]);
  });

  test.each([
    ['a built-in kind', settings({ a: 'b' })],
    [
      'a kind whose definition has rules in CEL',
      {
        apiVersion: 'helm.toolkit.fluxcd.io/v2',
        kind: 'HelmRelease',
        metadata,
        spec: { interval: '5m', serviceAccountName: 'a', chartRef: { kind: 'OCIRepository', name: 'a' } },
      },
    ],
  ])('of %s, which is right', async (_, object) => {
    const report = await check(repo({ 'a.yaml': object }));
    expect(names(report)).toContain('validation');
    expect(refusals(report)).toEqual([]);
  });

  test('of what Flux does not apply never', async () => {
    const annotations = { 'kustomize.toolkit.fluxcd.io/ssa': 'Ignore' };
    const object = settings({ 'a b': 'c' }, { metadata: { ...metadata, annotations } });
    expect(names(await check(repo({ 'a.yaml': object })))).not.toContain('validation');
  });
});

describe('a change', () => {
  const immutable = { immutable: true };
  const annotated = (setting: string, value: string) => ({
    ...immutable,
    metadata: { ...metadata, annotations: { [`kustomize.toolkit.fluxcd.io/${setting}`]: value } },
  });

  test('of what may not be changed is refused against the base, and new', async () => {
    const [before, now] = ['b', 'c'].map((a) => repo({ 'a.yaml': settings({ a }, immutable) }));
    expect(refusals(await check(now as string))).toEqual([]);
    expect(refusals(await check(now as string, before))).toMatchObject([{ severity: 'error', isNew: true }]);
  });

  test.each([
    ['force', 'enabled'],
    ['ssa', 'IfNotPresent'],
  ])('is not refused where Flux makes it anew, or not at all: %s', async (setting, value) => {
    const [before, now] = ['b', 'c'].map((a) => repo({ 'a.yaml': settings({ a }, annotated(setting, value)) }));
    expect(refusals(await check(now as string, before))).toEqual([]);
  });

  test('is not refused where only what is there says that Flux makes it anew', async () => {
    const before = repo({ 'a.yaml': settings({ a: 'b' }, annotated('force', 'enabled')) });
    const now = repo({ 'a.yaml': settings({ a: 'c' }, immutable) });
    expect(refusals(await check(now, before))).toEqual([]);
  });

  test('what was refused before is not new', async () => {
    const [before, now] = ['c', 'd'].map((value) => repo({ 'a.yaml': settings({ 'a b': 'x', value }) }));
    expect(refusals(await check(now as string, before))).toMatchObject([{ isNew: false }]);
  });
});

test('what rests on a variable is not said', async () => {
  const object = settings({ a: 'b' }, { metadata: { ...metadata, labels: { team: `\${TEAM}` } } });
  expect(refusals(await check(repo({ 'a.yaml': object })))).toEqual([]);
});

test('what a rule says at the field is not said twice', async () => {
  const { findings } = await check(
    repo({ 'a.yaml': { apiVersion: 'v1', kind: 'Secret', metadata, data: { a: 'no base64!' } } }),
  );
  expect(findings.filter(({ severity }) => severity === 'error').map(({ rule }) => rule)).not.toContain(
    'refused-by-server',
  );
});

test('a built-in kind that is not judged is named', async () => {
  const object = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: 'a' },
    spec: { policyName: 'a', validationActions: ['Deny'] },
  };
  const { notChecked } = await check(repo({ 'a.yaml': object }));
  expect(notChecked.map(({ what }) => what)).toContain(
    'admissionregistration.k8s.io/v1 ValidatingAdmissionPolicyBinding',
  );
});

test('a module that cannot be asked is an error, not silence', async () => {
  const directory = repo({ 'a.yaml': settings({ a: 'b' }) });
  const server = new LaterEngine(() => Promise.reject(new Error('there is no module')));
  const { stage, problems } = await loadWorkspace({ directory, home: root, paths: [], remotes: [] }, ({ clusters }) =>
    runValidation(clusters, { server, said: { head: [], base: [] } }),
  );
  expect(stage).toEqual({ name: 'validation', ran: false, why: 'there is no module' });
  expect(problems.head).toMatchObject([
    { rule: 'skipped-stage', message: expect.stringContaining('there is no module') },
  ]);
});

describe('the hint that it will be needed', () => {
  const tree = (files: { [path: string]: string }) =>
    ({ files: Object.keys(files), bytes: (path: string) => Buffer.from(files[path] ?? '') }) as unknown as Tree;

  test.each([
    ['a ConfigMap', 'apiVersion: v1\nkind: ConfigMap\n', true],
    ['a Package', 'apiVersion: cozystack.io/v1alpha1\nkind: Package\n', false],
    ['a kustomization', 'kind: Kustomization\n', false],
    ['a kind that begins like one', 'kind: PackageThing\n', true],
    ['one in quotes', 'kind: "Secret"\n', true],
    ['one in a list', 'items:\n  - kind: Secret\n', true],
    ['one in a comment', '# kind: Secret\n', false],
    ['a word that ends so', 'mankind: Secret\n', false],
    ['a sentence', 'text: see kind: Secret\n', false],
    ['one in small letters', 'kind: secret\n', false],
    ['a generator', 'configMapGenerator:\n  - name: a\n', true],
    ['nothing', '', false],
  ])('%s', (_, text, expected) => {
    expect(mayNeedServer(tree({ 'a.yaml': text }))).toBe(expected);
    expect(mayNeedServer(tree({ 'a.txt': text }))).toBe(false);
  });

  test('is looked for in the first 1,000 files, and a tree with more is large', () => {
    const files = (count: number, last: string) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, index) => [`${index}.yml`, index === count - 1 ? last : 'kind: Package\n']),
      );
    expect(mayNeedServer(tree(files(1000, 'kind: Secret\n')))).toBe(true);
    expect(mayNeedServer(tree(files(1001, 'kind: Secret\n')))).toBe(false);
    expect([1000, 1001].map((count) => isLarge(tree(files(count, ''))))).toEqual([false, true]);
  });
});
