/** What the action does with its inputs on a pull request of a fake GitHub: comments, links and outputs. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { checkOut } from '../support/github/checkout.js';
import { type Changes, FakeGitHub } from '../support/github/fake.js';
import { commitTwice } from '../support/history.js';
import { hurried, patience } from '../support/hurried.js';
import { runActionHere } from '../support/job.js';
import type { ActionRun } from '../support/runner.js';
import { someOf } from '../support/sample.js';
import { createRepo, kustomization, removeRepo } from '../support/trees.js';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

const metallb = (spec: string) =>
  `apiVersion: cozystack.io/v1alpha1\nkind: Package\nmetadata:\n  name: cozystack.metallb\n  annotations: {kustomize.toolkit.fluxcd.io/ssa: Merge, kustomize.toolkit.fluxcd.io/prune: disabled}\nspec:\n${spec}`;
const before = {
  'kustomization.yaml': kustomization({ resources: ['metallb.yaml'] }),
  'metallb.yaml': metallb(''),
  '.customizer-lint.yaml': 'cluster: {release: v1.6.2, variant: isp-full}\n',
};
/** As many findings as lines, each on a line of its own. */
const unknown = (count: number) =>
  metallb(`  components:\n${Array.from({ length: count }, (_, index) => `    nobody${index}: {}\n`).join('')}`);

type Alter = (pull: { head: { sha: string } }) => void;
type Pull = {
  fake: FakeGitHub;
  number: number;
  workspace: string;
  head: string;
  /** `alter` changes what the event says of the pull request. */
  act(inputs?: Record<string, string>, more?: Record<string, string>, alter?: Alter): Promise<ActionRun>;
};

async function opened(changes: Changes, more: Record<string, string> = {}): Promise<Pull> {
  const fake = await FakeGitHub.create({ files: { ...before, ...more }, now: hurried.now });
  const real = await fake.listen();
  const number = await fake.open({ changes });
  const workspace = createRepo({});
  ends.push(
    () => removeRepo(workspace),
    () => fake.close(),
    () => void real.close(),
  );
  await checkOut(fake, number, workspace);
  const payload = (await fake.event(number)) as { pull_request: Parameters<Alter>[0] };
  const event = { name: 'pull_request', payload };
  const head = fake.pull(number).head.sha;
  const act = (inputs = {}, more = {}, alter: Alter = () => {}) => {
    alter(payload.pull_request);
    return runActionHere(workspace, { token: fake.token('write'), ...inputs }, event, {
      GITHUB_REPOSITORY: 'acme/platform',
      GITHUB_API_URL: real.api,
      GITHUB_SERVER_URL: 'https://github.com',
      ...more,
    });
  };
  return { fake, number, workspace, head, act };
}

describe('findings become comments', () => {
  const inputs: [Record<string, string>, number, number][] = [
    [{}, 3, 3],
    [{ 'max-comments': '2' }, 3, 2],
    [{ 'max-comments': '0' }, 3, 0],
    [{ 'max-comments': '100' }, 3, 3],
    [{ comment: 'false' }, 3, 0],
    [{ token: '' }, 3, 0],
  ];

  test.each(someOf(inputs, 1, ([input]) => JSON.stringify(input)))('with %j, of %i %i', async (inputs, all, count) => {
    const { fake, number, act } = await opened({ 'metallb.yaml': unknown(all) });
    const { log, status } = await act({ 'fail-on': 'warning', ...inputs });
    expect(status).toBe(1);
    expect(fake.comments(number).length).toBe(count);
    const rest =
      count < all ? `; ${all - count} in the annotations (10 of a level at most), all of them in the summary` : '';
    expect(log).toContain(`Posted ${count} of ${all} findings as review comments${rest}`);
    expect(fake.violations).toEqual([]);
  });

  test('of which one stands for all that say the same', async () => {
    const { fake, number, act } = await opened({ 'metallb.yaml': unknown(25) });
    const { log } = await act({ 'max-comments': '1' });
    const [comment, ...others] = fake.comments(number);
    expect(others).toEqual([]);
    expect(log).toContain('Posted 25 of 25 findings as review comments.');
    expect(comment?.body.match(/^- .*`nobody\d+`$/gm)).toHaveLength(24);
    expect(fake.reviews(number)[0]?.body).toMatch(/^\*\*25 warnings, all new\.\*\* The merge changes 1 object /);
  });

  test('on files, where no line that changed has what is wrong; the same of fourteen is one', async () => {
    const names = Array.from({ length: 14 }, (_, index) => `a${index}.yaml`);
    const long = (name: string) => `${metallb('').replace('metallb', name)}${'# and so on\n'.repeat(20)}`;
    const files = Object.fromEntries(names.map((name) => [name, long(name)]));
    const { fake, number, act } = await opened(
      {
        ...Object.fromEntries(names.map((name) => [name, `${long(name)}# more\n`])),
        'kustomization.yaml': kustomization({ resources: ['metallb.yaml', ...names] }),
      },
      files,
    );
    await act();
    const comments = fake.comments(number);
    expect(comments.map(({ thread: { line } }) => line)).toEqual(comments.map(() => null));
    expect(comments[0]?.body).toContain('The same of 13 others');
  });
});

