/** Changes that apply something harmful only if something is so that no repository says: no verdict is right, silence is wrong. */
import { stringify } from 'yaml';
import type { JsonObject } from '../../../src/core/model.js';
import type { Evasion, Tree } from './generate.js';
import { type Harm, harms, shown } from './harms.js';

const home = 'cozy-customizer';
const source = { kind: 'GitRepository', name: 'source' };
const flux = (spec: JsonObject = {}, apiVersion = 'kustomize.toolkit.fluxcd.io/v1'): JsonObject => ({
  apiVersion,
  kind: 'Kustomization',
  metadata: { name: 'apps', namespace: home },
  spec: { interval: '5m', prune: true, path: './apps', sourceRef: source, ...spec },
});
const repository = (spec: JsonObject): JsonObject => ({
  apiVersion: 'source.toolkit.fluxcd.io/v1',
  kind: 'GitRepository',
  metadata: { name: 'source', namespace: home },
  spec: { interval: '5m', url: 'https://github.com/o/r', ref: { branch: 'main' }, ...spec },
});
const platforms = { sourceRef: { kind: 'GitRepository', name: 'cozystack-customizer', namespace: 'cozy-system' } };
const harm = harms.variant as Harm;
const bad = shown(harm, true);

/** The objects that the change adds to the root, and other files of it. */
const cases: Record<string, { objects: JsonObject[]; files?: Tree }> = {
  'another cluster': { objects: [flux({ ...platforms, kubeConfig: { secretRef: { name: 'x' } } })] },
  'an empty kubeConfig': { objects: [flux({ ...platforms, kubeConfig: {} })] },
  'a kubeConfig of a ConfigMap': { objects: [flux({ ...platforms, kubeConfig: { configMapRef: { name: 'x' } } })] },
  'a source that nothing defines': { objects: [flux({ sourceRef: { kind: 'GitRepository', name: 'nobody' } })] },
  'a URL of nobody': { objects: [flux(), repository({ url: 'https://mirror.example.org/o/r.git' })] },
  'a URL that is an alias of a host': { objects: [flux(), repository({ url: 'ssh://git@gh/o/r' })] },
  'a tag': { objects: [flux(), repository({ ref: { tag: 'v1' } })] },
  'the head of the pull request': { objects: [flux(), repository({ ref: { name: 'refs/pull/7/head' } })] },
  'another branch': { objects: [flux(), repository({ ref: { branch: 'evil' } })] },
  'a commit': { objects: [flux(), repository({ ref: { commit: 'a'.repeat(40) } })] },
  'another repository included': {
    objects: [flux(), repository({ include: [{ repository: { name: 'other' }, fromPath: 'x', toPath: 'apps' }] })],
  },
  'a suspended object': { objects: [flux({ ...platforms, suspend: true })] },
  'an old version of the API': { objects: [flux(platforms, 'kustomize.toolkit.fluxcd.io/v1beta2')] },
  'a set of resources': {
    objects: [
      {
        apiVersion: 'fluxcd.controlplane.io/v1',
        kind: 'ResourceSet',
        metadata: { name: 'set', namespace: home },
        spec: { resources: [bad] },
      },
    ],
  },
  'a template of a set of resources': {
    objects: [
      {
        apiVersion: 'fluxcd.controlplane.io/v1',
        kind: 'ResourceSet',
        metadata: { name: 'set', namespace: home },
        spec: { inputs: [{ v: 'oidc' }], resourcesTemplate: stringify(bad).replace('oidc', '<< inputs.v >>') },
      },
    ],
  },
};

export const undecidable: Record<string, Evasion> = Object.fromEntries(
  Object.entries(cases).map(([name, { objects, files }]) => {
    const list = (resources: string[]) => stringify({ resources });
    const note = stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'note', namespace: home } });
    const base: Tree = { 'kustomization.yaml': list(['note.yaml']), 'note.yaml': note };
    const added = Object.fromEntries(objects.map((object, n) => [`o${n}.yaml`, stringify(object)]));
    const head: Tree = {
      ...base,
      ...added,
      ...files,
      'kustomization.yaml': list(['note.yaml', ...Object.keys(added)]),
      'apps/kustomization.yaml': list(['bad.yaml']),
      'apps/bad.yaml': stringify(bad),
    };
    return [name, { n: 0, harm, base, head, isNew: true, labels: [`undecidable: ${name}`] }];
  }),
);
