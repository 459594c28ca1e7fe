/**
 * The committed action in somebody else's runner: `act`, which reads action.yml, the workflow and the commands in its own way.
 * In host mode it takes no containers, and nothing from a network. The workflows are those of the documents; the work tree stands
 * in for actions/checkout, and a folder for the store of artifacts.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { goEnv, hasGo } from '../../src/build/go.mjs';
import { root } from '../support/cli.js';

import { documented } from '../support/documented.js';
import { serveGit } from '../support/githttp.js';
import { checkOut } from '../support/github/checkout.js';
import { FakeGitHub } from '../support/github/fake.js';
import { amount } from '../support/sample.js';
import { createRepo, kustomization, removeRepo } from '../support/trees.js';

const version = 'v0.2.89';
const act = found() ?? installed();
if (!act) console.log(`skipped: the action under act, which is not here: go install github.com/nektos/act@${version}`);

function found(): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), join(homedir(), 'go', 'bin')];
  if (process.env.GOPATH) folders.push(join(process.env.GOPATH, 'bin'));
  return folders.map((folder) => join(folder, 'act')).find((file) => existsSync(file));
}

/** Kept outside the work tree. The first time takes a minute or two, which a developer is not to wait for. */
function installed(): string | undefined {
  if (!hasGo() || amount(1, 2) < 2) return undefined;
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'customizer-lint', `act-${version}`);
  const file = join(cache, 'act');
  if (!existsSync(file))
    spawnSync('go', ['install', `github.com/nektos/act@${version}`], { env: goEnv({ GOBIN: cache }), stdio: 'ignore' });
  return existsSync(file) ? file : undefined;
}

const planted: string[] = [];
afterAll(() => planted.forEach(removeRepo));

function plant(files: Record<string, string>): string {
  const folder = createRepo(files);
  planted.push(folder);
  return folder;
}

/** What is committed, and is all that GitHub takes of an action. */
function placeAction(folder: string): void {
  for (const part of ['action.yml', 'package.json', 'dist', 'schemas'])
    cpSync(join(root, part), join(folder, part), { recursive: true });
}

type Ended = { status: number | null; log: string };

/** Asynchronous, as this process is the GitHub that the action asks. */
function run(folder: string, args: string[]): Promise<Ended> {
  const env = { PATH: process.env.PATH ?? '', HOME: plant({}) };
  return new Promise((resolve) => {
    const child = spawn(act as string, args, { cwd: folder, env, timeout: 110_000 });
    let log = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (log += chunk));
    child.on('close', (status) => resolve({ status, log }));
  });
}

const onlyWithAct = act ? test : test.skip;

describe('a workflow of one job', () => {
  /** A repository that holds the action and something to lint. */
  function workspace(inputs: Record<string, string>): string {
    const steps = [
      { uses: 'actions/checkout@v6' },
      { id: 'lint', uses: './', with: { comment: 'false', ...inputs } },
      {
        if: 'always()',
        env: { SAID: `${'$'}{{ toJSON(steps.lint.outputs) }}` },
        run: 'echo "$SAID" | tr -d " \\n"',
      },
    ];
    const jobs = { lint: { 'runs-on': 'ubuntu-latest', steps } };
    const folder = plant({
      '.github/workflows/lint.yaml': JSON.stringify({ on: ['pull_request'], jobs }),
      'event.json': JSON.stringify({ pull_request: { number: 1 } }),
    });
    placeAction(folder);
    cpSync(join(root, '__tests__/examples/broken'), join(folder, 'broken'), { recursive: true });
    cpSync(join(root, '__tests__/rules/chart-owned-field/good'), join(folder, 'good'), { recursive: true });
    const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'ignore' });
    git('init', '--quiet', '-b', 'main');
    git('add', '-A');
    git('-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '--quiet', '-m', 'x');
    return folder;
  }

  const start = (inputs: Record<string, string>) =>
    run(workspace(inputs), ['pull_request', '-P', 'ubuntu-latest=-self-hosted', '-e', 'event.json']);

  onlyWithAct('findings fail the job, and are annotations, a summary and outputs', async () => {
    const { status, log } = await start({ directory: 'broken' });
    expect(status).toBe(1);
    expect(log).toMatch(/::error file=[^,]*packages\/metallb\.yaml,line=9,/);
    expect(log.match(/::warning file=/g)?.length).toBe(3);
    expect(log).toContain('Summary - ## customizer-lint: 1 error, 3 warnings');
    expect(log).toContain('"verdict":"findings"');
  });

  onlyWithAct('a clean repository passes', async () => {
    const { status, log } = await start({ directory: 'good' });
    expect({ status, log: status === 0 ? '' : log }).toEqual({ status: 0, log: '' });
    expect(log).toContain('No problems found');
  });
});

