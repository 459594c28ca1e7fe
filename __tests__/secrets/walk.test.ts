/** Which parts of a YAML text are secret, by the parsed document, and the words as which each may be repeated. */
import { describe, expect, test } from '@jest/globals';
import type { KnownSecrets } from '../../src/core/model.js';
import { secretsIn } from '../../src/secrets/walk.js';

const found = (text: string, known?: KnownSecrets) =>
  secretsIn(text, known).map(({ start, end }) => text.slice(start, end).trim());
const words = (text: string) => secretsIn(text).flatMap(({ values }) => values);

describe('of a document', () => {
  test.each<[string, string, string[]]>([
    ['nothing', 'kind: ConfigMap\ndata: {a: b}', []],
    ['the data of a Secret', 'kind: Secret\ndata: {a: b, c: [d, {e: f}]}', ['b', 'd', 'f']],
    ['a key without a value in it', 'kind: Secret\ndata: {hunter2}', ['hunter2']],
    ['not a key with a value', 'kind: Secret\ndata: {a: ""}', []],
    ['a key that is a map', 'kind: Secret\ndata: {? {a: b} : c}', ['b', 'c']],
    ['stringData of whatever kind', 'stringData: {a: b}', ['b']],
    ['data where it is not said of what kind', 'metadata: {name: a}\ndata: {a: b}', ['b']],
    ['data where there is a version and no kind', 'apiVersion: v1\ndata: {a: b}', ['b']],
    ['not data of something without a name', 'x: y\ndata: {a: b}', []],
    ['not data below another kind', 'kind: A\nspec: {metadata: {name: a}, data: {a: b}}', []],
    ['what a Secret has under a name of its own', 'kind: Secret\nmetadata: {name: a}\ndatas: {a: b}', ['b']],
    ['not what it has besides', 'kind: Secret\napiVersion: v1\ntype: Opaque\nimmutable: a\nsops: {mac: b}', []],
    ['likewise where its kind is in other letters', 'kind: " secret "\nmetadata: {name: a}\ndatas: {a: b}', ['b']],
    ['a Secret in a list', 'kind: List\nitems: [{kind: Secret, metadata: {name: a}, dta: {b: c}}]', ['c']],
    ['a reference to a Secret', 'spec: {ref: {kind: Secret, name: a, key: b}}', []],
    ['all of a field whose name says so', 'credentials: {me: a, name: b, list: [c]}', ['a', 'c']],
    ['a copy of what was applied', 'kubectl.kubernetes.io/last-applied-configuration: a', ['a']],
    ['an argument', 'args: [--token, a, b]', ['a']],
    ['an argument behind one dash', 'args: [-token, a, b]', ['a']],
    ['an argument that is no word', 'args: [--token, {a: b}, --user, me]', []],
    ['a variable', '- {name: TOKEN, value: a}\n- {key: TOKEN, value: b}\n- {name: USER, value: c}', ['a', 'b']],
    [
      'the value of a JSON patch',
      '- {op: add, path: /stringData/a, value: b}\n- {path: /stringData/a, value: c}',
      ['b'],
    ],
    ['not what comes from elsewhere', 'password: $(TOKEN)\ntoken: true', []],
    ['a tag of its own and an anchor', 'password: &a true\ntoken: !b true', ['&a true', '!b true']],
    ['what an alias leads to', 'a: &x b\npassword: *x', ['&x b']],
    ['an alias to nothing', 'password: *hunter2\nother: *nothing', ['*hunter2']],
    ['what is merged in', 'a: &x {token: b}\nc: {<<: *x}\nd: {<<: [*x, *x]}', ['b']],
    ['not the sign of an anchor in a key', 'x&token: hunter2', ['hunter2']],
    ['a key that is an alias', 'a: &x password\n*x : b', ['b']],
    ['a key in base64', '!!binary cGFzc3dvcmQ= : b', ['b']],
    ['a kind in base64', 'kind: !!binary U2VjcmV0\ndata: {a: b}', ['b']],
  ])('%s', (_, text, expected) => {
    expect([...new Set(found(text))].sort()).toEqual([...expected].sort());
  });
});

