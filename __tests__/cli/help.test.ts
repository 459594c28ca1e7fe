/** `--help`, of all commands and of each. */
import { describe, expect, test } from '@jest/globals';
import { readArguments } from '../../src/cli/arguments.js';
import { commands, options } from '../../src/cli/options.js';
import { runHere } from '../support/here.js';

const names = Object.keys(commands);

test('--help names every command', async () => {
  const { status, stdout } = await runHere(['--help']);
  expect(status).toBe(0);
  for (const name of names) expect(stdout).toMatch(new RegExp(`^ {2}${name} +\\w`, 'm'));
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
