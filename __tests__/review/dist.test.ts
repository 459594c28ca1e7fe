/**
 * The action, committed or from the source, on checkouts of a fake GitHub's pull requests, with the product's own findings: its comments, log,
 * summary and verdict against the model and the command's report on the same two trees.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { clausesOf } from '../../src/review/words.js';
import { serveGit } from '../support/githttp.js';
import { type Changes, type Effect, FakeGitHub } from '../support/github/fake.js';
import { runHere } from '../support/here.js';
import { hurried } from '../support/hurried.js';
import { runActionHere } from '../support/job.js';
import { nodes } from '../support/nodes.js';
import { type ActionRun, runAction } from '../support/runner.js';
import { amount, isLong } from '../support/sample.js';
import { createRepo, removeRepo } from '../support/trees.js';
import { type Changed, expected, type Own, type Wanted } from './model.js';
import { bot, different, diffOf, threadsOf, told } from './world.js';

const full = process.env.FULL !== undefined;
const histories = amount(2, 24);
if (!isLong()) console.log('skipped: histories of a pull request with the product’s own findings; .ci/run has them');
const caps = { comments: 5, files: 5 };
const token = 'write';

// Several at once: most of the time is waiting between two writes.
(isLong() ? test.concurrent : test.concurrent.skip).each(Array.from({ length: histories }, (_, index) => index))(
  'history %i',
  async (seed) => {
    expect(await history(seed)).toEqual([]);
  },
  600_000,
);

type Package = { name: string; moved: boolean; above: number; variant: boolean; depends: boolean; unknown: boolean };
type Platform = { packages: Package[]; deadPatch: boolean; words: number };

/** Four runs: as it was opened, with something broken on the way, after that, and after people have acted. */
async function history(seed: number): Promise<string[]> {
  const before: Platform = {
    packages: ['metallb', 'cert-manager', 'monitoring'].map((name) => packageOf(name)),
    deadPatch: seed % 5 === 0,
    words: 0,
  };
  (before.packages[2] as Package).variant = seed % 3 === 0;
  const fake = await FakeGitHub.create({ files: filesOf(before) as Changes, now: hurried.now });
  const server = await fake.listen();
  const now = structuredClone(before);
  const pick = now.packages[seed % 3] as Package;
  const other = now.packages[(seed + 1) % 3] as Package;
  Object.assign(pick, { variant: true, depends: seed % 2 === 0, above: seed % 4 });
  Object.assign(other, { unknown: true });
  const number = await fake.open({ changes: changesOf(before, now) });
  const files = await serveGit(fake.gitDirectory, fake.token(token));
  const site = new Site(
    fake,
    files.url,
    number,
    seed % 4 === 0 || full ? nodes[((seed / 4) % nodes.length) | 0]?.path : undefined,
  );
  const done = [`history ${seed}`];
  const act = async (words: string, work: () => unknown) => {
    done.push(words);
    await work();
  };
  const push = (change: (platform: Platform) => void, force = false) => {
    const was = structuredClone(now);
    change(now);
    return force ? fake.forcePush(number, changesOf(before, now)) : fake.push(number, changesOf(was, now));
  };
  try {
    const problems = [...(await site.checked())];
    if (seed % 3 === 0) await act('a reply', () => fake.reply(own(fake, number, seed), 'alice', 'why?'));
    if (seed % 4 === 1) await act('resolved', () => fake.resolve(threadOf(fake, number, seed), 'alice'));
    if (seed % 6 === 2) await act('a forged comment', () => forge(fake, number));
    const changes: [string, () => unknown][] = [
      ['fix', () => push(() => Object.assign(pick, { variant: false }))],
      ['move lines', () => push(() => Object.assign(pick, { above: pick.above + 5 }))],
      ['rename', () => push(() => Object.assign(pick, { moved: true }))],
      ['another', () => push((platform) => Object.assign(platform, { deadPatch: !platform.deadPatch }))],
      ['rewrite the line', () => push((platform) => Object.assign(platform, { words: platform.words + 1 }))],
      ['force-push', () => push(() => Object.assign(other, { unknown: false, depends: true }), true)],
      ['rebase', () => rebase(fake, number)],
      ['remove', () => push((platform) => platform.packages.splice(seed % 3, 1))],
    ];
    await act(...(changes[seed % changes.length] as (typeof changes)[number]));
    // Something new, so that the run has to write.
    await push(() => Object.assign(other, { depends: !other.depends }));
    const meanwhile = () => push((platform) => Object.assign(platform, { words: platform.words + 1 }));
    const effects: Effect[] = [...broken, { before: meanwhile }];
    const at = [6, 1, 2, 3, 4, 5, 6, 7][seed % 8] as number;
    const effect = effects[(seed + Math.floor(seed / 10)) % effects.length] as Effect;
    done.push(`${JSON.stringify(effect)} at request ${at}`);
    problems.push(...(await site.disturbed(at, effect)), ...(await site.checked()));
    await act(...(changes[(seed * 3 + 1) % changes.length] as (typeof changes)[number]));
    problems.push(...(await site.checked()));
    return problems.length > 0 ? [...done, ...problems] : [];
  } finally {
    site.close();
    await files.close();
    await server.close();
    fake.close();
  }
}

