/** The workflows: the project's own, and those that the README and docs/ tell readers to copy. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { goEnv, hasGo } from '../../src/build/go.mjs';
import { root } from '../support/cli.js';
import { createRepo, removeRepo } from '../support/trees.js';

const folder = join(root, '.github/workflows');
const own = Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
const names = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
const pages = ['README.md', ...names.map((name) => `docs/${name}`)];
const blocks = pages.flatMap((page) => [
  ...readFileSync(join(root, page), 'utf8').matchAll(/```yaml\n(# \.github\/workflows\/([\w-]+\.yaml)\n[\s\S]*?)```/g),
]);
const documented = Object.fromEntries(
  blocks.map(([, text = '', name = '']) => [name, text]).filter(([, text]) => text?.includes('jobs:')),
);

const planted: string[] = [];
afterAll(() => planted.forEach(removeRepo));

/** The one release of actionlint that knows what is written here. */
const actionlint = 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.12';

// Without Go there is no actionlint, as npm has none that is kept.
(hasGo() ? test : test.skip)(
  'actionlint finds nothing in them',
  () => {
    const files = Object.entries({ ...own, ...documented }).map(([name, text]) => [`.github/workflows/${name}`, text]);
    const repository = createRepo({
      ...Object.fromEntries(files),
      '.git/HEAD': '',
      'dist/action/index.js': '',
      'action.yml': readFileSync(join(root, 'action.yml')),
    });
    planted.push(repository);
    const lint = (args: string[]) =>
      spawnSync('go', ['run', actionlint, ...args], {
        cwd: repository,
        env: goEnv(),
        encoding: 'utf8',
        timeout: 300_000,
      });
    const found = lint(files.map(([name]) => name as string));
    const said = (found.stdout + found.stderr).replace(/^go: downloading .*\n/gm, '');
    expect({ said, status: found.status }).toEqual({ said: '', status: 0 });
    expect(files.length).toBeGreaterThan(3);
  },
  310_000,
);

test('the README’s workflow takes ten lines and asks for no right that it does not need', () => {
  const text = documented['customizer-lint.yaml'] as string;
  expect(
    text
      .trim()
      .split('\n')
      .filter((line) => !line.startsWith('#')).length,
  ).toBeLessThanOrEqual(10);
  expect(parse(text).permissions).toEqual({ contents: 'read', 'pull-requests': 'write' });
});

test('the action is used on examples, as it is committed', () => {
  const { jobs } = parse(own['examples.yaml'] as string) as { jobs: { [id: string]: { steps: { uses?: string }[] } } };
  for (const { steps } of Object.values(jobs)) expect(steps.map(({ uses }) => uses)).toContain('./');
});

test('the project’s own name each action of others by its commit, with the version beside it', () => {
  const used = Object.entries(own).flatMap(([name, text]) =>
    [...text.matchAll(/\buses:\s*(\S+)(.*)$/gm)].map(([, action = '', rest = '']) => ({ name, action, rest })),
  );
  const others = used.filter(({ action }) => !action.startsWith('./'));
  expect(others.length).toBeGreaterThan(3);
  const moving = others.filter(
    ({ action, rest }) => !/^[\w.-]+\/[\w./-]+@[0-9a-f]{40}$/.test(action) || !/^ # v\d+\.\d+\.\d+$/.test(rest),
  );
  expect(moving).toEqual([]);
  // A commit is one version, everywhere.
  const versions = new Map(others.map(({ action, rest }) => [action, rest]));
  expect(new Set([...versions].map(([action]) => action.split('@')[0])).size).toBe(versions.size);
});
