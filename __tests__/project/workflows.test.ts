/** The workflows: the project's own, and those that the README and docs/ tell readers to copy. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { goEnv, hasGo } from '../../src/build/go.mjs';
import { root } from '../support/cli.js';
import { documented } from '../support/documented.js';
import { installed } from '../support/python.js';
import { isLong } from '../support/sample.js';
import { createRepo, removeRepo } from '../support/trees.js';

type Workflow = {
  name?: string;
  on: string[] | { workflow_run?: { workflows: string[] } };
  permissions: object;
  jobs: { [id: string]: { permissions?: object; if?: string; steps: { uses?: string }[] } };
};

const folder = join(root, '.github/workflows');
const own = Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
const sets: { [where: string]: { [name: string]: string } } = { '.github/workflows': own, ...documented };

const planted: string[] = [];
afterAll(() => planted.forEach(removeRepo));

/** The workflows of one place as those of a repository that also has the action. */
function repositoryOf(files: { [name: string]: string }): string {
  const repository = createRepo({
    ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`.github/workflows/${name}`, text])),
    '.git/HEAD': '',
    'dist/action/index.js': '',
    'action.yml': readFileSync(join(root, 'action.yml')),
  });
  planted.push(repository);
  return repository;
}

/** The one release of actionlint that knows what is written here. */
const actionlint = 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.12';

// Without Go there is no actionlint, as npm has none that is kept; the short run builds and installs no linter.
describe.each(Object.entries(sets))('actionlint', (where, files) => {
  (hasGo() && isLong() ? test : test.skip)(
    `finds nothing in those of ${where}`,
    () => {
      const args = Object.keys(files).map((name) => `.github/workflows/${name}`);
      const options = { cwd: repositoryOf(files), env: goEnv(), encoding: 'utf8', timeout: 300_000 } as const;
      const found = spawnSync('go', ['run', actionlint, ...args], options);
      const said = (found.stdout + found.stderr).replace(/^go: downloading .*\n/gm, '');
      expect({ said, status: found.status }).toEqual({ said: '', status: 0 });
    },
    310_000,
  );
});

/** Undefined without a Python that can install it: npm has none. */
const zizmor = isLong() ? installed('zizmor', '1.32.0') : undefined;

describe.each(Object.entries(sets))('zizmor, as its strictest auditor,', (where, files) => {
  (zizmor ? test : test.skip)(
    `finds nothing in those of ${where} but that this action is named by its release`,
    () => {
      const args = ['--offline', '--no-config', '--persona', 'auditor', '--format', 'json', repositoryOf(files)];
      const { stdout, stderr } = spawnSync(zizmor?.file as string, args, { encoding: 'utf8', timeout: 120_000 });
      const found = (JSON.parse(stdout || `"${stderr}"`) as Audited[]).filter(({ ignored }) => !ignored);
      const others = found.filter((one) => !isOwnRelease(one)).map(({ ident, desc }) => `${ident}: ${desc}`);
      expect(others).toEqual([]);
    },
    130_000,
  );
});

type Audited = {
  ident: string;
  desc: string;
  ignored: boolean;
  locations: { concrete: { feature: string } }[];
};

/** Who copies a workflow should get corrections; docs/github.md says how to name a commit instead. */
function isOwnRelease({ ident, locations }: Audited): boolean {
  return ident === 'unpinned-uses' && /cozystack\/customizer-lint@v0\b/.test(locations[0]?.concrete.feature ?? '');
}

const parsed = (files: { [name: string]: string }) => Object.values(files).map((text) => parse(text) as Workflow);

test('a workflow that runs after another names it by the name that it has', () => {
  const followed = Object.entries(documented).flatMap(([page, files]) =>
    parsed(files).flatMap(({ on }) =>
      'workflow_run' in on ? (on.workflow_run?.workflows ?? []).map((name) => ({ page, name })) : [],
    ),
  );
  expect(followed.length).toBeGreaterThan(0);
  const missing = followed.filter(
    ({ page, name }) => !parsed(documented[page] ?? {}).some((workflow) => workflow.name === name),
  );
  expect(missing).toEqual([]);
});

test('what a reader copies is a workflow with a name, and asks for rights only where a job needs them', () => {
  const all = Object.values(documented).flatMap(parsed);
  expect(all.length).toBeGreaterThan(2);
  for (const { name, permissions, jobs } of all) {
    expect(name).toMatch(/^customizer-lint/);
    expect(permissions).toEqual({});
    for (const job of Object.values(jobs)) expect(Object.keys(job.permissions ?? {})).not.toEqual([]);
  }
});

test('each workflow of the check runs for every merge of a pull request, and its job is never skipped', () => {
  const checks = Object.values(documented).flatMap((files) =>
    Object.entries(files).flatMap(([name, text]) => (name === 'customizer-lint.yaml' ? [parse(text) as Workflow] : [])),
  );
  expect(checks.length).toBeGreaterThan(2);
  for (const { on, jobs } of checks) {
    const types = ['opened', 'synchronize', 'reopened', 'edited'];
    expect(on).toEqual({ pull_request: { types }, merge_group: {} });
    expect(Object.values(jobs).filter((job) => job.if !== undefined)).toEqual([]);
  }
});

test('the README’s workflow is short and asks for no right that it does not need', () => {
  const text = documented['README.md']?.['customizer-lint.yaml'] as string;
  const lines = text.trim().split('\n');
  expect(lines.filter((line) => !line.startsWith('#')).length).toBeLessThanOrEqual(15);
  const rights = { contents: 'read', 'pull-requests': 'write' };
  expect(Object.values((parse(text) as Workflow).jobs).map(({ permissions }) => permissions)).toEqual([rights]);
});

test('the project’s own read or nothing, and what a job may write stands with the job', () => {
  for (const [name, text] of Object.entries(own)) {
    const { permissions, jobs } = parse(text) as Workflow;
    expect({ name, permissions }).toEqual({ name, permissions: expect.anything() });
    expect(Object.values(permissions).filter((right) => right !== 'read')).toEqual([]);
    const written = Object.values(jobs).flatMap((job) => Object.entries(job.permissions ?? {}));
    expect(
      written.filter(([right, value]) => value === 'write' && /^(?:contents|actions|packages)$/.test(right)),
    ).toEqual(name === 'release.yaml' ? expect.anything() : []);
  }
});

test('every checkout leaves no token behind', () => {
  const steps = Object.values(own).flatMap((text) =>
    Object.values((parse(text) as Workflow).jobs).flatMap((job) => job.steps as { uses?: string; with?: object }[]),
  );
  const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
  expect(checkouts.length).toBeGreaterThan(5);
  expect(
    checkouts.filter((step) => (step.with as { 'persist-credentials'?: boolean })?.['persist-credentials'] !== false),
  ).toEqual([]);
});

test('the matrix has every Node and system that docs/stability.md promises', () => {
  const page = readFileSync(join(root, 'docs/stability.md'), 'utf8');
  const { systems } = (
    parse(own['check.yaml'] as string) as {
      jobs: { systems: { strategy: { matrix: { system: string[]; node: number[] } } } };
    }
  ).jobs;
  const { system, node } = systems.strategy.matrix;
  expect(page).toContain(`| Node | ${node.slice(0, -1).join(', ')} and ${node.at(-1)} |`);
  expect(page).toContain('| Systems | Linux on x64 and arm64, macOS, Windows |');
  expect(system.map((name) => name.replace(/-[\d.]+/, ''))).toEqual(['ubuntu', 'ubuntu-arm', 'macos', 'windows']);
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