test('nothing is a comment where the pull request’s own commit cannot be had, and that is said', async () => {
  const { fake, number, act } = await opened({ 'metallb.yaml': unknown(3) });
  const { log } = await act({}, { GITHUB_SERVER_URL: 'http://127.0.0.1:1' }, (pull) => {
    pull.head.sha = 'e'.repeat(40);
  });
  expect(log).toContain('no comments: the files of the pull request’s own commit could not be had');
  expect(fake.comments(number)).toEqual([]);
});

test('nothing is a comment where an input says what to compare with, and that is said', async () => {
  const { fake, number, act } = await opened({ 'metallb.yaml': unknown(3) });
  const { log } = await act({ base: fake.pull(number).base.sha });
  expect(log).toContain(
    'no comments: the input base is set, so the pull request’s own files are not looked at; leave it out to get comments',
  );
  expect(fake.comments(number)).toEqual([]);
});

test('43: a GitHub that takes every request and never answers costs the comments, and nothing else', async () => {
  const { fake, number, act } = await opened({ 'metallb.yaml': unknown(3) });
  fake.fault({ times: 99, effect: 'hang' });
  patience.request = 200;
  try {
    const { log, status, outputs, summary, annotations } = await act({ 'fail-on': 'warning' });
    expect({ status, verdict: outputs.verdict, warnings: outputs.warnings }).toEqual({
      ...{ status: 1, verdict: 'findings', warnings: '3' },
    });
    expect(summary).toContain('nobody2');
    expect(log).toContain('the pull request could not be read: GitHub does not answer');
    expect(annotations.filter(({ command }) => command === 'warning')).toHaveLength(3);
    expect([fake.comments(number), fake.log.length]).toEqual([[], 2]);
  } finally {
    patience.request = 15_000;
  }
});

test('the log has colors', async () => {
  const { act } = await opened({ 'metallb.yaml': unknown(1) });
  expect((await act()).log).toContain('\u001b[');
});

describe('links lead to the files that were judged:', () => {
  const link = (commit: string) => `https://github.com/acme/platform/blob/${commit}/metallb.yaml`;

  test('those of the pull request’s own commit', async () => {
    const { act, head } = await opened({ 'metallb.yaml': unknown(1) });
    const { summary } = await act({}, { GITHUB_SHA: 'd'.repeat(40) });
    expect(summary).toContain(link(head));
    expect(summary).not.toContain('d'.repeat(40));
  });

  test.each([
    ['d'.repeat(40), true],
    ['d'.repeat(64), true],
    ['d'.repeat(39), false],
    [`${'d'.repeat(40)}/../x`, false],
    [`x${'d'.repeat(40)}`, false],
  ])('without a pull request those of the checkout, where %s is one: %s', async (commit, isOne) => {
    const { workspace } = await opened({ 'metallb.yaml': unknown(1) });
    const more = { GITHUB_REPOSITORY: 'acme/platform', GITHUB_SERVER_URL: 'https://github.com', GITHUB_SHA: commit };
    const { summary } = await runActionHere(workspace, {}, { name: 'push', payload: {} }, more);
    expect(summary.includes(link(commit))).toBe(isOne);
    expect(summary.includes('acme/platform/blob/')).toBe(isOne);
    expect(summary).toContain('nobody0');
  });
});

describe('files are named from the workspace on, of a directory that is', () => {
  const wrong = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: cozy-customizer}\ndatum: {}\n';
  const named = async (workspace: string, directory: string) => {
    const { annotations } = await runActionHere(workspace, { directory });
    return annotations[0]?.properties.file;
  };

  test.each([
    ['repo', 'repo/a.yaml'],
    ['./repo/', 'repo/a.yaml'],
    ['own./repo', 'own./repo/a.yaml'],
  ])('%s', async (directory, file) => {
    const workspace = createRepo({
      [`${directory}/kustomization.yaml`]: kustomization({ resources: ['a.yaml'] }),
      [`${directory}/a.yaml`]: wrong,
    });
    ends.push(() => removeRepo(workspace));
    expect(await named(workspace, directory)).toBe(file);
  });

  test('in a workspace which lies in a repository of somebody else', async () => {
    const { folder } = commitTwice(
      { 'work/repo/kustomization.yaml': kustomization({ resources: ['a.yaml'] }), 'work/repo/a.yaml': wrong },
      {},
    );
    ends.push(() => removeRepo(folder));
    expect(await named(join(folder, 'work'), 'repo')).toBe('repo/a.yaml');
  });
});