// Without those that ask to be waited for: this clock is the real one.
const broken: Effect[] = [
  'bad-gateway',
  'lost',
  'reset',
  'lost-reset',
  'truncated',
  'unresolved',
  'invalid-threads',
  'too-quickly',
  { status: 403, body: { message: 'Resource not accessible by integration' } },
];

/** A checkout as the action gets it, and a clone with all of the history for the command. */
class Site {
  readonly #checkout = createRepo({});
  readonly #clone = createRepo({});
  readonly #others: () => string[];

  constructor(
    private readonly fake: FakeGitHub,
    /** Where git gets commits from. */
    private readonly server: string,
    private readonly number: number,
    /** What the committed action runs with; without it, its source runs here. */
    private readonly node: string | undefined,
  ) {
    for (const folder of [this.#checkout, this.#clone]) {
      git(folder, 'init', '-q', '.');
      git(folder, 'remote', 'add', 'origin', `file://${fake.gitDirectory}`);
    }
    this.#others = () => {
      const own = new Set(ownThreads(fake, number).map(({ comment }) => comment));
      const others = fake.comments(number).filter(({ id }) => !own.has(id));
      return others.map(({ id, user, body }) => `${id} ${user} ${body}`);
    };
  }

  close(): void {
    removeRepo(this.#checkout);
    removeRepo(this.#clone);
  }

  async #run(): Promise<ActionRun> {
    const { fake, number } = this;
    const merge = await fake.mergeCommit(number);
    if (!merge) throw new Error('the pull request conflicts');
    git(this.#checkout, 'fetch', '-q', '--depth=1', 'origin', `+${merge}:refs/remotes/pull/${number}/merge`);
    git(this.#checkout, 'checkout', '-q', '--force', `refs/remotes/pull/${number}/merge`);
    const inputs = { token: fake.token(token), 'max-comments': String(caps.comments) };
    const event = { name: 'pull_request', payload: await fake.event(number) };
    const more = {
      GITHUB_REPOSITORY: 'acme/platform',
      GITHUB_API_URL: fake.apiUrl,
      GITHUB_SERVER_URL: this.server,
      GITHUB_SHA: merge,
    };
    return this.node === undefined
      ? runActionHere(this.#checkout, inputs, event, more)
      : runAction(this.#checkout, inputs, this.node, event, more);
  }

  /** What the command finds on the same two trees. */
  async #report(): Promise<{ status: number | null; findings: Found[] }> {
    const { head } = this.fake.pull(this.number);
    const { mergeBase } = await this.fake.state.view(this.fake.pull(this.number));
    git(this.#clone, 'fetch', '-q', 'origin', head.sha, mergeBase);
    git(this.#clone, 'checkout', '-q', '--force', head.sha);
    const args = ['check', this.#clone, '--base', mergeBase, '--only-new', '--format', 'json'];
    const { status, stdout } = await runHere(args);
    return { status, findings: JSON.parse(stdout).findings };
  }

  /** A run that nothing disturbs: what is wrong afterwards. */
  async checked(): Promise<string[]> {
    const { fake, number } = this;
    const report = await this.#report();
    const [diff, threads, others] = [await diffOf(fake, number), ownThreads(fake, number), this.#others()];
    const known = new Set(fake.comments(number).map(({ id }) => id));
    const run = await this.#run();
    const head = fake.pull(number).head.sha.slice(0, 12);
    const wanted = expected({
      findings: report.findings.map((one) => withSuggestion(toWanted(one), one, diff)),
      diff,
      threads,
      caps,
      head,
    });
    const live = ownThreads(fake, number);
    const isOld = ({ comment }: Own) => known.has(Number(comment));
    const marked = live.map((one) => told({ ...one, comment: isOld(one) ? one.comment : 'new' }));
    const posted = report.findings.filter((one) => one.isNew && live.some(({ id }) => id === toWanted(one).id)).length;
    const counting = report.findings.filter(({ isNew }) => isNew !== false);
    const sentence = `Posted ${posted} of ${counting.length} finding`;
    return [
      ...different('comments', wanted.map(told), marked),
      ...different('what others wrote', others, this.#others()),
      ...(counting.length > 0 && !run.log.includes(sentence) ? [`the log does not say: ${sentence}`] : []),
      ...different('annotations', unsaid(counting, live), unsaid(counting, live).filter(annotatedIn(run))),
      ...this.#told(report, run),
    ];
  }

  async disturbed(at: number, effect: Effect): Promise<string[]> {
    const { fake } = this;
    const report = await this.#report();
    const start = fake.log.length;
    fake.fault({ at, effect });
    const run = await this.#run();
    fake.clearFaults();
    const places = ownThreads(fake, this.number).map(({ id, at }) => `${id} ${JSON.stringify(at)}`);
    const hit = fake.log.slice(start).find(({ fault }) => fault)?.operation;
    const twice = places.filter((place, index) => places.indexOf(place) !== index);
    const missed = hit === undefined && at < 5 ? [`nothing went wrong at request ${at}`] : [];
    // Without the base nothing is known to be new, which is another report.
    const same = hit?.startsWith('repos/') ? [] : this.#told(report, run);
    return [...different('comments that are there twice', [], twice), ...missed, ...same].map(
      (line) => `disturbed: ${line}`,
    );
  }

  /** Every finding in the log and in the summary, and the same verdict. */
  #told({ status, findings }: { status: number | null; findings: Found[] }, run: ActionRun): string[] {
    const [log, summary] = [plain(run.log), plain(run.summary)];
    const lost = (text: string) =>
      findings.filter(({ file, line, message, rule, precision }) => {
        const place = precision === 'file' ? file : `${file}:${line}`;
        return ![place, plain(message), rule].every((part) => text.includes(part));
      });
    const { violations, leaks, foreignActs } = this.fake;
    return [
      ...different(
        'lost in the log',
        [],
        lost(log).map(({ message }) => message),
      ),
      ...different(
        'lost in the summary',
        [],
        lost(summary).map(({ message }) => message),
      ),
      ...different('verdict', [String(status)], [String(run.status)]),
      ...different('violations', [], violations),
      ...different(
        'leaks',
        [],
        leaks.map(({ host }) => host),
      ),
      ...different(
        'foreign acts',
        [],
        foreignActs.map(({ act, user }) => `${act} what ${user} wrote`),
      ),
    ];
  }
}

/** A finding of the JSON report. */
type Found = {
  rule: string;
  severity: 'error' | 'warning' | 'notice';
  message: string;
  file: string;
  line: number;
  side: 'head' | 'base';
  precision: string;
  isNew?: boolean;
  fix?: { edits: { file: string; line: number; endLine: number; endColumn: number }[] };
};

/** With a suggestion a comment stands on the lines that it replaces, and so on the last of them, where one hunk shows them all. */
function withSuggestion(wanted: Wanted, { file, side, fix }: Found, diff: readonly Changed[]): Wanted {
  if (!fix || side === 'base' || fix.edits.some((edit) => edit.file !== file)) return wanted;
  const from = Math.min(...fix.edits.map(({ line }) => line));
  const to = Math.max(
    ...fix.edits.map(({ line, endLine, endColumn }) => (endColumn === 1 && endLine > line ? endLine - 1 : endLine)),
  );
  const shown = diff.find(({ path }) => path === file)?.RIGHT;
  const all = Array.from({ length: to - from + 1 }, (_, index) => from + index).every((line) => shown?.has(line));
  return all ? { ...wanted, at: { ...wanted.at, side: 'RIGHT', line: to } } : wanted;
}

function toWanted({ rule, severity, message, file, line, side, precision, isNew }: Found): Wanted {
  // A comment says what is wrong in a line of its own, and what comes of it below.
  const what = plain(clausesOf(message).what).toLowerCase();
  const id = `${rule}: ${what}`;
  const inFile = precision === 'file';
  const at = { file, side: inFile ? null : side === 'base' ? 'LEFT' : 'RIGHT', line: inFile ? null : line } as const;
  return { id, rule, severity, words: `${severity} ${id}`, at, ...(isNew !== undefined && { isNew }) };
}

function ownThreads(fake: FakeGitHub, number: number): Own[] {
  return threadsOf(fake, number, (body) => {
    const [, what = ''] = /^> \*\*(.+)\*\*$/m.exec(body) ?? /It was:\s+\*\*(.+)\*\*$/m.exec(body) ?? [];
    const [, severity = '', rule] = /<sub>(error|warning|notice) · \[?`([\w-]+)`/.exec(body) ?? [];
    if (!rule) return undefined;
    const id = `${rule}: ${plain(what).toLowerCase()}`;
    const words = `${severity} ${id}`;
    return { id, words, says: [words], isLeft: body.startsWith('**Reported anew') };
  });
}

/** The findings that no comment shows, as annotations name them. */
function unsaid(findings: Found[], live: Own[]): string[] {
  const said = new Set(live.map(({ id }) => id));
  return findings.map(toWanted).flatMap(({ id }) => (said.has(id) ? [] : [id.replace(/^\S+ /, '')]));
}

function annotatedIn({ annotations }: ActionRun): (message: string) => boolean {
  return (message) => annotations.some((one) => plain(one.message).toLowerCase().includes(message));
}

/** Without colours, and without what marks names in a text and in Markdown. */
function plain(text: string): string {
  return text.replace(new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g'), '').replace(/[\\`*"]/g, '');
}

function own(fake: FakeGitHub, number: number, seed: number): number {
  const threads = ownThreads(fake, number);
  return Number(threads[seed % threads.length]?.comment);
}

function threadOf(fake: FakeGitHub, number: number, seed: number): string {
  const comment = own(fake, number, seed);
  return fake.comments(number).find(({ id }) => id === comment)?.thread.nodeId ?? '';
}

/** A person says word for word what the bot said. */
async function forge(fake: FakeGitHub, number: number): Promise<void> {
  const comment = fake.comments(number).find(({ user, thread }) => user === bot && thread.line !== null);
  if (!comment?.thread.line) return;
  await fake.comment(number, 'mallory', { path: comment.thread.path, line: comment.thread.line }, comment.body);
}

async function rebase(fake: FakeGitHub, number: number): Promise<void> {
  await fake.mergeBaseForward({ 'docs/base.md': `# ${fake.log.length}\n` });
  await fake.rebase(number);
}

function packageOf(name: string): Package {
  return { name, moved: false, above: 0, variant: false, depends: false, unknown: false };
}

function filesOf({ packages, deadPatch, words }: Platform): Record<string, string> {
  const path = ({ name, moved }: Package) => (moved ? `moved/${name}.yaml` : `${name}.yaml`);
  const patch = [
    'patches:',
    '  - target:',
    '      kind: Package',
    '      name: nobody',
    '    patch: |',
    '      - op: remove',
  ];
  const kustomization = [
    'apiVersion: kustomize.config.k8s.io/v1beta1',
    'kind: Kustomization',
    'resources:',
    ...packages.map((one) => `  - ${path(one)}`),
    ...(deadPatch ? [...patch, '        path: /spec/variant'] : []),
  ];
  const entries = packages.map((one): [string, string] => [path(one), packageText(one, words)]);
  return { 'kustomization.yaml': `${kustomization.join('\n')}\n`, ...Object.fromEntries(entries) };
}

function packageText({ name, above, variant, depends, unknown }: Package, words: number): string {
  const remarks = (count: number) => Array.from({ length: count }, (_, index) => `# remark ${index} on ${name}`);
  const lines = [
    ...remarks(above),
    'apiVersion: cozystack.io/v1alpha1',
    'kind: Package',
    'metadata:',
    `  name: cozystack.${name}`,
    '  annotations:',
    '    kustomize.toolkit.fluxcd.io/ssa: Merge',
    '    kustomize.toolkit.fluxcd.io/prune: disabled',
    ...remarks(8),
    'spec:',
    ...(variant ? [`  variant: oidc${' '.repeat(words)}${words > 0 ? ' # why' : ''}`] : []),
    ...(depends ? ['  dependsOn: [a]'] : []),
    '  components:',
    ...(unknown ? [`    ${name}-x: {}`] : []),
    `    ${name}: {}`,
    ...remarks(8),
  ];
  return `${lines.join('\n')}\n`;
}

function changesOf(before: Platform, now: Platform): Changes {
  const [old, files] = [filesOf(before), filesOf(now)];
  const gone = Object.keys(old).filter((path) => !(path in files));
  const changed = Object.entries(files).filter(([path, text]) => old[path] !== text);
  return { ...Object.fromEntries(gone.map((path) => [path, null])), ...Object.fromEntries(changed) };
}

function git(folder: string, ...args: string[]): void {
  const env = { PATH: process.env.PATH ?? '', HOME: folder, GIT_CONFIG_GLOBAL: join(folder, '.none') };
  execFileSync('git', args, { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
}
