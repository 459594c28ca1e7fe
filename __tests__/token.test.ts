/** The token of the job: what another process of the same user sees of the action while it runs. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { root } from './support/cli.js';
import { plant, uproot } from './support/trees.js';

const folder = plant({ 'kustomization.yaml': 'resources: []\n' });
afterAll(() => uproot(folder));

const canShow = existsSync('/proc/self/environ') && existsSync('/proc/self/mem');

// Only Linux shows what a process was started with as a file, and lets it write over its own.
(canShow ? test : test.skip).each([
  ['the token', { INPUT_TOKEN: 'ghs_one0123456789' }],
  ['several', { INPUT_TOKEN: 'ghs_two0123456789', GITHUB_TOKEN: 'ghs_three=0123', GH_TOKEN: 'ghs_four0123' }],
  ['an identity', { ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'ghs_five0123', ACTIONS_ID_TOKEN_REQUEST_URL: 'https://ghs_six' }],
])('is not in /proc/PID/environ: %s', async (_, variables: Record<string, string>) => {
  const seen = join(folder, 'environ');
  // When the action is done, and long before it, the bytes are the same; only then a test can be sure of the moment.
  writeFileSync(
    join(folder, 'look.cjs'),
    `process.on('exit', () => require('fs').writeFileSync(${JSON.stringify(seen)}, require('fs').readFileSync('/proc/' + process.pid + '/environ')));`,
  );
  await new Promise((resolve) =>
    spawn(process.execPath, [join(root, 'dist/action/index.js')], {
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
