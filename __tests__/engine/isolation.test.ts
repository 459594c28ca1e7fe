/** An engine that tries to get at the environment, the disk or the network gets nothing. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { goEnv, hasGo } from '../../src/build/go.mjs';
import { root } from '../support/cli.js';
import { nodes } from '../support/nodes.js';
import { isLong } from '../support/sample.js';
import { createRepo, removeRepo } from '../support/trees.js';

if (!hasGo()) console.log('skipped: the isolation of the engine, as Go is not installed to build the probe');

// Only a change of the host can break it, and the probe takes long to build.
(hasGo() && isLong() ? describe : describe.skip).each(nodes)('under $name', ({ path: node }) => {
  let folder: string;
  let module: string;
  const probe = (where: 'sandbox' | 'open') =>
    JSON.parse(execFileSync(node, [join(root, '__tests__/support/probe.mjs'), module, where]).toString());

  beforeAll(() => {
    folder = createRepo({});
    module = join(folder, 'probe.wasm');
    const env = goEnv({ GOOS: 'js', GOARCH: 'wasm' });
    execFileSync('go', ['build', '-o', module, './cmd/probe'], { cwd: join(root, 'src/engine'), env });
  });
  afterAll(() => removeRepo(folder));

  test('the sandbox leaves an engine gone bad nothing', () => {
    expect(probe('sandbox')).toEqual({});
  });

  test('the same engine in the open gets hold of the environment, so the probe can bite', () => {
    const found = probe('open');
    expect(found['process.env']).toBeDefined();
    expect(found.fetch).toBeDefined();
    expect(found['environment by evaluation']).toEqual([process.env.PATH]);
  });
});
