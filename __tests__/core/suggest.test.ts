import { describe, expect, test } from '@jest/globals';
import { nearest, nearestDirectory, nearestOf, nearestOrPart, sameEnd } from '../../src/core/suggest.js';
import { randomOf } from '../support/random.mjs';
import { amount } from '../support/sample.js';

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

/** Insertions, deletions, replacements and swaps of neighbours, by the whole table. */
function errorsBetween(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0)) as number[][];
  const at = (row: number, column: number) => table[row]?.[column] as number;
  for (let row = 0; row <= a.length; row++)
    for (let column = 0; column <= b.length; column++) {
      const options = [
        row + column === 0 ? 0 : Number.POSITIVE_INFINITY,
        row > 0 ? at(row - 1, column) + 1 : Number.POSITIVE_INFINITY,
        column > 0 ? at(row, column - 1) + 1 : Number.POSITIVE_INFINITY,
        row > 0 && column > 0
          ? at(row - 1, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1)
          : Number.POSITIVE_INFINITY,
        row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
          ? at(row - 2, column - 2) + 1
          : Number.POSITIVE_INFINITY,
      ];
      (table[row] as number[])[column] = Math.min(...options);
    }
  return at(a.length, b.length);
}

test('of random words the nearest has fewest errors, and no more than its length allows', () => {
  const random = randomOf(7);
  const word = () => Array.from({ length: random.below(14) }, () => random.pick([...'abc'])).join('');
  const edited = (name: string): string => {
    const letters = [...name];
    for (let left = random.below(5); left > 0; left--) {
      const at = random.below(letters.length + 1);
      const [one = 'c', two = 'a'] = letters.slice(at, at + 2);
      letters.splice(at, random.below(3), ...random.pick([[], [two, one], [random.pick([...'abc'])]]));
    }
    return letters.join('');
  };
  let found = 0;
  for (let count = 0; count < amount(20_000, 500_000); count++) {
    const name = word();
    const candidates = [word(), edited(name), edited(name)];
    const allowed = ({ length }: string) => (length < 3 ? 0 : Math.min(3, 1 + Math.floor((length - 3) / 4)));
    const near = candidates
      .filter((one) => one !== name && errorsBetween(name, one) <= allowed(one))
      .sort((a, b) => errorsBetween(name, a) - errorsBetween(name, b) || (a < b ? -1 : 1));
    if (near.length > 0) found += 1;
    expect([name, candidates, nearest(name, candidates)]).toEqual([name, candidates, near[0]]);
  }
  expect(found).toBeGreaterThan(500);
});

test('lists that have most names in common answer each for itself', () => {
  const lists = [['metallb', 'multus'], ['metallb', 'metalla', 'cilium'], ['multus'], ['metallc']];
  const [first, second, third] = lists.slice(0, 3).map((names) => nearestOf(names));
  expect(['metalb', 'multsu', 'ciliun'].map((name) => first?.(name))).toEqual(['metallb', 'multus', undefined]);
  expect(['metalb', 'metall', 'ciliun', 'metallb'].map((name) => second?.(name))).toEqual([
    ...['metallb', 'metalla', 'cilium', 'metalla'],
  ]);
  // A list that comes later knows more.
  expect([third?.('metalb'), nearestOf(lists[3] ?? [])('metalb'), first?.('metalb')]).toEqual([
    ...[undefined, 'metallc', 'metallb'],
  ]);
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
