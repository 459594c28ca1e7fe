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

describe('below a key in a comment', () => {
  test('whose name says that it is secret, the items of a list are hidden, up to the next key', () => {
    expect(shown('# passwords:\n#   - blue\n#   - green\n# colors:\n#   - red\n')).toEqual([
      ...['# passwords:', '#   - …', '#   - …', '# colors:', '#   - red', ''],
    ]);
  });

  test('the lines of a PEM block are hidden, 199 of them', () => {
    const lines = shown(`# -----BEGIN RSA PRIVATE KEY-----\n${'# blue\n'.repeat(300)}`);
    expect(lines.slice(1).indexOf('# blue')).toBe(199);
    expect(new Set(lines.slice(1, 200))).toEqual(new Set(['…']));
  });
});

test('a line of a secret text that looks like the header of a block is hidden where it ends the text', () => {
  const kind = String.raw`kind: "\x53ecret"`;
  expect(shown(`${kind}\ndata:\n  a: blue\n    |2\n  b: |2\n     green\n`)).toEqual([
    ...[kind, 'data:', '  a: …', '    …', '  b: |2', '     …', ''],
  ]);
});
