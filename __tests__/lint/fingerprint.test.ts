/** What a finding is known by: the same from one commit and one release to the next, and nothing secret. */
import { describe, expect, test } from '@jest/globals';
import type { FieldPath, Finding, Place, Problem } from '../../src/core/model.js';
import { fingerprint } from '../../src/lint/fingerprint.js';
import { Locator } from '../../src/yaml/locator.js';
import { treeOf } from '../support/tree-of.js';

const ref = (kind: string) => ({ apiVersion: 'v1', kind, name: 'a' });
const [file, document] = ['kustomization.yaml', 0];

/** Of findings in the order in which they are read. */
function prints(text: string, ...parts: { at: Place; rule?: string; kind?: string }[]): string[] {
  const all = parts.map(({ at, rule = 'r', kind }) => {
    const finding = { rule, at: { file }, ...(kind && { object: ref(kind) }) } as Finding;
    return { finding, problems: [{ rule, at } as Problem] as [Problem] };
  });
  fingerprint(all, new Locator({ head: treeOf({ [file]: text }) }));
  return all.map(({ finding }) => finding.fingerprint);
}

const printAt = (text: string, ...path: FieldPath) => prints(text, { at: { file, document, path } })[0];

const patches = (...targets: string[]) =>
  `patches:\n${targets.map((name) => `- target: {kind: ConfigMap, name: ${name}}\n  path: p.yaml\n`).join('')}`;
const printsOf = (text: string, ...indices: number[]) =>
  prints(text, ...indices.map((index) => ({ at: { file, document, path: ['patches', index, 'path'] } })));

/** Of a field of a rendered object. */
function printOf(value: object, path: FieldPath, kind = 'Deployment') {
  const at = { object: { ref: ref(kind), value }, path } as unknown as Place;
  return prints('', { at, kind })[0];
}

test('an item of a list keeps its own where another is put before it', () => {
  const [before] = printsOf(patches('a', 'b'), 1);
  const [other, after] = printsOf(patches('z', 'a', 'b'), 0, 2);
  expect(after).toBe(before);
  expect(other).not.toBe(before);
});

test('an item of a rendered list is known by what it says of itself, and a scalar by its text', () => {
  const env = (...items: object[]) => ({ spec: { env: items } });
  const value = (index: number): FieldPath => ['spec', 'env', index, 'value'];
  const known = printOf(env({ name: 'A', value: 'x' }), value(0));
  expect(printOf(env({ name: 'Z' }, { name: 'A', value: 'y' }), value(1))).toBe(known);
  for (const other of ['name', 'key', 'path', 'target', 'kind'])
    expect(printOf(env({ name: 'A', [other]: 'B', value: 'x' }), value(0))).not.toBe(known);

  const args = (...items: unknown[]) => ({ spec: { args: items } });
  const first = printOf(args('one', 'two'), ['spec', 'args', 0]);
  expect(printOf(args('zero', 'one'), ['spec', 'args', 1])).toBe(first);
  expect(printOf(args('two'), ['spec', 'args', 0])).not.toBe(first);
  const nothing = printOf(args(), ['spec', 'args', 0]);
  expect(printOf(args(['one'], ['two']), ['spec', 'args', 1])).toBe(nothing);
  expect(printOf(args({ a: 'one' }), ['spec', 'args', 0])).not.toBe(nothing);

  const secret = (text: string, kind?: string) => printOf({ data: { a: [text] } }, ['data', 'a', 0], kind);
  expect(secret('one', 'Secret')).toBe(secret('two', 'Secret'));
  expect(secret('one', 'ConfigMap')).not.toBe(secret('two', 'ConfigMap'));
  const token = (text: string) => printOf(env({ name: 'TOKEN', token: text }), ['spec', 'env', 0, 'token']);
  expect(token('one')).toBe(token('two'));
});

test('equal ones are told apart by their order', () => {
  const [first, second] = printsOf(patches('a', 'a'), 0, 1);
  expect(first).not.toBe(second);
  expect(printsOf(patches('a', 'b', 'a'), 0, 2)).toEqual([first, second]);
});

test('a literal of a secret generator is not in it, and one of another generator is', () => {
  const printOf = (field: string, literal: string) =>
    printAt(`${field}:\n- name: a\n  literals: ['pin=${literal}']\n`, field, 0, 'literals', 0);
  expect(printOf('secretGenerator', '1111')).toBe(printOf('secretGenerator', '2222'));
  expect(printOf('configMapGenerator', '1111')).not.toBe(printOf('configMapGenerator', '2222'));
});

test('what an item sets besides is not in it', () => {
  const patch = (more: string) => `patches:\n- {target: {kind: ConfigMap}${more}}\n`;
  const path = ['patches', 0, 'target', 'kind'];
  const known = printAt(patch(''), ...path);
  expect(printAt(patch(', options: {allowKindChange: true}'), ...path)).toBe(known);
  expect(printAt(patch(', path: p.yaml'), ...path)).not.toBe(known);
});

describe('of what is secret', () => {
  const data = (...items: unknown[]) => printOf({ data: { a: items } }, ['data', 'a', 0], 'Secret');

  test('only whether there is something is in it', () => {
    expect(data({ name: 'one' })).toBe(data({ name: 'two' }));
    expect(data({ name: 'one' })).not.toBe(data({ key: 'one' }));
    expect(data()).toBe(data(['one']));
    expect(data()).not.toBe(data('one'));
    const written = (text: string) => printAt(`tokens: ${text}\n`, 'tokens', 0);
    expect(written('[one]')).toBe(written('[two]'));
    expect(written('[{name: one}]')).not.toBe(written('[{}]'));
  });

  test('what a Secret holds is not in it, wherever it stands', () => {
    const secret = (held: string) =>
      printOf({ stringData: { a: held }, spec: { list: [{ name: held }] } }, ['spec', 'list', 0, 'x'], 'Secret');
    expect(secret('one')).toBe(secret('two'));
  });
});

test('the rule, the file or the object, and the field are in it', () => {
  const at = (...path: FieldPath): Place => ({ file, document, path });
  const all = [
    { at: at('a') },
    { at: at('a'), rule: 'q' },
    { at: at('b') },
    { at: { file } },
    { at: at('a'), kind: 'A' },
    { at: at('a'), kind: 'B' },
  ];
  const found = [...prints('', ...all)];
  expect(new Set(found).size).toBe(all.length);
  expect(found.every((print) => /^[0-9a-f]{32}$/.test(print))).toBe(true);
});

test('it is the same in every release, so that nothing is taken for new after an upgrade', () => {
  expect(printsOf(patches('a', 'a', 'a'), 0, 1, 2)).toEqual([
    'aa1aef7884cf78c86704a21940b47302',
    '46f4dd5d846addcbaac4e4bef814d630',
    '3af795928a17b330ce40e3ea8746dd39',
  ]);
  expect(printOf({ spec: { env: [{ name: 'A' }, 'b', null] } }, ['spec', 'env', 0, 'value'])).toBe(
    '2148046900f9c0661ce9eaac227ff158',
  );
});
