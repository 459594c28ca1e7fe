/** The README and docs/: short, without dead links, and every command and report in them is what the command prints. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readArguments } from '../../src/cli/arguments.js';
import { root } from '../support/cli.js';
import { runHere } from '../support/here.js';
import { someOf } from '../support/sample.js';

const names = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
const pages = ['README.md', ...names.map((name) => `docs/${name}`)];
const textOf = (page: string) => readFileSync(join(root, page), 'utf8');

/** Without code, in which brackets are no links. */
const prose = (text: string) => text.replace(/```[\s\S]*?```/g, '').replace(/`[^`\n]*`/g, '');

/** As GitHub names them in links. */
const headingsOf = (text: string) =>
  [...text.replace(/```[\s\S]*?```/g, '').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );

test('the README fits on few screens', () => {
  expect(textOf('README.md').split('\n').length).toBeLessThanOrEqual(181);
});

/** What a page shows by a relative link, in Markdown or in HTML. */
const imagesOf = (text: string) =>
  [...text.replace(/```[\s\S]*?```/g, '').matchAll(/(?:!\[[^\]]*\]\(|\bsrc(?:set)?=")(?!https?:)([^)"\s]+)/g)].map(
    ([, image = '']) => image,
  );

test('every picture is shown by a page', () => {
  const shown = new Set(pages.flatMap((page) => imagesOf(textOf(page)).map((image) => join(dirname(page), image))));
  const there = readdirSync(join(root, 'docs/images')).map((name) => `docs/images/${name}`);
  expect(there.filter((image) => !shown.has(image))).toEqual([]);
});

test('every page is found from the README, or is for those who work on it', () => {
  const linked = new Set([...textOf('README.md').matchAll(/\]\((docs\/[\w-]+\.md)\)/g)].map(([, page]) => page));
  expect(pages.filter((page) => page !== 'README.md' && !linked.has(page))).toEqual([]);
});

describe.each(pages)('%s', (page) => {
  const text = textOf(page);

  test('has no dead link', () => {
    const links = [...prose(text).matchAll(/\]\((?!https?:|#)([^)#\s]+)(#[\w-]+)?\)/g)];
    const dead = links.map(([, link = '']) => link).filter((link) => !existsSync(join(root, dirname(page), link)));
    expect(dead).toEqual([]);
    expect(page !== 'README.md' || links.length > 10).toBe(true);
  });

  test('shows no picture that is missing', () => {
    const missing = imagesOf(text).filter((image) => !existsSync(join(root, dirname(page), image)));
    expect(missing).toEqual([]);
    expect(page !== 'README.md' || imagesOf(text).length > 0).toBe(true);
  });

  test('has no link to a heading that does not exist', () => {
    const links = [...prose(text).matchAll(/\]\((?!https?:)([^)#\s]*)#([\w-]+)\)/g)];
    const dead = links.filter(([, file = '', heading = '']) => {
      const target = file === '' ? page : join(dirname(page), file);
      return !headingsOf(textOf(target)).includes(heading);
    });
    expect(dead.map(([link]) => link)).toEqual([]);
  });

  const shown = [...text.matchAll(/```text\n\$ customizer-lint (.*)\n([\s\S]*?)```/g)].map(
    ([, line = '', output = '']) => ({ line, output }),
  );
  if (shown.length > 0)
    test.each(someOf(shown, 1, ({ line }) => line))('$line prints what it shows', async ({ line, output }) => {
      const { stdout, stderr } = await runHere(line.split(' '), { cwd: root });
      expect(stderr).toBe('');
      expect(stdout.trimEnd()).toBe(output.trimEnd());
    });

  const named = [
    ...text.matchAll(
      /(?:npx (?:--yes )?)?customizer-lint(?:@[\d.]+)? ((?:check|fix|diff|render|audit|explain|rules|graph|charts) [^`|\n]*)/g,
    ),
  ];
  const commands = [...new Set(named.map(([, line = '']) => line.replace(/ [|>] .*/, '').trim()))];
  if (commands.length > 0)
    test.each(commands)('%s is a command line that is read', (line) => {
      const words = line.replace(/"[^"]*"/g, 'x').split(/\s+/);
      expect(() => readArguments(words)).not.toThrow();
    });
});
