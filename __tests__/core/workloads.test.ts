import { expect, test } from '@jest/globals';
import type { FieldPath, JsonObject } from '../../src/core/model.js';
import { restartsBy } from '../../src/core/workloads.js';

const image = ['spec', 'template', 'spec', 'containers', 0, 'image'];
const checksum = ['spec', 'template', 'metadata', 'annotations', 'checksum/config'];
const replicas = ['spec', 'replicas'];

test.each<[string, JsonObject, FieldPath[], string | undefined]>([
  ['a field of the template', { kind: 'Deployment' }, [replicas, image], 'spec.template.spec.containers[0].image'],
  [
    'nothing but a checksum',
    { kind: 'DaemonSet' },
    [checksum],
    'spec.template.metadata.annotations["checksum/config"]',
  ],
  [
    'a field rather than a checksum',
    { kind: 'StatefulSet' },
    [checksum, image],
    'spec.template.spec.containers[0].image',
  ],
  ['nothing of the template', { kind: 'Deployment' }, [replicas], undefined],
  ['a kind that keeps no pods', { kind: 'Job' }, [image], undefined],
  ['one that is paused', { kind: 'Deployment', spec: { paused: true } }, [image], undefined],
  [
    'one that waits for somebody',
    { kind: 'DaemonSet', spec: { updateStrategy: { type: 'OnDelete' } } },
    [image],
    undefined,
  ],
  [
    'one that rolls',
    { kind: 'DaemonSet', spec: { updateStrategy: { type: 'RollingUpdate' } } },
    [image],
    'spec.template.spec.containers[0].image',
  ],
])('pods restart for %s', (_, object, paths, expected) => {
  expect(restartsBy(object, paths)).toBe(expected);
});
