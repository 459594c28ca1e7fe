/** What a change cannot choose for itself: the value of an old finding, the facts that judge the base, the commit that policy comes from. */
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, describe, expect, test } from '@jest/globals';
import { root } from '../support/cli.js';
import { runHere } from '../support/here.js';
import { commitTwice, gitIn, type History } from '../support/history.js';
import { runActionHere } from '../support/job.js';
import { createRepo, type Files, kustomization, removeRepo } from '../support/trees.js';

const planted: string[] = [];
afterAll(() => planted.forEach(removeRepo));

type Change = Parameters<typeof commitTwice>[1];
const history = (files: Files, change: Change): History => {
  const made = commitTwice(files, change);
  planted.push(made.folder);
  return made;
};

const annotations = '{kustomize.toolkit.fluxcd.io/ssa: Merge, kustomize.toolkit.fluxcd.io/prune: disabled}';
const metallb = (spec: string) =>
  `apiVersion: cozystack.io/v1alpha1\nkind: Package\nmetadata:\n  name: cozystack.metallb\n  annotations: ${annotations}\nspec:\n${spec}`;
const variant = (value: string) => metallb(`  variant: ${value}\n`);
const good = metallb('  components: {metallb: {values: {metallb: {speaker: {logLevel: debug}}}}}\n');
const clean: Files = { 'kustomization.yaml': kustomization({ resources: ['metallb.yaml'] }), 'metallb.yaml': good };

/** The action on a pull request; `base` and `merge` are what the event and the runner say of the base branch. */
async function pull(
  made: History,
  from: 'fork' | 'branch',
  more: { base?: string; merge?: string; name?: string } = {},
) {
  const repo = from === 'fork' ? 'someone/r' : 'o/r';
  const payload = {
    pull_request: {
      number: 7,
      base: { sha: more.base ?? made.base, ref: 'main', repo: { full_name: 'o/r' } },
      head: { sha: made.head, repo: { full_name: repo } },
    },
  };
  const env: Record<string, string> = more.merge ? { GITHUB_SHA: more.merge } : {};
  const event = { name: more.name ?? 'pull_request', payload };
  return runActionHere(made.folder, { comment: 'false' }, event, env);
}

describe('a value that takes the place of an old one is new', () => {
  const accepted = (value: string) =>
    variant(`${value} # customizer-lint ignore chart-owned-field -- equals the default`);
  const kube = (value: string) =>
    metallb(`  components: {metallb: {values: {metallb: {crds: {enabled: ${value}}}}}}\n  variant: default\n`);
  const byConfig =
    'ignores:\n- {rule: chart-owned-field, object: Package/cozystack.metallb, reason: equals the default}\n';
  const cases: [string, 'fork' | 'branch', Files, Change][] = [
    ['an old finding', 'fork', { ...clean, 'metallb.yaml': variant('default') }, { 'metallb.yaml': variant('oidc') }],
    ['an old finding', 'branch', { ...clean, 'metallb.yaml': variant('default') }, { 'metallb.yaml': variant('oidc') }],
    [
      'an ignore beside it',
      'fork',
      { ...clean, 'metallb.yaml': accepted('default') },
      { 'metallb.yaml': accepted('oidc') },
    ],
    [
      'an ignore of the configuration',
      'fork',
      { ...clean, 'metallb.yaml': variant('default'), '.customizer-lint.yaml': byConfig },
      { 'metallb.yaml': variant('oidc') },
    ],
    [
      'a patch',
      'fork',
      {
        'metallb.yaml': good,
        'kustomization.yaml': kustomization({ resources: ['metallb.yaml'], patches: [{ path: 'patch.yaml' }] }),
        'patch.yaml': variant('default'),
      },
      { 'patch.yaml': variant('oidc') },
    ],
  ];
  test.concurrent.each(cases)('%s, of a %s', async (_, from, files, change) => {
    const { status, log } = await pull(history(files, change), from);
    expect({ status, log }).toEqual({ status: 1, log: expect.stringContaining('chart-owned-field') });
  });

  test.concurrent.each<[string, Files, Change]>([
    [
      'the same value',
      { ...clean, 'metallb.yaml': variant('default') },
      { 'metallb.yaml': `# moved\n${variant('default')}` },
    ],
    ['another field', { ...clean, 'metallb.yaml': kube('true') }, { 'metallb.yaml': kube('false') }],
  ])('and %s is not', async (_, files, change) => {
    const { status, log } = await pull(history(files, change), 'fork');
    expect({ status, log }).toEqual({ status: 0, log: expect.stringContaining('chart-owned-field') });
  });
});

