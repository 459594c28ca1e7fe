/**
 * The committed action in somebody else's runner: `act`, which reads action.yml, the workflow and the commands in its own way.
 * In host mode it takes no containers, and nothing from a network: the work tree stands in for actions/checkout.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { root } from '../support/cli.js';
import { createRepo, removeRepo } from '../support/trees.js';

const folders = [...(process.env.PATH ?? '').split(delimiter), join(homedir(), 'go', 'bin')];
if (process.env.GOPATH) folders.push(join(process.env.GOPATH, 'bin'));
const act = folders.map((folder) => join(folder, 'act')).find((file) => existsSync(file));
if (!act) console.log('skipped: the action under act, which is not here: go install github.com/nektos/act@v0.2.89');

const planted: string[] = [];
afterAll(() => planted.forEach(removeRepo));

/** A repository that holds the action and something to lint, with a workflow of one job. */
function workspace(inputs: Record<string, string>): string {
  const folder = createRepo({
    '.github/workflows/lint.yaml': JSON.stringify({
      on: ['pull_request'],
      jobs: {
        lint: {
          'runs-on': 'ubuntu-latest',
          steps: [
            { uses: 'actions/checkout@v6' },
            { id: 'lint', uses: './', with: { comment: 'false', ...inputs } },
            {
              if: 'always()',
              env: { SAID: `${'$'}{{ toJSON(steps.lint.outputs) }}` },
              run: 'echo "$SAID" | tr -d " \\n"',
            },
          ],
        },
      },
    }),
    'event.json': JSON.stringify({ pull_request: { number: 1 } }),
  });
  planted.push(folder);
  for (const part of ['action.yml', 'package.json', 'dist', 'schemas'])
    cpSync(join(root, part), join(folder, part), { recursive: true });
  cpSync(join(root, '__tests__/examples/broken'), join(folder, 'broken'), { recursive: true });
  cpSync(join(root, '__tests__/rules/chart-owned-field/good'), join(folder, 'good'), { recursive: true });
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'ignore' });
  git('init', '--quiet', '-b', 'main');
  git('add', '-A');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '--quiet', '-m', 'x');
  return folder;
}

function start(inputs: Record<string, string>): { status: number | null; log: string } {
  const folder = workspace(inputs);
  const home = createRepo({});
  planted.push(home);
  const args = ['pull_request', '-P', 'ubuntu-latest=-self-hosted', '-e', 'event.json'];
  const { status, stdout, stderr } = spawnSync(act as string, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '', HOME: home },
    timeout: 110_000,
  });
  return { status, log: `${stdout}${stderr}` };
}

const onlyWithAct = act ? test : test.skip;

onlyWithAct('findings fail the job, and are annotations, a summary and outputs', () => {
  const { status, log } = start({ directory: 'broken' });
  expect(status).toBe(1);
  expect(log).toMatch(/::error file=[^,]*packages\/metallb\.yaml,line=9,/);
  expect(log.match(/::warning file=/g)?.length).toBe(3);
  expect(log).toContain('Summary - ## customizer-lint: 1 error, 3 warnings');
  expect(log).toContain('"verdict":"findings"');
});

onlyWithAct('a clean repository passes', () => {
  const { status, log } = start({ directory: 'good' });
  expect({ status, log: status === 0 ? '' : log }).toEqual({ status: 0, log: '' });
  expect(log).toContain('No problems found');
});
