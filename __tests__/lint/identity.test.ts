/** Which findings are old: what of the head those of the base have, each once. */
import { describe, expect, test } from '@jest/globals';
import type { FieldPath, Finding, JsonObject, Place, Problem } from '../../src/core/model.js';
import { type AppliedBy, Identities } from '../../src/lint/identity.js';
import type { ComparedBy } from '../../src/rules/rule.js';
import { Locator } from '../../src/yaml/locator.js';
import { treeOf } from '../support/tree-of.js';

const tree = treeOf({ 'a.yaml': 'a: 1\nb: {c: d}\n', 'b.yaml': 'a: 2\nb: {c: e}\n', 'c.yaml': 'a: 1\nb: {c: d}\n' });
const locator = new Locator({ head: tree });

const object = (value: JsonObject, entrypoint = '.', name = 'a') => ({
  ref: { apiVersion: 'v1', kind: 'ConfigMap', name },
  value,
  entrypoint,
});
const rendered = (value: JsonObject, path: FieldPath = ['a'], entrypoint?: string, name?: string) =>
  ({ object: object(value, entrypoint, name), path }) as unknown as Place;
type Part = Partial<Problem> & { at: Place };

const sure = (more: Partial<AppliedBy> = {}): AppliedBy => ({ account: 'x', cluster: 'c', reach: 'sure', ...more });

/** Which of the findings of the head are old, one after the other. Each finding is given by its parts. */
function old(
  base: Part[][],
  head: Part[][],
  {
    compares = 'scalar',
    mayMove = false,
    appliers = {},
    rules = ['r', 'r'],
  }: {
    compares?: ComparedBy;
    mayMove?: boolean;
    /** By revision and directory. */
    appliers?: { base?: { [entrypoint: string]: AppliedBy[] }; head?: { [entrypoint: string]: AppliedBy[] } };
    rules?: [string, string];
  } = {},
): boolean[] {
  const identities = new Identities(locator, () => compares);
  const findings = (all: Part[][], rule: string) =>
    all.map((parts) => {
      const finding = { rule, at: { file: 'a.yaml' } } as Finding;
      identities.add(finding, parts as Problem[]);
      return finding;
    });
  const side = (all: Finding[], by: { [entrypoint: string]: AppliedBy[] } = {}) => ({
    findings: all,
    appliers: (entrypoint: string) => by[entrypoint] ?? [],
  });
  const [before, after] = [findings(base, rules[0]), findings(head, rules[1])];
  const taken = identities.taker(side(before, appliers.base), side(after, appliers.head), mayMove);
  return after.map(taken);
}
const isOld = (base: Part[], head: Part[], options?: Parameters<typeof old>[2]) => old([base], [head], options)[0];

describe('a finding is old where the base has one', () => {
  const at = rendered({ a: 1 });
  test.each<[string, Part, Part, boolean]>([
    ['of the same', { at }, { at }, true],
    ['at another field', { at }, { at: rendered({ a: 1, b: 1 }, ['b']) }, false],
    ['with another value', { at }, { at: rendered({ a: 2 }) }, false],
    ['of another object', { at }, { at: rendered({ a: 1 }, ['a'], '.', 'b') }, false],
    ['that is said of another object', { at }, { at, object: { apiVersion: 'v1', kind: 'A', name: 'a' } }, false],
    ['of another directory, where nobody applies either', { at }, { at, entrypoint: 'x' }, true],
    [
      'of an object that Flux now only creates',
      { at },
      { at: rendered({ a: 1, metadata: { annotations: { 'kustomize.toolkit.fluxcd.io/ssa': 'IfNotPresent' } } }) },
      false,
    ],
  ])('%s', (_, base, head, expected) => {
    expect(isOld([base], [head])).toBe(expected);
  });

  test('at a field of the same file, where it is of no object', () => {
    const identities = new Identities(locator, () => 'scalar');
    const known = (file: string) => {
      const finding = { rule: 'r', at: { file } } as Finding;
      identities.add(finding, [{ rule: 'r', message: 'm', at: { file, document: 0, path: ['gone'] } }]);
      return { findings: [finding], appliers: () => [] };
    };
    const [before, same, other] = [known('a.yaml'), known('a.yaml'), known('c.yaml')];
    expect(same.findings.map(identities.taker(before, same, false))).toEqual([true]);
    expect(other.findings.map(identities.taker(before, other, false))).toEqual([false]);
  });

  test('of the same rule', () => {
    expect(isOld([{ at }], [{ at }], { rules: ['r', 'q'] })).toBe(false);
  });

  test('each of which counts once', () => {
    expect(old([[{ at }]], [[{ at }], [{ at }]])).toEqual([true, false]);
    expect(old([[{ at }], [{ at }]], [[{ at }], [{ at }]])).toEqual([true, true]);
    expect(old([], [[{ at }]])).toEqual([false]);
  });

  test('with all its parts; what only some of them take is given back', () => {
    const [one, two, three] = [1, 2, 3].map((value) => ({ at: rendered({ a: value }) })) as [Part, Part, Part];
    expect(old([[one, two]], [[one, two]])).toEqual([true]);
    expect(old([[one]], [[one, two]])).toEqual([false]);
    expect(old([[one, two]], [[one]])).toEqual([true]);
    expect(old([[one], [two]], [[one, three], [one], [two]])).toEqual([false, true, true]);
  });

  test('where a part is said twice it is one', () => {
    expect(old([[{ at }]], [[{ at }, { at }]])).toEqual([true]);
  });

  test('a finding that nobody has added is a mistake of ours', () => {
    const identities = new Identities(locator, () => 'scalar');
    const side = { findings: [{ rule: 'r' } as Finding], appliers: () => [] };
    expect(() => identities.taker(side, side, false)).toThrow('the finding of "r" has no identity');
  });
});

