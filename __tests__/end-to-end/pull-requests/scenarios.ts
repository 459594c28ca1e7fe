/** What happens to pull requests, scenario by scenario. A title begins with the rows of the table that it plays. */
import { chmodSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { checkOutAll } from '../../support/github/checkout.js';
import type { Effect } from '../../support/github/fake.js';
import { kustomization } from '../../support/trees.js';
import { names, type Opening, type Play, packageText, unknown, wrong } from './site.js';

export type Scenario = { title: string; opening: Opening; play: Play };

export const scenarios: Scenario[] = [];
function scenario(title: string, opening: Opening, play: Play): void {
  scenarios.push({ title, opening, play });
}

const two = { 'metallb.yaml': wrong('metallb'), 'cert-manager.yaml': unknown('cert-manager', 2) };
const all = ['cert-manager.yaml:18', 'cert-manager.yaml:19', 'metallb.yaml:17'];
const fromNobody = (pull: { head: { repo: unknown } }) => Object.assign(pull.head, { repo: null });
const shifted = (text: string) => `# another remark\n# and one more\n${text}`;

scenario('1–3b: opened, pushed to, answered, fixed, and back again', { changes: two }, async (site) => {
  await site.run('1', { status: 1, comments: all, requests: 6, writes: 1 });
  await site.run('1b', { status: 1, comments: all, requests: 3, writes: 0 });
  site.reply(1);
  site.fake.resolve(site.comments[2]?.thread.nodeId ?? '', 'alice');
  await site.push({ 'cert-manager.yaml': unknown('cert-manager', 1), 'metallb.yaml': shifted(wrong('metallb')) });
  await site.run('2', { status: 1, requests: 5, writes: 1 });
  await site.push({
    'cert-manager.yaml': packageText('cert-manager'),
    'metallb.yaml': `${packageText('metallb')}# more\n`,
  });
  await site.run('3', { status: 0 });
  await site.push({ ...two });
  await site.run('3b', { status: 1 });
  const live = site.fake.threads(site.number).filter(({ resolvedBy, line }) => !resolvedBy && line !== null);
  expect(live.map(({ path }) => path)).toContain('cert-manager.yaml');
});

scenario('4, 5b: commits taken away, and a new base below them', {}, async (site) => {
  await site.run('1', { status: 1, comments: ['metallb.yaml:17'] });
  await site.fake.forcePush(site.number, { 'metallb.yaml': wrong('metallb') });
  await site.run('4', { status: 1, comments: ['metallb.yaml:17'], writes: 0 });
  await site.fake.mergeBaseForward({ 'notes.md': '# notes\n' });
  await site.fake.rebase(site.number);
  await site.run('5b', { status: 1, comments: ['metallb.yaml:17'], writes: 0 });
});

scenario('6: a file gets another name', {}, async (site) => {
  await site.run('1', { status: 1, comments: ['metallb.yaml:17'] });
  await site.push({
    'network/metallb.yaml': { from: 'metallb.yaml' },
    'kustomization.yaml': kustomization({
      resources: ['network/metallb.yaml', 'cert-manager.yaml', 'monitoring.yaml'],
    }),
  });
  await site.run('6', { status: 1, comments: ['network/metallb.yaml:17'] });
});

scenario('7: closed before the run', {}, async (site) => {
  site.fake.setState(site.number, 'closed');
  await site.run('7', { status: 1, comments: [], requests: 4, writes: 0, log: 'the pull request has moved on' });
});

scenario('8: a draft', {}, async (site) => {
  const alter = (pull: { draft?: boolean }) => Object.assign(pull, { draft: true });
  await site.run('8', { status: 1, comments: ['metallb.yaml:17'], requests: 6, writes: 1 }, { alter });
});

scenario('9: pushed to before the run comments', {}, async (site) => {
  const before = () => site.push({ 'metallb.yaml': shifted(wrong('metallb')) });
  site.fake.fault({ operation: 'pulls/get', effect: { before } });
  await site.run('9', { status: 1, comments: [], requests: 4, writes: 0, log: 'the pull request has moved on' });
  await site.run('9 again', { status: 1, comments: ['metallb.yaml:19'], writes: 1 });
});

const listed = (...more: string[]) => kustomization({ resources: [...names.map((name) => `${name}.yaml`), ...more] });

scenario(
  '10a: a finding in a file that the change does not touch',
  { base: { 'other.yaml': packageText('metallb') }, changes: { 'kustomization.yaml': listed('other.yaml') } },
  async (site) => {
    const { annotations } = await site.run('10a', { status: 1, comments: [], writes: 0 });
    expect(annotations.filter(({ command }) => command === 'error').map(({ properties }) => properties.file)).toEqual([
      'other.yaml',
    ]);
  },
);

const long = `${packageText('metallb')}${'# and so on\n'.repeat(20)}`;

scenario(
  '10b: a finding outside of what the diff shows',
  {
    base: { 'other.yaml': long },
    changes: { 'other.yaml': `${long}# the end\n`, 'kustomization.yaml': listed('other.yaml') },
  },
  async (site) => {
    await site.run('10b', { status: 1, comments: ['other.yaml'], requests: 6, writes: 1 });
  },
);

scenario(
  '11, 42: more files than GitHub lists',
  {
    changes: {
      'metallb.yaml': wrong('metallb'),
      ...Object.fromEntries(Array.from({ length: 3100 }, (_, index) => [`a/${index}.txt`, `${index}\n`])),
    },
  },
  async (site) => {
    // In the order of their names, the manifest is not among the first 3,000.
    const { requests } = await site.run('11', { status: 1, comments: [] });
    expect(requests).toBeLessThanOrEqual(36);
  },
);

scenario('12: a file of which GitHub shows no patch', { wishes: { limits: { patchLines: 0 } } }, async (site) => {
  await site.run('12', { status: 1, comments: ['metallb.yaml'], writes: 1 });
});

scenario('17, 17a: events without a pull request', {}, async (site) => {
  const { base } = site.pull;
  for (const name of ['push', 'schedule', 'workflow_dispatch'])
    await site.run(`17 ${name}`, { status: 1, comments: [], requests: 0 }, { event: { name, payload: {} } });
  const payload = { action: 'checks_requested', merge_group: { base_sha: base.sha } };
  await site.run('17a', { status: 1, comments: [], requests: 0 }, { event: { name: 'merge_group', payload } });
});

scenario('18: an Enterprise Server', { wishes: { enterprise: true } }, async (site) => {
  await site.run('18', { status: 1, comments: ['metallb.yaml:17'], requests: 6, writes: 1 });
});

const prunable = packageText('metallb').replace('    kustomize.toolkit.fluxcd.io/prune: disabled\n', '');

scenario(
  '19–19c: nothing but deletions',
  {
    base: { 'metallb.yaml': prunable },
    changes: {
      'metallb.yaml': null,
      'kustomization.yaml': kustomization({ resources: ['cert-manager.yaml', 'monitoring.yaml'] }),
    },
  },
  async (site) => {
    const inputs = { 'comment-notices': 'true' };
    await site.run('19', { status: 0, writes: 1 }, { inputs });
    expect(site.comments.map(({ thread }) => thread.side)).toContain('LEFT');
    await site.run('19b', { status: 0, writes: 0, requests: 3 }, { inputs });
    await site.push({
      'metallb.yaml': prunable,
      'kustomization.yaml': listed(),
      'notes.md': '# notes\n',
    });
    await site.run('19c', { status: 0, comments: [] });
  },
);

scenario('20, 20b, 50a, 50b: an event that knows an old base', {}, async (site) => {
  const old = site.pull.base.sha;
  await site.fake.mergeBaseForward({ 'monitoring.yaml': wrong('monitoring') });
  await site.fake.updateBranch(site.number);
  await site.push({ 'metallb.yaml': `${packageText('metallb')}# more\n` });
  const alter = (pull: { base: { sha: string } }) => Object.assign(pull.base, { sha: old });
  await site.run('20', { status: 0, comments: [] }, { alter });
  await site.run('20b', { status: 0, comments: [] });
});

scenario('21a, 21c, 21e: private; without git’s server; without git', { wishes: { private: true } }, async (site) => {
  await site.run('21a', { status: 1, comments: ['metallb.yaml:17'], requests: 6, writes: 1 });
  const env = { GITHUB_SERVER_URL: 'http://127.0.0.1:1' };
  const { requests } = await site.run('21c', { status: 1, comments: ['metallb.yaml:17'], writes: 0 }, { env });
  expect(requests).toBeLessThanOrEqual(10);
  const prepare = (workspace: string) => renameSync(join(workspace, '.git'), join(workspace, '.not-git'));
  await site.run('21e', { status: 1, comments: ['metallb.yaml:17'], writes: 0 }, { env, prepare });
});

scenario('21b: private, with the credentials that the checkout left', { wishes: { private: true } }, async (site) => {
  const prepare = (workspace: string) => site.leaveCredentials(workspace);
  await site.run('21b', { status: 1, comments: ['metallb.yaml:17'], requests: 6, writes: 1 }, { prepare });
});

scenario('21d: a checkout with all of the history', {}, async (site) => {
  const prepare = (workspace: string) => checkOutAll(site.fake, site.number, workspace);
  // For the last shared commit nobody has to be asked, but for the tip of the base branch, as that of the event may be old.
  await site.run('21d', { status: 1, comments: ['metallb.yaml:17'], requests: 6, writes: 1 }, { prepare });
});

scenario('22: the base has moved on', {}, async (site) => {
  await site.fake.mergeBaseForward({ 'notes.md': '# notes\n' });
  await site.run('22', { status: 1, comments: ['metallb.yaml:17'], requests: 6, writes: 1 });
});

scenario('23: a change of nothing that Flux applies', { changes: { 'notes.md': '# notes\n' } }, async (site) => {
  await site.run('23', { status: 0, comments: [], requests: 3, writes: 0 });
});

scenario('24: a clean change', { changes: { 'metallb.yaml': `${packageText('metallb')}# more\n` } }, async (site) => {
  const { annotations } = await site.run('24', { status: 0, comments: [], requests: 3, writes: 0 });
  expect(annotations).toEqual([]);
});

scenario('25, 26: comments that nobody wants', {}, async (site) => {
  await site.run('25', { status: 1, comments: [], writes: 0 }, { inputs: { 'max-comments': '0' } });
  const inputs = { comment: 'false', 'json-file': 'r.json', 'sarif-file': 'r.sarif' };
  const { requests } = await site.run('26', { status: 1, comments: [] }, { inputs });
  expect(requests).toBeLessThanOrEqual(1);
});

scenario(
  '30: one place among four that GitHub refuses',
  {
    changes: { 'metallb.yaml': wrong('metallb'), 'cert-manager.yaml': unknown('cert-manager', 3) },
  },
  async (site) => {
    const body = /"path":"cert-manager.yaml",[^}]*"line":19,/;
    for (const operation of ['pulls/create-review', 'pulls/create-review-comment'])
      site.fake.fault({ operation, body, times: 99, effect: 'unresolved' });
    const { writes } = await site.run('30', { status: 1 });
    const places = site.comments.map(({ thread: { path, line } }) => `${path}:${line}`);
    expect(places).toEqual(expect.arrayContaining(['metallb.yaml:17', 'cert-manager.yaml:18', 'cert-manager.yaml:20']));
    expect(writes).toBeLessThanOrEqual(6);
  },
);

