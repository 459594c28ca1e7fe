/** What is asked for on the command line of what a run has found, and how it is printed. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { runHere } from '../support/here.js';
import { createRepo, removeRepo } from '../support/trees.js';

const broken = '__tests__/examples/broken';
const folder = createRepo({});
afterAll(() => removeRepo(folder));
const check = (...args: string[]) => runHere(['check', broken, ...args]);
const found = (stdout: string) =>
  [...stdout.matchAll(/^\S+: (\w+) ([a-z-]+) /gm)].map(([, level, rule]) => `${level} ${rule}`);
const all = ['error chart-owned-field', 'warning unknown-component', 'warning dead-patch', 'warning schema-violation'];

describe('the findings', () => {
  test.each([
    [[], all, 1],
    [['--select=dead-patch'], ['warning dead-patch'], 0],
    [['--select=dead-patch,schema-violation', '--select', 'chart-owned-field'], [all[0], all[2], all[3]], 1],
    [['--select=,dead-patch,,schema-violation,'], [all[2], all[3]], 0],
    [['--select=,'], all, 1],
    [['--ignore=chart-owned-field'], all.slice(1), 0],
    [['--ignore=chart-owned-field,'], all.slice(1), 0],
    [['--select=ownership,kustomize'], [all[0], all[2]], 1],
    [['--ignore=ownership,packages'], all.slice(2), 0],
    [['--select=dead-patch', '--ignore=dead-patch'], [], 0],
    [['--severity=dead-patch=error', '--ignore=chart-owned-field'], [all[1], 'error dead-patch', all[3]], 1],
    [['--severity=chart-owned-field=notice'], ['notice chart-owned-field', ...all.slice(1)], 0],
  ])('with %j are %j', async (args, expected, status) => {
    const outcome = await check('--format=concise', ...args);
    expect({ found: found(outcome.stdout), status: outcome.status }).toEqual({ found: expected, status });
  });

  test.each([
    ['--select=ded-patch', 'unknown rule "ded-patch"; did you mean "dead-patch"?'],
    ['--select=kustomise', 'unknown rule "kustomise"; did you mean "kustomize"?'],
    ['--severity=kustomize=error', 'unknown rule "kustomize"'],
    ['--ignore=zzzz', 'unknown rule "zzzz"; customizer-lint rules lists them'],
    ['--severity=dead-patch', 'write ID=error, ID=warning or ID=notice'],
    ['--severity=dead-patch=off', 'write ID=error, ID=warning or ID=notice'],
  ])('%s is refused', async (arg, words) => {
    expect(await check(arg)).toMatchObject({ status: 2, stderr: expect.stringContaining(words) });
  });

  test('have the same lines and fingerprints as without it', async () => {
    const read = async (...args: string[]) => JSON.parse((await check('--format=json', ...args)).stdout).findings;
    const [whole, part] = [await read(), await read('--select=dead-patch', '--severity=dead-patch=error')];
    const { severity, ...rest } = part[0];
    expect(part.length).toBe(1);
    expect(severity).toBe('error');
    expect(whole).toContainEqual({ ...rest, severity: 'warning' });
  });
});

test('--statistics counts the findings of each rule, the most first', async () => {
  const { stdout, status } = await check('--statistics');
  const rows = stdout.split('\n\n')[0]?.split('\n');
  expect(rows).toEqual([
    '1  error    ownership  chart-owned-field',
    '1  warning  kustomize  dead-patch',
    '1  warning  schema     schema-violation',
    '1  warning  packages   unknown-component',
  ]);
  expect(status).toBe(1);
});

test('each format goes to its own file, and one to standard output', async () => {
  const [json, sarif] = [join(folder, 'a=b.json'), join(folder, 'c.sarif')];
  const { stdout } = await check('--format', `json=${json}`, '--format=concise', '--format', `sarif=${sarif}`);
  expect(found(stdout)).toEqual(all);
  expect(JSON.parse(readFileSync(json, 'utf8')).findings.length).toBe(4);
  expect(JSON.parse(readFileSync(sarif, 'utf8')).runs[0].results.length).toBe(4);
});

describe('colours', () => {
  const shown = async (args: string[], env: Record<string, string>, isTTY = false) => {
    const { stdout } = await runHere(['check', broken, ...args], { env, isTTY });
    expect(stdout).toContain('chart-owned-field');
    return stdout;
  };
  const colored = async (...as: Parameters<typeof shown>) => (await shown(...as)).includes('\u001b[');
  test.each([
    [[], {}, false, false],
    [[], {}, true, true],
    [[], { FORCE_COLOR: '1' }, false, true],
    [[], { FORCE_COLOR: '0' }, true, false],
    [[], { NO_COLOR: '1' }, true, false],
    [[], { NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
    [['--color=always'], { NO_COLOR: '1' }, false, true],
    [['--color=never'], { FORCE_COLOR: '1' }, true, false],
    [['--no-color'], { FORCE_COLOR: '1' }, true, false],
    [['--color=auto'], {}, true, true],
  ])('with %j and %j, on a terminal %p: %p', async (args, env, isTTY, expected) => {
    expect(await colored(args, env, isTTY)).toBe(expected);
  });

  test.each([
    [[], {}, true, false],
    [[], { TERM_PROGRAM: 'iTerm.app' }, true, true],
    [[], { TERM_PROGRAM: 'iTerm.app' }, false, false],
    [[], { TERM_PROGRAM: 'iTerm.app', CI: 'true' }, true, false],
    [[], { TERM_PROGRAM: 'iTerm.app', TMUX: '/x' }, true, false],
    [[], { TERM_PROGRAM: 'iTerm.app', TERM: 'dumb' }, true, false],
    [[], { TERM_PROGRAM: 'iTerm.app', FORCE_HYPERLINK: '0' }, true, false],
    [[], { TERM: 'xterm-kitty' }, true, true],
    [[], { WT_SESSION: 'a' }, true, true],
    [[], { VTE_VERSION: '5000' }, true, false],
    [[], { VTE_VERSION: '6800' }, true, true],
    [['--color=always'], { FORCE_HYPERLINK: '1' }, false, true],
    [['--color=never'], { FORCE_HYPERLINK: '1' }, true, false],
  ])('with %j and %j, on a terminal %p, the ids of rules are links: %p', async (args, env, isTTY, expected) => {
    const stdout = await shown(args, env, isTTY);
    expect(stdout.includes('\u001b]8;;https://github.com/cozystack/customizer-lint/blob/')).toBe(expected);
  });

  test('never go into a file by themselves', async () => {
    const file = join(folder, 'text.txt');
    await runHere(['check', broken, '--format', `text=${file}`], { env: { FORCE_COLOR: '1' }, isTTY: true });
    expect(readFileSync(file, 'utf8')).not.toContain('\u001b[');
  });
});
