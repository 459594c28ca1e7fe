/** A bare API server that does not come to be, with programs of these names that only fail. */
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { startEnvtest } from '../../src/dry-run/envtest.js';
import { createRepo, removeRepo } from '../support/trees.js';

const folders: string[] = [];
afterAll(() => folders.forEach(removeRepo));

/** Where `etcd` is this script. */
function assets(etcd: string, mode = 0o755): string {
  const folder = createRepo({ etcd: `#!/bin/sh\n${etcd}\n`, 'kube-apiserver': '#!/bin/sh\nexit 1\n' });
  folders.push(folder);
  chmodSync(join(folder, 'etcd'), mode);
  chmodSync(join(folder, 'kube-apiserver'), 0o755);
  return folder;
}

const failure = (KUBEBUILDER_ASSETS: string, signal = new AbortController().signal) =>
  startEnvtest(signal, { ...process.env, KUBEBUILDER_ASSETS }).then(
    () => 'it runs',
    (error: Error) => error.message,
  );

test.each([
  ['the last error that it tells of', 'echo "error: one"; echo "Error:  two"; echo three', ': Error: two'],
  ['the one on the other stream', 'echo "panic: it fell over" >&2; echo bye', ': panic: it fell over'],
  ['a word for it in capitals', 'echo FATAL', ': FATAL'],
  ['none of it where there is no error', 'echo hello', ''],
  ['no more than that of a long one', `echo "failed ${'x'.repeat(400)}"`, `: failed ${'x'.repeat(293)}`],
])('of a program that ends its status is told, and %s', async (_, script, words) => {
  expect(await failure(assets(`${script}; exit 3`))).toBe(`etcd ended (3)${words}`);
});

test('a server is waited for until it has its certificate, or ends', async () => {
  const listen = `const [, port] = /--listen-client-urls=[^ ]*:([0-9]+)/.exec(process.argv.join(' ')); require('net').createServer().listen(+port)`;
  const folder = assets(`exec '${process.execPath}' -e "${listen}" -- "$@"`);
  const server = join(folder, 'kube-apiserver');
  writeFileSync(server, '#!/bin/sh\nsleep 0.2\necho "error: no certificate today"\nexit 3\n');
  expect(await failure(folder)).toBe('kube-apiserver ended (3): error: no certificate today');
});

test('a program that may not be run is none', async () => {
  expect(await failure(assets('exit 1', 0o644))).toBe(
    'there is no etcd in KUBEBUILDER_ASSETS; setup-envtest installs it',
  );
  expect(existsSync('/usr/local/kubebuilder/bin/etcd') ? '' : await failure('')).toMatch(
    /^(?:|there is no etcd, as KUBEBUILDER_ASSETS is not set, in \/usr\/local\/kubebuilder\/bin; .*)$/,
  );
});

test('what is no longer waited for is not started', async () => {
  const controller = new AbortController();
  controller.abort();
  expect(await failure(assets('exec sleep 60'), controller.signal)).toBe('there was no time left to start it');
});
