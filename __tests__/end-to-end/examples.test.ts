/** What the pull requests of `examples/` look like: their comments and summaries, as the committed action makes them. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../support/cli.js';
import { checkOut } from '../support/github/checkout.js';
import { FakeGitHub } from '../support/github/fake.js';
import { type ActionRun, runAction } from '../support/runner.js';
import { someOf } from '../support/sample.js';
import { createRepo, removeRepo } from '../support/trees.js';

const examples = join(root, '__tests__/examples');
const folders = readdirSync(examples, { withFileTypes: true }).filter((entry) => entry.isDirectory());
const names = folders.map(({ name }) => name).filter((name) => !name.endsWith('.base'));

type Seen = { run: ActionRun; review: string; violations: string[] };

/** `NAME.base` is what was there before; without one, the pull request adds all. */
async function seenOf(name: string): Promise<Seen> {
  const [before, after] = [filesOf(join(examples, `${name}.base`)), filesOf(join(examples, name))];
  const fake = await FakeGitHub.create({ files: { 'README.md': '# Platform\n', ...before } });
  const workspace = createRepo({});
  const real = await fake.listen();
  try {
    const gone = Object.keys(before).filter((path) => after[path] === undefined);
    const number = await fake.open({ changes: { ...after, ...Object.fromEntries(gone.map((path) => [path, null])) } });
    await checkOut(fake, number, workspace);
    const event = { name: 'pull_request', payload: await fake.event(number) };
    const run = await runAction(workspace, { token: fake.token('write') }, process.execPath, event, {
      GITHUB_REPOSITORY: 'acme/platform',
      GITHUB_API_URL: real.api,
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_RUN_ID: '1',
    });
    return { run, review: reviewOf(fake, number), violations: fake.violations };
  } finally {
    await real.close();
    fake.close();
    removeRepo(workspace);
  }
}

function filesOf(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {};
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]));
}

function reviewOf(fake: FakeGitHub, number: number): string {
  const [{ body = '' } = {}] = fake.reviews(number);
  const comments = fake
    .comments(number)
    .map(({ thread: { path, line, side }, body }) => ({ path, line, side, body }))
    .sort((a, b) => (a.path === b.path ? (a.line ?? 0) - (b.line ?? 0) : a.path < b.path ? -1 : 1));
  const place = ({ path, line, side }: (typeof comments)[number]) =>
    `${path}${line ? `:${line}` : ''}${side === 'LEFT' ? ' (before)' : ''}`;
  return [`${body}\n`, ...comments.map((one) => `# ${place(one)}\n\n${one.body}\n`)].join('\n');
}

/** Compared to the byte, but for commits; UPDATE=1 writes it. */
function expectFile(name: string, text: string): void {
  const file = join(examples, name);
  const steady = text
    .replace(/\b[0-9a-f]{40}\b/g, '0123456789abcdef0123456789abcdef01234567')
    .replace(/( at |commit `|head `)[0-9a-f]{12}\b/g, (_, before) => `${before}0123456789ab`);
  if (process.env.UPDATE) writeFileSync(file, steady);
  expect(steady).toBe(readFileSync(file, 'utf8'));
}

test.each(someOf(names, 1))('the review and the summary of %s', async (name) => {
  const { run, review, violations } = await seenOf(name);
  expect({ status: run.status, violations }).toEqual({ status: name === 'clean' ? 0 : 1, violations: [] });
  expectFile(`${name}.review.md`, review);
  expectFile(`${name}.summary.md`, run.summary);
});