describe('what a change takes away is its own doing', () => {
  const inTools: Files = {
    'kustomization.yaml': kustomization({ resources: ['settings.yaml'] }),
    'settings.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: tools}\ndata: {a: b}\n',
  };
  const owned = (names: string) => `cluster: {ownedNamespaces: [${names}]}\n`;
  const platform = (names: string) =>
    `apiVersion: cozystack.io/v1alpha1\nkind: Package\nmetadata:\n  name: cozystack.cozystack-platform\n  annotations: ${annotations}\nspec:\n  components:\n    platform:\n      values: {customizer: {rbac: {ownedNamespaces: [${names}]}}}\n`;
  const withPlatform: Files = {
    ...inTools,
    'kustomization.yaml': kustomization({ resources: ['settings.yaml', 'platform.yaml'] }),
    'platform.yaml': platform('cozy-customizer, tools'),
  };
  const encrypted: Files = {
    'kustomization.yaml': kustomization({ resources: ['secret.yaml'] }),
    'secret.yaml':
      'apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: cozy-customizer}\nstringData:\n  a: ENC[AES256_GCM,data:YQ==,iv:YQ==,tag:YQ==,type:str]\nsops: {mac: "ENC[AES256_GCM,data:YQ==,iv:YQ==,tag:YQ==,type:str]", version: 3.9.0}\n',
  };
  test.concurrent.each<[string, string, Files, Change]>([
    [
      'a namespace of the configuration',
      'forbidden-object',
      { ...inTools, '.customizer-lint.yaml': owned('cozy-customizer, tools') },
      { '.customizer-lint.yaml': owned('cozy-customizer') },
    ],
    [
      'a namespace of the platform’s Package',
      'forbidden-object',
      withPlatform,
      { 'platform.yaml': platform('cozy-customizer') },
    ],
    [
      'the decryption',
      'encrypted-without-decryption',
      { ...encrypted, '.customizer-lint.yaml': 'cluster: {decryption: true}\n' },
      { '.customizer-lint.yaml': 'cluster: {decryption: false}\n' },
    ],
    [
      'the decryption, with the whole configuration',
      'encrypted-without-decryption',
      { ...encrypted, '.customizer-lint.yaml': 'cluster: {decryption: true}\n' },
      { '.customizer-lint.yaml': null },
    ],
  ])('%s', async (_, rule, files, change) => {
    const { status, log } = await pull(history(files, change), 'branch');
    expect({ status, log }).toEqual({ status: 1, log: expect.stringContaining(rule) });
  });
});