scenario('31, 31b: a review that came although the answer was 502, and threads that lag behind', {}, async (site) => {
  site.fake.fault({ operation: 'pulls/create-review', effect: 'lost' });
  await site.run('31', { status: 1, comments: ['metallb.yaml:17'] });
  await site.run('31b', { status: 1, comments: ['metallb.yaml:17'], writes: 0 });
});

scenario('32a, 32b: a person edits our comment', {}, async (site) => {
  await site.run('32a', { status: 1, comments: ['metallb.yaml:17'] });
  const [{ id, body } = { id: 0, body: '' }] = site.comments;
  site.fake.edit(id, `${body}\n\nWe talked about this.`);
  await site.run('32b', { status: 1, comments: ['metallb.yaml:17'] });
  await site.push({ 'metallb.yaml': `${packageText('metallb')}# more\n` });
  // Their words are kept.
  await site.run('32c', { status: 0, comments: ['metallb.yaml'] });
  expect(site.comments[0]?.body).toMatch(/^\*\*No longer reported at [\s\S]*\n\nWe talked about this\.$/);
});

scenario('33a, 33b: the line is written anew below an answered comment, and is still wrong', {}, async (site) => {
  await site.run('33a', { status: 1, comments: ['metallb.yaml:17'] });
  site.reply();
  await site.push({ 'metallb.yaml': packageText('metallb', '  variant: keycloak\n') });
  await site.run('33b', { status: 1 });
  const live = site.comments.filter(({ thread }) => thread.line === 17);
  expect(live.length).toBe(1);
});

