/** Which parts of which lines are hidden, whatever a parser says of the file. */
import { describe, expect, test } from '@jest/globals';
import { isShowable, secretSpans } from '../../src/secrets/file.js';

/** The lines with what is hidden as `…`. */
function shown(text: string): string[] {
  const spans = secretSpans(text);
  return text.split('\n').map((line, index) => {
    let left = line;
    for (const { start, end } of spans(index).toReversed()) left = `${left.slice(0, start)}…${left.slice(end)}`;
    return left;
  });
}

describe('an argument that the one before it calls secret', () => {
  test.each(['- --password', '- "--password"', "  - '--password'", '- -password'])('is hidden behind %s', (before) => {
    const indent = before.slice(0, before.indexOf('-'));
    expect(shown(`args:\n${before}\n${indent}- blue\n`)[2]).toBe(`${indent}- …`);
  });

  test.each(['- --color', '# as in - --password', '- --password=x y', '- password'])('is shown behind %s', (before) => {
    expect(shown(`args:\n${before}\n- blue\n`)[2]).toBe('- blue');
  });
});

test.each([
  ['a.yaml', true],
  ['a.yml', true],
  ['a.JSON', true],
  ['sub/Kustomization', true],
  ['.sourceignore', true],
  ['a.yaml.txt', false],
  ['tls.key', false],
  ['myKustomization', false],
])('the lines of %s can be told apart: %p', (file, expected) => {
  expect(isShowable(file)).toBe(expected);
});

test('in another encoding, or a text that is too long, all is hidden', () => {
  const wide = Buffer.from('\ufeffcolor: blue\n', 'utf16le').toString();
  expect(shown(wide)[0]).toBe('…');
  expect(shown('color: blue\n')[0]).toBe('color: blue');
  expect(shown(`color: blue\n# ${'x'.repeat(1 << 20)}`)[0]).toBe('…');
});
