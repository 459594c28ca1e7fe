/** What kustomize says of a repository is told without what the repository's Secrets hold. */
import { describe, expect, test } from '@jest/globals';
import { redact, withoutValues } from '../../src/secrets/redact.js';
import { treeOf } from '../support/tree-of.js';

const secret = (value: string) => `apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData:\n  conf: ${value}\n`;
/** A file of a size that holds nothing secret. */
const filler = (size: number) => `# ${'x'.repeat(size)}\n`;
const told = (files: Record<string, string>, text: string, about: string[]) =>
  redact(treeOf(files), [text], about).join();

describe('as what a value may be repeated', () => {
  test.each<[string, string, string, string?]>([
    ['as it is', 'a value of words', 'near "a value of words" it ends'],
    ['as it is quoted', `'a "value" of words'`, 'near "a \\"value\\" of words" it ends'],
    ['a line of it, without its indentation', '"[main]\\n  user of = words\\n"', 'near "user of = words" it ends'],
    [
      'all of its lines, without the space around them',
      '" key\\nhunter2 hunter2 "',
      'near "key\nhunter2 hunter2" it ends',
    ],
    ['as it is, within a word', 'hunter2hunter2', 'nearhunter2hunter2ends', 'near••••••ends'],
    ['encoded', 'hunter2hunter2', 'near "aHVudGVyMmh1bnRlcjI=" it ends'],
    ['decoded', 'aHVudGVyMmh1bnRlcjI=', 'near "hunter2hunter2" it ends'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Flux writes a variable so
    ['the default of a variable', '"${X:=hunter2 hunter2}"', 'near "hunter2 hunter2" it ends'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Flux writes a variable so
    ['one that only a variable which is not there has', '"${X-hunter2 hunter2}"', 'near "hunter2 hunter2" it ends'],
    ['a line without its quotes', `"a\\n  'hunter2 hunter2',\\n"`, 'near "hunter2 hunter2" it ends'],
    ['what a line assigns, without its quotes', `"a\\nb = 'hunter2 hunter2'\\n"`, 'near "hunter2 hunter2" it ends'],
    ['what a line assigns', '"[main]\\n  user = a value of words\\n"', 'near "a value of words" it ends'],
  ])('%s', (_, written, text, expected = 'near "••••••" it ends') => {
    expect(told({ 's.yaml': secret(written) }, text, [])).toBe(expected);
  });

  test('not what stands before a variable', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Flux writes a variable so
    const value = '"a-horse battery${X}"';
    expect(told({ 's.yaml': secret(value) }, 'near "horse battery" it ends', [])).toBe('near "horse battery" it ends');
  });

  test.each([
    ['three letters', 'YWJj', 'abc', '••••••'],
    ['what is no text', '77+9', '\ufffd', '\ufffd'],
  ])('decoded, that is %s', (_, written, decoded, expected) => {
    expect(told({ 's.yaml': secret(written) }, `near "${decoded}" it ends`, [])).toBe(`near "${expected}" it ends`);
  });

  test.each(['token', 'Default', 'null'])('not %s, which is in many texts', (word) => {
    expect(told({ 's.yaml': secret(word) }, `near "${word}" it ends`, [])).toBe(`near "${word}" it ends`);
  });
});

test('of a long text the begin is told', () => {
  expect(told({ 's.yaml': secret('hunter2hunter2') }, 'a word '.repeat(2000), [])).toHaveLength(8192);
});

test('a value that ends with what is put between two texts takes nothing of the second', () => {
  expect(withoutValues(['hunter22', 'b'], new Set(['hunter22\n\0\n']))).toEqual(['••••••', 'b']);
});

test('long texts are not searched together, for which there would be no room', () => {
  let searches = 0;
  class Counted extends Set<string> {
    override [Symbol.iterator]() {
      searches += 1;
      return super[Symbol.iterator]();
    }
  }
  const texts = Array.from({ length: 6 }, () => 'x '.repeat(1 << 13));
  expect(withoutValues(texts, new Counted(['hunter22']))).toEqual(texts);
  expect(searches).toBe(3);
});

describe('what Go prints of a value', () => {
  test.each([
    ['a map', 'cannot map[string]interface {}{"a":"b"} do', 'cannot •••••• do'],
    ['a list', 'cannot []interface {}{"a", {}} do', 'cannot •••••• do'],
    ['a map that is cut', 'cannot map[string]interface {}{"a":"b', 'cannot ••••••'],
    ['nothing of the kind', 'cannot map{a} do', 'cannot map{a} do'],
    ['the begin of a long value', 'cannot unmarshal !!str `hunter2...` into', 'cannot unmarshal !!str `••••••` into'],
    ['two of them', 'not `hunter2...`, not `hunter3...`', 'not `••••••`, not `••••••`'],
    ['a short value', 'the field `name` is', 'the field `name` is'],
  ])('%s', (_, text, expected) => {
    expect(told({}, text, [])).toBe(expected);
  });

  test('a map that goes on behind what is read', () => {
    expect(
      told({}, `cannot map[string]interface {}{"a":map[string]interface {}{"b":"${'c '.repeat(1 << 13)}"}}`, []),
    ).toBe('cannot ••••••');
  });
});

describe('texts', () => {
  const tree = treeOf({ 's.yaml': secret('hunter2hunter2') });

  test('are told one by one, in their order', () => {
    const texts = ['near hunter2hunter2', 'nothing', '', 'hunter2hunter2', 'at hunter2hunter2 and hunter2hunter2.'];
    expect(redact(tree, texts, [])).toEqual(['near ••••••', 'nothing', '', '••••••', 'at •••••• and ••••••.']);
  });

  test('of any number are', () => {
    const texts = Array.from({ length: 20 }, (_, index) => `${index} ${'a word '.repeat(800)}hunter2hunter2`);
    expect(redact(tree, texts, [])).toEqual(texts.map((text) => text.replace('hunter2hunter2', '••••••')));
  });

  test('are none where there are none', () => {
    expect(redact(tree, [], [])).toEqual([]);
  });

  test('may be very long, of which the begin is read', () => {
    const [one] = redact(tree, [`${'x '.repeat(1 << 13)}hunter2hunter2`], []);
    expect(one).toBe('x '.repeat(1 << 12));
  });

  test('may be about a file of any name', () => {
    const files = { 'a.txt': secret('hunter2hunter2') };
    expect(told(files, 'near hunter2hunter2', ['a.txt'])).toBe('near ••••••');
    expect(told(files, 'near hunter2hunter2', [])).toBe('near hunter2hunter2');
  });

  test('may repeat a file that a generator takes in', () => {
    const generator = 'secretGenerator: [{files: [a.txt]}]';
    expect(told({ 'kustomization.yaml': generator, 'a.txt': 'a word or two' }, 'near a word or two!', [])).toBe(
      'near ••••••!',
    );
  });
});

describe('what a Secret is made from', () => {
  const text = (value: string) => `near "${value}" it ends`;
  const patches = 'patches: [{path: p.yaml, target: {kind: Secret}}]';

  test('is hidden as a whole, as it is encoded', () => {
    const files = { 'kustomization.yaml': 'secretGenerator: [{files: [a.txt]}]', 'a.txt': 'one two\nsix\n' };
    expect(told(files, text('b25lIHR3bwpzaXgK'), [])).toBe(text('••••••'));
  });

  test('is hidden where a patch has it', () => {
    const files = { 'kustomization.yaml': patches, 'p.yaml': 'data: {user: "blue\\x20bird", color: a green one}\n' };
    expect(told(files, text('blue bird'), [])).toBe(text('••••••'));
    expect(told(files, text('a green one'), [])).toBe(text('••••••'));
    expect(told({ 'p.yaml': files['p.yaml'] }, text('blue bird'), [])).toBe(text('blue bird'));
  });

  test('is hidden where it is only in a comment', () => {
    expect(told({ 'a.yaml': '# password: hunter2hunter2\n' }, text('hunter2hunter2'), [])).toBe(text('••••••'));
  });
});

describe('a repository that is large', () => {
  const text = 'near "hunter2hunter2" it ends';

  test('a large file that it is built from takes no room from the others', () => {
    const files = { 'a.yaml': filler(3 << 20), 's.yaml': secret('hunter2hunter2') };
    expect(told(files, text, ['a.yaml'])).toBe('near "••••••" it ends');
  });

  test('a file of the largest size that is searched names what is secret', () => {
    const generator = 'secretGenerator: [{name: s, files: [a.txt]}]\n';
    const large = generator + filler((1 << 20) - generator.length - '# \n'.length);
    expect(large).toHaveLength(1 << 20);
    const files = { 'kustomization.yaml': large, 'a.txt': 'hunter2hunter2' };
    expect(told(files, text, [])).toBe('near "••••••" it ends');
  });

  test('nothing is told where what it is built from is too much to read', () => {
    const files = { 'a.yaml': filler(3 << 20), 'b.yaml': filler(3 << 20) };
    expect(told(files, text, ['a.yaml', 'b.yaml'])).toBe(
      '(not repeated: the repository is too large to know its secrets by)',
    );
  });
});
