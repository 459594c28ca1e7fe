/** The completion, by the shells themselves where they are there. */
import { spawnSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import { commands } from '../../src/cli/options.js';
import { runHere } from '../support/here.js';

const has = (shell: string) => spawnSync(shell, ['-c', 'exit 0']).status === 0;
const script = async (shell: string) => (await runHere(['completion', shell])).stdout;

/** What bash offers for the last of the words. */
async function bashOffers(...words: string[]): Promise<string[]> {
  const text = `${await script('bash')}
COMP_WORDS=(customizer-lint ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}
_customizer_lint; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', text], { encoding: 'utf8', cwd: '/' });
  expect(stderr).toBe('');
  return stdout.split('\n').filter(Boolean).sort();
}

describe('bash', () => {
  test('offers the commands', async () => {
    expect(await bashOffers('')).toEqual(expect.arrayContaining([...Object.keys(commands), 'help']));
    expect(await bashOffers('com')).toEqual(['completion']);
  });

  test.each([
    [['diff', '--fr'], ['--fresh']],
    [['--sel'], ['--select']],
    [['check', '--format', 'con'], ['concise']],
    [
      ['render', '--format', ''],
      ['digest', 'json', 'yaml'],
    ],
    [['rules', 'dead-p'], ['dead-patch']],
    [['check', '--select', 'dead-p'], ['dead-patch']],
    [['check', '--ignore', 'dead-p'], ['dead-patch']],
    [['fix', '--rule', 'dead-p'], ['dead-patch']],
    [['check', '--select', 'owner'], ['ownership']],
    [['fix', '--rule', 'owner'], []],
    [['charts', ''], ['pull']],
    [
      ['completion', ''],
      ['bash', 'fish', 'zsh'],
    ],
  ])('offers for %j %j', async (words, expected) => {
    expect(await bashOffers(...words)).toEqual(expected);
  });
});

describe.each<[string, (name: string, summary: string) => string]>([
  ['zsh', (name, summary) => `'${name}:${summary}'`],
  ['fish', (name, summary) => ` -a ${name} -d '${summary}'\n`],
])('%s', (shell, offer) => {
  if (!has(shell)) console.log(`skipped: what ${shell} reads, as it is not installed`);
  (has(shell) ? test : test.skip)('reads it', async () => {
    const { status, stderr } = spawnSync(shell, ['-n', '-c', await script(shell)], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  test('offers every command with what it does, and has every rule', async () => {
    const text = await script(shell);
    for (const [name, { summary }] of Object.entries(commands)) {
      const plain = shell === 'zsh' ? summary.replaceAll(':', ',') : summary;
      expect(text).toContain(offer(name, plain.replaceAll("'", "'\\''")));
    }
    expect(text).toContain('unverifiable-change');
  });
});

test('zsh is told the words of an option, and to offer files for one that has none', async () => {
  const text = await script('zsh');
  expect(text).toMatch(/'--color=\[[^\]]*\]:value:\([a-z ]+\)'/);
  expect(text).toMatch(/'--baseline=\[[^\]]*\]:value:_files'/);
});

test.each([[[]], [['tcsh']]])('completion of %j is refused', async (operands) => {
  const { status, stderr } = await runHere(['completion', ...operands]);
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: 'customizer-lint: completion of which shell? bash, zsh, fish\n',
  });
});
