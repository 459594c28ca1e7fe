import { describe, expect, test } from '@jest/globals';
import type { Finding, Run } from '../../src/core/model.js';
import { isShowable, secretSpans } from '../../src/secrets/file.js';
import { hidden, isSecretKey, maskRun, maskText, mergeSpans, replaceSpans } from '../../src/secrets/mask.js';

/** A file as frames show it. */
function shown(lines: string[]): string[] {
  const spans = secretSpans(lines.join('\n'));
  return lines.map((line, index) =>
    spans(index).reduceRight((text, { start, end }) => text.slice(0, start) + hidden + text.slice(end), line),
  );
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: Flux writes a variable so
const fromElsewhere = ['password: ${DB_PASSWORD}', 'token: $(TOKEN)'];

/** More levels than the parser is given: of such a file the lines alone tell. */
const deep = `deep: ${'['.repeat(120)}${']'.repeat(120)}`;

test.each([
  ['password', true],
  ['adminPassword', true],
  ['DB_PASSWORD', true],
  ['db-pass', true],
  ['PGPASSWORD', true],
  ['token', true],
  ['apiKey', true],
  ['api_key', true],
  ['privateKey', true],
  ['accessKeyId', true],
  ['secretAccessKey', true],
  ['credentials', true],
  ['client.secret', true],
  ['passwordHash', true],
  ['.dockerconfigjson', true],
  ['secretName', false],
  ['secretRef', false],
  ['existingSecret', false],
  ['existingSecretPassword', true],
  ['tlsSecretKey', true],
  ['imagePullSecrets', false],
  ['passwordSecretRef', false],
  ['tokenTTL', false],
  ['secretKeyRef', false],
  ['key', false],
  ['bypass', false],
  ['compass', false],
  ['name', false],
  ['monkey', false],
  ['db-pw', true],
  ['tokens', true],
  ['password2', true],
  ['passwordBase64', true],
  ['tokenString', true],
  ['secretText', true],
  ['secretData', true],
  ['tokenValue', true],
  ['my-ca-secret', false],
  ['caSecret', false],
  ['certificate_secret', false],
  ['ingressSecret', false],
])('the value of %s is secret: %s', (key, secret) => {
  expect(isSecretKey(key)).toBe(secret);
});

/** In any spelling. */
const secretWords = `passwd passphrase passcode pwd private-key access-key secret-key signing-key encryption-key master-key auth-key
  ssh-key credential bearer authorization htpasswd kubeconfig connection-string dsn pgpass client-key key-data`;

test.each(secretWords.split(/\s+/))('the value of %s is secret, in any spelling', (words) => {
  const spellings = [
    words,
    words.replaceAll('-', '_').toUpperCase(),
    words.replace(/-(.)/g, (_, one) => one.toUpperCase()),
  ];
  expect(spellings.filter((key) => !isSecretKey(key))).toEqual([]);
});

const files: [string, string[], string[]][] = [
  ['a secret key', ['password: hunter2 # mine', 'user: me'], ['password: ••••••', 'user: me']],
  ['in quotes', ['"password": "hunter2",', `'token': 'x'`], ['"password": ••••••', `'token': ••••••`]],
  ['in a list', ['- password: hunter2', '  user: me'], ['- password: ••••••', '  user: me']],
  ['in a comment', ['# password: hunter2'], ['# password: ••••••']],
  ['no value', ['password:', 'token: ""', 'secret: {}'], ['password:', 'token: ""', 'secret: {}']],
  ['a value from elsewhere', fromElsewhere, fromElsewhere],
  ['a switch', ['automountServiceAccountToken: false'], ['automountServiceAccountToken: false']],
  [
    'references',
    ['secretName: db', 'existingSecret: db', 'secretRef:', '  name: db', 'imagePullSecrets:', '- name: pull'],
    ['secretName: db', 'existingSecret: db', 'secretRef:', '  name: db', 'imagePullSecrets:', '- name: pull'],
  ],
  [
    'a volume of a secret',
    ['secret:', '  secretName: db', '  items:', '  - key: a', '    path: b'],
    ['secret:', '  secretName: db', '  items:', '  - key: a', '    path: b'],
  ],
  [
    'a block scalar',
    ['token: |', '  line one', '', '  line two', 'user: me'],
    ['token: |', '  ••••••', '', '  ••••••', 'user: me'],
  ],
  ['a scalar that goes on', ['token: one', '  two', 'user: me'], ['token: ••••••', '  ••••••', 'user: me']],
  ['a list of scalars', ['tokens:', '- one', '- "two"', 'user: me'], ['tokens:', '- ••••••', '- ••••••', 'user: me']],
  [
    'a map of secrets',
    ['credentials:', '  me: hunter2', '  name: login', 'user: me'],
    ['credentials:', '  me: ••••••', '  name: login', 'user: me'],
  ],
  ['a flow map', ['db: {user: me, password: hunter2, port: 1}'], ['db: {user: me, password: ••••••, port: 1}']],
  ['JSON on one line', ['{"user":"me","token":"a\\"b"}'], ['{"user":"me","token":••••••}']],
  [
    'a Secret',
    ['kind: Secret', 'metadata:', '  name: db', 'stringData:', '  user: me', '  conf: |', '    a=b', 'type: Opaque'],
    [
      'kind: Secret',
      'metadata:',
      '  name: db',
      'stringData:',
      '  user: ••••••',
      '  conf: |',
      '    ••••••',
      'type: Opaque',
    ],
  ],
  [
    'a Secret, its kind last',
    ['data:', '  user: bWU=', 'kind: "Secret"', '---', 'kind: ConfigMap', 'data:', '  user: me'],
    ['data:', '  user: ••••••', 'kind: "Secret"', '---', 'kind: ConfigMap', 'data:', '  user: me'],
  ],
  ['a Secret in flow style', ['kind: Secret', 'data: {user: bWU=}'], ['kind: Secret', 'data: {user: ••••••}']],
  [
    'a Secret as JSON',
    ['{"kind":"Secret","metadata":{"name":"db"},"data":{"user":"bWU="}}'],
    ['{"kind":"Secret","metadata":{"name":"db"},"data":{"user":••••••}}'],
  ],
  [
    'a Secret as JSON, on lines',
    ['{', '  "kind": "Secret",', '  "data": {', '    "user": "bWU="', '  },', '  "type": "Opaque"', '}'],
    ['{', '  "kind": "Secret",', '  "data": {', '    "user": ••••••', '  },', '  "type": "Opaque"', '}'],
  ],
  ['another kind', ['kind: ExternalSecret', 'data:', '- x: y'], ['kind: ExternalSecret', 'data:', '- x: y']],
  [
    'a secret generator',
    ['secretGenerator:', '- name: db', '  literals:', '  - user=me', '  - "a=b"', '  files:', '  - k=path', 'x: y'],
    [
      'secretGenerator:',
      '- name: db',
      '  literals:',
      '  - user=••••••',
      '  - "a=••••••',
      '  files:',
      '  - k=path',
      'x: y',
    ],
  ],
  ['its literals in flow style', ['secretGenerator:', '- literals: [a=b]'], ['secretGenerator:', '- literals: ••••••']],
  [
    'a config map generator',
    ['configMapGenerator:', '- literals:', '  - user=me', '  - password=hunter2'],
    ['configMapGenerator:', '- literals:', '  - user=me', '  - password=••••••'],
  ],
  [
    'a variable',
    ['- name: DB_PASSWORD', '  value: hunter2', '- name: DB_USER', '  value: me'],
    ['- name: DB_PASSWORD', '  value: ••••••', '- name: DB_USER', '  value: me'],
  ],
  ['a variable, value first', ['- value: hunter2', '  name: TOKEN'], ['- value: ••••••', '  name: TOKEN']],
  ['a variable in flow style', ['- {name: TOKEN, value: x1}'], ['- {name: TOKEN, value: ••••••}']],
  [
    'a JSON patch',
    ['- op: add', '  path: /stringData/user', '  value: me', '- op: add', '  path: /spec/user', '  value: me'],
    ['- op: add', '  path: /stringData/user', '  value: ••••••', '- op: add', '  path: /spec/user', '  value: me'],
  ],
  ['ciphertext of sops', ['user: ENC[AES256_GCM,data:x,type:str]'], ['user: ENC[••••••]']],
  [
    'a PEM block',
    ['ca: |', '  -----BEGIN CERTIFICATE-----', '  MIIB', '  AAAA', '  -----END CERTIFICATE-----', 'b: c'],
    ['ca: |', '  -----BEGIN CERTIFICATE-----', '  ••••••', '  ••••••', '  -----END CERTIFICATE-----', 'b: c'],
  ],
  [
    'PEM on one line',
    ['ca: "-----BEGIN PRIVATE KEY-----\\nMIIB\\n-----END PRIVATE KEY-----"'],
    ['ca: "-----BEGIN PRIVATE KEY-----••••••-----END PRIVATE KEY-----"'],
  ],
  ['base64', [`ca: ${'aB3+'.repeat(12)}==`], ['ca: ••••••']],
  [
    'what only looks long',
    [`image: a@sha256:${'0a'.repeat(32)}`, `path: ${'clusters/prod/'.repeat(5)}A1`, `name: ${'long-name-'.repeat(9)}x`],
    [`image: a@sha256:${'0a'.repeat(32)}`, `path: ${'clusters/prod/'.repeat(5)}A1`, `name: ${'long-name-'.repeat(9)}x`],
  ],
  ['a URL', ['url: postgres://me:hunter2@db/x'], ['url: postgres://me:••••••@db/x']],
  ['an argument', ['- --db-password=hunter2', '- --user=me'], ['- --db-password=••••••', '- --user=me']],
  [
    'a comment inside a Secret',
    ['kind: Secret', 'data:', '  a: b', '# why', '  c: d', '# e: f'],
    ['kind: Secret', 'data:', '  a: ••••••', '# why', '  c: ••••••', '# e: ••••••'],
  ],
  [
    'a comment that holds a block scalar',
    ['# token: |', '#   one', '# user: me', '# tokens:', '# - one', '# user: me'],
    ['# token: |', '#   ••••••', '# user: me', '# tokens:', '# - ••••••', '# user: me'],
  ],
  ['a key of several words', ['my db password: hunter2'], ['my db password: ••••••']],
  ['behind an anchor', ['&a password: |', '  x', 'b: c'], ['&a password: |', '  ••••••', 'b: c']],
  ['behind a tag', ['!a password: |', '  x', 'b: c'], ['!a password: |', '  ••••••', 'b: c']],
  [
    'a Secret in a comment',
    ['# {kind: Secret, stringData: {user: me}, data: {a: b}}', 'x: y'],
    ['# {kind: Secret, stringData: {user: ••••••}, data: {a: ••••••}}', 'x: y'],
  ],
  [
    'names in a Secret are values too',
    ['kind: Secret', 'metadata:', '  name: db', 'data:', '  username: bWU=', '  key: bWU=', '  name: bWU='],
    ['kind: Secret', 'metadata:', '  name: db', 'data:', '  username: ••••••', '  key: ••••••', '  name: ••••••'],
  ],
  [
    'names in a Secret as JSON',
    ['{"kind":"Secret","metadata":{"name":"db"},"data":{"name":"bWU=","a":"b"},"type":"Opaque"}'],
    ['{"kind":"Secret","metadata":{"name":"db"},"data":{"name":••••••,"a":••••••},"type":"Opaque"}'],
  ],
  [
    'a Secret as JSON without indentation',
    ['{', '"kind":"Secret",', '"data":{', '"user":"bWU="', '}}'],
    ['{', '"kind":"Secret",', '"data":{', '"user":••••••', '}}'],
  ],
  [
    'a Secret as a generator writes it into a list',
    ['kind: List', 'items:', '- kind: Secret', '  data:', '    username: bWU=', '  metadata:', '    name: db'],
    ['kind: List', 'items:', '- kind: Secret', '  data:', '    username: ••••••', '  metadata:', '    name: db'],
  ],
  [
    'a Secret as an inline patch',
    ['patches:', '- patch: |', '    kind: Secret', '    stringData:', '      username: me', '  target: {kind: Secret}'],
    [
      'patches:',
      '- patch: |',
      '    kind: Secret',
      '    stringData:',
      '      username: ••••••',
      '  target: {kind: Secret}',
    ],
  ],
  [
    'a template of data in another kind',
    ['kind: ExternalSecret', 'template:', '  metadata:', '    name: db', '  data:', '    user: me'],
    ['kind: ExternalSecret', 'template:', '  metadata:', '    name: db', '  data:', '    user: me'],
  ],
  [
    'a Secret that says a second kind',
    ['kind: !!str Secret', 'kind: ConfigMap', 'data:', '  user: me'],
    ['kind: !!str Secret', 'kind: ConfigMap', 'data:', '  user: ••••••'],
  ],
  [
    'an alias to what stands in a list',
    ['words:', '- &first one', '- two', 'password: *first'],
    ['words:', '- ••••••', '- two', 'password: *first'],
  ],
  [
    'two arguments with a comment between them',
    ['- --db-password', '# of the database', '- hunter2', '- --user'],
    ['- --db-password', '# of the database', '- ••••••', '- --user'],
  ],
  ['a value beside a word that is not its name', ['- {label: token, value: blue}'], ['- {label: token, value: blue}']],
  [
    'what is too deep to parse',
    [
      deep,
      'password: {hunter2}',
      'credentials: {me: hunter2, name: login}',
      'patches:',
      '- {op: add, path: /spec/password, value: x1}',
      '- {name: TOKEN, value: x1}',
    ],
    [
      deep,
      'password: ••••••',
      'credentials: {me: ••••••, name: login}',
      'patches:',
      '- {op: add, path: /spec/password, value: ••••••}',
      '- {name: TOKEN, value: ••••••}',
    ],
  ],
  [
    'an argument and its value',
    ['- --db-password', '- hunter2', '- --user', '- me'],
    ['- --db-password', '- ••••••', '- --user', '- me'],
  ],
  [
    'a variable with much between',
    ['- name: DB_PASSWORD', '  a: 1', '  b: 2', '  c: 3', '  value: hunter2'],
    ['- name: DB_PASSWORD', '  a: 1', '  b: 2', '  c: 3', '  value: ••••••'],
  ],
  [
    'a variable with much between, value first',
    ['- value: hunter2', '  a: 1', '  b: 2', '  c: 3', '  name: TOKEN'],
    ['- value: ••••••', '  a: 1', '  b: 2', '  c: 3', '  name: TOKEN'],
  ],
  [
    'a value between two other items',
    ['- name: DB_PASSWORD', '- value: me', '- name: TOKEN'],
    ['- name: DB_PASSWORD', '- value: me', '- name: TOKEN'],
  ],
  [
    'a variable whose first field is another',
    ['- user: me', '  "name": "TOKEN"', '  value: hunter2', '- value: me'],
    ['- user: me', '  "name": "TOKEN"', '  value: ••••••', '- value: me'],
  ],
  ['a variable that is no item', ['name: TOKEN', 'value: hunter2'], ['name: TOKEN', 'value: ••••••']],
  [
    'a list of scalars in flow style',
    ['tokens: [one, two]', 'words: [one]', 'secrets: []'],
    ['tokens: ••••••', 'words: [one]', 'secrets: []'],
  ],
  [
    'collections in flow style behind secret keys',
    ['password: [one, {key: two}]', 'credentials: {"me": "hunter2", \'you\': \'hunter3\', key: a}', 'token: {hunter2}'],
    ['password: [••••••]', 'credentials: {"me": ••••••, \'you\': ••••••, key: a}', 'token: ••••••'],
  ],
  ['data of another kind in flow style', ['data: {me: one}', 'x: y'], ['data: {me: one}', 'x: y']],
  [
    'a map of secrets behind an anchor or a tag',
    ['secret: &a', '  one: two', 'secret: !x', '  one: two'],
    ['secret: &a', '  one: ••••••', 'secret: !x', '  one: ••••••'],
  ],
  [
    'a comment behind a secret key',
    ['password: # why', '  hunter2', 'token: a # why'],
    ['password: # why', '  ••••••', 'token: ••••••'],
  ],
  [
    'a comment that goes on',
    ['# password: hunter2', '#   more', 'user: me', '# tokens:', '#   - one', '# prose', 'user: me'],
    ['# password: ••••••', '#   ••••••', 'user: me', '# tokens:', '#   - ••••••', '# prose', 'user: me'],
  ],
  [
    'literals in flow style',
    ['secretGenerator:', '- literals: [a=b]', '  name: c', '- {literals: [d=e], name: f}', 'x: y'],
    ['secretGenerator:', '- literals: ••••••', '  name: c', '- {literals: [••••••], name: f}', 'x: y'],
  ],
  [
    'literals with comments between them',
    [
      'secretGenerator:',
      '- literals: a=b',
      '- literals:',
      '  # why',
      '  - a=b',
      '  # - c=d',
      '  options:',
      '    labels: {a: b}',
    ],
    [
      'secretGenerator:',
      '- literals: ••••••',
      '- literals:',
      '  # why',
      '  - a=••••••',
      '  # - c=••••••',
      '  options:',
      '    labels: {a: b}',
    ],
  ],
  [
    'a generator on one line',
    ['secretGenerator: [{literals: [a=b]}]', 'configMapGenerator: [{literals: [a=b]}]'],
    ['secretGenerator: [{literals: [••••••]}]', 'configMapGenerator: [{literals: [a=b]}]'],
  ],
  [
    'a PEM block without an end',
    ['-----BEGIN CERTIFICATE-----', 'MIIB', '', 'me'],
    ['-----BEGIN CERTIFICATE-----', '••••••', '', 'me'],
  ],
  [
    'a PEM block that is none',
    ['x: -----BEGIN CERTIFICATE-----', 'MIIB', 'not one: {}', 'me'],
    ['x: -----BEGIN CERTIFICATE-----', '••••••', '••••••', 'me'],
  ],
  [
    'a PEM block in a comment',
    ['# -----BEGIN CERTIFICATE-----', '# MIIB', '# -----END CERTIFICATE-----', '# me'],
    ['# -----BEGIN CERTIFICATE-----', '••••••', '# -----END CERTIFICATE-----', '# me'],
  ],
  [
    'lists in lists of secrets',
    ['tokens:', '  - one', '  -', '    two', '  - {}', '  - a: b', 'user: me'],
    ['tokens:', '  - ••••••', '  ••••••', '    ••••••', '  - {}', '  - a: ••••••', 'user: me'],
  ],
  [
    'a file that is indented at first',
    ['  password: one', 'user: me', '  x: y'],
    ['  password: ••••••', 'user: me', '  x: y'],
  ],
  [
    'a scalar in quotes over lines',
    ["password: '", '  one', "  '", 'user: me'],
    ['password: ••••••', '  ••••••', '  ••••••', 'user: me'],
  ],
  [
    'a folded scalar with an empty line',
    ['token: >-', '  one', '  # two', ' ', '  three', 'user: me'],
    ['token: >-', '  ••••••', '  ••••••', '••••••', '  ••••••', 'user: me'],
  ],
  [
    'keys in quotes, behind anchors and behind tags',
    ['"my token": one', "'my token': two", '&x token: three', '!t token: four'],
    ['"my token": ••••••', "'my token': ••••••", '&x token: ••••••', '!t token: ••••••'],
  ],
  [
    'a flow map with every kind of quotes',
    ['x: {token: one, "password": "two", \'secret\': \'three\', name: TOKEN, value: four, key: five}'],
    ['x: {token: ••••••, "password": ••••••, \'secret\': ••••••, name: TOKEN, value: ••••••, key: five}'],
  ],
  [
    'values beside a path and beside nothing',
    ['x: {path: /spec/password, value: one}', 'x: {value: one}', 'y: {name: USER, token: true, value: two}'],
    ['x: {path: /spec/password, value: ••••••}', 'x: {value: one}', 'y: {name: USER, token: true, value: two}'],
  ],
  ['a sentence', ['see password: hunter2, or token: x'], ['see password: ••••••']],
  ['a sentence in quotes', ['a: "the password: hunter2"'], ['a: "the password: ••••••"']],
  [
    'a comment behind the begin of a document',
    ['--- # password: hunter2', 'x: y', '---', 'password: hunter2'],
    ['--- # password: ••••••', 'x: y', '---', 'password: ••••••'],
  ],
  ['nothing', ['kind: Package', 'spec:', '  variant: x'], ['kind: Package', 'spec:', '  variant: x']],
];

test.each(files)('%s', (_, lines, expected) => {
  expect(shown(lines)).toEqual(expected);
});

/** What only the parsed document tells: that an item has an anchor, and that a comment stands between two. */
const byParser = ['an alias to what stands in a list', 'two arguments with a comment between them'];
/** In what may be a Secret, more is hidden where it cannot be parsed. */
const ofNoSecret = files.filter(
  ([title, lines]) => !byParser.includes(title) && !/Secret$|Secret"|\bstringData/m.test(lines.join('\n')),
);

test.each(ofNoSecret)('%s, in a document that is too deep to parse', (_, lines, expected) => {
  expect(shown([...lines, deep]).slice(0, -1)).toEqual(expected);
});

test('a Secret that is too deep to parse shows what says what it is', () => {
  const lines = ['kind: Secret', 'metadata:', '  name: db', 'data:', '  user: bWU=', 'datas:', '  user: bWU='];
  expect(shown([...lines, deep]).slice(0, -1)).toEqual([
    ...lines.slice(0, 4),
    '  user: ••••••',
    'datas:',
    '  user: ••••••',
  ]);
});

test('lines may end as on Windows', () => {
  const spans = secretSpans('user: me\r\npassword: "a\r\n  b"\r\nkey: c\r\n');
  expect([0, 1, 2, 3].map(spans)).toEqual([[], [{ start: 10, end: 12 }], [{ start: 2, end: 4 }], []]);
});

describe('nothing but the indentation is shown', () => {
  const all = (text: string, known = {}) => {
    const spans = secretSpans(text, known);
    return text.split('\n').map((line, index) => replaceSpans(line, spans(index)));
  };
  test('of a file that is taken into a Secret', () => {
    expect(all('a: b\n\n  c d  \n', { whole: true })).toEqual([hidden, '', `  ${hidden}  `, '']);
  });

  test('of one that is too long to read, and one of that length is read', () => {
    expect(all('a: b\n'.padEnd(1 << 20, '#'))[0]).toBe('a: b');
    expect(all('a: b\n'.padEnd((1 << 20) + 1, '#'))[0]).toBe(hidden);
  });

  test('of one in another encoding', () => {
    const wide = Array.from('a: b', (letter) => `${letter}\0`).join('');
    expect(all(wide)).toEqual([hidden]);
    expect(all('\ufffd\ufffda: b')).toEqual([hidden]);
    expect(all('\ufffda: b')).toEqual(['\ufffda: b']);
    expect(all('a: b\0')).toEqual(['a: b\0']);
  });
});

test('a line that is not there has nothing to hide', () => {
  expect(secretSpans('a: b')(7)).toEqual([]);
  expect(secretSpans('a: b', { whole: true })(7)).toEqual([]);
});

test.each([
  ['Secret "db" holds password "hunter2"', 'Secret "db" holds password "hunter2"'],
  ['the value password: "hunter2" is short', 'the value password: •••••• is short'],
  ['password=hunter2, user=me', 'password=••••••, user=me'],
  ['"Authorization" is Bearer abcdefgh12345', '"Authorization" is Bearer ••••••'],
  [`ghp_${'a1'.repeat(10)} is a token`, '•••••• is a token'],
  ['Package "cozystack.metallb" sets spec.variant', 'Package "cozystack.metallb" sets spec.variant'],
  ['run with --token hunter2 --user me', 'run with --token •••••• --user me'],
  ['run with ["--token", "hunter2"]', 'run with ["--token", "••••••"]'],
  ['see HTTPS://me:hunter2@host/x', 'see HTTPS://me:••••••@host/x'],
  ['the key AKIAABCDEFGHIJKLMNOP is old', 'the key •••••• is old'],
  ['the key ASIAABCDEFGHIJKLMNOP is old', 'the key •••••• is old'],
  ['it sent Basic bWU6aHVudGVyMg==', 'it sent Basic ••••••'],
  ['password = hunter2 is set', 'password = •••••• is set'],
  ['see redis://:hunter2@host/x', 'see redis://:••••••@host/x'],
  ['see git+ssh://me:hunter2@host/x', 'see git+ssh://me:••••••@host/x'],
  ['see s3://me:hunter2@host/x', 'see s3://me:••••••@host/x'],
  ['see https://me@host/x', 'see https://me@host/x'],
  ['see https://host:8080/a@b', 'see https://host:8080/a@b'],
  ['sent eyJhbGciOiJI.eyJzdWIiOiIx.c2ln', 'sent ••••••'],
  ['is -----BEGIN PRIVATE KEY-----\nMIIB', 'is -----BEGIN PRIVATE KEY-----••••••'],
  ['a literal source [user=me], expected', 'a literal source [••••••], expected'],
  ['a literal source user=me, expected KEY=value', 'a literal source ••••••, expected KEY=value'],
  ['with config: `user: me`', 'with config: `••••••`'],
  ['JSON patch from [user: [me]]', 'JSON patch from [••••••]'],
  ['is ENC[AES256_GCM,data:x', 'is ENC[••••••'],
  [`is ${'a'.repeat(39)}1`, `is ${'a'.repeat(39)}1`],
  [`is ${'aB'.repeat(20)}`, `is ${'aB'.repeat(20)}`],
  [`is ${'aB1x'.repeat(10)}`, 'is ••••••'],
  [`is ${'B1'.repeat(20)}`, `is ${'B1'.repeat(20)}`],
])('a message: %s', (message, expected) => {
  expect(maskText(message)).toBe(expected);
});

test.each([
  ['apps/a.yaml', true],
  ['a.yml', true],
  ['a.json', true],
  ['apps/Kustomization', true],
  ['.sourceignore', true],
  ['db.env', false],
  ['keys/id_rsa', false],
  ['token.txt', false],
])('lines of %s are shown: %s', (file, expected) => {
  expect(isShowable(file)).toBe(expected);
});

const prefixes = 'ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ glpat- xoxa- xoxb- xoxp- xoxr- xoxs- AGE-SECRET-KEY-1';
test.each(prefixes.split(' '))('what begins with %s is a token, if it is long', (prefix) => {
  expect(maskText(`see ${prefix}abcdefghij there`)).toBe(`see ${hidden} there`);
  expect(maskText(`see ${prefix}abcdefghi there`)).toBe(`see ${prefix}abcdefghi there`);
});

/** Letters of base64, as a seeded chance gives them: one of 64 is a slash on average. */
function base64Of(slashes: number, length = 64): string {
  const letters = 'Zm9vYmFyQUJDMTIzeHl6R0hJNDU2cXdlUlRZNzg5YXNkRkdISkts'.repeat(2).slice(0, length).split('');
  for (let n = 0; n < slashes; n++) letters[5 + n * 11] = '/';
  return letters.join('');
}

test.each([0, 1, 2, 3, 4])('base64 with %i slashes in 64 letters is hidden', (slashes) => {
  expect(maskText(`the value ${base64Of(slashes)} is there`)).toBe(`the value ${hidden} is there`);
});

test.each([
  'apps/Team1/Portal2/Backend3/Settings4/Values5/Override6/Final7.yaml',
  'clusters/prod/infrastructure/controllers/metallb/overlays/base/x1Y',
])('a path of as many letters is shown: %s', (path) => {
  expect(maskText(`see ${path}`)).toBe(`see ${path}`);
});

test.each<[string, [number, number][], [number, number][]]>([
  [
    'one behind the other',
    [
      [0, 2],
      [4, 6],
    ],
    [
      [0, 2],
      [4, 6],
    ],
  ],
  [
    'out of order',
    [
      [4, 6],
      [0, 2],
    ],
    [
      [0, 2],
      [4, 6],
    ],
  ],
  [
    'that overlap',
    [
      [0, 4],
      [2, 6],
    ],
    [[0, 6]],
  ],
  [
    'one within the other',
    [
      [0, 8],
      [2, 4],
    ],
    [[0, 8]],
  ],
  [
    'that touch',
    [
      [0, 4],
      [4, 6],
    ],
    [[0, 6]],
  ],
  [
    'that are empty',
    [
      [2, 2],
      [4, 4],
    ],
    [],
  ],
])('spans %s', (_, spans, expected) => {
  const given = spans.map(([start, end]) => ({ start, end }));
  expect(mergeSpans(given).map(({ start, end }) => [start, end])).toEqual(expected);
});

test('nothing that a run says in words has a secret in it', () => {
  const secret = `ghp_${'a1'.repeat(18)}`;
  const at = {
    revision: 'head' as const,
    file: 'a.yaml',
    range: { start: { line: 1, column: 1 }, end: { line: 1, column: 2 } },
  };
  const ref = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a' };
  // Required, so that whoever gives a finding a field comes by here.
  const finding: Required<Finding> = {
    ...{ rule: 'r', severity: 'error', message: secret, help: secret, at, precision: 'exact' },
    ...{ upstream: { program: 'flux', text: secret }, object: ref, also: [ref], isNew: true },
    ...{ field: [], related: [{ message: secret, at }], entrypoints: [], fingerprint: '', assumes: [] },
    ...{ unsent: false, fix: () => undefined, heldBack: () => undefined },
  };
  const run: Run = {
    findings: [finding],
    ignored: [{ finding, reason: secret }],
    policy: [secret],
    ...{
      entrypoints: [],
      facts: [],
      worlds: [],
      sources: { text: () => undefined, has: () => false, secrets: () => ({}) },
    },
    stages: [{ name: 'dry-run', ran: false, why: secret } as Run['stages'][number]],
    dryRun: [{ refused: [{ object: ref, message: secret }] }] as unknown as NonNullable<Run['dryRun']>,
    notChecked: [{ what: secret, why: secret, count: 1 }] as unknown as Run['notChecked'],
    tool: { name: 'customizer-lint', version: '0' },
  };
  const masked = JSON.stringify(maskRun(run));
  expect(masked).not.toContain(secret);
  // Message, help, the words of Flux and related, twice; the reason, the policy, the stage, the refusal, and both words of what was not checked.
  expect(masked.split(hidden).length - 1).toBe(4 + 4 + 1 + 1 + 1 + 1 + 2);
});
