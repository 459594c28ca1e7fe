/** The order in which Flux applies objects, beside the list in the source of its module. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { groupOf, inventoryEntry, inventoryId } from '../../src/core/object.js';
import { inApplyOrder } from '../../src/flux/apply-order.js';
import { stageOf } from '../../src/flux/settings.js';
import { root } from '../support/cli.js';

const words = ['mod', 'download', '-json', 'github.com/fluxcd/pkg/ssa'];
const { stdout } = spawnSync('go', words, { cwd: join(root, 'src/engine/parity'), encoding: 'utf8' });
const folder: string | undefined = stdout ? JSON.parse(stdout).Dir : undefined;
if (!folder) console.log('skipped: the order beside that of fluxcd/pkg/ssa, as Go or the module is not there');
const object = (kind: string, name = 'a', apiVersion = 'v1') => ({ ref: { apiVersion, kind, name } });

(folder ? describe : describe.skip)('as in fluxcd/pkg/ssa', () => {
  const source = folder ? readFileSync(join(folder, 'sort.go'), 'utf8') : '';
  const kindsOf = (list: string) =>
    [...(new RegExp(`${list}: \\[\\]string\\{([^}]*)\\}`).exec(source)?.[1]?.matchAll(/"(\w+)"/g) ?? [])].map(
      ([, kind = '']) => kind,
    );
  const [first, last] = [kindsOf('First'), kindsOf('Last')];

  test('within a stage the kinds of the list come in its order, those at its end after all others', () => {
    expect([first.length, last.length]).toEqual([expect.any(Number), expect.any(Number)]);
    expect(Math.min(first.length, last.length)).toBeGreaterThan(1);
    const all = [...first, 'Zebra', ...last];
    const sorted = inApplyOrder(all.toReversed().map((kind) => object(kind))).map(({ ref }) => ref.kind);
    for (const stage of [1, 2, 3] as const) {
      const inStage = (kind: string) => stageOf({ kind }) === stage;
      expect(sorted.filter(inStage)).toEqual(all.filter(inStage));
    }
  });
});

test.each<[string, 1 | 2 | 3]>([
  ['CustomResourceDefinition', 1],
  ['Namespace', 1],
  ['ClusterRole', 1],
  ['StorageClass', 2],
  ['ClusterClass', 2],
  ['ConfigMap', 3],
  ['Package', 3],
])('a %s is of the stage %i', (kind, stage) => {
  expect(stageOf({ kind })).toBe(stage);
});

test('what is alike in kind comes by group, namespace and name', () => {
  const [a, b, c, d] = [
    { ref: { apiVersion: 'a.example/v1', kind: 'X', name: 'z' } },
    { ref: { apiVersion: 'b.example/v1', kind: 'X', namespace: 'm', name: 'b' } },
    { ref: { apiVersion: 'b.example/v1', kind: 'X', namespace: 'n', name: 'a' } },
    { ref: { apiVersion: 'b.example/v1', kind: 'X', namespace: 'n', name: 'b' } },
  ];
  expect(inApplyOrder([d, c, b, a])).toEqual([a, b, c, d]);
});

describe('what is the same object', () => {
  const ingress = (apiVersion: string) => ({ apiVersion, kind: 'Ingress', namespace: 'n', name: 'a' });

  test('whatever its version, but not of another group', () => {
    const [old, now, extensions] = ['networking.k8s.io/v1beta1', 'networking.k8s.io/v1', 'extensions/v1beta1'];
    expect(inventoryId(ingress(old))).toBe(inventoryId(ingress(now)));
    expect(inventoryId(ingress(now))).not.toBe(inventoryId(ingress(extensions)));
    expect([groupOf('v1'), groupOf(now)]).toEqual(['', 'networking.k8s.io']);
  });

  test('as an inventory spells it', () => {
    expect(inventoryEntry(ingress('networking.k8s.io/v1'))).toBe('n_a_networking.k8s.io_Ingress');
    const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', name: 'system:x' };
    expect(inventoryEntry(role)).toBe('_system__x_rbac.authorization.k8s.io_ClusterRole');
  });
});