scenario('34: a checkout of another user, as in a container', {}, async (site) => {
  const prepare = (workspace: string) => chmodSync(workspace, 0o755);
  await site.run('34', { status: 1, comments: ['metallb.yaml:17'] }, { prepare });
});

scenario('40a–40c: a fork, its report, and the workflow that publishes it', { fork: 'mallory' }, async (site) => {
  const inputs = { comment: 'false', 'json-file': 'report.json' };
  await site.run('40a', { status: 1, comments: [], writes: 0 }, { inputs, token: 'fork' });
  const event = { name: 'workflow_run', payload: site.fake.workflowRunEvent(site.number, 1) };
  await site.run(
    '40b',
    { status: 0, comments: ['metallb.yaml:17'], requests: 6, writes: 1 },
    { inputs: { publish: 'report.json' }, event },
  );
  await site.run(
    '40c',
    { status: 0, comments: ['metallb.yaml:17'], requests: 3, writes: 0 },
    { inputs: { publish: 'report.json' }, event },
  );
});

scenario('40d–40g: what cannot be published', { fork: 'mallory' }, async (site) => {
  const inputs = { publish: 'report.json' };
  const event = { name: 'workflow_run', payload: site.fake.workflowRunEvent(site.number, 1) };
  await site.run('40f', { status: 2, comments: [], requests: 0 }, { inputs, event });
  await site.run('40a', { status: 1 }, { inputs: { comment: 'false', 'json-file': 'report.json' }, token: 'fork' });
  const queued = structuredClone(event) as {
    name: string;
    payload: { workflow_run: { head_branch: string; head_sha: string } };
  };
  queued.payload.workflow_run.head_branch = 'gh-readonly-queue/main/pr-1';
  await site.run('40e', { status: 0, comments: [], writes: 0 }, { inputs, event: queued });
  await site.push({ 'metallb.yaml': shifted(wrong('metallb')) });
  await site.run('40g', { status: 0, comments: [], writes: 0 }, { inputs, event });
  const deleted = structuredClone(event) as { name: string; payload: { workflow_run: { head_repository: unknown } } };
  deleted.payload.workflow_run.head_repository = null;
  const log = 'The fork of this run has been deleted';
  await site.run('40d', { status: 0, comments: [], requests: 0, log }, { inputs, event: deleted });
});

