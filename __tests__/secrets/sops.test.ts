/** Which values SOPS would have encrypted, by the settings that its files carry (`shouldBeEncrypted` of sops 3.10). */
import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../src/core/model.js';
import { formatPath } from '../../src/core/object.js';
import { unencryptedIn } from '../../src/secrets/sops.js';
import { matcherOf } from '../../src/secrets/sops-pattern.js';

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
