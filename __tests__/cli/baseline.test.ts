/** `--baseline`: an old repository begins with what is new. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { Baseline } from '../../src/lint/baseline.js';
import { runHere } from '../support/here.js';
import { createRepo, type Files, kustomization, removeRepo } from '../support/trees.js';

const planted: string[] = [];
afterEach(() => planted.splice(0).forEach(removeRepo));
function repository(files: Files): string {
  const folder = createRepo(files);
  planted.push(folder);
  return folder;
}

const variant = (name: string, value: string) =>
  `apiVersion: cozystack.io/v1alpha1\nkind: Package\nmetadata: {name: ${name}, annotations: {kustomize.toolkit.fluxcd.io/ssa: Merge, kustomize.toolkit.fluxcd.io/prune: disabled}}\nspec: {variant: ${value}}\n`;
const files: Files = {
  'kustomization.yaml': kustomization({ resources: ['a.yaml', 'b.yaml'] }),
  'a.yaml': variant('cozystack.metallb', 'oidc'),
  'b.yaml': variant('cozystack.linstor', 'oidc'),
};
const found = ({ stdout }: { stdout: string }) =>
  [...stdout.matchAll(/^(\S+?):\d+:\d+: \w+ ([a-z-]+) /gm)].map(([, file, rule]) => `${rule} ${file}`);
const check = (folder: string, ...args: string[]) => runHere(['check', folder, '--format=concise', ...args]);

/** A repository with the baseline of what it has. */
async function accepted(of: Files = files) {
  const folder = repository(of);
  const file = join(folder, 'old.json');
  const written = await runHere(['check', folder, '--baseline', file, '--write-baseline']);
  const again = (...args: string[]) => check(folder, '--baseline', file, ...args);
  return { folder, file, written, again, put: (name: string, text: string) => writeFileSync(join(folder, name), text) };
}

test('what is written is accepted, and says for people what it is of', async () => {
  const { file, written, again, folder } = await accepted();
  expect(written).toMatchObject({ status: 0, stdout: expect.stringContaining('2 findings written to') });
  expect(found(await check(folder))).toEqual(['chart-owned-field a.yaml', 'chart-owned-field b.yaml']);
  expect(await again()).toMatchObject({ status: 0 });
  expect(found(await again())).toEqual([]);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    version: 1,
    findings: [
      { rule: 'chart-owned-field', file: 'a.yaml', object: 'Package "cozystack.metallb"', field: 'spec.variant' },
      { rule: 'chart-owned-field', file: 'b.yaml', object: 'Package "cozystack.linstor"', field: 'spec.variant' },
    ],
  });
});

test('lines and files may move, and the same text is written each time', async () => {
  const { file, folder, again, put } = await accepted();
  const before = readFileSync(file, 'utf8');
  put('a.yaml', `# a comment\n\n${files['a.yaml']}`);
  put('b.yaml', `${files['a.yaml']}---\n${files['b.yaml']}`);
  put('kustomization.yaml', kustomization({ resources: ['b.yaml'] }));
  expect(await again()).toMatchObject({ status: 0 });
  await runHere(['check', folder, '--baseline', file, '--write-baseline']);
  const idsIn = (text: string) =>
    JSON.parse(text)
      .findings.map(({ id }: { id: string }) => id)
      .sort();
  expect(idsIn(readFileSync(file, 'utf8'))).toEqual(idsIn(before));
});

describe('counts although', () => {
  test('the value alone is another', async () => {
    const { again, put } = await accepted();
    put('a.yaml', variant('cozystack.metallb', 'other'));
    const result = await again();
    expect(found(result)).toEqual(['chart-owned-field a.yaml']);
    expect(result.status).toBe(1);
  });

  test('the same is wrong in another object', async () => {
    const { again, put } = await accepted();
    put('b.yaml', variant('cozystack.kubevirt', 'oidc'));
    expect(found(await again())).toEqual(['chart-owned-field b.yaml']);
  });

  test('the same file is applied from another directory', async () => {
    const { again, put, folder } = await accepted();
    put('kustomization.yaml', kustomization({ resources: ['a.yaml', 'b.yaml'] }));
    const other = repository({
      'lab/kustomization.yaml': kustomization({ resources: ['a.yaml'] }),
      'lab/a.yaml': files['a.yaml'] as string,
    });
    expect(folder).not.toBe(other);
    expect(found(await check(other, '--path=lab', '--baseline', join(folder, 'old.json')))).toEqual([
      'chart-owned-field lab/a.yaml',
    ]);
    expect((await again()).status).toBe(0);
  });

  test('it is there once more than was accepted', async () => {
    const twice = {
      ...files,
      'kustomization.yaml': kustomization({ resources: ['a.yaml'], labels: [{ pairs: { x: 1 } }] }),
    };
    const { file, again, put } = await accepted(twice);
    expect((await again()).status).toBe(0);
    const { findings, version } = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ version, findings: findings.slice(1) }));
    expect((await again()).status).toBe(1);
    put('kustomization.yaml', kustomization({ resources: [] }));
  });
});