describe('of a generator', () => {
  test.each<[string, string, string[]]>([
    ['its literals', 'secretGenerator: [{literals: [a=b, "c=d", e]}]', ['b', 'd"', 'e']],
    [
      'not what it has besides',
      'secretGenerator: [{name: a, namespace: b, behavior: c, type: d, immutable: e, kvSources: f, disableNameSuffixHash: g, labels: h, annotations: i, apiVersion: l, kind: m, metadata: {name: n}, options: {o: p}}]',
      [],
    ],
    ['not the files', 'secretGenerator: [{files: [a=b.txt, c.txt], envs: [d.env], env: e.env}]', []],
    [
      'what stands in place of a file',
      'secretGenerator: [{files: [password=hunter2, user=me, password=a.txt, password=a/b]}]',
      ['hunter2'],
    ],
    [
      'likewise of variables',
      'secretGenerator: [{envs: [password=hunter2], env: token=hunter3}]',
      ['hunter2', 'hunter3'],
    ],
    ['a field that it does not have', 'secretGenerator: [{name: a, data: {b: c}, other: d}]', ['c', 'd']],
    ['in a file of its own', 'kind: SecretGenerator\nmetadata: {name: a}\nliterals: [b=c]\noptions: {d: e}', ['c']],
    ['not of a generator of config maps', 'configMapGenerator: [{literals: [a=b]}]', []],
  ])('%s', (_, text, expected) => {
    expect(found(text)).toEqual(expected);
  });
});

test('a literal is told as it is written, by its value, and by that without the quotes around it', () => {
  const told = (literal: string) => new Set(words(`secretGenerator: [{literals: [${literal}]}]`));
  expect(told(`a="b 'c'"`)).toEqual(new Set([`a="b 'c'"`, `"b 'c'"`, `b 'c'`]));
  expect(told(`a=b'c d'`)).toEqual(new Set([`a=b'c d'`, `b'c d'`]));
});

describe('of a text in a scalar', () => {
  const secret = 'kind: Secret\nstringData: {a: hunter2}';
  const nested = (levels: number): string =>
    levels === 0 ? 'password: hunter2\nb: c' : `a: |\n${nested(levels - 1).replace(/^/gm, '  ')}`;
  test.each<[string, string, string[]]>([
    ['a manifest', `a: |\n  ${secret.replace('\n', '\n  ')}`, ['hunter2']],
    ['in quotes', 'a: "{kind: Secret, stringData: {a: hunter2}}"', ['hunter2']],
    ['in quotes, behind space', 'a: " {kind: Secret, stringData: {a: hunter2}}"', ['hunter2']],
    ['a list', `a: '- {name: TOKEN, value: hunter2}'`, ['hunter2']],
    ['not a sentence', 'a: the password is secret', []],
    ['not a word with a colon', 'a: "password: hunter2"', []],
    ['a patch of a Secret', 'patches: [{target: {kind: Secret}, patch: "data: {a: b}\\n"}]', ['b']],
    ['a patch of anything', 'patches: [{target: {name: x}, patch: "data: {a: b}\\n"}]', ['b']],
    ['not a patch of another kind', 'patches: [{target: {kind: ConfigMap}, patch: "data: {a: b}\\n"}]', []],
    ['not a patch without a target', 'patches: [{patch: "data: {a: b}\\n"}]', []],
    ['a text in a text in a text', nested(4), ['hunter2']],
    ['no deeper', nested(5), []],
  ])('%s', (_, text, expected) => {
    expect(found(text)).toEqual(expected);
  });
});

describe('what is known of a file', () => {
  test('documents that become Secrets', () => {
    expect(found('data: {a: b}\n---\ndata: {c: d}\n', { documents: new Set([1]) })).toEqual(['d']);
    expect(found('data: {a: b}\n---\ndata: {c: d}\n', { documents: new Set([0]) })).toEqual(['b']);
  });

  test('that it is a patch of one', () => {
    expect(found('data: {a: b}\nkind: ConfigMap\n', { patch: true })).toEqual(['b']);
    expect(found('data: {a: b}\nkind: ConfigMap\n', { patch: false })).toEqual([]);
    expect(found('- {op: add, path: /data/a, value: b}', { patch: true })).toEqual(['b']);
  });

  test('what Secrets hold, in texts too, but not that these are documents of it', () => {
    const known = { values: new Set(['hunter2']), documents: new Set([0]) };
    expect(found('x: hunter2\ny: hunter\nz: |\n  a: hunter2\n  data: {c: d}\n', known)).toEqual(['hunter2', 'hunter2']);
  });
});

