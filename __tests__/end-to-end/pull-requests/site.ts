/** A repository of Packages on a fake GitHub, one pull request, and the checkout that the action runs in. */
import { expect } from '@jest/globals';
import { type GitServer, serveGit } from '../../support/githttp.js';
import { checkOutOne } from '../../support/github/checkout.js';
import {
  type Changes,
  type Comment,
  FakeGitHub,
  type Listening,
  type Profile,
  type Wishes,
} from '../../support/github/fake.js';
import { gitIn } from '../../support/history.js';
import { hurried } from '../../support/hurried.js';
import { runActionHere } from '../../support/job.js';
import type { ActionRun } from '../../support/runner.js';
import { createRepo, kustomization, removeRepo } from '../../support/trees.js';

export type Play = (site: Site) => Promise<void>;

export type Opening = {
  /** What the base branch has beside, or instead of, the usual. */
  base?: Record<string, string>;
  changes?: Changes;
  fork?: string;
  wishes?: Wishes;
};

/** What a run is to come to. `comments`: the places of our comments that are there afterwards. */
export type Wanted = {
  status: number;
  comments?: string[] | number;
  requests?: number;
  writes?: number;
  log?: string | RegExp;
};

export type RunOptions = {
  inputs?: Record<string, string>;
  env?: Record<string, string>;
  token?: Profile | '';
  event?: { name: string; payload: unknown };
  /** Changes what the event says of the pull request. */
  alter?: (pull: EventPull) => unknown;
  /** What is done to the checkout before the action starts. */
  prepare?: (workspace: string) => void;
};

type EventPull = { head: { sha: string; repo: unknown }; base: { sha: string }; draft?: boolean };
type Ended = ActionRun & { row: string; requests: number; writes: number };

export const bot = 'github-actions[bot]';
const remarks = (name: string) => Array.from({ length: 8 }, (_, index) => `# remark ${index} on ${name}\n`).join('');

/** Lines 1 to 8 are remarks; `spec` is on 16, what is written below it begins on 17. */
export function packageText(name: string, spec = ''): string {
  return [
    remarks(name),
    'apiVersion: cozystack.io/v1alpha1\nkind: Package\nmetadata:\n',
    `  name: cozystack.${name}\n`,
    '  annotations:\n    kustomize.toolkit.fluxcd.io/ssa: Merge\n    kustomize.toolkit.fluxcd.io/prune: disabled\n',
    `spec:\n${spec}  components: {}\n`,
    remarks(name),
  ].join('');
}

/** An error on line 17: the platform chart owns the field. */
export const wrong = (name: string) => packageText(name, '  variant: oidc\n');
/** Warnings, one a line from line 18 on: components that the Package does not have. */
export function unknown(name: string, count: number): string {
  const lines = Array.from({ length: count }, (_, index) => `    ${name}-x${index}: {}\n`);
  return packageText(name).replace('  components: {}\n', `  components:\n${lines.join('')}`);
}

export const names = ['metallb', 'cert-manager', 'monitoring'];
const usual: Record<string, string> = {
  'kustomization.yaml': kustomization({ resources: names.map((name) => `${name}.yaml`) }),
  '.customizer-lint.yaml': 'cluster: {release: v1.6.2, variant: isp-full}\n',
  ...Object.fromEntries(names.map((name) => [`${name}.yaml`, packageText(name)])),
};

export class Site {
  readonly runs: Ended[] = [];
  readonly workspace = createRepo({});

  private constructor(
    readonly fake: FakeGitHub,
    readonly number: number,
    private readonly api: Listening,
    private readonly files: GitServer,
  ) {}

  static async open({ base, changes, fork, wishes }: Opening = {}): Promise<Site> {
    const fake = await FakeGitHub.create({ files: { ...usual, ...base }, now: hurried.now, ...wishes });
    const number = await fake.open({
      changes: changes ?? { 'metallb.yaml': wrong('metallb') },
      ...(fork && { fork }),
    });
    const files = await serveGit(fake.gitDirectory, fake.token('write'));
    return new Site(fake, number, await fake.listen(), files);
  }

  async close(): Promise<void> {
    await Promise.all([this.api.close(), this.files.close()]);
    this.fake.close();
    removeRepo(this.workspace);
  }

  get pull() {
    return this.fake.pull(this.number);
  }

  /** Ours, that is there now. */
  get comments(): Comment[] {
    return this.fake.comments(this.number).filter(({ user, replyTo }) => user === bot && replyTo === null);
  }

  push(changes: Changes): Promise<string> {
    return this.fake.push(this.number, changes);
  }

  reply(index = 0): Comment {
    return this.fake.reply((this.comments[index] as Comment).id, 'alice', 'why?');
  }

  /** As actions/checkout does unless `persist-credentials` is false. */
  leaveCredentials(workspace: string): void {
    const header = Buffer.from(`x-access-token:${this.fake.token('write')}`).toString('base64');
    const key = `http.${new URL(this.files.url).origin}/.extraheader`;
    gitIn(workspace)('config', '--replace-all', key, `AUTHORIZATION: basic ${header}`);
  }

  /** The action on the merge of the pull request, as GitHub starts it; `row` is that of the table. */
  async run(row: string, wanted: Wanted, options: RunOptions = {}): Promise<Ended> {
    const { fake, number, workspace } = this;
    const merge = (await fake.mergeCommit(number)) as string;
    checkOutOne(fake, merge, workspace);
    options.prepare?.(workspace);
    const payload = (await fake.event(number)) as { pull_request: EventPull };
    options.alter?.(payload.pull_request);
    const event = options.event ?? { name: 'pull_request', payload };
    const first = fake.log.length;
    const token = options.token === '' ? '' : fake.token(options.token ?? 'write');
    const ran = await runActionHere(workspace, { token, ...options.inputs }, event, {
      GITHUB_REPOSITORY: 'acme/platform',
      GITHUB_API_URL: this.api.api,
      GITHUB_SERVER_URL: new URL(this.files.url).origin,
      GITHUB_SHA: merge,
      GITHUB_RUN_ID: '1',
      ...options.env,
    });
    const requests = fake.log.slice(first).filter(({ operation }) => operation !== 'codeload');
    const writes = requests.filter(({ method, operation }) => method !== 'GET' && operation !== 'graphql');
    const ended = { ...ran, row, requests: requests.length, writes: writes.length };
    this.runs.push(ended);
    this.#compare(ended, wanted);
    return ended;
  }

  #compare(ended: Ended, { log, comments, ...wanted }: Wanted): void {
    const places = this.comments.map(({ thread: { path, line } }) => (line === null ? path : `${path}:${line}`));
    const seen = {
      ...Object.fromEntries(Object.keys(wanted).map((key) => [key, ended[key as 'status']])),
      ...(comments !== undefined && { comments: typeof comments === 'number' ? places.length : places.sort() }),
    };
    const hoped = { ...wanted, ...(comments !== undefined && { comments }) };
    expect({ row: ended.row, ...seen }).toEqual({ row: ended.row, ...hoped });
    if (log !== undefined) expect(ended.log).toMatch(log);
  }

  /** What no run may do: break GitHub's description, show the token, or touch what others wrote. */
  problems(): string[] {
    const { violations, leaks, foreignActs } = this.fake;
    return [
      ...violations,
      ...leaks.map(({ host }) => `the token went to ${host}`),
      ...foreignActs.map(({ act, user }) => `${act} what ${user} wrote`),
    ];
  }
}
