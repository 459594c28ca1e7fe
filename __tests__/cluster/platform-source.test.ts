/** Which release the artifact that the platform is installed from has. */
import { expect, test } from '@jest/globals';
import { takeSnapshot } from '../../src/cluster/snapshot.js';

const source = (name: string, ref: object) => ({
  ...{ apiVersion: 'source.toolkit.fluxcd.io/v1', kind: 'OCIRepository' },
  metadata: { name, namespace: 'cozy-system' },
  spec: { ref: ref as never },
});
const digest = `sha256:${'0'.repeat(64)}`;

test.each([
  ['a tag', [source('cozystack-packages', { tag: 'v1.6.2' })], 'v1.6.2'],
  ['a tag without its v', [source('cozystack-platform', { tag: '1.6.2' })], 'v1.6.2'],
  ['a tag beside a digest, which Flux goes by', [source('cozystack-packages', { tag: 'v1.6.2', digest })], undefined],
  ['a tag beside a range', [source('cozystack-packages', { tag: 'v1.6.2', semver: '1.x' })], undefined],
  ['a tag that is no release', [source('cozystack-packages', { tag: 'latest' })], undefined],
  ['a tag that goes on behind a release', [source('cozystack-packages', { tag: 'v1.6.2-rc.1' })], undefined],
  ['a tag that has a release at its end', [source('cozystack-packages', { tag: 'fork-v1.6.2' })], undefined],
  ['a tag of a line alone', [source('cozystack-packages', { tag: 'v1.6' })], undefined],
  ['a source of somebody else', [source('portal', { tag: 'v1.6.2' })], undefined],
  [
    'the one of two that has a tag',
    [source('cozystack-platform', { digest }), source('cozystack-packages', { tag: 'v1.5.4' })],
    'v1.5.4',
  ],
])('a snapshot of %s', (_, objects, release) => {
  expect(takeSnapshot(objects, '').release).toBe(release);
});
