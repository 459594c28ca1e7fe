/** `--help`, of all commands and of each. */
import { describe, expect, test } from '@jest/globals';
import { commands, options } from '../../src/cli/options.js';
import { runHere } from '../support/here.js';

const names = Object.keys(commands);

test('--help names every command', async () => {
  const { status, stdout } = await runHere(['--help']);
  expect(status).toBe(0);
  for (const name of names) expect(stdout).toMatch(new RegExp(`^ {2}customizer-lint \\[?${name}\\b`, 'm'));
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
  expect(stdout).toMatch(/^ {2}customizer-lint explain KIND\/NAME/m);
});
