/** The inputs of the action: what each is without a word, what it takes, and what it does not. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { type Inputs, readInputs } from '../../src/action/inputs.js';
import { UsageError } from '../../src/core/model.js';
import { root } from '../support/cli.js';

/** As @actions/core reads them. */
function read(given: Record<string, string>, env: NodeJS.ProcessEnv = {}): Inputs {
  const core = {
    getInput: (name: string) => given[name]?.trim() ?? '',
    getMultilineInput: (name: string) => (given[name] ?? '').split('\n').filter((line) => line !== ''),
  };
  return readInputs(core, env);
}

const none: Inputs = {
  ...{
    directory: '.',
    paths: [],
    failOn: 'error',
    simulate: true,
    comment: true,
    maxComments: 20,
    commentNotices: false,
    instance: '',
  },
};

test('without a word, and with what action.yml gives', () => {
  expect(read({})).toEqual(none);
  const { inputs } = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as {
    inputs: Record<string, { default?: unknown }>;
  };
  const given = Object.entries(inputs).map(([name, { default: value }]) => [
    name,
    value === undefined ? '' : `${value}`,
  ]);
  expect(read({ ...Object.fromEntries(given), token: '' })).toEqual(none);
});

test.each<[string, string, Partial<Inputs>]>([
  ['directory', 'platform', { directory: 'platform' }],
  ['path', 'a\nb', { paths: ['a', 'b'] }],
  ['config', 'c.yaml', { config: 'c.yaml' }],
  ['release', 'v1.6.2', { release: 'v1.6.2' }],
  ['base', 'main', { base: 'main' }],
  ['json-file', 'r.json', { jsonFile: 'r.json' }],
  ['sarif-file', 'r.sarif', { sarifFile: 'r.sarif' }],
  ['publish', 'r.json', { publish: 'r.json' }],
  ['max-seconds', '60', { maxSeconds: '60' }],
  ['max-memory', '512', { maxMemory: '512' }],
  ['dry-run', 'off', {}],
  ['dry-run', 'kind', { dryRun: 'kind' }],
  ['dry-run', 'envtest', { dryRun: 'envtest' }],
  ['fail-on', 'warning', { failOn: 'warning' }],
  ['fail-on', 'notice', { failOn: 'notice' }],
  ['fail-on', 'never', { failOn: 'never' }],
  ['only-new', 'true', { onlyNew: true }],
  ['only-new', 'false', { onlyNew: false }],
  ['simulate', 'true', {}],
  ['simulate', 'false', { simulate: false }],
  ['comment', 'true', {}],
  ['comment', 'false', { comment: false }],
  ['max-comments', '0', { maxComments: 0 }],
  ['max-comments', '7', { maxComments: 7 }],
  ['max-comments', '100', { maxComments: 100 }],
  ['instance', 'staging', { instance: 'staging', category: 'staging' }],
  ['comment-notices', 'true', { commentNotices: true }],
  ['comment-notices', 'false', {}],
])('%s: %s', (name, value, expected) => {
  expect(read({ [name]: value })).toEqual({ ...none, ...expected });
});

describe('two jobs without a name are told apart by', () => {
  const instance = (given: Record<string, string>, env: NodeJS.ProcessEnv) => read(given, env).instance;
  const env = { GITHUB_WORKFLOW: 'lint', GITHUB_JOB: 'a' };

  test.each<[string, Record<string, string>, NodeJS.ProcessEnv]>([
    ['their workflow', {}, { ...env, GITHUB_WORKFLOW: 'other' }],
    ['their job', {}, { ...env, GITHUB_JOB: 'b' }],
    ['their directory', { directory: 'north' }, env],
    ['their paths', { path: 'north' }, env],
  ])('%s', (_, given, other) => {
    expect(instance(given, other)).not.toBe(instance({}, env));
    expect(instance({ ...given, instance: 'x' }, other)).toBe('x');
  });

  test('nothing else: the next run is the same', () => {
    expect(instance({ release: 'v1.6.2' }, { ...env, GITHUB_RUN_ID: '2' })).toBe(instance({}, env));
  });
});

describe('is refused', () => {
  test.each<[string, string]>([
    ['dry-run', '/etc/kubeconfig'],
    ['dry-run', 'Kind'],
    ['fail-on', 'off'],
    ['only-new', 'yes'],
    ['simulate', '0'],
    ['comment', 'no'],
    ['max-comments', '101'],
    ['max-comments', '-1'],
    ['max-comments', '1.5'],
    ['max-comments', '12345'],
    ['max-comments', '5x'],
    ['max-comments', 'x5'],
  ])('%s: %s', (name, value) => {
    expect(() => read({ [name]: value })).toThrow(UsageError);
    expect(() => read({ [name]: value })).toThrow(`input ${name}: "${value}" is not`);
  });
});