const metallb = (more: string) =>
  `apiVersion: cozystack.io/v1alpha1\nkind: Package\nmetadata:\n  name: cozystack.metallb\n  annotations: {kustomize.toolkit.fluxcd.io/ssa: Merge, kustomize.toolkit.fluxcd.io/prune: disabled}\nspec:\n  components: {}\n${more}`;
const before = {
  'kustomization.yaml': kustomization({ resources: ['metallb.yaml'] }),
  'metallb.yaml': metallb(''),
  '.customizer-lint.yaml': 'cluster: {release: v1.6.2, variant: isp-full}\n',
};

/** What GitHub's own actions do, as far as these workflows need it; `ARTIFACTS` is the folder of all runs. */
const input = (name: string) => `${'$'}{{ inputs.${name} }}`;
const step = (run: string) => ({
  shell: 'bash',
  run,
  env: { FILE: input('path'), NAME: input('name'), RUN: input('run-id') },
});
const standIns: { [action: string]: object } = {
  'actions/upload-artifact': {
    inputs: { name: {}, path: {}, 'if-no-files-found': {} },
    steps: [step('mkdir -p "$ARTIFACTS/1/$NAME"; [ ! -e "$FILE" ] || cp "$FILE" "$ARTIFACTS/1/$NAME/"')],
  },
  'actions/download-artifact': {
    inputs: { name: {}, path: {}, 'run-id': {}, 'github-token': {} },
    steps: [step('cp "$ARTIFACTS/$RUN/$NAME"/* .')],
  },
};

class Site {
  readonly #artifacts = plant({});

  private constructor(
    readonly fake: FakeGitHub,
    readonly number: number,
    readonly workspace: string,
    readonly hosts: { api: string; server: string },
    readonly close: () => Promise<void>,
  ) {}

  static async open(fork?: string): Promise<Site> {
    const fake = await FakeGitHub.create({ files: before });
    const real = await fake.listen();
    const number = await fake.open({
      changes: { 'metallb.yaml': metallb('  variant: oidc\n') },
      ...(fork && { fork }),
    });
    const workspace = plant({});
    await checkOut(fake, number, workspace);
    const files = await serveGit(fake.gitDirectory, fake.token('write'));
    const close = async () => {
      await Promise.all([real.close(), files.close()]);
      fake.close();
    };
    return new Site(fake, number, workspace, { api: real.api, server: files.url }, close);
  }

  /** The jobs that the event starts, of the workflows of a page; `name` is one of them. */
  async trigger(page: string, name: string, event: string, payload: object, right: 'fork' | 'write'): Promise<Ended> {
    const folder = plant({ 'event.json': JSON.stringify(payload), [name]: documented[page]?.[name] as string });
    const options = ['-W', join(folder, name), '-e', join(folder, 'event.json'), '-P', 'ubuntu-latest=-self-hosted'];
    const env = {
      ARTIFACTS: this.#artifacts,
      GITHUB_API_URL: this.hosts.api,
      GITHUB_REPOSITORY: 'acme/platform',
      GITHUB_SERVER_URL: this.hosts.server,
    };
    for (const [key, value] of Object.entries(env)) options.push('--env', `${key}=${value}`);
    options.push('-s', `GITHUB_TOKEN=${this.fake.token(right)}`, ...this.#replaced(documented[page]?.[name] as string));
    return run(this.workspace, [event, ...options]);
  }

  #replaced(text: string): string[] {
    const uses = [...text.matchAll(/uses: ([\w/-]+)@([\w.]+)/g)];
    return uses.flatMap(([, action = '', ref = '']) => {
      // act has the work tree there already.
      if (action === 'actions/checkout') return [];
      const folder = action === 'cozystack/customizer-lint' ? this.#own() : this.#standIn(action);
      return ['--local-repository', `${action}@${ref}=${folder}`];
    });
  }

