/** Known secrets, and parts of them, are hidden in all texts of a run; words that stand elsewhere are not. */
import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../src/core/model.js';
import { isRandom } from '../../src/secrets/chance.js';
import type { SomeRendered } from '../../src/secrets/collected.js';
import { hideIn, hiderOf } from '../../src/secrets/hide.js';
import { treeOf } from '../support/tree-of.js';

const hidden = '••••••';
const renderedOf = (values: readonly JsonObject[], files: string[] = []) =>
  [
    { ok: true, entrypoint: { kustomization: {} }, files, objects: values.map((value) => ({ value })) },
  ] as unknown as SomeRendered[];
const secretOf = (value: string): JsonObject => ({ kind: 'Secret', stringData: { a: value } });
const hiderFor = (objects: JsonObject[], files: Record<string, string> = {}) =>
  hiderOf({ trees: { head: treeOf(files) }, rendered: { head: renderedOf(objects, Object.keys(files)) } });
const shown = (value: string, text: string, files: Record<string, string> = {}) =>
  hiderFor([secretOf(value)], files).hide(text);

describe('a word that chance has made', () => {
  test.each(['g7hk2mpq9rst', 'a1b2c3d4e5f6', 'kQxZbTpLmRwYdF', 'ZkY3pQ8vR2mN'])('is %s', (word) => {
    expect(isRandom(word)).toBe(true);
  });

  test.each([
    'authentication',
    'AUTHENTICATION',
    'connectionStrings',
    'cozystackcontroller',
    'kubernetes2026',
    '123456789012',
    'short1a2b',
    'HTTPServerFactory',
  ])('is not %s', (word) => {
    expect(isRandom(word)).toBe(false);
  });
});

describe('a part of a secret', () => {
  test.each([
    ['one side of a delimiter', 'g7hk2mpq9rst:other', 'ConfigMap "g7hk2mpq9rst"', `ConfigMap "${hidden}"`],
    ['six characters', 'g7hk2mpq9rst', 'starts with 7hk2mp here', `starts with ${hidden} here`],
    ['one in capitals', 'g7hk2mpq9rst', 'is G7HK2MPQ9RST', `is ${hidden}`],
    ['one within a word', 'g7hk2mpq9rst', 'is xxg7hk2mpq9rstxx', `is xx${hidden}xx`],
    ['a short word with a figure', 'user:hunter2', 'is hunter2.', `is ${hidden}.`],
    ['a phrase', 'user:velvet-harbor-42@db', 'is velvet-harbor-42', `is ${hidden}`],
    ['the whole value in quotes', 'velvet', 'Namespace "velvet"', `Namespace "${hidden}"`],
    ['Base64 of it', 'velvet-harbor-42', 'is dmVsdmV0LWhhcmJvci00Mg==', `is ${hidden}==`],
  ])('is hidden: %s', (_, value, text, expected) => {
    expect(shown(value, text)).toBe(expected);
  });

  test.each([
    ['a word of a sentence', 'velvet', 'the velvet is new'],
    ['a word of a phrase', 'correct-horse-battery', 'correct it'],
    ['a part of another word', 'hunter2', 'hunter25'],
    ['a switch', 'true', 'it is true'],
    ['a name of the platform', 'cozy-system', 'service account "cozy-system/cozystack"'],
    ['a version', 'v1alpha1', 'cozystack.io/v1alpha1'],
    ['five characters', 'g7hk2mpq9rst', 'is g7hk2'],
    ['a word of a file in a Secret', 'apiVersion: v1\nhost: example-1\n', 'apiVersion of example-1'],
  ])('is not: %s', (_, value, text) => {
    expect(shown(value, text)).toBe(text);
  });
});

