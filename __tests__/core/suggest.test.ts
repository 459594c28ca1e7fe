import { expect, test } from '@jest/globals';
import { nearest } from '../../src/core/suggest.js';

test.each<[string, string[], string | undefined]>([
  ['subject', ['roleRef', 'subjects'], 'subjects'],
  ['lables', ['annotations', 'labels', 'name'], 'labels'],
  ['Spec', ['spec', 'status'], 'spec'],
  ['podcidr', ['podCIDR', 'podGateway'], 'podCIDR'],
  ['PODCIDR', ['podcidr'], 'podcidr'],
  ['imagePullPolicyy', ['image', 'imagePullPolicy', 'imagePullSecrets'], 'imagePullPolicy'],
  ['ip', ['id', 'ips'], 'ips'],
  ['a', ['b', 'c'], undefined],
  ['replicas', ['paused', 'selector'], undefined],
  ['values', ['chart', 'interval'], undefined],
  ['same', ['same'], undefined],
  ['bat', ['cat', 'rat'], 'cat'],
  ['cozystack.metalb', ['cozystack.metallb', 'cozystack.multus'], 'cozystack.metallb'],
  ['cozystack.cilium', ['cozystack.linstor', 'cozystack.kamaji'], undefined],
  ['cozystack.longer.dc', ['cozystack.longer.db'], undefined],
  ['metallb', ['cozystack.metallb', 'cozystack.multus'], 'cozystack.metallb'],
  ['x'.repeat(100_000), ['x'], undefined],
])('%.20s among %j: %s', (name, candidates, expected) => {
  expect(nearest(name, candidates)).toBe(expected);
});
