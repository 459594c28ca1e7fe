import { expect, test } from '@jest/globals';
import {
  codeSpan,
  escapeData,
  escapeProperty,
  fence,
  jsonText,
  markdownText,
  printable,
  shorten,
} from '../../src/core/escape.js';

test.each([
  ['plain', 'plain'],
  ['a\nb\r\tc', 'a\\nb\\r\\tc'],
  ['\u001b[31mred', '\\x1b[31mred'],
  ['a\u202eb', 'a\\u202eb'],
  ['a\u200bb', 'a\\u200bb'],
  ['a\u{e0041}b', 'a\\u{e0041}b'],
  ['a\ud800b', 'a\\ud800b'],
  ['🎉 ❤️ 👩‍🚀', '🎉 ❤️ 👩‍🚀'],
  ['a\u200db', 'a\\u200db'],
  ['é 日本 e\u0301', 'é 日本 e\u0301'],
  ['::error::x', ':\\:error::x'],
  ['  ::error::x', '  :\\:error::x'],
  ['\u3000::error::x', '\u3000:\\:error::x'],
  ['x\n::error::x', 'x\\n::error::x'],
  ['a::b', 'a::b'],
  ['a ##[add-mask]b', 'a ##\\[add-mask]b'],
  ['####[add-mask]b', '####\\[add-mask]b'],
  ['#\u200b#[add-mask]b', '#\\u200b#[add-mask]b'],
  [':\u200b:error::x', ':\\u200b:error::x'],
])('printable: %j', (text, expected) => {
  expect(printable(text)).toBe(expected);
});

test('what the runner decodes is what was meant', () => {
  expect(escapeData('100%0A\r\n: ,')).toBe('100%250A%0D%0A: ,');
  expect(escapeProperty('100%3A\n: ,')).toBe('100%253A%0A%3A %2C');
});

test('JSON keeps the value and hides the command', () => {
  const value = { '##[add-mask]': 'a\u2028\u202e\u200b\u{e0041}\ud800\u0000\n::error::' };
  const text = jsonText(value);
  expect(JSON.parse(text)).toEqual(value);
  expect(text).not.toContain('##[');
  expect(text).not.toMatch(/[\u2028\u202e\u200b\u{e0041}]/u);
});

test.each([
  ['a', '`a`'],
  ['a`b', '``a`b``'],
  ['`a`', '`` `a` ``'],
  ['', '` `'],
  ['<b> @team', '`<b> @team`'],
  ['a\nb', '`a\\nb`'],
])('a code span of %j', (text, expected) => {
  expect(codeSpan(text)).toBe(expected);
});

test('a fence is longer than any run inside', () => {
  expect(fence(['a ```` b', '```'])).toBe('`````text\na ```` b\n```\n`````');
});

test.each([
  ['Package "a.b" sets spec.variant', 'Package `a.b` sets spec.variant'],
  ['ask @org/team, please', 'ask `@org/team,` please'],
  ['see #12 or a/b#3', 'see `#12` or `a/b#3`'],
  ['https://evil.example www.evil.example', '`https://evil.example` `www.evil.example`'],
  ['![i](u) <img> *b* _c_ | ~d~ --> &lt;', '!\\[i\\](u) \\<img\\> \\*b\\* \\_c\\_ \\| \\~d\\~ --\\> \\&lt;'],
  ['a\nb', 'a\\\\nb'],
  ['an old reference GH-12, :tada: and $x$', 'an old reference `GH-12,` `:tada:` and `$x$`'],
  ['a""b`@team"', 'a` ` ``b`@team``"'],
  ['"a""b`@team"', '`a` ``b`@team``'],
  ['- 1', '\\- 1'],
  ['1. one', '1\\. one'],
  ['# one', '\\# one'],
  ['an "open quote @team', 'an "open quote `@team`'],
  ['', '` `'],
  [' \t', '\\\\t'],
  ['  ', '` `'],
])('prose in Markdown: %j', (text, expected) => {
  expect(markdownText(text)).toBe(expected);
});

test('a cut never goes through a character', () => {
  expect(shorten('abc', 3)).toBe('abc');
  expect(shorten('abcd', 3)).toBe('ab…');
  expect(shorten('😀bcd', 4)).toBe('😀b…');
  expect(shorten('a😀cd', 3)).toBe('a…');
  expect(shorten('a🎉bc', 3)).toBe('a…');
});
