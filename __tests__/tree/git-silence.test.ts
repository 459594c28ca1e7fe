/** A server that accepts and then says nothing must not hold the check for ever, nor leave anything running. */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { git } from '../../src/tree/git.js';
import { processesWith } from '../support/processes.js';

let server: Server;
let folder: string;
const sockets = new Set<Socket>();

beforeAll(async () => {
  server = createServer((socket) => void sockets.add(socket.on('error', () => {})));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  folder = mkdtempSync(join(tmpdir(), 'silent-'));
  execFileSync('git', ['init', '-q', folder]);
});
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
  rmSync(folder, { recursive: true });
});

const urlOf = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/o/r`;

/** Killed programs take a moment to be gone. */
async function untilGone(word: string): Promise<void> {
  for (let tries = 0; tries < 50 && processesWith(word).length > 0; tries++)
    await new Promise((resolve) => setTimeout(resolve, 100));
}

test.each([
  ['the time for the command', [], 2, /gave no answer for 2 s/],
  ['the time without a byte', ['-c', 'http.lowSpeedLimit=1', '-c', 'http.lowSpeedTime=2'], 60, /too slow/],
])('%s ends a fetch', async (_, options, seconds, words) => {
  const args = ['-c', 'protocol.http.allow=always', ...options, 'fetch', '--quiet', urlOf(), 'main'];
  const env = { GIT_ALLOW_PROTOCOL: 'http' };
  await expect(git(folder, args, { seconds, env })).rejects.toThrow(words);
  expect(sockets.size).toBeGreaterThan(0);
  await untilGone(urlOf());
  if (process.platform === 'linux') expect(processesWith(urlOf())).toEqual([]);
});

test('where there are no groups of processes, as on Windows, git itself is ended', async () => {
  const file = join(folder, 'endless');
  execFileSync('mkfifo', [file]);
  const platform = Object.getOwnPropertyDescriptor(process, 'platform') as PropertyDescriptor;
  Object.defineProperty(process, 'platform', { ...platform, value: 'win32' });
  const kill = jest.spyOn(process, 'kill').mockImplementation(() => {
    throw Object.assign(new Error('kill ESRCH'), { code: 'ESRCH' });
  });
  try {
    await expect(git(folder, ['config', '--file', file, '--list'], { seconds: 1 })).rejects.toThrow(
      /no answer for 1 s/,
    );
    await untilGone(file);
    expect(processesWith(file)).toEqual([]);
  } finally {
    Object.defineProperty(process, 'platform', platform);
    kill.mockRestore();
    // Whoever still reads comes to an end.
    closeSync(openSync(file, 'r+'));
  }
});
