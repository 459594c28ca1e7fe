/** What is said of a kubeconfig that is of no use. */
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { openKubeconfig } from '../../src/dry-run/kubeconfig.js';
import { kubeconfigOf } from '../support/apiserver.js';
import { createRepo, removeRepo } from '../support/trees.js';

const user = { token: 'a-token' };
const good = kubeconfigOf('https://192.0.2.1:6443', user);
const without = (what: 'clusters' | 'contexts') => JSON.stringify({ ...JSON.parse(good), [what]: [] });
const folder = createRepo({
  ...{ good, 'folder/none': '', text: 'token: [a-token', 'no-cluster': without('clusters') },
  ...{ 'no-address': kubeconfigOf('192.0.2.1', user), 'no-context': without('contexts') },
});
afterAll(() => removeRepo(folder));

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
