/** Variables that the cluster fills in where an object is named, and what an object that is refused keeps from being applied. */
import { describe, expect, test } from '@jest/globals';
import { describeBlocked } from '../../src/cluster/blocked.js';
import { unknownFields } from '../../src/cluster/variables.js';
import type { RenderedObject } from '../../src/core/model.js';
import { patchesOf } from '../../src/rules/duplicate-key/texts.js';
import { openWorkTree } from '../../src/tree/tree.js';
import { createRepo, removeRepo } from '../support/trees.js';

const rendered = (kind: string, name: string, more: object = {}) =>
  ({
    ref: { apiVersion: 'v1', kind, namespace: 'n', name },
    value: { apiVersion: 'v1', kind, metadata: { name, namespace: 'n' }, ...more },
  }) as unknown as RenderedObject;
const found = (object: RenderedObject) => unknownFields(object).map(({ path, text }) => `${path.join('.')}: ${text}`);

const variable = (name: string) => `\${${name}}`;

test('an encrypted level of Pod Security decides what the pods of a Namespace may do', () => {
  const { ref, value } = rendered('Namespace', 'a');
  const labels = { 'pod-security.kubernetes.io/enforce': 'ENC[AES256_GCM,data:eA==,type:str]' };
  const object = { ref, value: { ...value, metadata: { name: 'a', labels } } } as unknown as RenderedObject;
  expect(unknownFields(object)).toEqual([{ path: ['metadata', 'labels', 'pod-security.kubernetes.io/enforce'] }]);
});

describe('an open variable', () => {
  test('is told with its braces', () => {
    const object = rendered('ConfigMap', `a-${variable('CLUSTER')}-${variable('ZONE')}`);
    expect(found(object)).toEqual([`metadata.name: "${variable('CLUSTER')}"`]);
  });

  test('is told by its begin where it is long', () => {
    const [text = ''] = found(rendered('ConfigMap', variable('x'.repeat(200))));
    expect(text).toBe(`metadata.name: "${variable('x'.repeat(98)).slice(0, -1)}"`);
  });

  test('is one in a key, however deep, and none in a value', () => {
    const [b, e] = [variable('B'), variable('E')];
    const object = rendered('ConfigMap', 'a', { data: { a: b, c: null, d: [{ [e]: 1 }] } });
    expect(found(object)).toEqual([`data.d.0.${e}: "${e}"`]);
  });

  test('is one in place of a map of a Package, which may then hold any field', () => {
    const spec = { spec: variable('B') };
    expect(found(rendered('Deployment', 'a', spec))).toEqual([]);
    const { ref, value } = rendered('Package', 'a', spec);
    const apiVersion = 'cozystack.io/v1alpha1';
    expect(found({ ref: { ...ref, apiVersion }, value } as RenderedObject)).toEqual([`spec: "${variable('B')}"`]);
  });

  test.each([
    [['components'], variable('B')],
    [['components', 'c'], { c: variable('B') }],
    [['components', 'c', 'values'], { c: { values: variable('B') } }],
  ])('is one in place of spec.%j of a Package', (path, components) => {
    const { ref, value } = rendered('Package', 'a', { spec: { components } });
    const apiVersion = 'cozystack.io/v1alpha1';
    expect(found({ ref: { ...ref, apiVersion }, value } as RenderedObject)).toEqual([
      `${['spec', ...path].join('.')}: "${variable('B')}"`,
    ]);
  });

  test.each([
    ['hostNetwork', { hostNetwork: variable('B') }],
    ['containers.0.securityContext.privileged', { containers: [{ securityContext: { privileged: variable('B') } }] }],
    ['containers.0.ports.0.hostPort', { containers: [{ ports: [{ hostPort: variable('B') }] }] }],
    ['securityContext.seccompProfile.type', { securityContext: { seccompProfile: { type: variable('B') } } }],
    ['volumes.0.hostPath.path', { volumes: [{ hostPath: { path: variable('B') } }] }],
    ['containers', { containers: variable('B') }],
    ['containers.0.image', { containers: [{ image: `${variable('B')}/nginx:1` }] }],
  ])('decides about the sandbox of a pod as %s', (path, pod) => {
    const object = rendered('Deployment', 'a', { spec: { template: { spec: pod } } });
    expect(found(object)).toEqual([`spec.template.spec.${path}: "${variable('B')}"`]);
  });

  test('does not decide about the sandbox as the tag of an image or the name of a port', () => {
    const images = [`nginx:${variable('TAG')}`, `a.example:5000/b:1-${variable('TAG')}`, `a/b@${variable('DIGEST')}`];
    const containers = images.map((image) => ({ image, ports: [{ name: variable('B') }] }));
    expect(found(rendered('Pod', 'a', { spec: { containers } }))).toEqual([]);
  });

  test.each<[string, string, object]>([
    ['Service', 'spec.externalName', { spec: { externalName: variable('B') } }],
    ['NetworkPolicy', 'spec.ingress.0.from', { spec: { ingress: [{ from: variable('B') }] } }],
  ])('decides about the traffic of a %s', (kind, path, more) => {
    expect(found(rendered(kind, 'a', more))).toEqual([`${path}: "${variable('B')}"`]);
  });

  test('is none that does not end', () => {
    expect(found(rendered('ConfigMap', `a-${variable('B').slice(0, -1)}`))).toEqual([]);
  });
});

describe('what is applied before an object that is refused', () => {
  const entrypoint = { path: '.', why: '', kustomization: {} };
  const words = (...objects: RenderedObject[]) =>
    describeBlocked({ apiVersion: 'v1', kind: 'ConfigMap', name: 'a' }, { entrypoint, objects }, {
      access: () => ({ allowed: true }),
    } as never);

  test('is nothing where it is alone', () => {
    expect(words()).toBe('nothing of the repository');
    expect(words(rendered('Secret', 'a'))).toBe('nothing of the repository');
  });

  test('is what comes in an earlier stage', () => {
    expect(words(rendered('StorageClass', 'a'), rendered('Namespace', 'a'), rendered('Secret', 'a'))).toBe(
      'nothing of the repository but objects of kind Namespace and StorageClass',
    );
  });

  test('is found out once for all objects of a stage', () => {
    const asked: string[] = [];
    const permissions = {
      access: (_: unknown, __: unknown, { name }: { name: string }) => {
        asked.push(name);
        return { allowed: true };
      },
    } as never;
    const objects = [rendered('Namespace', 'early')];
    for (const name of ['a', 'b', 'c'])
      describeBlocked({ apiVersion: 'v1', kind: 'ConfigMap', name }, { entrypoint, objects }, permissions);
    expect(asked).toEqual(['early']);
  });
});

test('the patches of a kustomization are those in it and those of the files that it names', async () => {
  const folder = createRepo({
    'kustomization.yaml':
      'resources: []\npatches:\n- patch: "{a: b}"\n- path: c.yaml\n- d\npatchesStrategicMerge:\n- "{e: f}"\nreplacements:\n- path: g.yaml\n',
    ...{ 'c.yaml': 'c: d\n', 'g.yaml': 'g: h\n' },
  });
  const all = patchesOf('kustomization.yaml', await openWorkTree(folder));
  removeRepo(folder);
  expect(all.map(({ file, what, takes }) => [file, what, takes])).toEqual([
    ['kustomization.yaml', 'kustomization', 'last'],
    ['kustomization.yaml', 'patch', expect.any(String)],
    ['kustomization.yaml', 'patch', expect.any(String)],
    ['c.yaml', expect.any(String), expect.any(String)],
    ['g.yaml', 'file', 'last'],
  ]);
});