describe('policy comes from the tip of the base branch', () => {
  const off = 'rules: {chart-owned-field: off}\n';

  /** A branch from the first commit, while the base branch has gone on by `later`. */
  function diverged(
    files: Files,
    later: Change,
    change: Change,
  ): History & { tip: string; git: (...args: string[]) => string } {
    const made = history(files, later);
    const git = gitIn(made.folder);
    git('checkout', '-q', '-b', 'topic', made.base);
    for (const [path, content] of Object.entries(change)) {
      if (typeof content === 'string') writeFileSync(join(made.folder, path), content);
      else rmSync(join(made.folder, path));
    }
    git('add', '-A', '-f');
    git('commit', '-q', '-m', 'x');
    return { ...made, tip: made.head, head: git('rev-parse', 'HEAD'), git };
  }

  const ignored = variant('default # customizer-lint ignore chart-owned-field -- for now');
  /** Without it the merge would have what the base branch has corrected. */
  const conflict = { 'x.txt': 'y' };
  test.concurrent.each<[string, 'fork' | 'branch', Files, Change, Change]>([
    [
      'a rule was off once',
      'fork',
      { ...clean, '.customizer-lint.yaml': off },
      { '.customizer-lint.yaml': null },
      { 'metallb.yaml': variant('oidc') },
    ],
    [
      'a rule was off once',
      'branch',
      { ...clean, '.customizer-lint.yaml': off },
      { '.customizer-lint.yaml': 'rules: {}\n' },
      { 'metallb.yaml': variant('oidc') },
    ],
    [
      'an ignore was there once',
      'fork',
      { ...clean, 'metallb.yaml': ignored },
      { 'metallb.yaml': good, ...conflict },
      { 'kustomization.yaml': kustomization({ resources: ['metallb.yaml'], namePrefix: '' }), 'x.txt': 'x' },
    ],
    [
      'an ignore was there once, and an entry of another rule has its reason',
      'fork',
      { ...clean, 'metallb.yaml': ignored },
      {
        'metallb.yaml': good,
        '.customizer-lint.yaml': 'ignores:\n- {rule: dead-patch, reason: for now}\n',
        ...conflict,
      },
      { 'x.txt': 'x' },
    ],
    [
      'an ignore was there once, and a comment of another rule has its reason',
      'fork',
      { ...clean, 'metallb.yaml': ignored },
      { 'metallb.yaml': `${good} # customizer-lint ignore dead-patch -- for now\n`, ...conflict },
      { 'x.txt': 'x' },
    ],
  ])('%s: a %s from then is judged by what counts now', async (_, from, files, later, change) => {
    const made = diverged(files, later, change);
    const { status, log } = await pull(made, from, { base: made.tip });
    expect({ status, log }).toEqual({ status: 1, log: expect.stringContaining('chart-owned-field') });
  });

  const accepted = 'ignores:\n- {rule: chart-owned-field, object: Package/cozystack.metallb, reason: agreed}\n';
  test.each([
    ['stays where the tip has it too', `# more\n${accepted}`, /ignored +1 × chart-owned-field: agreed/],
    ['leaves an old finding where the tip has none', '{}\n', /error.*chart-owned-field[\s\S]*1 error \(none new\)/],
  ])('an ignore of the configuration that a fork began with %s', async (_, now, expected) => {
    const files = { ...clean, 'metallb.yaml': variant('default'), '.customizer-lint.yaml': accepted };
    const made = diverged(files, { '.customizer-lint.yaml': now }, { 'metallb.yaml': `# more\n${variant('default')}` });
    const { status, log } = await pull(made, 'fork', { base: made.tip });
    expect({ status, log: stripVTControlCharacters(log) }).toEqual({
      status: 0,
      log: expect.stringMatching(expected),
    });
  });

  test('a base branch that was merged into the change brings no new findings', async () => {
    const made = diverged(clean, { 'metallb.yaml': variant('oidc') }, { 'other.txt': 'x' });
    made.git('merge', '-q', '--no-edit', made.tip);
    const head = made.git('rev-parse', 'HEAD');
    made.git('checkout', '-q', '--detach', made.tip);
    made.git('merge', '-q', '--no-ff', '--no-edit', head);
    const merge = made.git('commit-tree', '-p', made.tip, '-p', head, '-m', 'm', 'HEAD^{tree}');
    // The event still names the commit that the branch began with.
    const run = await pull({ ...made, head }, 'branch', { merge });
    expect({ status: run.status, log: run.log }).toEqual({ status: 0, log: expect.stringContaining('none new') });
  });

  test('a merge commit of somebody else says nothing', async () => {
    const made = diverged(clean, { 'metallb.yaml': variant('oidc') }, { 'other.txt': 'x' });
    const merge = made.git('commit-tree', '-p', made.tip, '-p', made.tip, '-m', 'm', `${made.tip}^{tree}`);
    expect((await pull(made, 'fork', { merge })).status).toBe(0);
  });

  test('on pull_request_target the tip is the commit of the event, though it is a merge itself', async () => {
    const made = history({ ...clean, '.customizer-lint.yaml': off }, { '.customizer-lint.yaml': null });
    const git = gitIn(made.folder);
    // The rule was off in its first parent, and is not any more in the merge.
    const tip = git('commit-tree', '-p', made.base, '-p', made.head, '-m', 'm', `${made.head}^{tree}`);
    git('checkout', '-q', '--detach', tip);
    writeFileSync(join(made.folder, 'metallb.yaml'), variant('oidc'));
    git('commit', '-q', '-a', '-m', 'x');
    const head = git('rev-parse', 'HEAD');
    git('checkout', '-q', '--detach', tip);
    const more = { base: tip, merge: tip, name: 'pull_request_target' };
    const { status, log } = await pull({ ...made, head }, 'fork', more);
    expect({ status, log }).toEqual({ status: 1, log: expect.stringContaining('chart-owned-field') });
  });

  test('a first configuration does not narrow what the base applied', async () => {
    const files: Files = {
      ...clean,
      'docs/kustomization.yaml': kustomization({ resources: ['a.yaml'] }),
      'docs/a.yaml': good,
    };
    const made = history(files, { 'metallb.yaml': variant('oidc'), '.customizer-lint.yaml': 'entrypoints: [docs]\n' });
    const { status, log } = await pull(made, 'branch');
    expect({ status, log }).toEqual({ status: 1, log: expect.stringContaining('missing-entrypoint') });
  });
});

test('a severity of the configuration counts for what rests on a guess too', async () => {
  const folder = join(root, '__tests__/rules/disabled-dependency/assumed-variant');
  const copy = createRepo({ '.customizer-lint.yaml': 'rules: {disabled-dependency: error}\n' });
  planted.push(copy);
  cpSync(folder, copy, { recursive: true });
  const [guess, set] = await Promise.all([folder, copy].map((one) => runHere(['check', one])));
  expect([guess?.status, set?.status]).toEqual([0, 1]);
});
