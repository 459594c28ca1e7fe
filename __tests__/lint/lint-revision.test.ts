/** What of a change is new: for which objects a line is wrong, and how what applies it reaches the cluster. */
import { afterEach, expect, test } from '@jest/globals';
import { runHere } from '../support/here.js';
import { commitTwice } from '../support/history.js';
import { configMap, createRepo, type Files, kustomization, removeRepo } from '../support/trees.js';

let folder: string;
afterEach(() => removeRepo(folder));

/** The rules of the findings that are new. */
async function newIn(files: Files, change: Files): Promise<string[]> {
  const made = commitTwice(files, change);
  folder = made.folder;
  const { stdout } = await runHere(['check', folder, '--base', made.base, '--format', 'json']);
  const { findings } = JSON.parse(stdout) as { findings: { rule: string; isNew: boolean }[] };
  return findings.filter(({ isNew }) => isNew).map(({ rule }) => rule);
}

const annotations = { 'kustomize.toolkit.fluxcd.io/ssa': 'Merge', 'kustomize.toolkit.fluxcd.io/prune': 'disabled' };
const pack = (name: string, spec: object) =>
  JSON.stringify({ apiVersion: 'cozystack.io/v1alpha1', kind: 'Package', metadata: { name, annotations }, spec });
const apply = (name: string, spec: object = {}) =>
  JSON.stringify({
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { name, namespace: 'cozy-customizer' },
    spec: { interval: '5m', prune: true, path: './apps', sourceRef: { kind: 'GitRepository', name: 'self' }, ...spec },
  });

test('a line that was wrong for one object is wrong anew for another', async () => {
  const patched = (name: string) =>
    kustomization({
      resources: ['a.yaml', 'b.yaml'],
      patches: [{ path: 'p.yaml', target: { kind: 'Package', name } }],
    });
  const files = {
    'kustomization.yaml': patched('cozystack.metallb'),
    'a.yaml': pack('cozystack.metallb', { components: {} }),
    'b.yaml': pack('cozystack.linstor', { components: {} }),
    'p.yaml': '- {op: add, path: /spec/variant, value: oidc}\n',
  };
  expect(await newIn(files, { 'kustomization.yaml': patched('cozystack.linstor') })).toContain('chart-owned-field');
});

test('of several that apply a directory the one that reaches the cluster counts, wherever it is listed', async () => {
  const files = {
    'kustomization.yaml': kustomization({ resources: ['on.yaml', 'off.yaml'] }),
    ...{ 'on.yaml': apply('on'), 'off.yaml': apply('off', { suspend: true }) },
    'apps/kustomization.yaml': kustomization({ resources: ['a.yaml'] }),
    'apps/a.yaml': pack('cozystack.metallb', { variant: 'oidc' }),
  };
  expect(await newIn(files, { 'kustomization.yaml': kustomization({ resources: ['on.yaml'] }) })).toEqual([]);
});

test('a file that is not there is said to be so', async () => {
  folder = createRepo({ 'note.yaml': configMap('note') });
  const { stdout } = await runHere(['check', folder]);
  expect(stdout).toContain('--> kustomization.yaml (not there)\n');
});
