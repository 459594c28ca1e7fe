/** What a pull request that adds the README's example looks like: its comments and its summary, as the committed action makes them. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { root } from '../support/cli.js';
import { checkOut } from '../support/github/checkout.js';
import { FakeGitHub } from '../support/github/fake.js';
import { type ActionRun, runAction } from '../support/runner.js';
import { createRepo, removeRepo } from '../support/trees.js';

const examples = join(root, '__tests__/examples');
const workspace = createRepo({});
let fake: FakeGitHub;
let real: Awaited<ReturnType<FakeGitHub['listen']>>;
let run: ActionRun;
let number: number;

beforeAll(async () => {
  const folder = join(examples, 'broken');
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = names.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
  const changes = Object.fromEntries(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
  fake = await FakeGitHub.create({ files: { 'README.md': '# Platform\n' } });
  number = await fake.open({ changes });
  real = await fake.listen();
  await checkOut(fake, number, workspace);
  const event = { name: 'pull_request', payload: await fake.event(number) };
  run = await runAction(workspace, { token: fake.token('write') }, process.execPath, event, {
    GITHUB_REPOSITORY: 'acme/platform',
    GITHUB_API_URL: real.api,
    GITHUB_SERVER_URL: 'https://github.com',
  });
});
afterAll(async () => {
  await real?.close();
  fake?.close();
  removeRepo(workspace);
});

/** Compared to the byte, but for commits; UPDATE=1 writes it. */
function expectFile(name: string, text: string): void {
  const file = join(examples, name);
  const steady = text
    .replace(/\b[0-9a-f]{40}\b/g, '0123456789abcdef0123456789abcdef01234567')
    .replace(/( at |commit `)[0-9a-f]{12}\b/g, (_, before) => `${before}0123456789ab`);
  if (process.env.UPDATE) writeFileSync(file, steady);
  expect(steady).toBe(readFileSync(file, 'utf8'));
}

test('the comments of its review', () => {
  expect({ status: run.status, violations: fake.violations }).toEqual({ status: 1, violations: [] });
  const [{ body = '' } = {}] = fake.reviews(number);
  const comments = fake
    .comments(number)
    .map(({ thread: { path, line }, body }) => ({ path, line, body }))
    .sort((a, b) => (a.path === b.path ? (a.line ?? 0) - (b.line ?? 0) : a.path < b.path ? -1 : 1));
  const texts = comments.map(({ path, line, body }) => `# ${path}${line ? `:${line}` : ''}\n\n${body}\n`);
  expectFile('broken.review.md', [`${body}\n`, ...texts].join('\n'));
});

test('its summary', () => {
  expectFile('broken.summary.md', run.summary);
});
