import { describe, expect, test } from '@jest/globals';
import { nearest, nearestDirectory, nearestOrPart, sameEnd } from '../../src/core/suggest.js';

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

describe('the directory that was meant', () => {
  const files = [
    'clusters/prod/a.yaml',
    'clusters/lab/b.yaml',
    'infra/apps/deep/c.yaml',
    'other/apps/d.yaml',
    'e.yaml',
  ];
  test.each<[string, string | undefined]>([
    ['cluster/prod', 'clusters/prod'],
    ['clusters/prd', 'clusters/prod'],
    ['clusters/production', undefined],
    ['clusters/stg', undefined],
    ['prod', 'clusters/prod'],
    ['infra/aps/deep', 'infra/apps/deep'],
    ['apps/deep', 'infra/apps/deep'],
    ['apps', undefined],
    ['clusters/prod/a.yaml', undefined],
    ['infra/app', 'infra/apps'],
    ['clusters', undefined],
  ])('of %s is %s', (path, meant) => {
    expect(nearestDirectory(path, files)).toBe(meant);
  });

  test('has more parts that are the same', () => {
    expect(nearestDirectory('apps/prod', ['app/prod/a.yaml', 'appz/prodd/a.yaml', 'apps/prode/a.yaml'])).toBe(
      'app/prod',
    );
  });

  test('is the first by the alphabet of those that are as near, in whatever order the files come', () => {
    const two = ['apps/prode/a.yaml', 'apps/proda/a.yaml', 'apps/prodc/a.yaml'];
    expect([two, [...two].reverse()].map((files) => nearestDirectory('apps/prod', files))).toEqual([
      'apps/proda',
      'apps/proda',
    ]);
  });
});

test.each<[string, string[], string | undefined]>([
  ['wiki', ['wiki-charts', 'portal'], 'wiki-charts'],
  ['wiki-charts', ['wiki'], 'wiki'],
  ['wiki', ['wiki-charts', 'wiki-pages'], undefined],
  ['wiki', ['wiki-charts', 'wiki-charts'], 'wiki-charts'],
  ['wiki', ['wikis', 'wiki-charts'], 'wikis'],
  ['wik', ['wik-charts'], undefined],
  ['charts', ['wiki-charts'], undefined],
])('%s, or what begins with it, among %j: %s', (name, candidates, expected) => {
  expect(nearestOrPart(name, candidates)).toBe(expected);
});

test.each<[string, string[], string | undefined]>([
  ['node-exporter', ['prometheus-node-exporter', 'kube-state-metrics'], 'prometheus-node-exporter'],
  ['victoria-operator', ['operator'], 'operator'],
  ['operator', ['a-operator', 'b-operator'], undefined],
  ['exporter', ['nodeexporter', 'exporter-node'], undefined],
  ['api', ['server-api'], undefined],
  ['same', ['same'], undefined],
])('%s by its end among %j: %s', (name, candidates, expected) => {
  expect(sameEnd(name, candidates)).toBe(expected);
});
