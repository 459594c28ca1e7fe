/** Which parts of which lines are hidden, whatever a parser says of the file. */
import { describe, expect, test } from '@jest/globals';
import { isShowable, secretSpans } from '../../src/secrets/file.js';
import { randomOf } from '../support/random.mjs';
import { amount } from '../support/sample.js';

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

test.each([
  ['# stringData:\n#   pin: blue\n', 1, '#   pin: …'],
  ['#stringData: blue\n', 0, '#stringData: …'],
  ['# stringData: {a: blue, b: c}\n', 0, '# stringData: {a: …, b: …}'],
  ["a: 'it\n  stringData: x y\n  goes'\n", 1, '  stringData: …'],
])('what stands below stringData is hidden, also in a comment and in other text: %j', (text, line, expected) => {
  expect(shown(`kind: ConfigMap\n${text}`)[line + 1]).toBe(expected);
});

test('the literals of a generator are hidden, also where a slip of the pen is all that tells it', () => {
  expect(shown('sercrt_gen:\n- literals:\n  - a=blue\n ] [\n\tx')[2]).toBe('  - a=…');
  expect(shown('colors_gen:\n- literals:\n  - a=blue\n')[2]).toBe('  - a=blue');
});

test('what is hidden in a text does not depend on whether another line of it names a secret', () => {
  const random = randomOf(5);
  const words =
    'pw pass password passwd passphrase passcode pwd secret token api apikey key private access id signing encryption master auth ssh credential bearer authorization htpasswd kubeconfig dockerconfigjson connection string dsn pgpass client data PassWord secrtGen se_rt gen'.split(
      ' ',
    );
  const plain = ['name', 'value', 'kind', 'data', 'stringData', 'literals', 'color'];
  const values = ['', '', ' blue', ' "blue"', ' [blue, red]', ' {a: blue}', ' |', ' a=blue', ' # why'];
  const joined = () =>
    Array.from({ length: 1 + random.below(2) }, () => random.pick(words)).join(random.pick(['', '', '_', '-', '@']));
  const line = () => {
    const indent = '  '.repeat(random.below(3)) + random.pick(['', '', '- ', '# ', '- --']);
    const name = random.chance(0.15) ? joined() : random.pick(plain);
    const value = random.chance(0.02) ? ' -----BEGIN KEY-----' : random.pick(values);
    return indent + random.pick([name, `"${name}"`]) + random.pick([':', ':', '']) + value;
  };
  let hides = 0;
  for (let count = 0; count < amount(8_000, 100_000); count++) {
    const lines = Array.from({ length: 1 + random.below(7) }, line);
    const [alone, beside] = [secretSpans(`${lines.join('\n')}\n`), secretSpans(`${lines.join('\n')}\n# token: x`)];
    for (const [index, text] of lines.entries()) {
      const hidden = alone(index);
      if (hidden.length > 0) hides += 1;
      expect({ lines, text, hidden }).toEqual({ lines, text, hidden: beside(index) });
    }
  }
  expect(hides).toBeGreaterThan(300);
});