scenario(
  '41: hostile words',
  {
    changes: { 'metallb.yaml': packageText('metallb', '  variant: "::error::x ##[error]y @everyone <!-- --> ```"\n') },
  },
  async (site) => {
    const { annotations } = await site.run('41', { status: 1, comments: ['metallb.yaml:17'], writes: 1 });
    expect(annotations.filter(({ message }) => message === 'x' || message.startsWith('y'))).toEqual([]);
    await site.run('41 again', { status: 1, comments: ['metallb.yaml:17'], writes: 0 });
  },
);

scenario('52: two hundred and fifty conversations of others', {}, async (site) => {
  for (let index = 0; index < 250; index++)
    await site.fake.comment(site.number, 'alice', { path: 'metallb.yaml', line: 17 }, `remark ${index}`);
  await site.run('52', { status: 1, comments: ['metallb.yaml:17'], requests: 10, writes: 1 });
});

/** What a fault at the review does: the comments that come nevertheless, and a part of the log. */
type Refused = [row: string, what: string, effect: Effect, comments: number, log: string | RegExp];
const refusedReviews: Refused[] = [
  [
    '16a',
    'a secondary limit that says how long',
    { status: 403, body: { message: 'You have exceeded a secondary rate limit.' }, headers: { 'retry-after': '3' } },
    1,
    /1 posted/,
  ],
  ['16c', '404', { status: 404, body: { message: 'Not Found' } }, 0, /GitHub did not take it all: 404/],
  ['16d', '502 of a proxy', 'bad-gateway', 1, /1 posted/],
  ['16e', '502, and it was done', 'lost', 1, /Posted 1 of 1/],
  ['16f', 'a line that cannot be resolved', 'unresolved', 1, /1 posted/],
  ['16g', 'too quickly', 'too-quickly', 1, /1 posted/],
  [
    '16o',
    'an address that is not allowed',
    { status: 403, text: '<html>Forbidden by the IP allow list</html>', headers: { 'content-type': 'text/html' } },
    0,
    /GitHub did not take it all: 403/,
  ],
  [
    '16p',
    'a locked conversation',
    { status: 422, body: { message: 'Unprocessable Entity', errors: ['Conversation is locked'] } },
    0,
    /locked/,
  ],
];
for (const [row, what, effect, comments, log] of refusedReviews)
  scenario(`${row}: a review is answered by ${what}`, {}, async (site) => {
    const times = comments === 0 ? 9 : 1;
    site.fake.fault({ operation: 'pulls/create-review', times, effect });
    await site.run(row, { status: 1, comments, log });
  });

