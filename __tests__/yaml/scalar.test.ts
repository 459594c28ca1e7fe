import { expect, test } from '@jest/globals';
import { innerText } from '../../src/yaml/scalar.js';
import { parseSyntax } from '../../src/yaml/syntax.js';

test.each([
  ['a literal block', 'a:\n  - patch: |\n      x: 1\n      y: {z: 2}\n', 'x: 1\ny: {z: 2}\n'],
  ['a literal block that is stripped', 'a:\n  - patch: |-\n      x: 1\n\n      y: 2\n', 'x: 1\n\ny: 2'],
  ['a literal block with an explicit indentation', 'a:\n  - patch: |2\n      x: 1\n', 'x: 1\n'],
  ['a literal block with CRLF', 'a:\r\n  - patch: |\r\n      x: 1\r\n      y: 2\r\n', 'x: 1\ny: 2\n'],
  ['a comment behind the header', 'a:\n  - patch: | # why\n      x: 1\n', 'x: 1\n'],
  ['single quotes', "a: [{patch: 'it''s: 1'}]", "it's: 1"],
  ['double quotes', 'a: [{patch: "x: \\"y\\"\\nz: \\u00e9"}]', 'x: "y"\nz: é'],
  ['no quotes', 'a: [{patch: hello}]', 'hello'],
])('%s', (_, yaml, expected) => {
  const found = parseSyntax(yaml)?.find(['a', 0, 'patch']);
  const written = found?.value && yaml.slice(found.value.start, found.value.end);
  const inner = innerText(written ?? '', found?.value?.style ?? 'PLAIN');
  expect(inner?.text.trimEnd()).toBe(expected.trimEnd());
  for (const [index, char] of [...expected.trimEnd()].entries()) {
    const outside = written?.charAt(inner?.outer(index) ?? -1);
    // An escape stands for another character, and a line break for the one at the end of its line.
    if (/[\w:{}]/.test(char) && char !== 'é') expect(outside).toBe(char);
  }
});

test.each([
  ['a folded block', 'a:\n  - patch: >\n      x\n      y\n'],
  ['quotes over two lines', 'a:\n  - patch: "x\n      y"\n'],
])('%s is not taken apart', (_, yaml) => {
  const found = parseSyntax(yaml)?.find(['a', 0, 'patch']);
  const written = found?.value && yaml.slice(found.value.start, found.value.end);
  expect(innerText(written ?? '', found?.value?.style ?? 'PLAIN')).toBeUndefined();
});
