/** Which values SOPS would have encrypted, by the settings that its files carry (`shouldBeEncrypted` of sops 3.10). */
import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../src/core/model.js';
import { formatPath } from '../../src/core/object.js';
import { sopsDocuments, unencryptedIn } from '../../src/secrets/sops.js';
import { matcherOf } from '../../src/secrets/sops-pattern.js';
import { treeOf } from '../support/tree-of.js';

const cipher = 'ENC[AES256_GCM,data:Tr7o,iv:1vIq,tag:o0Tt,type:str]';
const secret: JsonObject = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'x', labels: { note_unencrypted: 'y' } },
  stringData: {
    password: 'z',
    other: cipher,
    empty: '',
    nothing: null,
    port: 1,
    list: ['a', cipher],
    nested: { a: 'b' },
  },
};
const inData = ['stringData.password', 'stringData.port', 'stringData.list[0]', 'stringData.nested.a'];
const all = ['apiVersion', 'kind', 'metadata.name', ...inData];

const rows: [setting: JsonObject, expected: string[] | undefined][] = [
  [{ encrypted_regex: '^(data|stringData)$' }, inData],
  [{ encrypted_regex: '^data$' }, []],
  [{ encrypted_regex: 'Data' }, inData],
  [{ encrypted_regex: '(?i)^stringdata' }, inData],
  [{ encrypted_regex: '^(pass|po).*' }, ['stringData.password', 'stringData.port']],
  [{ encrypted_suffix: 'Data' }, inData],
  [{ encrypted_suffix: 'word' }, ['stringData.password']],
  [{ unencrypted_regex: '^(apiVersion|kind|metadata)$' }, inData],
  [{ unencrypted_suffix: '_unencrypted' }, all],
  [{}, []],
  [{ unencrypted_suffix: '_unencrypted', encrypted_regex: '^stringData$' }, inData],
  [{ encrypted_regex: '^(a+)+$' }, undefined],
  [{ encrypted_regex: '(a*)*b' }, undefined],
  [{ encrypted_regex: 'a*b*c*d*e*$' }, undefined],
  [{ encrypted_regex: '(?=a)' }, undefined],
  [{ encrypted_regex: 'a{1,1000}{1,1000}' }, undefined],
  [{ encrypted_comment_regex: 'secret' }, undefined],
];

describe('what SOPS would have encrypted', () => {
  test.each(rows)('%j', (settings, expected) => {
    const sops = { mac: cipher, ...settings };
    const found = unencryptedIn({ file: 'x.yaml', document: 0, value: { ...secret, sops }, sops });
    expect(found?.paths.map(formatPath)).toEqual(expected);
  });
});

test('no pattern that is tried takes long on a long key', () => {
  for (const pattern of [
    'a*a*$',
    '[a-z]*[a-z]*!',
    '(a|a)a*$',
    `${'a?'.repeat(40)}${'a'.repeat(40)}`,
    `${'(a|a)'.repeat(60)}!`,
    '(a|aa)'.repeat(60),
  ]) {
    const matches = matcherOf(pattern);
    for (const length of [100, 1000, 100_000]) matches?.(`${'a'.repeat(length)}!`);
  }
});

test.each<[string, string, number[]]>([
  ['one', 'a: b\nsops: {mac: x}\n', [0]],
  ['one that is only dated', 'a: b\nsops: {lastmodified: x}\n', [0]],
  ['several', 'a: b\n---\nsops: {mac: x}\n---\nsops: {mac: y}\n', [1, 2]],
  ['none: only the word', '# sops and its mac\na: b\n', []],
  ['none: a field without its marks', 'sops: {age: []} # mac\n', []],
  ['none: a text', 'sops: a mac\n', []],
  ['none: a list', '- sops: {mac: x}\n', []],
  ['none that is as long as that', 'sops: {mac: x}\n'.padEnd((1 << 20) + 1, '#'), []],
  ['one of the largest size', 'sops: {mac: x}\n'.padEnd(1 << 20, '#'), [0]],
])('documents that SOPS has encrypted: %s', (_, text, expected) => {
  const documents = sopsDocuments(treeOf({ 'a.yaml': text }));
  expect(documents.map(({ document }) => document)).toEqual(expected);
});

test.each([
  ['a.yaml', 1],
  ['a.yml', 1],
  ['a.YAML', 1],
  ['apps/a.json', 1],
  ['a.json5', 0],
  ['a.env', 0],
])('of %s SOPS has encrypted %i documents', (file, expected) => {
  expect(sopsDocuments(treeOf({ [file]: 'sops: {mac: x}\n' }))).toHaveLength(expected);
});

test.each<[string, string, boolean | undefined]>([
  ['a*', 'a'.repeat(100), true],
  ['a*', 'a'.repeat(101), undefined],
  ['a+', 'a'.repeat(101), undefined],
  ['aaa', 'a'.repeat(101), true],
  ['[*]', `${'a'.repeat(101)}*`, true],
  ['\\*', `${'a'.repeat(101)}*`, true],
  ['(?i)DATA', 'stringdata', true],
  ['(?:a|b)c', 'bc', true],
  ['a?b', 'b', true],
])('the pattern %j on %j: %s', (pattern, key, expected) => {
  const matches = matcherOf(pattern);
  expect(matches?.(key)).toBe(expected);
});

const groups = '(a|b|c)'.repeat(10);
test.each(['(a)*', '(a)+', '(a){2}', 'a{2}', '(?!a)', '(a)\\1', '\\k<a>', 'a*a*a*a*', 'a?'.repeat(20), groups])(
  'what the pattern %j matches only Go can say',
  (pattern) => {
    expect(matcherOf(pattern)).toBeUndefined();
  },
);