test('an entry that matches nothing any more is said', async () => {
  const { folder, file, put } = await accepted();
  const words = 'of the baseline';
  const whole = async () => (await runHere(['check', folder, '--baseline', file])).stdout;
  expect(await whole()).not.toContain(words);
  put('a.yaml', variant('cozystack.metallb', 'default').replace('spec: {variant: default}', 'spec: {}'));
  expect(await whole()).toContain('1 entry of the baseline');
  expect(await whole()).toContain('matches no finding any more');
});

test('the configuration names it, and then it is written there', async () => {
  const folder = repository({ ...files, '.customizer-lint.yaml': 'baseline: ci/old.json\n', 'ci/x': '' });
  const missing = await check(folder);
  expect(missing.stdout).toContain(
    'error invalid-config the baseline "ci/old.json" does not exist, so it accepts nothing',
  );
  expect(await runHere(['check', folder, '--write-baseline'])).toMatchObject({ status: 0 });
  expect(existsSync(join(folder, 'ci/old.json'))).toBe(true);
  // What is wrong with the configuration itself is not accepted by it.
  expect(JSON.parse(readFileSync(join(folder, 'ci/old.json'), 'utf8')).findings.length).toBe(2);
  expect(await check(folder)).toMatchObject({ status: 0 });
});

test.each([
  ['{', 'is not JSON'],
  ['[]', 'is not a baseline'],
  ['{"version": 1}', 'is not a baseline'],
  ['{"version": 2, "findings": []}', 'has version 2, and not 1'],
  ['{"version": 1, "findings": [{"rule": "a"}]}', 'has an entry without an id'],
])('%s is refused', async (text, words) => {
  const folder = repository({ ...files, 'old.json': text, '.customizer-lint.yaml': 'baseline: old.json\n' });
  expect((await check(folder)).stdout).toContain(
    `.customizer-lint.yaml:1:11: error invalid-config the baseline "old.json" ${words}`,
  );
  const named = await check(folder, '--baseline', join(folder, 'old.json'));
  expect(named).toMatchObject({ status: 2, stderr: expect.stringContaining(words) });
});

test.each([
  [['--write-baseline'], 'needs --baseline FILE'],
  [['--write-baseline', '--baseline=a', '--select=dead-patch'], 'leave out --select'],
  [['--write-baseline', '--baseline=a', '--ignore=dead-patch'], 'leave out --ignore'],
  [['--baseline=no/such/file'], 'does not exist; --write-baseline writes it'],
])('%j is refused', async (args, words) => {
  expect(await check(repository(files), ...args)).toMatchObject({ status: 2, stderr: expect.stringContaining(words) });
});

test('a file outside of the repository is not written', async () => {
  const folder = repository({ ...files, '.customizer-lint.yaml': 'baseline: ../old.json\n' });
  const result = await runHere(['check', folder, '--write-baseline']);
  expect(result).toMatchObject({ status: 2, stderr: expect.stringContaining('is not in the repository') });
  expect(existsSync(join(folder, '..', 'old.json'))).toBe(false);
});

test('a file of 32 MiB is the largest that is read', () => {
  const padded = (length: number) => '{"version": 1, "findings": []}'.padEnd(length);
  const read = (length: number) => Baseline.read({ file: 'old.json', text: padded(length) });
  expect(read(1 << 25).file).toBe('old.json');
  expect(() => read((1 << 25) + 1)).toThrow('is larger than any baseline');
});

test('a plain Secret that is added is not hidden by the baseline of others', async () => {
  const secret = (name: string) =>
    `apiVersion: v1\nkind: Secret\nmetadata: {name: ${name}, namespace: cozy-customizer}\nstringData: {password: correct-horse}\n`;
  const { again, put } = await accepted({
    'kustomization.yaml': kustomization({ resources: ['a.yaml', 'b.yaml'] }),
    'a.yaml': secret('a'),
    'b.yaml': secret('b'),
  });
  expect(found(await again())).toEqual([]);
  put('a.yaml', `${secret('a')}---\n${secret('c')}`);
  expect(found(await again())).toEqual(['plain-secret a.yaml']);
  put('a.yaml', secret('c'));
  expect(found(await again())).toEqual(['plain-secret a.yaml']);
  // One that is removed is no reason to report the others.
  put('kustomization.yaml', kustomization({ resources: ['b.yaml'] }));
  expect(found(await again())).toEqual([]);
});