describe('what a baseline holds', () => {
  const ids = (at: Place, compares: ComparedBy = 'value', secrets: string[] = [], rule = 'r') => {
    const identities = new Identities(locator, () => compares);
    const finding = { rule, at: { file: 'a.yaml' } } as Finding;
    identities.add(finding, [{ at }] as Problem[]);
    return identities.ids(finding, new Set(secrets));
  };
  const map = (value: JsonObject, entrypoint = '.', name = 'a') => rendered({ b: value }, ['b'], entrypoint, name);
  const secret = (value: JsonObject, path: FieldPath = []) =>
    ({ object: { ...object(value), ref: { apiVersion: 'v1', kind: 'Secret', name: 'a' } }, path }) as unknown as Place;
  const one = map({ c: 'd' });
  const written = (file: string, path: FieldPath = ['b', 'c']): Place => ({ file, document: 0, path });

  test.each<[string, string[], string[], boolean]>([
    ['the same', ids(one), ids(map({ c: 'd' })), true],
    ['another value', ids(one), ids(map({ c: 'e' })), false],
    ['another value where only the field counts', ids(one, 'field'), ids(map({ c: 'e' }), 'field'), true],
    ['another field', ids(one), ids(rendered({ b: { c: 'd' } }, ['b', 'c'])), false],
    ['another object', ids(one), ids(map({ c: 'd' }, '.', 'b')), false],
    ['another directory', ids(one), ids(map({ c: 'd' }, 'lab')), false],
    ['another rule', ids(one), ids(one, 'value', [], 'q'), false],
    ['another value as written', ids(written('a.yaml')), ids(written('b.yaml')), false],
    [
      'an object that Flux only creates',
      ids(one),
      ids(
        rendered({ b: { c: 'd' }, metadata: { annotations: { 'kustomize.toolkit.fluxcd.io/ssa': 'IfNotPresent' } } }, [
          'b',
        ]),
      ),
      false,
    ],
    ['another value of a secret key', ids(map({ password: 'd' })), ids(map({ password: 'e' })), true],
    [
      'another value that is known as a secret',
      ids(map({ c: 'x d' }), 'value', ['d']),
      ids(map({ c: 'x e' }), 'value', ['e']),
      true,
    ],
    [
      'other data of a Secret',
      ids(secret({ data: { a: 'b' } }), 'object'),
      ids(secret({ data: { a: 'c' } }), 'object'),
      true,
    ],
    [
      'a value of a Secret',
      ids(secret({ data: { a: 'b' } }, ['data', 'a'])),
      ids(secret({ data: { a: 'c' } }, ['data', 'a'])),
      true,
    ],
    ['another label of a Secret', ids(secret({ x: 'b' }), 'object'), ids(secret({ x: 'c' }), 'object'), false],
  ])('of %s', (_, first, second, expected) => {
    expect(first).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
    expect(first[0] === second[0]).toBe(expected);
  });
});