describe('outputs', () => {
  test('count what was found, and name the files that were asked for', async () => {
    const { act, workspace } = await opened({ 'metallb.yaml': unknown(2) });
    const { outputs } = await act({ 'fail-on': 'warning', 'json-file': 'r.json', 'sarif-file': 'r.sarif' });
    expect(outputs).toEqual({
      ...{ errors: '0', warnings: '2', notices: '0', verdict: 'findings', report: 'r.json', sarif: 'r.sarif' },
      ...{ 'new-errors': '0', 'new-warnings': '2', 'new-notices': '0' },
    });
    expect(JSON.parse(readFileSync(join(workspace, 'r.json'), 'utf8')).findings.length).toBe(2);
    expect(JSON.parse(readFileSync(join(workspace, 'r.sarif'), 'utf8')).runs[0].results.length).toBe(2);
  });

  test('name no file that was not', async () => {
    const { act, workspace } = await opened({ 'metallb.yaml': `${metallb('')}# more\n` });
    const { outputs, status } = await act();
    expect({ outputs, status }).toEqual({
      outputs: {
        ...{ errors: '0', warnings: '0', notices: '0', verdict: 'clean' },
        ...{ 'new-errors': '0', 'new-warnings': '0', 'new-notices': '0' },
      },
      status: 0,
    });
    expect(existsSync(join(workspace, 'r.json'))).toBe(false);
  });

  test('say clean where nothing is to fail the job', async () => {
    const { act } = await opened({ 'metallb.yaml': unknown(2) });
    const { outputs, status } = await act({ 'fail-on': 'never' });
    expect({ warnings: outputs.warnings, verdict: outputs.verdict, status }).toEqual({
      ...{ warnings: '2', verdict: 'clean', status: 0 },
    });
  });
});

test('two jobs have comments of their own', async () => {
  const { fake, number, act } = await opened({ 'metallb.yaml': unknown(2) });
  await act({ instance: 'staging' });
  await act({ instance: 'production' });
  expect(fake.comments(number).length).toBe(4);
  await act({ instance: 'staging' });
  expect(fake.comments(number).length).toBe(4);
});

test('a report of a fork’s run is published where its commit is the head, and nowhere else', async () => {
  const { fake, number, workspace, head, act } = await opened({ 'metallb.yaml': unknown(3) });
  await act({ 'json-file': 'r.json', comment: 'false' });
  const { ref, repository } = fake.pull(number).head;
  const published = (commit: string) =>
    runActionHere(
      workspace,
      { token: fake.token('write'), publish: 'r.json', 'max-comments': '2' },
      {
        name: 'workflow_run',
        payload: {
          workflow_run: {
            ...{ head_sha: commit, head_branch: ref },
            head_repository: { owner: { login: repository.owner } },
          },
        },
      },
      { GITHUB_REPOSITORY: 'acme/platform', GITHUB_API_URL: fake.apiUrl, GITHUB_SERVER_URL: 'https://github.com' },
    );
  const other = await published('e'.repeat(40));
  expect(other.log).toContain('no open pull request has this commit as its head, so nothing is published');
  expect(fake.comments(number)).toEqual([]);
  const { log, status } = await published(head);
  expect(log).toContain('Posted 2 of 3 findings');
  expect({ status, comments: fake.comments(number).length }).toEqual({ status: 0, comments: 2 });
});

test('a report is not published without a token', async () => {
  const workspace = createRepo({ 'r.json': '{}' });
  ends.push(() => removeRepo(workspace));
  const from = { head_sha: 'e'.repeat(40), head_branch: 'topic', head_repository: { owner: { login: 'someone' } } };
  const event = { name: 'workflow_run', payload: { workflow_run: from } };
  const { status, annotations } = await runActionHere(workspace, { publish: 'r.json' }, event);
  expect({ status, said: annotations.map(({ message }) => message) }).toEqual({
    status: 2,
    said: ['customizer-lint: input publish: without a token nothing can be published'],
  });
});

describe('a dry run that did not happen', () => {
  const { KUBEBUILDER_ASSETS: assets } = process.env;
  afterEach(() => {
    if (assets === undefined) delete process.env.KUBEBUILDER_ASSETS;
    else process.env.KUBEBUILDER_ASSETS = assets;
  });

  test.each<[string, Changes, number]>([
    ['fails the job where the change needs it', { 'metallb.yaml': unknown(1) }, 2],
    ['does not fail the job where the change touches nothing that is rendered', { 'README.md': 'new\n' }, 0],
  ])('%s', async (_, changes, expected) => {
    process.env.KUBEBUILDER_ASSETS = '/nowhere';
    const { act } = await opened(changes);
    const { log, status } = await act({ 'dry-run': 'envtest' });
    expect(log.includes('::error::customizer-lint: the dry run could not be done: ')).toBe(expected !== 0);
    expect(status).toBe(expected);
  });
});
