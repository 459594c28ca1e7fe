/** What is said of a kubeconfig that is of no use. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from '@jest/globals';
import { Client } from '../../src/dry-run/client.js';
import { openKubeconfig } from '../../src/dry-run/kubeconfig.js';
import { type Fake, kubeconfigOf, startFake } from '../support/apiserver.js';
import { createRepo, removeRepo } from '../support/trees.js';

const user = { token: 'a-token' };
const good = kubeconfigOf('https://192.0.2.1:6443', user);
const without = (what: 'clusters' | 'contexts') => JSON.stringify({ ...JSON.parse(good), [what]: [] });
const folder = createRepo({
  ...{ good, 'folder/none': '', text: 'token: [a-token', 'no-cluster': without('clusters') },
  ...{ 'no-address': kubeconfigOf('192.0.2.1', user), 'no-context': without('contexts') },
});
afterAll(() => removeRepo(folder));

let server: Fake | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

test.each<[string, string | undefined, string]>([
  ['folder', undefined, 'it cannot be read: EISDIR'],
  ['gone', undefined, 'it cannot be read: ENOENT'],
  ['text', undefined, 'it is not a kubeconfig'],
  ['no-cluster', undefined, 'its current context names no cluster'],
  ['no-address', undefined, 'the address of its cluster is none'],
  ['good', 'd', 'it has no context "d", but c'],
  ['no-context', 'c', 'it has no context "c", but none'],
])('%s, with the context %s', (file, context, words) => {
  const open = () => openKubeconfig(join(folder, file), context);
  expect(open).toThrow(new Error(words));
});

test('of a good one the server is known, and how to ask it', async () => {
  const credentials = openKubeconfig(join(folder, 'good'), 'c');
  expect(credentials.server).toBe('https://192.0.2.1:6443');
  expect(await credentials.options()).toMatchObject({ headers: { Authorization: 'Bearer a-token' } });
  credentials.close();
});

test('a name and a password go with each request', async () => {
  server = await startFake([]);
  const where = join(folder, 'by-name');
  writeFileSync(where, kubeconfigOf(`http://127.0.0.1:${server.port}`, { username: 'me', password: 'hunter2' }));
  const client = new Client(openKubeconfig(where), { writes: false, signal: new AbortController().signal });
  await client.ask({ method: 'GET', path: '/version' });
  const basic = `Basic ${Buffer.from('me:hunter2').toString('base64')}`;
  expect(server.heard.map(({ headers }) => headers.authorization)).toEqual([basic]);
});

test('a command that still runs is ended with the rest, and gives nothing any more', async () => {
  const [started, go, where] = ['started', 'go', 'waits'].map((name) => join(folder, name)) as [string, string, string];
  const apiVersion = 'client.authentication.k8s.io/v1';
  const credential = JSON.stringify({ apiVersion, kind: 'ExecCredential', status: { token: 'a-token' } });
  const script = `: > ${started}; while [ ! -e ${go} ]; do sleep 0.05; done; printf '%s' '${credential}'`;
  const exec = { apiVersion, command: '/bin/sh', args: ['-c', script] };
  writeFileSync(where, kubeconfigOf('http://127.0.0.1:1', { exec }));
  const credentials = openKubeconfig(where);
  const options = credentials.options().then(
    () => 'given',
    () => 'none',
  );
  while (!existsSync(started)) await new Promise((resolve) => setTimeout(resolve, 20));
  credentials.close();
  writeFileSync(go, '');
  expect(await options).toBe('none');
});
