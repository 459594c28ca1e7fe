/** Values of the repository's Secrets, and descriptions without them. */
import { describe, expect, test } from '@jest/globals';
import type { JsonObject, Rendered } from '../../src/core/model.js';
import { secretValues, withoutSecrets } from '../../src/secrets/values.js';
import { treeOf } from '../support/tree-of.js';

const empty = treeOf({});
const rendered = (...values: JsonObject[]) =>
  [{ ok: true, objects: values.map((value) => ({ value })) }] as unknown as Rendered[];
const base64 = (text: string) => Buffer.from(text).toString('base64');
const substitute = (variables: JsonObject, apiVersion = 'kustomize.toolkit.fluxcd.io/v1') => ({
  ...{ apiVersion, kind: 'Kustomization', metadata: { name: 'apps' } },
  spec: { sourceRef: { kind: 'GitRepository', name: 'self' }, postBuild: { substitute: variables } },
});

describe('the values', () => {
  test.each<[string, JsonObject, string[]]>([
    ['data, encoded and decoded', { kind: 'Secret', data: { a: base64('hunter2') } }, [base64('hunter2'), 'hunter2']],
    ['stringData', { kind: 'Secret', stringData: { a: 'hunter2' } }, ['hunter2']],
    ['lists and maps', { kind: 'Secret', stringData: { a: ['hunter2', { b: 'hunter3' }] } }, ['hunter2', 'hunter3']],
    [
      'data that are no text',
      { kind: 'Secret', data: { a: [base64('hunter2'), base64('hunter3')] } },
      ['hunter2', 'hunter3'].flatMap((text) => [text, base64(text)]),
    ],
    ['numbers, no switches', { kind: 'Secret', stringData: { a: 123456, b: true, c: null } }, ['123456']],
    ['without the space around them', { kind: 'Secret', stringData: { a: ' hunter2\n' } }, ['hunter2']],
    ['of four letters', { kind: 'Secret', stringData: { a: 'four', b: 'two', c: '  two  ' } }, ['four']],
    ['no words that are in every text', { kind: 'Secret', stringData: { a: 'admin', b: 'Default' } }, []],
    ['not what another kind holds', { kind: 'ConfigMap', data: { a: 'hunter2' } }, []],
    ['variables with such names', substitute({ DB_PASSWORD: 'hunter2', DB_USER: 'somebody' }), ['hunter2']],
    ['not the variables of another Kustomization', substitute({ DB_PASSWORD: 'hunter2' }, 'example.org/v1'), []],
    ['no variables at all', { ...substitute({}), spec: { sourceRef: { kind: 'GitRepository' } } }, []],
  ])('are those of Secrets: %s', (_, value, expected) => {
    const found = secretValues({ head: empty }, { head: rendered(value) });
    expect([...found].sort()).toEqual([...expected].sort());
  });

  test('are those of both revisions, as far as they could be rendered', () => {
    const secret = (text: string) => rendered({ kind: 'Secret', stringData: { a: text } });
    const refused = [{ ok: false }] as unknown as Rendered[];
    const head = [...secret('of the head'), ...refused];
    expect([...secretValues({ head: empty, base: empty }, { head, base: secret('of the base') })].sort()).toEqual([
      'of the base',
      'of the head',
    ]);
    expect([...secretValues({ head: empty }, { head })]).toEqual(['of the head']);
  });

  test('are those that SOPS has left unencrypted', () => {
    const sops = (value: string) =>
      `stringData: {a: ${value}, b: ['ENC[AES256_GCM,data:x]']}\nsops: {mac: x, encrypted_regex: ^stringData$}\n`;
    const trees = { head: treeOf({ 'a.yaml': sops('hunter2') }), base: treeOf({ 'b.yaml': sops('hunter3') }) };
    expect([...secretValues(trees, { head: [] })].sort()).toEqual(['hunter2', 'hunter3']);
  });
});

describe('a description', () => {
  const values = new Set(['hunter2', '123456']);
  test.each<[string, object, object]>([
    ['the value of a field', { value: 'is hunter2' }, { value: 'is ••••••' }],
    ['what it was', { before: 'hunter2', after: 'hunter2' }, { before: '••••••', after: '••••••' }],
    ['what is set, and why', { set: 'hunter2', why: 'hunter2' }, { set: '••••••', why: '••••••' }],
    ['however deep', { value: { a: ['hunter2', { b: 'hunter2' }] } }, { value: { a: ['••••••', { b: '••••••' }] } }],
    ['a number', { value: 123456 }, { value: '••••••' }],
    ['another number', { value: 12 }, { value: 12 }],
    ['nothing', { value: null, after: true }, { value: null, after: true }],
    ['not where it stands', { file: 'hunter2', line: 123456 }, { file: 'hunter2', line: 123456 }],
    ['in a list', { diffs: [{ after: 'hunter2' }] }, { diffs: [{ after: '••••••' }] }],
  ])('is without them: %s', (_, told, expected) => {
    expect(withoutSecrets(told, values)).toEqual(expected);
  });

  test('is as it was where there are none', () => {
    const told = { value: 'hunter2' };
    expect(withoutSecrets(told, new Set())).toBe(told);
  });
});