const reads: [row: string, what: string, operation: string, effect: Effect, times: number, comments: number][] = [
  [
    '16h',
    'an error of GraphQL that has no type',
    'graphql',
    { status: 200, body: { data: null, errors: [{ message: 'Something went wrong while executing your query.' }] } },
    1,
    1,
  ],
  [
    '16q',
    'half of the data, and an error',
    'graphql',
    {
      status: 200,
      body: { data: { repository: { pullRequest: null } }, errors: [{ message: 'Timeout on validation of query' }] },
    },
    1,
    1,
  ],
  ['16i', '502', 'graphql', 'bad-gateway', 1, 1],
  [
    '16j',
    'a limit of GraphQL',
    'graphql',
    { status: 200, body: { errors: [{ type: 'RATE_LIMITED', message: 'API rate limit exceeded' }] } },
    9,
    0,
  ],
  ['16k', 'a connection that breaks', 'pulls/list-files', 'reset', 2, 1],
  ['16n', '401', 'pulls/get', { status: 401, body: { message: 'Bad credentials' } }, 9, 0],
];
for (const [row, what, operation, effect, times, comments] of reads)
  scenario(`${row}: ${operation} is answered by ${what}`, {}, async (site) => {
    site.fake.fault({ operation, times, effect });
    await site.run(row, { status: 1, comments });
  });