  #own(): string {
    const folder = plant({});
    placeAction(folder);
    return folder;
  }

  #standIn(action: string): string {
    const { inputs, steps } = standIns[action] as { inputs: object; steps: object[] };
    return plant({ 'action.yml': JSON.stringify({ name: action, inputs, runs: { using: 'composite', steps } }) });
  }

  async pullRequest(page: string, right: 'fork' | 'write'): Promise<Ended> {
    return this.trigger(page, first, 'pull_request', (await this.fake.event(this.number)) as object, right);
  }

  /** The first of the two workflows for forks has ended. */
  completed(run: object = {}): Promise<Ended> {
    const event = this.fake.workflowRunEvent(this.number, 1) as { workflow_run: object };
    const { name } = parse(documented[inDocs]?.[first] as string);
    Object.assign(event.workflow_run, { name, conclusion: 'failure', ...run });
    return this.trigger(inDocs, second, 'workflow_run', event, 'write');
  }
}

const inDocs = 'docs/github.md';
const first = 'customizer-lint.yaml';
const second = 'customizer-lint-comments.yaml';
const sites: Site[] = [];
afterAll(() => Promise.all(sites.map((site) => site.close())));

async function open(fork?: string): Promise<Site> {
  const site = await Site.open(fork);
  sites.push(site);
  return site;
}

/** What a reader of the pull request finds, and whether the run broke what GitHub says of its API. */
function seenOn({ fake, number }: Site) {
  const comments = fake.comments(number).map(({ thread: { path, line } }) => `${path}:${line}`);
  return { comments, requests: fake.log.length, violations: fake.violations };
}

describe('the workflow of the README', () => {
  onlyWithAct(
    'comments on a pull request, and fails',
    async () => {
      const site = await open();
      const { status, log } = await site.pullRequest('README.md', 'write');
      expect(status).toBe(1);
      expect(seenOn(site)).toMatchObject({ comments: ['metallb.yaml:8'], violations: [] });
      expect(log).toContain('Posted 1 of 1 finding as review comments');
    },
    120_000,
  );

  onlyWithAct(
    'judges a queued merge without asking GitHub for anything',
    async () => {
      const site = await open();
      const { base } = site.fake.pull(site.number);
      const event = { action: 'checks_requested', merge_group: { base_sha: base.sha, base_ref: 'refs/heads/main' } };
      const { status, log } = await site.trigger('README.md', first, 'merge_group', event, 'write');
      expect(status).toBe(1);
      expect(seenOn(site)).toEqual({ comments: [], requests: 0, violations: [] });
      expect(log).toContain('Summary - ## customizer-lint: 1 error (1 new)');
    },
    120_000,
  );

  onlyWithAct(
    'is not started by a push',
    async () => {
      const { log } = await (await open()).trigger('README.md', first, 'push', {}, 'write');
      expect(log).toContain('Could not find any stages to run');
    },
    120_000,
  );
});

describe('the two workflows for forks', () => {
  onlyWithAct(
    'the first fails and writes nothing, the second comments and passes',
    async () => {
      const site = await open('mallory');
      expect((await site.pullRequest(inDocs, 'fork')).status).toBe(1);
      expect(seenOn(site)).toMatchObject({ comments: [], violations: [] });
      const { status, log } = await site.completed();
      expect({ status, log: status === 0 ? '' : log }).toEqual({ status: 0, log: '' });
      expect(seenOn(site)).toMatchObject({ comments: ['metallb.yaml:8'], violations: [] });
      // Annotations would stand on the default branch.
      expect(log).not.toContain('::error');
    },
    240_000,
  );

  onlyWithAct.each([
    ['of a run that was cancelled', { conclusion: 'cancelled' }],
    ['of a queued merge', { event: 'merge_group' }],
  ])(
    'the second does nothing %s',
    async (_, run) => {
      const site = await open('mallory');
      const { status, log } = await site.completed(run);
      expect({ status, started: log.includes('Run Set up job') }).toEqual({ status: 0, started: false });
      expect(seenOn(site).requests).toBe(0);
    },
    120_000,
  );

  onlyWithAct(
    'the second passes where the first ended before it had a report',
    async () => {
      const site = await open('mallory');
      const { status, log } = await site.completed({ conclusion: 'failure' });
      expect({ status, log: status === 0 ? '' : log }).toEqual({ status: 0, log: '' });
      expect(seenOn(site)).toEqual({ comments: [], requests: 0, violations: [] });
    },
    120_000,
  );
});
