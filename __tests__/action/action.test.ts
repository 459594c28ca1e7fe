/** What the action makes of its inputs and its event: what is judged, what is said of it, and where that leads. */
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { pageUrl } from '../../src/rules/page.js';
import { root } from '../support/cli.js';
import { checkOut } from '../support/github/checkout.js';
import { FakeGitHub } from '../support/github/fake.js';
import { commitTwice, type History } from '../support/history.js';
import { hurried } from '../support/hurried.js';
import { runActionHere } from '../support/job.js'; // first: it takes the place of the engines
import type { ActionRun, Event } from '../support/runner.js';
import { configMap, createRepo, type Files, kustomization, removeRepo } from '../support/trees.js';

const { act } = await import('../../src/action/action.js');

const planted: string[] = [];
afterAll(() => planted.forEach(removeRepo));
function make(files: Files): string {
  const folder = createRepo(files);
  planted.push(folder);
  return folder;
}
function change(...args: Parameters<typeof commitTwice>): History {
  const made = commitTwice(...args);
  planted.push(made.folder);
  return made;
}

const wrong = (name: string) => configMap(name).replace('"data"', '"datum"');
const clean: Files = { 'kustomization.yaml': kustomization({ resources: ['a.yaml'] }), 'a.yaml': configMap('a') };
const isError = { '.customizer-lint.yaml': 'rules: {schema-violation: error}\n' };
const broken: Files = { ...clean, ...isError, 'a.yaml': wrong('a') };
const said = ({ log }: ActionRun) => stripVTControlCharacters(log);
const errors = ({ annotations }: ActionRun) =>
  annotations.flatMap(({ command, properties, message }) =>
    command === 'error' && properties.file === undefined ? [message] : [],
  );
const reported = (folder: string, file = 'r.json') => JSON.parse(readFileSync(join(folder, file), 'utf8'));

const repository = (name: string) => ({ full_name: name });
const pullOf = ({ base, head }: History, from = 'o/r'): Event => ({
  name: 'pull_request',
  payload: {
    pull_request: {
      number: 1,
      base: { sha: base, ref: 'main', repo: repository('o/r') },
      head: { sha: head, repo: repository(from) },
    },
  },
});

describe('the state of the step', () => {
  async function start(env: NodeJS.ProcessEnv, inputs: Record<string, string> = {}) {
    const states: string[] = [];
    const told: string[] = [];
    const core = {
      getInput: (name: string) => inputs[name] ?? '',
      getMultilineInput: () => [],
      setOutput: () => {},
      saveState: (name: string, value: unknown) => void states.push(`${name}=${value}`),
      error: (message: string) => void told.push(message),
      summary: { addRaw: () => ({ write: async () => {} }) },
    };
    const stdout = { write: () => {} };
    const job = { home: root, env: { GITHUB_WORKSPACE: make(clean), ...env }, token: undefined, stdout, core };
    const status = await act(job).catch((error: Error) => error.message);
    return { status, states, told };
  }

  test('is kept for the step after the job, at the begin and at the end', async () => {
    expect(await start({ GITHUB_STATE: 'x' })).toEqual({
      status: 0,
      states: ['started=true', 'finished=true'],
      told: [],
    });
    const refused = await start({ GITHUB_STATE: 'x' }, { 'fail-on': 'x' });
    expect(refused).toMatchObject({
      status: expect.stringContaining('input fail-on'),
      states: ['started=true', 'finished=true'],
    });
  });

  test('is not kept where the runner has no place for it', async () => {
    expect(await start({})).toEqual({ status: 0, states: [], told: [] });
  });

  test('tells the step after the job whether the step came to its end', async () => {
    expect(await start({ STATE_started: 'true', STATE_finished: 'true' })).toEqual({ status: 0, states: [], told: [] });
    const said = 'customizer-lint was ended before it was done: nothing is known of this change';
    expect(await start({ STATE_started: 'true' })).toEqual({ status: 1, states: [], told: [said] });
    // Another action's word of the same name.
    expect(await start({ STATE_started: 'false' })).toEqual({ status: 0, states: [], told: [] });
  });
});