scenario(
  '16l, 51a, 51b: the API does not compare, and the base has an error of its own',
  {
    base: { 'monitoring.yaml': wrong('monitoring') },
    changes: { 'metallb.yaml': `${packageText('metallb')}# more\n` },
  },
  async (site) => {
    await site.run('51a', { status: 0, comments: [] });
    site.fake.fault({ operation: 'repos/compare-commits-with-basehead', times: 99, effect: 'unavailable' });
    // The tip of the base branch has it too, and git knows that.
    await site.run('51b', { status: 0, comments: [], log: 'the tip of the base branch, as the last commit' });
    // Without git’s server there is no base: what stands in files that the change does not touch is not its fault.
    site.fake.fault({ operation: 'repos/download-tarball-archive', times: 99, effect: 'unavailable' });
    const env = { GITHUB_SERVER_URL: 'http://127.0.0.1:1' };
    const { summary } = await site.run('16l', { status: 0, comments: [] }, { env });
    expect(summary).toMatch(
      /^## customizer-lint: 1 error, 1 warning; the base could not be read, so old and new cannot be told apart/,
    );
    await site.push({ 'monitoring.yaml': `${wrong('monitoring')}# more\n` });
    await site.run('16l, in a file of the change', { status: 1 }, { env });
    // Where not even the files are known, all counts.
    await site.push({ 'monitoring.yaml': wrong('monitoring') });
    site.fake.fault({ operation: 'pulls/list-files', times: 99, effect: 'unavailable' });
    await site.run('16l, without the files', { status: 1 }, { env });
  },
);

scenario('15a–15c: tokens that may only read', {}, async (site) => {
  await site.run('15a', { status: 1, comments: [] }, { token: 'fork', alter: fromNobody });
  const log = 'comments need pull-requests: write, which Dependabot and forks do not have';
  await site.run('15b', { status: 1, comments: [], log }, { token: 'dependabot' });
  await site.run('15b', { status: 1, comments: [] }, { token: 'no-pulls' });
});

scenario('15c: a fork, by a workflow of the base branch', { fork: 'mallory' }, async (site) => {
  const payload = await site.fake.event(site.number);
  await site.run(
    '15c',
    { status: 1, comments: ['metallb.yaml:17'] },
    { event: { name: 'pull_request_target', payload } },
  );
});

scenario('16b, 16m: limits that do not end soon', {}, async (site) => {
  const limited = { status: 429, body: { message: 'You have exceeded a secondary rate limit.' } };
  site.fake.fault({ operation: 'pulls/create-review', times: 99, effect: limited });
  const { writes } = await site.run('16b', { status: 1, comments: [] });
  expect(writes).toBeLessThanOrEqual(3);
  site.fake.clearFaults();
  const late = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Math.ceil(Date.now() / 1000) + 1e6) };
  site.fake.fault({
    operation: 'pulls/get',
    times: 99,
    effect: { status: 403, body: { message: 'API rate limit exceeded' }, headers: late },
  });
  const { requests } = await site.run('16m', { status: 1, comments: [] });
  expect(requests).toBeLessThanOrEqual(4);
});

scenario(
  '14a–14d: two jobs with names of their own',
  {
    base: { 'sub/kustomization.yaml': kustomization({ resources: ['x.yaml'] }), 'sub/x.yaml': packageText('linstor') },
    changes: { 'metallb.yaml': wrong('metallb'), 'sub/x.yaml': wrong('linstor') },
  },
  async (site) => {
    const job = (instance: string, path: string) => ({ inputs: { instance, path } });
    await site.run('14a', { status: 1, comments: ['metallb.yaml:17'] }, job('a', '.'));
    await site.run('14b', { status: 1, comments: ['metallb.yaml:17', 'sub/x.yaml:17'] }, job('b', 'sub'));
    await site.run('14c', { status: 1, comments: ['metallb.yaml:17', 'sub/x.yaml:17'], writes: 0 }, job('a', '.'));
    await site.push({ 'metallb.yaml': `${packageText('metallb')}# more\n` });
    await site.run('14d', { status: 0, comments: ['sub/x.yaml:17'] }, job('a', '.'));
  },
);

