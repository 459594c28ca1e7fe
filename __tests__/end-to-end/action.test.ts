/** The committed action under the runner's contract, on every Node that is promised. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { root } from '../support/cli.js';
import { missing, nodes } from '../support/nodes.js';
import { runAction } from '../support/runner.js';
import { isLong } from '../support/sample.js';
import { configMap, createRepo, kustomization, removeRepo } from '../support/trees.js';

const planted: string[] = [];
afterAll(() => planted.forEach(removeRepo));

for (const name of missing) test.skip(`under ${name}, which is not here: npm test fetches it`, () => {});

// While at work the action's own is enough.
describe.each(isLong() ? nodes : nodes.slice(-1))('under $name', ({ path: node }) => {
  test('findings become annotations on their lines, a summary, outputs and a failed step', async () => {
    const run = await runAction(join(root, '__tests__/examples/broken'), {}, node);
    expect(run.status).toBe(1);
    expect(run.outputs).toEqual({
      ...{ verdict: 'findings', errors: '1', warnings: '3', notices: '0' },
      ...{ 'new-errors': '1', 'new-warnings': '3', 'new-notices': '0' },
    });
    expect(run.annotations[0]).toEqual({
      command: 'error',
      properties: {
        file: 'packages/metallb.yaml',
        line: '9',
        endLine: '9',
        col: '3',
        endColumn: '10',
        title: expect.stringContaining('chart-owned-field'),
      },
      message: expect.stringContaining('Package "cozystack.metallb" sets spec.variant, which the platform chart owns'),
    });
    expect(run.annotations.map(({ command }) => command)).toEqual(
      expect.arrayContaining(['error', 'warning', 'warning', 'warning']),
    );
    expect(run.summary).toContain('chart-owned-field');
    expect(run.summary).toContain('platform variant');
  });

  test('a clean repository passes', async () => {
    const run = await runAction(join(root, '__tests__/rules/chart-owned-field/good'), {}, node);
    expect({ status: run.status, outputs: run.outputs }).toEqual({
      status: 0,
      outputs: {
        ...{ verdict: 'clean', errors: '0', warnings: '0', notices: '0' },
        ...{ 'new-errors': '0', 'new-warnings': '0', 'new-notices': '0' },
      },
    });
  });

  test('nothing in a hostile repository becomes a command', async () => {
    const name = 'a\n::error::pwned\n::add-mask::a##[add-mask]b';
    const workspace = createRepo({
      'kustomization.yaml': kustomization({ resources: ['a.yaml', `${name}.yaml`] }),
      'a.yaml': configMap(name),
      [`${name.replaceAll('/', '')}.yaml`]: configMap('b', { [name]: name }),
    });
    planted.push(workspace);
    const run = await runAction(workspace, {}, node);
    const known = ['error', 'warning', 'notice'];
    expect(run.annotations.filter(({ command, message }) => !known.includes(command) || message === 'pwned')).toEqual(
      [],
    );
    expect(run.annotations).not.toEqual([]);
  });

  test('inputs reach the run', async () => {
    const workspace = createRepo({
      'repo/app/kustomization.yaml': kustomization({ resources: ['a.yaml'] }),
      'repo/app/a.yaml': configMap('a'),
    });
    planted.push(workspace);
    const run = await runAction(workspace, { directory: 'repo', path: 'app', 'json-file': 'report.json' }, node);
    expect(run.status).toBe(0);
    const report = JSON.parse(readFileSync(join(workspace, 'repo/report.json'), 'utf8'));
    expect(report.entrypoints).toEqual([{ path: 'app', why: 'given with --path', objects: 1, rendered: true }]);
  });

  test('a directory below the root: files are named as GitHub knows them', async () => {
    const workspace = createRepo({
      'repo/kustomization.yaml': kustomization({ resources: ['a.yaml'] }),
      'repo/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a, namespace: cozy-customizer }\ndatum: {}\n',
    });
    planted.push(workspace);
    const run = await runAction(workspace, { directory: 'repo', 'json-file': 'report.json' }, node);
    expect(run.annotations[0]?.properties.file).toBe('repo/a.yaml');
    expect(run.summary).toContain('repo/a.yaml');
    expect(run.summary).toContain('datum: {}');
    const report = JSON.parse(readFileSync(join(workspace, 'repo/report.json'), 'utf8'));
    expect(report.findings[0]).toMatchObject({ file: 'repo/a.yaml', line: 4 });
  });

  test('wrong usage is an error of its own, and not a finding', async () => {
    const run = await runAction(join(root, '__tests__/examples/broken'), { 'fail-on': 'everything' }, node);
    expect(run.status).toBe(2);
    expect(run.annotations).toEqual([
      {
        command: 'error',
        properties: {},
        message: expect.stringContaining('input fail-on: "everything" is not one of'),
      },
    ]);
  });
});

test.each(['/home/me/.kube/config', 'kind:mine', 'true'])('no pull request asks the server %s', async (server) => {
  const run = await runAction(join(root, '__tests__/examples/broken'), { 'dry-run': server }, process.execPath);
  expect(run.status).toBe(2);
  expect(run.annotations[0]?.message).toContain(`input dry-run: "${server}" is not one of off, kind, envtest`);
});

test('every input and output that is declared is used, and no other', () => {
  const action = parse(readFileSync(join(root, 'action.yml'), 'utf8'));
  const inputs = readFileSync(join(root, 'src/action/inputs.ts'), 'utf8');
  const read = [...inputs.matchAll(/(?:getInput|getMultilineInput|optional|oneOf|yes|count)\('([\w-]+)'/g)].map(
    ([, name]) => name,
  );
  // The token is taken out of the environment before anything else is read (src/action/token.ts).
  expect([...new Set([...read, 'token'])].sort()).toEqual(Object.keys(action.inputs).sort());
  expect(action.runs).toEqual({ using: 'node24', main: 'dist/action/index.js', post: 'dist/action/index.js' });
});

describe('the step after the job', () => {
  const start = (env: Record<string, string>) =>
    spawnSync(process.execPath, [join(root, 'dist/action/index.js')], {
      encoding: 'utf8',
      timeout: 60_000,
      env: {
        PATH: process.env.PATH ?? '',
        GITHUB_WORKSPACE: join(root, '__tests__/rules/chart-owned-field/good'),
        ...env,
      },
    });

  test('removes the cluster of kind that the job has made, and no other', () => {
    const bin = plantedFolder();
    writeFileSync(join(bin, 'kind'), '#!/bin/sh\necho "$@" >> "$CALLS"\n', { mode: 0o755 });
    const env = {
      PATH: `${bin}:${process.env.PATH}`,
      CALLS: join(bin, 'calls'),
      STATE_started: 'true',
      STATE_finished: 'true',
    };
    expect(start({ ...env, STATE_kind: 'customizer-lint-lab' })).toMatchObject({ status: 0, stdout: '' });
    expect(start({ ...env, STATE_kind: 'production' })).toMatchObject({ status: 0 });
    const calls = readFileSync(join(bin, 'calls'), 'utf8').trim().split('\n');
    expect(calls).toEqual([expect.stringMatching(/^delete cluster --name customizer-lint-lab /)]);
  });

  test('is told of a cluster of kind before that is made, where the runner keeps what is told', () => {
    const bin = plantedFolder();
    writeFileSync(join(bin, 'kind'), '#!/bin/sh\n[ "$1" != create ]\n', { mode: 0o755 });
    const state = join(bin, 'state');
    writeFileSync(state, '');
    const env = { PATH: `${bin}:${process.env.PATH}`, 'INPUT_DRY-RUN': 'kind' };
    expect(start({ ...env, GITHUB_STATE: state }).status).toBe(2);
    expect(readFileSync(state, 'utf8')).toMatch(/^kind<<.*\ncustomizer-lint\n/m);
    expect(start(env).stdout).not.toContain('save-state');
  });

  test('is silent where the job came to its end', () => {
    const state = join(plantedFolder(), 'state');
    writeFileSync(state, '');
    expect(start({ GITHUB_STATE: state }).status).toBe(0);
    expect(readFileSync(state, 'utf8')).toMatch(/started<<[\s\S]*true[\s\S]*finished<<[\s\S]*true/);
    expect(start({ STATE_started: 'true', STATE_finished: 'true' })).toMatchObject({ status: 0, stdout: '' });
  });

  test('says so where it was killed, as nothing else does', () => {
    expect(start({ STATE_started: 'true' })).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/^::error::customizer-lint was ended before it was done/),
    });
  });
});

function plantedFolder(): string {
  const folder = createRepo({});
  planted.push(folder);
  return folder;
}