describe('a file that YAML refuses', () => {
  const broken = (text: string) => found(`kind: Secret\n${text}\n  }: ]\n`);
  test.each<[string, string, string[]]>([
    ['what stands behind a key', 'stringData:\n  a: b', ['b']],
    ['behind a key in quotes', `stringData:\n  "a b": c\n  'd': e`, ['c', 'e']],
    ['behind the key of an item', 'x:\n - a: b', ['b']],
    ['a line without a key', 'a:\n  hunter2 is it\n  x: y', ['hunter2 is it', 'y']],
    ['not what says what it is', 'apiVersion: v1\nmetadata:\n  name: a\n  "namespace": b\ntype: Opaque', []],
    ['not signs alone', 'a: {\n b: |\n c: [] # -', []],
    ['behind a key in quotes that holds a colon', '"a: b": c', ['c']],
    ['to the end of the line, without space', 'a: b c  ', ['b c']],
  ])('%s', (_, text, expected) => {
    expect([...new Set(broken(text))].filter((one) => one !== 'Secret')).toEqual(expect.arrayContaining(expected));
    if (expected.length === 0) expect(broken(text)).toEqual([]);
  });

  test('is told by each value and the first word of it', () => {
    expect(words('kind: Secret\na: "hunter2 x"\n  }: ]\n')).toEqual(expect.arrayContaining(['"hunter2 x"', 'hunter2']));
    expect(words('kind: Secret\na: b c \r\n  }: ]\n')).toContain('b c');
    expect(words('kind: Secret\na:\n  b c\n  }: ]\n')).toContain('b c');
  });

  test.each([
    ['as it is', 'kind: Secret'],
    ['with escapes', String.raw`kind: "\x53ecret"`],
    ['with other escapes', String.raw`kind: "\u0053ecret"`],
    ['on two lines', 'kind: "Sec\\\n  ret"'],
    ['by what it holds', 'stringData: {}'],
  ])('may be a Secret whose kind is written %s', (_, kind) => {
    expect(found(`${kind}\nmetadata:\n  annotations:\n    note: "a" hunter2\n`)).toContain('"a" hunter2');
  });

  test('for one thing alone is one already', () => {
    expect(found('kind: Secret\nmetadata:\n  annotations:\n    note: "a" hunter2\n')).toEqual(['"a" hunter2']);
    expect(found('kind: Secret\nmetadata:\n  annotations:\n    note: "a"\n')).toEqual([]);
  });

  test('hides nothing so where there is no Secret', () => {
    expect(found('kind: ConfigMap\na: b\n  }: ]\n')).toEqual([]);
  });

  test('is one that is too deep, too', () => {
    const deep = `x: ${'['.repeat(200)}${']'.repeat(200)}\n`;
    expect(found(`kind: Secret\na: b\n${deep}`)).toContain('b');
    expect(found(`kind: ConfigMap\na: b\n${deep}`)).toEqual([]);
  });
});

describe('the words as which it may be repeated', () => {
  test.each<[string, string, string[]]>([
    ['as it is read, and as it is written', String.raw`password: "hunter\x32"`, ['hunter2', String.raw`"hunter\x32"`]],
    ['its anchor', 'password: &anchor hunter2', ['hunter2', 'anchor', '&anchor hunter2']],
    ['its digits as they are written', 'password: &anchor 00123', ['123', '00123']],
    ['its tag', 'password: !tag hunter2', ['hunter2', 'tag', '!tag']],
    ['a name that leads nowhere', 'password: *hunter2', ['hunter2']],
    ['an anchor that is like a tag of YAML', 'password: &blueprint hunter2', ['hunter2', 'blueprint']],
    ['one that goes on where such a tag ends', 'password: &strong hunter2', ['hunter2', 'strong']],
    ['a literal, with its key and without', 'secretGenerator: [{literals: [a=b=c]}]', ['a=b=c', 'b=c']],
    ['a literal without its quotes', `secretGenerator: [{literals: ["a='b'"]}]`, ["'b'", 'b']],
  ])('%s', (_, text, expected) => {
    expect(words(text)).toEqual(expect.arrayContaining(expected));
  });

  test.each(['str', 'int', 'bool', 'float', 'null', 'binary'])('not %s, a tag of YAML itself', (tag) => {
    expect(words(`password: !!${tag} hunter2`)).not.toContain(tag);
  });

  test('nothing that stands behind it', () => {
    expect(words('password: &x hunter2\nimage: &visible blue')).not.toContain('visible');
  });
});

test.each([
  ['a carriage return', '\r'],
  ['the next line', '\x85'],
  ['a line separator', '\u2028'],
  ['a paragraph separator', '\u2029'],
])('%s ends a line, as for go-yaml', (_, end) => {
  expect(found(`a: b${end}password: hunter2`)).toContain('hunter2');
});

test('a place is one of the whole file', () => {
  const text = 'a: b\n---\nkind: Secret\nstringData:\n  a: hunter2\n';
  expect(secretsIn(text)).toMatchObject([
    { start: text.indexOf('hunter2'), end: text.indexOf('hunter2') + 'hunter2'.length },
  ]);
});
