/** The manual page: it has all of the table of commands and options, and is one that troff reads without a warning. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { labelOf, textOf, usesOf } from '../../src/cli/help.js';
import { type CommandName, commands, options } from '../../src/cli/options.js';
import { root } from '../support/cli.js';

const path = join(root, 'docs/customizer-lint.1');
const page = readFileSync(path, 'utf8');
const names = Object.keys(commands) as CommandName[];

/** As it is read, without fonts. */
const words = page
  .replace(/\\f[BIR]/g, '')
  .replace(/\\-/g, '-')
  .replace(/\\\((\w\w)/g, (_, name: string) => ({ aq: "'", dq: '"', ga: '`', ti: '~', ha: '^', rs: '\\' })[name] ?? '?')
  .replace(/\\\[u([0-9A-F]+)\]/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
  .replace(/\\&/g, '');
const sectionOf = (name: string, heading: 'SH' | 'SS') =>
  words.split(new RegExp(`^\\.(?=SH |${heading} )`, 'm')).find((part) => part.startsWith(`${heading} ${name}\n`)) ?? '';

test('has the sections that a manual page has, in their order', () => {
  const sections = [...page.matchAll(/^\.SH (.*)$/gm)].map(([, name]) => name);
  expect(sections).toEqual([
    ...['NAME', 'SYNOPSIS', 'DESCRIPTION', 'COMMANDS', 'OPTIONS', 'ENVIRONMENT', 'FILES', 'EXIT STATUS', 'SEE ALSO'],
  ]);
  expect(words).toMatch(/^\.SH NAME\ncustomizer-lint - \w.*$/m);
});

test('is that of the version, has no date, and is ASCII', () => {
  const { version, man } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(words).toContain(`.TH CUSTOMIZER-LINT 1 "" "customizer-lint ${version}" "User Commands"\n`);
  // In a list, as npm passes over a single text.
  expect(man).toEqual(['docs/customizer-lint.1']);
  expect(page).toMatch(/^[\n\x20-\x7e]*$/);
});

test('lists the commands, and no others', () => {
  const listed = [...words.matchAll(/^\.SS (.*)$/gm)].map(([, name]) => name);
  expect(listed).toEqual(names);
  const synopsis = sectionOf('SYNOPSIS', 'SH');
  for (const name of names)
    expect(synopsis).toContain(` ${name === 'check' ? '[check]' : name} ${commands[name].operands}`);
});

describe.each(names)('%s', (name) => {
  const section = sectionOf(name, 'SS');

  test('has its options, and no others', () => {
    const listed = [...section.matchAll(/^\.TP\n(--.*)\n(.*)$/gm)].map(([, label, text]) => [label, text]);
    expect(listed).toEqual(usesOf(name).map((use) => [labelOf(use), textOf(use)]));
    expect(listed.length).toBeGreaterThan(0);
  });

  test('has its examples and its notes', () => {
    for (const [line, what] of commands[name].examples)
      expect(section).toContain(`.TP\ncustomizer-lint ${line}\n${what}\n`);
    const { notes = '' } = commands[name] as { notes?: string };
    for (const note of notes.split('\n')) expect(section).toContain(note);
  });
});

test('every option of the table is on it', () => {
  const listed = new Set([...words.matchAll(/^--([a-z-]+)/gm)].map(([, name]) => name));
  expect([...listed].sort()).toEqual(Object.keys(options).sort());
});

test('names what the command reads of its environment, and nothing that it does not', () => {
  const files = ['cli', 'dry-run', 'registry', 'tree'].flatMap((room) =>
    readdirSync(join(root, 'src', room)).map((name) => readFileSync(join(root, 'src', room, name), 'utf8')),
  );
  const read = new Set(
    files.flatMap((text) => [
      ...[...text.matchAll(/\benv(?:ironment)?\.([A-Z][A-Z_]+)/g)].map(([, name]) => name),
      ...[...text.matchAll(/\{([^{}]*)\} = (?:process\.|program\.)?env\b|, \{ ([A-Z_]+) \}: NodeJS/g)].flatMap(
        ([, list = '', one]) => [...list.matchAll(/[A-Z][A-Z_]+/g)].map(([name]) => name).concat(one ?? []),
      ),
    ]),
  );
  // Of Windows.
  read.delete('SYSTEMROOT');
  for (const [name] of words.matchAll(/\bTERM_PROGRAM|VTE_VERSION|FORCE_HYPERLINK\b/g)) read.add(name);
  const named = new Set(
    [...sectionOf('ENVIRONMENT', 'SH').matchAll(/\b[A-Z]+(?:_[A-Z]+)+\b|\b(?:PATH|HOME|TERM|CI|TMUX)\b/g)].map(
      ([name]) => name,
    ),
  );
  expect([...named].sort()).toEqual([...read].sort());
});

describe('is read without a warning', () => {
  const isInstalled = (program: string) => spawnSync('which', [program]).status === 0;
  /** It has none, so that it changes only with what it says. */
  const date = /^mandoc: .*: WARNING: missing date, using "": TH\n/;

  (isInstalled('mandoc') ? test : test.skip)('by mandoc, where that is installed (apt-get install mandoc)', () => {
    const { stdout, stderr } = spawnSync('mandoc', ['-T', 'lint', '-W', 'warning', path], { encoding: 'utf8' });
    expect(`${stdout}${stderr}`.replace(date, '')).toBe('');
  });

  (isInstalled('groff') ? test : test.skip)('by groff, where that is installed (apt-get install groff)', () => {
    const { status, stderr } = spawnSync('groff', ['-ww', '-man', '-Tutf8', path], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  (isInstalled('mandoc') ? test : test.skip)('and shown as it is written, where mandoc is installed', () => {
    const shown = execFileSync('mandoc', ['-T', 'utf8', '-O', 'width=200', path], { encoding: 'utf8' });
    // What is bold is struck twice.
    const bare = shown.replaceAll(/.[\b]/g, '');
    for (const [line] of commands.check.examples) expect(bare).toContain(`customizer-lint ${line}\n`);
  });
});
