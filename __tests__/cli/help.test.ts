/** `--help`, of all commands and of each. */
import { describe, expect, test } from '@jest/globals';
import { readArguments } from '../../src/cli/arguments.js';
import { commands, options } from '../../src/cli/options.js';
import { rules } from '../../src/rules/index.js';
import { runHere } from '../support/here.js';

const names = Object.keys(commands);

test('--help names every command', async () => {
  const { status, stdout } = await runHere(['--help']);
  expect(status).toBe(0);
  for (const name of names) expect(stdout).toMatch(new RegExp(`^ {2}${name} +\\w`, 'm'));
});

test('--help has one example of each of three commands', async () => {
  const { stdout } = await runHere(['--help']);
  const examples = stdout.split('\nExamples\n')[1]?.split('\n\n')[0]?.split('\n');
  // What it does stands below it, further in.
  const lines = Array.from({ length: 3 }, () => [/^ {2}customizer-lint \w/, /^ {6}\w/]).flat();
  expect(examples).toEqual(lines.map((line) => expect.stringMatching(line)));
});

describe('COMMAND --help names the options that the command takes, and no others', () => {
  // The command itself is asked: an option that is not its own it refuses.
  test.each(names)('%s', async (command) => {
    const { status, stdout } = await runHere([command, '--help']);
    expect(status).toBe(0);
    const rows = stdout.split('\n').filter((line) => /^ {2}--/.test(line));
    const named = rows.map((line) => /--([a-z-]+)/.exec(line)?.[1]);
    const taken: string[] = [];
    for (const [name, { type }] of Object.entries(options)) {
      const value = type === 'string' || (name === 'dry-run' && command !== 'fix') ? '=x' : '';
      const { stderr } = await runHere([command, `--${name}${value}`, '--help']);
      if (!stderr.includes(`--${name} is not an option of ${command}`)) taken.push(name);
    }
    expect(named.sort()).toEqual(taken.filter((name) => name !== 'version').sort());
  });
});

test('explain --help needs no object', async () => {
  const { status, stdout } = await runHere(['explain', '--help']);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^Usage: customizer-lint explain KIND\/NAME/m);
});

test('help and help COMMAND are --help, and --version is in it', async () => {
  const asked = async (...args: string[]) => (await runHere(args)).stdout;
  expect(await asked('help')).toBe(await asked('--help'));
  expect(await asked('help', 'diff')).toBe(await asked('diff', '--help'));
  expect(await asked('help')).toMatch(/^ {2}--version, -V +print the version$/m);
});

describe('the examples of a command', () => {
  test.each(names)('of %s are two, and are read as they are', async (command) => {
    const { stdout } = await runHere([command, '--help']);
    const examples = [...stdout.matchAll(/^ {2}customizer-lint (.*)$/gm)].map(([, line = '']) => line);
    expect(examples.length).toBe(2);
    for (const line of examples) {
      const [own = ''] = line.split(/ [|<>] /, 1);
      expect(() => readArguments(own.split(' '))).not.toThrow();
    }
  });
});

describe('is no wider than what it is printed to', () => {
  const calls = [
    ['--help'],
    ['rules'],
    ...names.flatMap((name) => [
      ['help', name],
      [name, '--help'],
    ]),
  ];
  const widthOf = (text: string) => Math.max(...text.split('\n').map((line) => line.length));
  /** What is to be copied stays on one line. */
  const isCopied = (line: string) => /^ {2}customizer-lint |^Usage: /.test(line);

  test.each(calls.map((call) => [call.join(' '), call] as const))('%s', async (_, call) => {
    const { stdout } = await runHere(call);
    expect(stdout).toContain(call.join() === 'rules' ? 'chart-owned-field' : 'Usage: customizer-lint');
    expect(stdout.split('\n').length).toBeGreaterThan(5);
    expect(widthOf(stdout)).toBeLessThanOrEqual(100);
    // Columns that no terminal has count for nothing.
    expect((await runHere(call, { columns: 72 })).stdout).toBe(stdout);
    const narrow = (await runHere(call, { isTTY: true, columns: 72 })).stdout;
    expect(narrow.split('\n').filter((line) => line.length > 72 && !isCopied(line))).toEqual([]);
    const words = (text: string) => text.split(/\s+/).join(' ');
    expect(words(narrow)).toBe(words(stdout));
    const least = (await runHere(call, { isTTY: true, columns: 20 })).stdout;
    expect(least).toBe((await runHere(call, { isTTY: true, columns: 60 })).stdout);
    expect((await runHere(call, { isTTY: true, columns: 0 })).stdout).toBe(stdout);
  });

  test('the table of rules takes all of a wide terminal, a text that is read does not', async () => {
    const [table, text] = [await runHere(['rules'], { isTTY: true, columns: 250 }), await runHere(['help', 'check'])];
    expect(widthOf(table.stdout)).toBeGreaterThan(120);
    expect(table.stdout.match(/^ {2}[a-z-]+ +(?:error|warning|notice) .*$/gm)).toHaveLength(rules.length);
    expect((await runHere(['help', 'check'], { isTTY: true, columns: 250 })).stdout).toBe(text.stdout);
  });
});
