/** A dry run in a cluster of kind, with a program of that name that only says what it was asked. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, jest, test } from '@jest/globals';
import { startFake } from '../support/apiserver.js';
import { cli } from '../support/cli.js';
import { configMap, createRepo, kustomization, removeRepo } from '../support/trees.js';

const folders: string[] = [];
afterAll(() => folders.forEach(removeRepo));

/** `create` is what it does to make a cluster. */
function prepare(create: string, config = '', before: (temporary: string) => void = () => {}) {
  const script = `#!/bin/sh
case "$1 $2" in
  'create cluster') echo "$1 $4" >> "$KIND_LOG"; ${create} ;;
  'delete cluster') sleep 0.3; echo "$1 $4" >> "$KIND_LOG" ;;
esac
`;
  const folder = createRepo({
    'repository/kustomization.yaml': kustomization({ resources: ['a.yaml'] }),
    'repository/a.yaml': configMap('a'),
    'repository/.customizer-lint.yaml': `cluster: {release: v1.6.2, variant: isp-full}\n${config}`,
  });
  folders.push(folder);
  for (const name of ['bin', 'temporary']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'bin', 'kind'), script, { mode: 0o755 });
  const [temporary, file] = [join(folder, 'temporary'), join(folder, 'asked')];
  before(temporary);
  const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH}`, TMPDIR: temporary, KIND_LOG: file };
  const child = spawn(process.execPath, [cli, 'check', join(folder, 'repository'), '--dry-run=kind'], { env });
  const ended = new Promise<{ status: number | null; signal: string | null }>((resolve) =>
    child.on('close', (status, signal) => resolve({ status, signal })),
  );
  // The shell makes the file before it writes the first line.
  const asked = () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []);
  return { child, ended, asked, left: () => readdirSync(temporary) };
}

test.each([
  ['without a name', '', 'customizer-lint'],
  ['with the name of the configuration', 'dryRun: {name: mine}\n', 'customizer-lint-mine'],
])('a cluster is made %s, removed again, and nothing is left', async (_, config, name) => {
  // It ends at once, as what it finds there is no API server.
  const server = await startFake([{ to: 'GET /version', status: 200, body: {} }]);
  try {
    const { ended, asked, left } = prepare(`cp '${server.kubeconfig}' "$6"`, config);
    await ended;
    expect(asked()).toEqual([`create ${name}`, `delete ${name}`]);
    expect(server.heard.map(({ url }) => url)).toContain('/version');
    expect(left()).toEqual([]);
  } finally {
    await server.close();
  }
});

test.each([
  ['what it takes for an error', 'echo "Error: no space left"; echo "see above"; exit 1', 'Error: no space left'],
  ['the last line otherwise', 'echo "one"; echo "two"; exit 1', 'two'],
  ['what it says of an input that it does not get', 'cat; echo "nobody answers"; exit 1', 'nobody answers'],
])('where kind fails its words are shown: %s', async (_, create, words) => {
  const { child, ended } = prepare(create);
  let shown = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      shown += text;
    });
  await ended;
  expect(shown).toContain(`kind create cluster failed (1): ${words}\n`);
});

test('a cluster that another run uses is left to it, and so is that run', async () => {
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  const { child, ended, asked } = prepare('exit 1', '', (temporary) =>
    writeFileSync(join(temporary, `customizer-lint-${userInfo().uid}-customizer-lint.lock`), String(other.pid)),
  );
  let shown = '';
  child.stdout.on('data', (text) => {
    shown += text;
  });
  await ended;
  expect(shown).toContain(`another run (process ${other.pid}) uses the kind cluster "customizer-lint"`);
  expect(asked()).toEqual([]);
  expect([other.exitCode, other.signalCode]).toEqual([null, null]);
  other.kill();
});

test('a signal ends the command only when the cluster is removed', async () => {
  const { child, ended, asked, left } = prepare('exec sleep 60');
  const soon = () => new Promise((resolve) => setTimeout(resolve, 20));
  let isOver = false;
  ended.then(() => {
    isOver = true;
  });
  while (asked().length === 0 && !isOver) await soon();
  child.kill('SIGTERM');
  expect(await ended).toEqual({ status: null, signal: 'SIGTERM' });
  expect(asked()).toEqual(['create customizer-lint', 'delete customizer-lint']);
  expect(left()).toEqual([]);
});

test('kind is waited for for ten minutes', async () => {
  const cleanup = await import('../../src/dry-run/cleanup.js');
  class Endless {
    readonly directory = '/nowhere';
    readonly start = () => ({ ended: new Promise(() => {}) });
    readonly close = async () => {};
  }
  jest.unstable_mockModule('../../src/dry-run/cleanup.js', () => ({ ...cleanup, ProcessGroup: Endless }));
  const { startKind } = await import('../../src/dry-run/kind.js');
  jest.useFakeTimers();
  try {
    const said = startKind({ signal: new AbortController().signal }).catch((error: Error) => error.message);
    await jest.advanceTimersByTimeAsync(599_999);
    expect(await Promise.race([said, 'nothing yet'])).toBe('nothing yet');
    await jest.advanceTimersByTimeAsync(1);
    expect(await Promise.race([said, 'nothing yet'])).toBe('kind get clusters was not done in time');
  } finally {
    jest.useRealTimers();
  }
});