scenario(
  '14x, 14y: two jobs without',
  {
    base: { 'sub/kustomization.yaml': kustomization({ resources: ['x.yaml'] }), 'sub/x.yaml': packageText('linstor') },
    changes: { 'metallb.yaml': wrong('metallb'), 'sub/x.yaml': wrong('linstor') },
  },
  async (site) => {
    const job = (name: string, path: string) => ({
      inputs: { path },
      env: { GITHUB_WORKFLOW: 'lint', GITHUB_JOB: name },
    });
    await site.run('14x', { status: 1, comments: ['metallb.yaml:17'] }, job('a', '.'));
    await site.run('14y', { status: 1, comments: ['metallb.yaml:17', 'sub/x.yaml:17'] }, job('b', 'sub'));
    await site.run('14z', { status: 1, comments: ['metallb.yaml:17', 'sub/x.yaml:17'], writes: 0 }, job('a', '.'));
  },
);

scenario(
  '13–13c: forty-five findings of one kind',
  { changes: { 'metallb.yaml': unknown('metallb', 45) } },
  async (site) => {
    const { log } = await site.run('13', { status: 0 });
    expect(log).toContain('45 warnings');
    const { length } = site.comments;
    await site.push({ 'metallb.yaml': unknown('metallb', 35) });
    await site.run('13b', { status: 0 });
    expect(site.comments.length).toBeLessThanOrEqual(length);
    await site.push({ 'metallb.yaml': `${packageText('metallb')}# more\n` });
    await site.run('13c', { status: 0, comments: [] });
  },
);

const fields = (count: number) => ({
  'cert-manager.yaml': packageText(
    'cert-manager',
    Array.from({ length: count }, (_, index) => `  foo${index}: 1\n`).join(''),
  ),
});

scenario(
  'one more of several that say the same is an annotation while the comment cannot name it',
  { changes: fields(4) },
  async (site) => {
    await site.run('opened', { status: 1, comments: ['cert-manager.yaml:17'] });
    await site.push(fields(5));
    site.fake.fault({ operation: 'pulls/update-review-comment', times: 99, effect: 'bad-gateway' });
    const refused = await site.run('the edit breaks', { status: 1 });
    expect(refused.annotations.map(({ message }) => message).join('\n')).toContain('foo4');
    site.fake.clearFaults();
    const edited = await site.run('the edit is taken', { status: 1 });
    expect(edited.annotations).toEqual([]);
    expect(site.comments.map(({ body }) => body.includes('foo4`'))).toEqual([true]);
  },
);

scenario(
  'several that were settled together stay so, and what comes later is said',
  { changes: fields(4) },
  async (site) => {
    await site.run('opened', { status: 1 });
    site.fake.resolve(site.comments[0]?.thread.nodeId ?? '', 'alice');
    await site.push(fields(3));
    await site.run('one is fixed', { status: 1, writes: 0 });
    await site.push(fields(5));
    await site.run('one more', { status: 1, writes: 1 });
    expect(site.comments.map(({ body }) => [body.includes('foo3`'), body.includes('foo4`')])).toEqual([
      [true, false],
      [false, true],
    ]);
  },
);

scenario('fixed, resolved by hand, and back', {}, async (site) => {
  await site.run('opened', { status: 1, comments: ['metallb.yaml:17'] });
  site.reply(0);
  await site.push({ 'metallb.yaml': `${packageText('metallb')}# more\n` });
  await site.run('fixed', { status: 0 });
  site.fake.resolve(site.comments[0]?.thread.nodeId ?? '', 'alice');
  await site.push({ 'metallb.yaml': wrong('metallb') });
  await site.run('back', { status: 1, writes: 1 });
  const last = site.comments.findLast(({ replyTo }) => !replyTo);
  expect(last?.body).toContain('What was said so far');
  await site.run('again', { status: 1, writes: 0 });
});