describe('what is said of findings', () => {
  test('how many are comments, and where the others are', async () => {
    const one = await runActionHere(make(broken), {});
    expect(said(one)).toContain(
      'Posted 0 of 1 finding as review comments; 1 in the annotations (10 of a level at most), all of them in the summary and above.\n',
    );
    expect(said(await runActionHere(make(clean), {}))).toContain('Nothing to post.\n');
  });

  test('outputs count each severity, and the verdict is that of the status', async () => {
    const { outputs, status } = await runActionHere(make(broken), {});
    const none = { errors: '0', warnings: '0', notices: '0' };
    const count = { ...none, 'new-errors': '0', 'new-warnings': '0', 'new-notices': '0' };
    expect(status).toBe(1);
    expect(outputs).toEqual({ ...count, errors: '1', 'new-errors': '1', verdict: 'findings' });
    const mild = make({ ...broken, '.customizer-lint.yaml': 'rules: {schema-violation: notice}\n' });
    expect((await runActionHere(mild, {})).outputs).toEqual({
      ...count,
      ...{ notices: '1', 'new-notices': '1', verdict: 'clean' },
    });
    const both = make({ ...broken, '.customizer-lint.yaml': 'rules: {schema-violation: warning}\n' });
    const failed = await runActionHere(both, { 'fail-on': 'warning' });
    expect(failed.outputs).toEqual({ ...count, warnings: '1', 'new-warnings': '1', verdict: 'findings' });
  });

  test('reports are written where they are asked for, and rules are named in them with their pages', async () => {
    const folder = make(broken);
    const { outputs } = await runActionHere(folder, { 'json-file': 'r.json', 'sarif-file': 'r.sarif' });
    expect([outputs.report, outputs.sarif]).toEqual(['r.json', 'r.sarif']);
    const { tool, findings } = reported(folder);
    const { rule } = findings[0];
    const { rules } = reported(folder, 'r.sarif').runs[0].tool.driver;
    expect(rules.find(({ id }: { id: string }) => id === rule)).toMatchObject({
      helpUri: pageUrl(rule, tool),
      shortDescription: { text: expect.any(String) },
    });
    // Without a name of its own, the report has the category that upload-sarif gives it.
    expect(reported(folder, 'r.sarif').runs[0]).not.toHaveProperty('automationDetails');
    await runActionHere(folder, { 'sarif-file': 'r.sarif', instance: 'prod' });
    expect(reported(folder, 'r.sarif').runs[0].automationDetails).toEqual({ id: 'customizer-lint/prod/' });
    const other = make(broken);
    const { outputs: none } = await runActionHere(other, {});
    expect([none.report, none.sarif, existsSync(join(other, 'r.json'))]).toEqual([undefined, undefined, false]);
  });

  test.each<[string, string, string]>([
    ['json-file', 'r.json', 'report'],
    ['sarif-file', 'out/r.sarif', 'sarif'],
  ])('the input %s follows no symbolic link of the change', async (input, file, output) => {
    const outside = make({ kept: 'untouched' });
    const link = { 'r.json': { link: join(outside, 'kept') }, out: { link: outside } };
    const folder = make({ ...broken, ...link });
    const run = await runActionHere(folder, { [input]: file });
    expect([run.status, errors(run)]).toEqual([2, [expect.stringContaining('symbolic link')]]);
    expect([readdirSync(outside), readFileSync(join(outside, 'kept'), 'utf8')]).toEqual([['kept'], 'untouched']);
    // What was found is in the log and in the summary all the same.
    expect([said(run), run.summary]).toEqual([expect.stringContaining('a.yaml:'), expect.stringContaining('a.yaml')]);
    expect(run.outputs).toMatchObject({ errors: '1', verdict: 'findings' });
    expect(run.outputs).not.toHaveProperty(output);
  });

  test('the summary is written where the runner has a place for it, and tells what was looked at', async () => {
    const { summary, annotations } = await runActionHere(make(broken), {});
    expect(summary).toContain('a.yaml');
    expect(summary).toContain('**Rendered**');
    expect(annotations.map(({ properties }) => properties.file)).toEqual(['a.yaml']);
    expect((await runActionHere(make(broken), {}, undefined, { GITHUB_STEP_SUMMARY: '' })).summary).toBe('');
  });

  test('the log has colors', async () => {
    expect((await runActionHere(make(broken), {})).log).toContain('\u001b[');
  });
});

