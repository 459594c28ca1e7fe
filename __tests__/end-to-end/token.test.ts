/** The token of the job: what another process of the same user sees of the action while it runs. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { root } from '../support/cli.js';
import { createRepo, removeRepo } from '../support/trees.js';

const folder = createRepo({ 'kustomization.yaml': 'resources: []\n' });
afterAll(() => removeRepo(folder));

const node = { link: process.execPath };
const bin = createRepo({ node, 'a) R (b': node });
afterAll(() => removeRepo(bin));

const canShow = existsSync('/proc/self/environ') && existsSync('/proc/self/mem');

// Only Linux shows what a process was started with as a file, and lets it write over its own.
(canShow ? test : test.skip).each<[string, Record<string, string>, string]>([
  ['the token', { INPUT_TOKEN: 'ghs_one0123456789' }, 'node'],
  ['several', { INPUT_TOKEN: 'ghs_two0123456789', GITHUB_TOKEN: 'ghs_three=0123', GH_TOKEN: 'ghs_four0123' }, 'node'],
  [
    'an identity',
    { ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'ghs_five0123', ACTIONS_ID_TOKEN_REQUEST_URL: 'https://ghs_six' },
    'node',
  ],
  // /proc/PID/stat has the name in parentheses, and no other sign of where it ends.
  ['the token, of a process with a strange name', { INPUT_TOKEN: 'ghs_seven0123456789' }, 'a) R (b'],
])('is not in /proc/PID/environ: %s', async (_, variables, name) => {
  const seen = join(folder, 'environ');
  // When the action is done, and long before it, the bytes are the same; only then a test can be sure of the moment.
  writeFileSync(
    join(folder, 'look.cjs'),
    `process.on('exit', () => require('fs').writeFileSync(${JSON.stringify(seen)}, require('fs').readFileSync('/proc/' + process.pid + '/environ')));`,
  );
  await new Promise((resolve) =>
    spawn(join(bin, name), [join(root, 'dist/action/index.js')], {
      env: {
        PATH: process.env.PATH ?? '',
        GITHUB_WORKSPACE: folder,
        NODE_OPTIONS: `--require ${join(folder, 'look.cjs')}`,
        ...variables,
        KEPT: 'ghs_kept',
      },
      stdio: 'ignore',
    }).on('close', resolve),
  );
  const text = readFileSync(seen, 'latin1');
  expect(text).toContain('KEPT=ghs_kept');
  expect(text.match(/ghs_(?!kept)\w*/g)).toBeNull();
});