describe('what is compared besides the field', () => {
  const map = (c: string, more: JsonObject = {}) => rendered({ b: { c }, ...more }, ['b']);
  const text = (c: string, more: JsonObject = {}) => rendered({ b: { c }, ...more }, ['b', 'c']);
  test.each<[string, ComparedBy, Place, Place, boolean]>([
    ['nothing: another scalar', 'field', text('d'), text('e'), true],
    ['a scalar: another one', 'scalar', text('d'), text('e'), false],
    ['a scalar: another map', 'scalar', map('d'), map('e'), true],
    ['the value: another map', 'value', map('d'), map('e'), false],
    ['the value: another field', 'value', map('d'), map('d', { x: 1 }), true],
    ['the value: of no field', 'value', rendered({ a: 1 }, []), rendered({ a: 2 }, []), true],
    ['the object: another field', 'object', map('d'), map('d', { x: 1 }), false],
    ['the object: of no field', 'object', rendered({ a: 1 }, []), rendered({ a: 2 }, []), false],
  ])('%s', (_, compares, base, head, expected) => {
    expect(isOld([{ at: base }], [{ at: head }], { compares })).toBe(expected);
  });

  const written = (file: string, ...path: FieldPath): Place => ({ file, document: 0, path });
  test.each<[string, ComparedBy, Place, Place, boolean]>([
    ['nothing: another scalar', 'field', written('a.yaml', 'a'), written('b.yaml', 'a'), true],
    ['a scalar: another one', 'scalar', written('a.yaml', 'a'), written('b.yaml', 'a'), false],
    ['a scalar: the same one', 'scalar', written('a.yaml', 'a'), written('c.yaml', 'a'), true],
    ['a scalar: another map', 'scalar', written('a.yaml', 'b'), written('b.yaml', 'b'), true],
    ['the value: another map', 'value', written('a.yaml', 'b'), written('b.yaml', 'b'), false],
    ['the value: the same map', 'value', written('a.yaml', 'b'), written('c.yaml', 'b'), true],
    ['the value: of no field', 'value', written('a.yaml'), written('b.yaml'), true],
    ['the value: where only the file is known', 'value', { file: 'a.yaml' }, { file: 'b.yaml' }, true],
  ])('as it is written, %s', (_, compares, base, head, expected) => {
    const ref = { apiVersion: 'v1', kind: 'A', name: 'a' };
    expect(isOld([{ at: base, object: ref }], [{ at: head, object: ref }], { compares })).toBe(expected);
  });
});

describe('who applies it', () => {
  const part = (entrypoint = 'apps'): Part => ({ at: rendered({ a: 1 }, ['a'], entrypoint) });
  type By = { [entrypoint: string]: AppliedBy[] };
  test.each<[string, By, By, boolean]>([
    ['the same', { apps: [sure()] }, { apps: [sure()] }, true],
    ['another account', { apps: [sure()] }, { apps: [sure({ account: 'y' })] }, false],
    ['another cluster', { apps: [sure()] }, { apps: [sure({ cluster: 'd' })] }, false],
    ['one more', { apps: [sure()] }, { apps: [sure(), sure({ cluster: 'd' })] }, false],
    ['one less', { apps: [sure(), sure({ cluster: 'd' })] }, { apps: [sure()] }, true],
    ['now for certain', { apps: [sure({ reach: 'suspended' })] }, { apps: [sure()] }, false],
    ['now suspended', { apps: [sure()] }, { apps: [sure({ reach: 'suspended' })] }, true],
    ['suspended as before', { apps: [sure({ reach: 'suspended' })] }, { apps: [sure({ reach: 'suspended' })] }, true],
    ['nobody any more', { apps: [sure()] }, {}, false],
  ])('%s', (_, base, head, expected) => {
    expect(isOld([part()], [part()], { appliers: { base, head } })).toBe(expected);
  });

  test.each<[string, By, By, boolean, boolean]>([
    ['of a directory that takes the place of another', { old: [sure()] }, { new: [sure()] }, false, true],
    ['not for another cluster', { old: [sure()] }, { new: [sure({ cluster: 'd' })] }, false, false],
    ['not where the first is still there', { old: [sure()] }, { old: [sure()], new: [sure()] }, false, false],
    ['not where the other was there before', { old: [sure()], new: [sure()] }, { new: [sure()] }, false, false],
    [
      'of any other, in a change of our own',
      { old: [sure()], new: [sure()] },
      { old: [sure()], new: [sure()] },
      true,
      true,
    ],
  ])('what was elsewhere: %s', (_, base, head, mayMove, expected) => {
    expect(isOld([part('old')], [part('new')], { mayMove, appliers: { base, head } })).toBe(expected);
  });

  test('what is still there is not taken for what has moved', () => {
    const appliers = { base: { old: [sure()], new: [sure()] }, head: { old: [sure()], new: [sure()] } };
    expect(old([[part('old')]], [[part('old')], [part('new')]], { mayMove: true, appliers })).toEqual([true, false]);
  });

  test('the problem names the directory above its object', () => {
    const appliers = { base: { x: [sure()] }, head: { x: [sure()] } };
    expect(isOld([{ ...part(), entrypoint: 'x' }], [{ ...part('other'), entrypoint: 'x' }], { appliers })).toBe(true);
    expect(isOld([{ ...part(), entrypoint: 'x' }], [{ ...part(), entrypoint: 'y' }], { appliers })).toBe(false);
  });
});