describe('links of the summary', () => {
  const commit = 'd'.repeat(40);
  const all = { GITHUB_SERVER_URL: 'https://github.com', GITHUB_REPOSITORY: 'o/r', GITHUB_SHA: commit };
  const links = ({ summary }: ActionRun) => {
    const all = new Set(summary.match(/[^\s(<"]*\/blob\/[^\s)>#"]*/g));
    // Those of the rules lead to their pages.
    return [...all].filter((link) => !link.endsWith('/README.md'));
  };

  test.each<[string, Record<string, string>, string[]]>([
    ['lead to the commit that is checked out', all, [`https://github.com/o/r/blob/${commit}/a.yaml`]],
    ['are none without a repository', { ...all, GITHUB_REPOSITORY: '' }, []],
    ['are none without a server', { ...all, GITHUB_SERVER_URL: '' }, []],
    ['are none without a commit', { ...all, GITHUB_SHA: '' }, []],
    ['are none for what is no commit', { ...all, GITHUB_SHA: 'main' }, []],
  ])('%s', async (_, env, expected) => {
    const run = await runActionHere(make(broken), {}, { name: 'push', payload: {} }, env);
    expect(run.summary).toContain('a.yaml:');
    expect(links(run)).toEqual(expected);
  });

  test('lead to the pull request’s own commit, and to the base for what is only there', async () => {
    const flux = (path: string) =>
      `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps, namespace: flux-system}\nspec:\n  path: ${path}\n  prune: true\n  interval: 5m\n  sourceRef: {kind: GitRepository, name: flux-system}\n`;
    const made = change(
      { 'flux.yaml': flux('./apps'), 'apps/a.yaml': configMap('a') },
      { 'flux.yaml': null, 'other.yaml': flux('./new'), 'new/a.yaml': wrong('a') },
    );
    const found = links(await runActionHere(made.folder, {}, pullOf(made), all));
    expect(found).toContain(`https://github.com/o/r/blob/${made.head}/new/a.yaml`);
    expect(found).toContain(`https://github.com/o/r/blob/${made.base}/flux.yaml`);
    expect(found.filter((one) => one.includes(commit))).toEqual([]);
  });
});

describe('what is judged', () => {
  test('is the workspace, or the directory of it that is named', async () => {
    const below = Object.fromEntries(Object.entries(broken).map(([name, text]) => [`sub/${name}`, text]));
    for (const directory of ['sub', './sub/']) {
      const { annotations } = await runActionHere(make(below), { directory });
      expect(annotations.map(({ properties }) => properties.file)).toEqual(['sub/a.yaml']);
    }
    const { folder } = change(below, {});
    const { annotations } = await runActionHere(folder, { directory: 'sub' });
    expect(annotations.map(({ properties }) => properties.file)).toEqual(['sub/a.yaml']);
    // Then the workspace is what GitHub knows as the root.
    const alone = await runActionHere(join(folder, 'sub'), {});
    expect(alone.annotations.map(({ properties }) => properties.file)).toEqual(['a.yaml']);
  });

  test.each<[string, string, string]>([
    ['behind a link', 'link', 'input directory: "link" leads through a symbolic link'],
    ['that is not there', 'nowhere', 'there is no directory'],
  ])('is no directory %s', async (_, directory, words) => {
    const folder = make({ ...clean, link: { link: '.' }, 'sub/a.yaml': '' });
    const run = await runActionHere(folder, { directory });
    expect([run.status, errors(run)]).toEqual([2, [expect.stringContaining(words)]]);
  });

  describe('if it holds nothing that Flux applies', () => {
    const nothing = { 'README.md': 'x', 'apps/README.md': 'x' };
    const events: [string, (made: History) => Event][] = [
      ['a push', () => ({ name: 'push', payload: {} })],
      ['a pull request', (made) => pullOf(made)],
      ['a pull request of a fork', (made) => pullOf(made, 'x/r')],
      ['a queued merge', ({ base }) => ({ name: 'merge_group', payload: { merge_group: { base_sha: base } } })],
    ];

    test.each(events)('ends with status 2 on %s, though the base has nothing either', async (_, eventOf) => {
      const made = change(nothing, { 'note.md': 'x' });
      const run = await runActionHere(made.folder, {}, eventOf(made));
      const words =
        /^customizer-lint: the repository holds no directory that Flux applies .* was checked; name one with/;
      expect([run.status, errors(run)]).toEqual([2, [expect.stringMatching(words)]]);
      expect(run.outputs).not.toHaveProperty('verdict');
    });

    test.each(events)('ends with status 2 on %s for a directory beside an entrypoint', async (_, eventOf) => {
      const made = change({ ...clean, ...nothing }, { 'note.md': 'x' });
      expect((await runActionHere(made.folder, {}, eventOf(made))).status).toBe(0);
      const run = await runActionHere(made.folder, { directory: 'apps' }, eventOf(made));
      const words = 'customizer-lint: input directory: "apps" holds no directory that Flux applies';
      expect([run.status, errors(run)]).toEqual([2, [expect.stringContaining(words)]]);
    });

    test('is red if the change takes away what Flux applied', async () => {
      const made = change(clean, { 'kustomization.yaml': null, 'a.yaml': null });
      expect((await runActionHere(made.folder, {}, pullOf(made))).status).toBe(1);
    });
  });

  test('is what the inputs say of paths, configuration, release and limits', async () => {
    const folder = make({
      ...{ 'one/kustomization.yaml': kustomization({ resources: ['a.yaml'] }), 'one/a.yaml': wrong('a') },
      ...{ 'two/kustomization.yaml': kustomization({ resources: ['a.yaml'] }), 'two/a.yaml': configMap('a') },
      ...{ ...isError, 'ci/lint.yaml': 'rules: {schema-violation: off}\n' },
    });
    const run = (inputs: Record<string, string>) => runActionHere(folder, { 'json-file': 'r.json', ...inputs });
    expect((await run({ path: 'two', release: 'v1.5.4' })).status).toBe(0);
    const { entrypoints, facts } = reported(folder);
    expect(entrypoints.map(({ path }: { path: string }) => path)).toEqual(['two']);
    expect(facts).toContainEqual(expect.objectContaining({ name: 'release', value: 'v1.5.4' }));
    expect((await run({ path: 'one' })).status).toBe(1);
    expect((await run({ path: 'one', config: 'ci/lint.yaml' })).status).toBe(0);
    expect(errors(await run({ 'max-seconds': 'long' }))).toEqual([expect.stringContaining('--max-seconds long: ')]);
    expect(errors(await run({ 'max-memory': 'much' }))).toEqual([expect.stringContaining('--max-memory much: ')]);
  });

  test('is what this repository applies, by the address that git or the runner has for it', async () => {
    const objects = (url: string) =>
      [
        `apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: self, namespace: a}\nspec: {interval: 5m, url: ${url}}\n`,
        'apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps, namespace: a}\nspec: {path: ./apps, prune: true, interval: 5m, sourceRef: {kind: GitRepository, name: self}}\n',
      ].join('---\n');
    const { folder } = change({ 'flux.yaml': objects('https://github.com/o/r'), 'apps/a.yaml': configMap('a') }, {});
    const applied = async (env: Record<string, string>) => {
      await runActionHere(folder, { 'json-file': 'r.json' }, undefined, env);
      return reported(folder).entrypoints.map(({ path }: { path: string }) => path);
    };
    expect(await applied({ GITHUB_REPOSITORY: 'o/r' })).toContain('apps');
    expect(await applied({ GITHUB_REPOSITORY: 'o/r', GITHUB_SERVER_URL: 'https://example.org' })).not.toContain('apps');
    appendFileSync(join(folder, '.git/config'), '[remote "origin"]\n\turl = https://github.com/o/r.git\n');
    expect(await applied({ GITHUB_REPOSITORY: 'else/where' })).toContain('apps');
  });
});

describe('a change', () => {
  const old = { ...broken, 'b.yaml': 'x: 1\n' };

  test('fails for what is new, unless the inputs say that all counts; a push for all', async () => {
    const made = change(old, { 'b.yaml': 'x: 2\n' });
    const run = (inputs: Record<string, string>, event?: Event) => runActionHere(made.folder, inputs, event);
    expect((await run({}, pullOf(made))).status).toBe(0);
    expect((await run({ 'only-new': 'false' }, pullOf(made))).status).toBe(1);
    expect((await run({}, { name: 'push', payload: {} })).status).toBe(1);
    expect((await run({ 'only-new': 'true', base: made.base }, { name: 'push', payload: {} })).status).toBe(0);
    expect((await run({ base: made.base }, { name: 'push', payload: {} })).status).toBe(1);
  });

  test('has outputs that count what is new apart from all that there is', async () => {
    const made = change(old, {
      'c.yaml': wrong('c'),
      'kustomization.yaml': kustomization({ resources: ['a.yaml', 'c.yaml'] }),
    });
    const { outputs } = await runActionHere(made.folder, {}, pullOf(made));
    expect(outputs).toMatchObject({ errors: '2', 'new-errors': '1' });
  });

  test('is simulated where there is something to compare with, unless the inputs say not to', async () => {
    const made = change(clean, { 'a.yaml': configMap('a', { c: 'd' }) });
    const ran = async (inputs: Record<string, string>, event?: Event) => {
      await runActionHere(made.folder, { 'json-file': 'r.json', ...inputs }, event);
      const stages: { name: string; ran: boolean }[] = reported(made.folder).stages;
      return stages.flatMap(({ name, ran }) => (ran ? name : []));
    };
    const [alone, compared] = [
      ['render', 'rules'],
      ['render', 'rules', 'base'],
    ];
    expect(await ran({})).toEqual([...alone, 'validation']);
    expect(await ran({}, pullOf(made))).toEqual([...compared, 'simulation']);
    expect(await ran({ base: made.base })).toEqual([...compared, 'simulation']);
    expect(await ran({ simulate: 'false' }, pullOf(made))).toEqual([...compared, 'validation']);
  });

  const note = async (inputs: Record<string, string>, event: Event, env: Record<string, string> = {}, made = ours) => {
    const run = await runActionHere(made.folder, inputs, event, env);
    if (!run.summary.includes('customizer-lint')) throw new Error(`nothing was reported:\n${run.log}`);
    return said(run).match(/^no comments: .*$/gm) ?? [];
  };
  const ours = change(clean, { 'a.yaml': wrong('a') });
  const withToken = { token: 'ghs_x' };
  const named = {
    GITHUB_REPOSITORY: 'o/r',
    GITHUB_API_URL: 'http://127.0.0.1:1',
    GITHUB_SERVER_URL: 'http://127.0.0.1:1',
  };

  test('has no comments where nobody can write them, and that is said', async () => {
    const noToken = ['no comments: there is no token'];
    expect(await note({}, pullOf(ours))).toEqual(noToken);
    expect(await note({}, pullOf(ours), named)).toEqual(noToken);
    // Nobody knows whose token it is.
    expect(await note(withToken, pullOf(ours))).toEqual(noToken);
    const ofFork = ['no comments: the token of a pull request from a fork may only read'];
    expect(await note({}, pullOf(ours, 'x/r'))).toEqual(ofFork);
    expect(await note({ base: ours.base, ...withToken }, pullOf(ours), named)).toEqual([
      expect.stringContaining('no comments: the input base is set'),
    ]);
  });

  test('has no comments where its own commit is nowhere to be had, and that is said', async () => {
    const server = createServer((_, response) => response.writeHead(404).end('{}'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const env = { ...named, GITHUB_API_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
    try {
      expect(await note(withToken, pullOf({ ...ours, head: 'e'.repeat(40) }), env)).toEqual([
        'no comments: the files of the pull request’s own commit could not be had',
      ]);
    } finally {
      server.close();
    }
  });

  test('has none, and no word of it, where they are not wanted or there is no pull request', async () => {
    expect(await note({ comment: 'false' }, pullOf(ours))).toEqual([]);
    expect(await note(withToken, { name: 'push', payload: {} }, named)).toEqual([]);
    expect(await note({}, { name: 'merge_group', payload: { merge_group: { base_sha: ours.base } } })).toEqual([]);
  });
});

describe('a report that is published', () => {
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  const ran = (head: string, branch: string, owner: string): Event => ({
    name: 'workflow_run',
    payload: { workflow_run: { head_sha: head, head_branch: branch, head_repository: { owner: { login: owner } } } },
  });

  async function opened() {
    const fake = await FakeGitHub.create({ files: clean as Record<string, string>, now: hurried.now });
    const real = await fake.listen();
    const number = await fake.open({ changes: { 'a.yaml': wrong('a') } });
    const workspace = make({});
    ends.push(
      () => real.close(),
      () => fake.close(),
    );
    await checkOut(fake, number, workspace);
    const env = { GITHUB_REPOSITORY: 'acme/platform', GITHUB_API_URL: real.api, GITHUB_SERVER_URL: real.server };
    const own = { ...env, GITHUB_SERVER_URL: 'http://127.0.0.1:1' };
    await runActionHere(workspace, { 'json-file': 'r.json' }, undefined, own);
    const { head } = fake.pull(number);
    const publish = (commit = head.sha, more: Record<string, string> = {}) =>
      runActionHere(
        workspace,
        { token: fake.token('write'), publish: 'r.json', ...more },
        ran(commit, head.ref, head.repository.owner),
        own,
      );
    return { fake, number, publish };
  }

  test('is one of comments on the pull request, and says no more than that', async () => {
    const { fake, number, publish } = await opened();
    const run = await publish();
    expect([run.status, run.outputs.verdict, fake.comments(number).length]).toEqual([0, 'clean', 1]);
    expect(said(run)).toContain('Posted 1 of 1 finding as review comments.\n');
    expect(said(run)).not.toContain('no open pull request');
    expect(run.annotations).toEqual([]);
    expect(fake.violations).toEqual([]);
  });

  test('is on three pull requests at most that have the commit as their head', async () => {
    const { fake, number, publish } = await opened();
    const pull = fake.pull(number);
    const numbers = [101, 102, 103].map((other) => {
      fake.state.pulls.set(other, { ...pull, number: other, id: other });
      return other;
    });
    await publish();
    const counts = [number, ...numbers].map((one) => fake.comments(one).length);
    expect(counts.sort()).toEqual([0, 1, 1, 1]);
  });

  test('is on none where the commit is no head any more, and that is said', async () => {
    const { fake, number, publish } = await opened();
    const run = await publish('e'.repeat(40));
    expect(said(run)).toContain('no open pull request has this commit as its head, so nothing is published\n');
    expect(said(run)).toContain('Posted 0 of 1 finding as review comments; all of them in the summary and above.\n');
    expect(fake.comments(number)).toEqual([]);
  });

  test('says what became of its comments where GitHub does not take them', async () => {
    const { fake, number, publish } = await opened();
    const run = await publish(undefined, { token: fake.token('fork') });
    expect(said(run)).toMatch(/^GitHub did not take it all: /m);
    expect([run.status, fake.comments(number)]).toEqual([0, []]);
  });

  test.each<[string, Event, Record<string, string>, string]>([
    [
      'for another event',
      { name: 'push', payload: {} },
      { token: 'ghs_x' },
      'this is for the event workflow_run alone',
    ],
    ['without a token', ran('e'.repeat(40), 'x', 'y'), {}, 'without a token nothing can be published'],
  ])('is none %s', async (_, event, inputs, words) => {
    const folder = make({});
    writeFileSync(join(folder, 'r.json'), '{}');
    const run = await runActionHere(folder, { publish: 'r.json', ...inputs }, event, { GITHUB_REPOSITORY: 'o/r' });
    expect([run.status, errors(run)]).toEqual([2, [`customizer-lint: input publish: ${words}`]]);
  });
});
