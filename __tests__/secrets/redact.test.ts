/** What kustomize says of a repository is told without what the repository's Secrets hold. */
import { describe, expect, test } from '@jest/globals';
import type { Tree } from '../../src/core/model.js';
import { redact } from '../../src/secrets/redact.js';
import { collectTree } from '../../src/tree/tree.js';

function treeOf(files: Record<string, string>): Tree {
  const { admit, file, tree } = collectTree('head', 'a test');
  for (const [path, text] of Object.entries(files)) {
    const bytes = Buffer.from(text);
    if (admit(path, bytes.length)) file(path, bytes);
  }
  return tree();
}

const secret = (value: string) => `apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData:\n  conf: ${value}\n`;
/** A file of a size that holds nothing secret. */
const filler = (size: number) => `# ${'x'.repeat(size)}\n`;
const told = (files: Record<string, string>, text: string, about: string[]) =>
  redact(treeOf(files), [text], about).join();

describe('as what a value may be repeated', () => {
  test.each([
    ['as it is', 'a value of words', 'near "a value of words" it ends'],
    ['as it is quoted', `'a "value" of words'`, 'near "a \\"value\\" of words" it ends'],
    ['a line of it, without its indentation', '"[main]\\n  user of = words\\n"', 'near "user of = words" it ends'],
    ['what a line assigns', '"[main]\\n  user = a value of words\\n"', 'near "a value of words" it ends'],
  ])('%s', (_, written, text) => {
    expect(told({ 's.yaml': secret(written) }, text, [])).toBe('near "••••••" it ends');
  });
});

test('of a long text the begin is told', () => {
  expect(told({ 's.yaml': secret('hunter2hunter2') }, 'a word '.repeat(2000), [])).toHaveLength(8192);
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