describe('a plain word', () => {
  const namespace = 'kind: Namespace\nmetadata: {name: team42}\n';

  test('is printed if it stands in a place that is not secret', () => {
    expect(shown('team42', 'Namespace "team42"', { 'n.yaml': namespace })).toBe('Namespace "team42"');
    expect(shown('team42', 'Namespace "team42"', { 'team42/n.yaml': 'a: b\n' })).toBe('Namespace "team42"');
  });

  test('is hidden if it stands in secret places alone', () => {
    const files = { 's.yaml': 'kind: Secret\nmetadata: {name: s}\nstringData: {a: team42}\n' };
    expect(shown('team42', 'Namespace "team42"', files)).toBe(`Namespace "${hidden}"`);
  });

  test('is hidden if only the change has it in another place', () => {
    const rendered = { head: renderedOf([secretOf('team42')]) };
    const trees = { head: treeOf({ 'n.yaml': namespace }), base: treeOf({ 'n.yaml': 'a: b\n' }) };
    expect(hiderOf({ trees, rendered }).hide('Namespace "team42"')).toBe(`Namespace "${hidden}"`);
  });
});

describe('what is known to be secret', () => {
  test.each<[string, JsonObject]>([
    ['a key that says so', { kind: 'Package', spec: { adminPassword: 'g7hk2mpq9rst' } }],
    ['a login of an address', { kind: 'Package', spec: { url: 'https://g7hk2mpq9rst@git.example' } }],
    ['an argument', { kind: 'Pod', spec: { args: ['--password', 'g7hk2mpq9rst'] } }],
    ['a variable of a container', { kind: 'Pod', env: [{ name: 'API_TOKEN', value: 'g7hk2mpq9rst' }] }],
    ['an unknown field of a Secret', { kind: 'Secret', datas: { a: 'g7hk2mpq9rst' } }],
  ])('is: %s', (_, object) => {
    expect(hiderFor([object]).hide('is g7hk2mpq9rst')).toBe(`is ${hidden}`);
  });

  test.each<[string, Record<string, string>]>([
    ['the default of a variable', { 'c.yaml': `a: \${DB_PASSWORD:=g7hk2mpq9rst}\n` }],
    ['a literal', { 'kustomization.yaml': 'secretGenerator:\n- literals: [a=g7hk2mpq9rst]\n' }],
    ['a file', { 'kustomization.yaml': 'secretGenerator:\n- files: [a.txt]\n', 'a.txt': 'g7hk2mpq9rst\n' }],
  ])('is, in a file: %s', (_, files) => {
    expect(hiderFor([], files).hide('is g7hk2mpq9rst')).toBe(`is ${hidden}`);
  });

  test('is not: the schema of a definition', () => {
    const schema = { properties: { password: { description: 'g7hk2mpq9rst' } } };
    const text = 'is g7hk2mpq9rst';
    expect(hiderFor([{ kind: 'CustomResourceDefinition', spec: schema }]).hide(text)).toBe(text);
  });
});

test('names of files, rules and kinds stay', () => {
  const told = { rule: 'hunter2', file: 'hunter2.yaml', kind: 'hunter2', path: 'hunter2', name: 'hunter2', number: 1 };
  const names = { ...told, path: ['spec', 'hunter2'], entrypoints: ['hunter2'] };
  const hider = hiderFor([secretOf('hunter2')]);
  expect(hideIn(told, hider)).toEqual({ ...told, name: hidden });
  expect(hideIn(names, hider)).toEqual({ ...names, path: ['spec', hidden], name: hidden });
});

test('thousands of secrets and a long sentence take little time', () => {
  const word = (index: number) => `prefix-${index.toString(36)}k7m2p${index}x9q`;
  const objects = Array.from({ length: 8000 }, (_, index) => secretOf(`${word(index)}:password-${index}`));
  const long = Array.from({ length: 8000 }, (_, index) => `password-${index % 50}a`).join(' ');
  const began = performance.now();
  const hider = hiderFor(objects);
  expect(hider.hide(long)).toContain('password-1a');
  expect(hider.hide(`the name "${word(7)}" is wrong`)).toBe(`the name "${hidden}" is wrong`);
  const worst = 'a1'.repeat(40_000);
  expect(hiderFor([secretOf(worst), secretOf(`${worst}b`)]).hide(worst)).toBe(hidden);
  expect(performance.now() - began).toBeLessThan(8000);
});
