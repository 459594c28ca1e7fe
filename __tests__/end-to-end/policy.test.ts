/** Policy comes from where it cannot be forged: the table of who may change what, event by event, and attempts to get around it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, describe, expect, test } from '@jest/globals';
import { runHere } from '../support/here.js';
import { commitTwice, gitIn, type History } from '../support/history.js';
import { runActionHere } from '../support/job.js';
import type { Event } from '../support/runner.js';
import { someOf } from '../support/sample.js';
import { createRepo, type Files, kustomization, removeRepo } from '../support/trees.js';

const planted: string[] = [];
afterAll(() => planted.forEach(removeRepo));

function history(...args: Parameters<typeof commitTwice>): History {
  const made = commitTwice(...args);
  planted.push(made.folder);
  return made;
}

const annotations = '{kustomize.toolkit.fluxcd.io/ssa: Merge, kustomize.toolkit.fluxcd.io/prune: disabled}';
const metallb = (spec: string) =>
  `apiVersion: cozystack.io/v1alpha1\nkind: Package\nmetadata:\n  name: cozystack.metallb\n  annotations: ${annotations}\nspec:\n${spec}`;
const good = metallb('  components: {metallb: {values: {metallb: {speaker: {logLevel: debug}}}}}\n');
const bad = metallb('  variant: default\n');
const clean: Files = { 'kustomization.yaml': kustomization({ resources: ['metallb.yaml'] }), 'metallb.yaml': good };
const off = 'rules: {chart-owned-field: off}\n';

const pullRequest = ({ base }: History, from: string | null): Event => ({
  name: 'pull_request',
  payload: {
    pull_request: { base: { sha: base, repo: { full_name: 'o/r' } }, head: { repo: from && { full_name: from } } },
  },
});
const events: Record<string, (history: History) => Event> = {
  'a pull request': (made) => pullRequest(made, 'o/r'),
  'a pull request of a fork': (made) => pullRequest(made, 'someone/r'),
  'a pull request of a fork that is gone': (made) => pullRequest(made, null),
  'a merge group': ({ base }) => ({ name: 'merge_group', payload: { merge_group: { base_sha: base } } }),
  'a push': () => ({ name: 'push', payload: { before: '0'.repeat(40) } }),
};
const run = async (made: History, event: string, inputs: Record<string, string> = {}) => {
  const result = await runActionHere(made.folder, inputs, events[event]?.(made));
  return { ...result, failed: result.status !== 0 };
};
function expectRed({ failed, log }: { failed: boolean; log: string }): void {
  expect({ failed, log: stripVTControlCharacters(log) }).toEqual({
    failed: true,
    log: expect.stringContaining('error[chart-owned-field]'),
  });
}
const forks = ['a pull request of a fork', 'a pull request of a fork that is gone'];
const ours = ['a pull request', 'a merge group'];
const everyEvent = [...ours, ...forks];

describe('the configuration', () => {
  test.each(someOf(everyEvent, 2))('of the base counts in %s, and what the head alters is said', async (event) => {
    const made = history(
      { ...clean, '.customizer-lint.yaml': 'rules: {dead-patch: notice}\n' },
      {
        '.customizer-lint.yaml': off,
        'metallb.yaml': bad,
      },
    );
    const { failed, log } = await run(made, event);
    expect(failed).toBe(true);
    expect(stripVTControlCharacters(log)).toMatch(/policy .*rules\.chart-owned-field, rules\.dead-patch/);
  });

  test.each(someOf(everyEvent, 2))('of the base can switch a rule off in %s', async (event) => {
    const made = history({ ...clean, '.customizer-lint.yaml': off }, { 'metallb.yaml': bad });
    expect((await run(made, event)).failed).toBe(false);
  });

  test.each(someOf(ours, 1))('of the head counts in %s where the base has none, with a word', async (event) => {
    const made = history(clean, { '.customizer-lint.yaml': off, 'metallb.yaml': bad });
    const { failed, log } = await run(made, event);
    expect(failed).toBe(false);
    expect(log).toContain('.customizer-lint.yaml is new in this change; it is used');
  });

  test.each(someOf(forks, 1))('of the head does not count in %s where the base has none', async (event) => {
    const made = history(clean, { '.customizer-lint.yaml': off, 'metallb.yaml': bad });
    expectRed(await run(made, event));
  });

  test.each(someOf(forks, 1))(
    'that the job names does not count in %s where the base has none, and what it sets is said',
    async (event) => {
      const made = history(clean, { 'ci/lint.yaml': off, 'metallb.yaml': bad });
      const { failed, log } = await run(made, event, { config: 'ci/lint.yaml' });
      expectRed({ failed, log });
      const said = 'the changes of ci/lint.yaml are not used: the change is a fork’s: rules.chart-owned-field\n';
      expect(stripVTControlCharacters(log)).toContain(said);
    },
  );

  test('of what was pushed counts in a push', async () => {
    const made = history(clean, { '.customizer-lint.yaml': off, 'metallb.yaml': bad });
    expect((await run(made, 'a push')).failed).toBe(false);
  });

  test('is removed by the head in vain', async () => {
    const made = history(
      { ...clean, '.customizer-lint.yaml': 'require: [base]\nrules: {dead-patch: error}\n' },
      {
        '.customizer-lint.yaml': null,
        'metallb.yaml': bad,
      },
    );
    const { failed, log } = await run(made, 'a pull request');
    expect(failed).toBe(true);
    expect(log).toContain('require, rules.dead-patch');
  });
});

describe('the baseline', () => {
  const empty = '{"version": 1, "findings": []}';
  const named = { '.customizer-lint.yaml': 'baseline: old.json\n' };
  /** Of all that a check of these files finds. */
  const baselineOf = async (files: Files) => {
    const folder = createRepo(files);
    planted.push(folder);
    const file = join(folder, 'old.json');
    expect((await runHere(['check', folder, '--baseline', file, '--write-baseline'])).status).toBe(0);
    return readFileSync(file, 'utf8');
  };
  const inputs = { 'only-new': 'false' };

  test.each(someOf(everyEvent, 2))('of the base counts in %s', async (event) => {
    const old = { ...clean, 'metallb.yaml': bad };
    const made = history({ ...old, ...named, 'old.json': await baselineOf(old) }, { 'README.md': 'a' });
    expect((await run(made, event, inputs)).failed).toBe(false);
    const without = history({ ...old, ...named, 'old.json': empty }, { 'README.md': 'a' });
    expectRed(await run(without, event, inputs));
  });

  test.each(someOf(everyEvent, 2))('of the head does not count in %s', async (event) => {
    const changed = { 'metallb.yaml': bad, 'old.json': await baselineOf({ ...clean, 'metallb.yaml': bad }) };
    expectRed(await run(history({ ...clean, ...named, 'old.json': empty }, changed), event));
  });

  test.each(someOf(forks, 1))('that is the first does not count in %s', async (event) => {
    const changed = { ...named, 'metallb.yaml': bad, 'old.json': await baselineOf({ ...clean, 'metallb.yaml': bad }) };
    expectRed(await run(history(clean, changed), event));
  });

  test.each(someOf(ours, 1))('that is the first counts in %s, as a first configuration does', async (event) => {
    const changed = { ...named, 'metallb.yaml': bad, 'old.json': await baselineOf({ ...clean, 'metallb.yaml': bad }) };
    expect((await run(history(clean, changed), event)).failed).toBe(false);
  });

  test.each(someOf(everyEvent, 2))('has no finding of another value in %s', async (event) => {
    const old = { ...clean, 'metallb.yaml': bad };
    const made = history(
      { ...old, ...named, 'old.json': await baselineOf(old) },
      { 'metallb.yaml': metallb('  variant: oidc\n') },
    );
    expectRed(await run(made, event));
  });

  // What a change takes back and brings again is new to the base, whatever was accepted before.
  test.each(someOf(forks, 1))('does not cover in %s what the base has no more', async (event) => {
    const made = history(
      { ...clean, ...named, 'old.json': await baselineOf({ ...clean, 'metallb.yaml': bad }) },
      { 'metallb.yaml': bad },
    );
    expectRed(await run(made, event));
  });
});

describe('contract data that a change brings along', () => {
  const config = { '.customizer-lint.yaml': 'cluster: {release: v1.6.2}\ncozystack: {data: contract}\n' };
  const data = { 'contract/kubernetes/v1.35.json': '{}', 'contract/cozystack/v1.5.4/catalog.json': '{}' };

  test.each(someOf(ours, 1))('count in %s for both sides, where its configuration is the first', async (event) => {
    const { status, log } = await run(history(clean, { ...config, ...data }), event);
    expect({ status, log }).toEqual({ status: 0, log: expect.stringContaining('.customizer-lint.yaml is new') });
  });

  test.each(someOf(forks, 1))('do not count in %s, where the base has none', async (event) => {
    const { status, log } = await run(history({ ...clean, ...config }, data), event);
    expect({ status, log }).toEqual({ status: 2, log: expect.stringContaining('there is no data in ') });
  });
});

describe('ignores that a change brings along', () => {
  const ignored = bad.replace(
    'variant: default',
    'variant: default # customizer-lint ignore chart-owned-field -- why not',
  );

  test.each(
    ours.flatMap((event) => [
      [event, 'without', {}],
      [event, 'with', { '.customizer-lint.yaml': 'rules: {dead-patch: notice}\n' }],
    ]) as [string, string, Files][],
  )('count in %s %s a configuration, and are listed', async (event, _, config) => {
    const { failed, log } = await run(history({ ...clean, ...config }, { 'metallb.yaml': ignored }), event);
    expect(failed).toBe(false);
    expect(stripVTControlCharacters(log)).toMatch(/newly ignored +1 × chart-owned-field: why not/);
  });

  test.each(someOf(forks, 1))('do not count in %s', async (event) => {
    expectRed(await run(history(clean, { 'metallb.yaml': ignored }), event));
  });

  test.each(someOf(everyEvent, 2))('count in %s if they were there before', async (event) => {
    const { failed, log } = await run(history({ ...clean, 'metallb.yaml': ignored }, { 'other.txt': 'x' }), event);
    expect(failed).toBe(false);
    expect(stripVTControlCharacters(log)).toMatch(/ignored +1 × chart-owned-field: why not/);
    expect(log).not.toContain('newly ignored');
  });
});

describe('facts of the cluster', () => {
  const facts = 'cluster: {release: v1.5.4}\n';

  test.each(someOf(ours, 1))('are the head’s in %s', async (event) => {
    const made = history(
      { ...clean, '.customizer-lint.yaml': 'cluster: {release: v1.6.2}\n' },
      {
        '.customizer-lint.yaml': facts,
      },
    );
    const { log } = await run(made, event, { 'json-file': 'report.json' });
    expect(log).toContain('cluster.release');
    expect(reported(made).facts.find(({ name }) => name === 'release')?.value).toBe('v1.5.4');
  });

  test.each(someOf(forks, 1))('are the base’s in %s', async (event) => {
    const made = history(
      { ...clean, '.customizer-lint.yaml': 'cluster: {release: v1.6.2}\n' },
      {
        '.customizer-lint.yaml': facts,
      },
    );
    await run(made, event, { 'json-file': 'report.json' });
    expect(reported(made).facts.find(({ name }) => name === 'release')?.value).toBe('v1.6.2');
  });

  /** What the report says of a fact, by the event: our own change states it, a stranger's does not. */
  const bothWays: [string, string][] = [
    ...ours.map((event) => [event, 'head']),
    ...forks.map((event) => [event, 'base']),
  ] as never;

  test.each(someOf(bothWays, 1))('of several clusters, in %s: the %s’s', async (event, whose) => {
    const several = (release: string) => `clusters: [{name: lab, paths: ['.'], release: ${release}}]\n`;
    const made = history(
      { ...clean, '.customizer-lint.yaml': several('v1.6.2') },
      { '.customizer-lint.yaml': several('v1.5.4') },
    );
    await run(made, event, { 'json-file': 'report.json' });
    expect(reported(made).facts.find(({ name }) => name === 'release')?.value).toBe(
      whose === 'head' ? 'v1.5.4' : 'v1.6.2',
    );
  });

  const platform = (namespaces: string) =>
    `apiVersion: cozystack.io/v1alpha1\nkind: Package\nmetadata:\n  name: cozystack.cozystack-platform\n  annotations: ${annotations}\nspec:\n  components: {platform: {values: {customizer: {rbac: {ownedNamespaces: [${namespaces}]}}}}}\n`;

  test.each(someOf(everyEvent, 2))('in a manifest hold for what renders it, in %s', async (event) => {
    const resources = kustomization({ resources: ['metallb.yaml', 'platform.yaml'] });
    const made = history(
      { ...clean, 'kustomization.yaml': resources, 'platform.yaml': platform('one') },
      { 'platform.yaml': platform('one, two') },
    );
    await run(made, event, { 'json-file': 'report.json' });
    expect(reported(made).facts.find(({ name }) => name === 'ownedNamespaces')?.value).toEqual(['one', 'two']);
  });

  test.each(someOf(bothWays, 1))('in a snapshot, in %s: the %s’s', async (event, whose) => {
    const snapshot = (variant: string) =>
      `taken: '2026-11-01'\npackages: {cozystack.cozystack-platform: {variant: ${variant}}}\nkinds: {}\n`;
    const made = history(
      {
        ...clean,
        '.customizer-lint.yaml': 'cluster: {snapshot: live.snapshot}\n',
        'live.snapshot': snapshot('isp-hosted'),
      },
      { 'live.snapshot': snapshot('isp-full') },
    );
    await run(made, event, { 'json-file': 'report.json' });
    expect(reported(made).facts.find(({ name }) => name === 'variant')?.value).toBe(
      whose === 'head' ? 'isp-full' : 'isp-hosted',
    );
  });
});

describe('old problems', () => {
  const old = { ...clean, 'metallb.yaml': bad };

  test.each(someOf(everyEvent, 2))('do not fail %s, but are listed', async (event) => {
    const { failed, log } = await run(history(old, { 'other.txt': 'x' }), event);
    expect(failed).toBe(false);
    expect(log).toContain('1 error (none new)');
  });

  test('fail a pull request where only-new is false, and a push', async () => {
    const made = history(old, { 'other.txt': 'x' });
    expectRed(await run(made, 'a pull request', { 'only-new': 'false' }));
    expectRed(await run(made, 'a push'));
  });

  test.each(someOf(everyEvent, 2))('stay old in %s that removes the ignore of one', async (event) => {
    const ignored = bad.replace('default', 'default # customizer-lint ignore chart-owned-field -- why not');
    const { failed, log } = await run(history({ ...clean, 'metallb.yaml': ignored }, { 'metallb.yaml': bad }), event);
    expect({ failed, log }).toEqual({ failed: false, log: expect.stringContaining('1 error (none new)') });
  });

  test('stay old when their line moves, and new ones are new beside them', async () => {
    const made = history(old, {
      'metallb.yaml': bad.replace('metadata:', '# a comment\nmetadata:'),
      'kustomization.yaml': kustomization({ resources: ['metallb.yaml', 'linstor.yaml'] }),
      'linstor.yaml': bad.replace('metallb', 'linstor'),
    });
    const result = await runHere(['check', made.folder, '--base', made.base, '--only-new', '--format', 'json']);
    const { findings } = JSON.parse(result.stdout) as { findings: { file: string; isNew: boolean }[] };
    expect(findings.map(({ file, isNew }) => [file, isNew])).toEqual([
      ['linstor.yaml', true],
      ['metallb.yaml', false],
    ]);
    expect(result.status).toBe(1);
  });

  test('stay old where the revision that is compared with has a name like an option', async () => {
    const made = history(old, { 'other.txt': 'x' });
    gitIn(made.folder)('update-ref', 'refs/tags/--before', made.base);
    const { status, stdout } = await runHere(['check', made.folder, '--base=--before', '--only-new']);
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('1 error (none new)') });
  });

  test('count where the commit before is not at hand, and that is said', async () => {
    const made = { ...history(old, { 'other.txt': 'x' }), base: 'a'.repeat(40) };
    const { failed, log } = await run(made, 'a pull request');
    expect(failed).toBe(true);
    expect(log).toContain('base: git cannot fetch aaaaaaaaaaaa');
  });

  test('the configuration of a fork does not count where the commit before is not at hand', async () => {
    const made = { ...history(clean, { 'metallb.yaml': bad, '.customizer-lint.yaml': off }), base: 'a'.repeat(40) };
    expectRed(await run(made, 'a pull request of a fork'));
  });
});

/** A change that breaks the contract, and what it does besides so that nobody sees it. */
const prod: Files = {
  'clusters/prod/kustomization.yaml': kustomization({ resources: ['metallb.yaml'] }),
  'clusters/prod/metallb.yaml': good,
};
const flux = (path: string) =>
  `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps, namespace: flux-system}\nspec:\n  path: ${path}\n  prune: true\n  interval: 5m\n  sourceRef: {kind: GitRepository, name: flux-system}\n`;
const role = 'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: all}\nrules: []\n';
const forbidden: Files = {
  'clusters/prod/kustomization.yaml': kustomization({ resources: ['metallb.yaml', 'role.yaml'] }),
  'clusters/prod/role.yaml': role,
};
const patched = (path: string): Files => ({
  'flux/kustomization.yaml': kustomization({ resources: ['apps.yaml'] }),
  'clusters/prod/kustomization.yaml': kustomization({
    resources: ['../../flux'],
    patches: [
      {
        target: { kind: 'Kustomization' },
        patch: JSON.stringify([{ op: 'replace', path: '/spec/path', value: path }]),
      },
    ],
  }),
});
const evasions: Record<string, [Files, Parameters<typeof commitTwice>[1]]> = {
  'the path moves': [
    { ...prod, '.customizer-lint.yaml': 'entrypoints: [clusters/prod]\n' },
    {
      'clusters/prod': null,
      'elsewhere/kustomization.yaml': kustomization({ resources: ['metallb.yaml'] }),
      'elsewhere/metallb.yaml': bad,
    },
  ],
  'the folder of a cluster moves': [
    prod,
    {
      'clusters/prod': null,
      'clusters/production/kustomization.yaml': kustomization({}),
      'clusters/production/x.txt': '',
    },
  ],
  'the Flux object is deleted': [
    { 'flux.yaml': flux('./apps'), 'apps/metallb.yaml': good },
    { 'flux.yaml': null, 'apps/metallb.yaml': bad },
  ],
  'the Flux object names another path': [
    { 'flux.yaml': flux('./apps'), 'apps/metallb.yaml': good, 'other/metallb.yaml': good },
    { 'flux.yaml': flux('./other'), 'apps/metallb.yaml': bad },
  ],
  'the Flux object becomes one of another repository': [
    { 'flux.yaml': flux('./apps'), 'apps/metallb.yaml': good },
    { 'flux.yaml': flux('./apps').replace('GitRepository', 'Bucket'), 'apps/metallb.yaml': bad },
  ],
  'a patch of the Flux object names another path': [
    {
      ...patched('./apps/prod'),
      'flux/apps.yaml': flux('./apps'),
      'apps/prod/metallb.yaml': good,
      'other/a.yaml': good,
    },
    { ...patched('./other'), 'apps/prod/metallb.yaml': bad },
  ],
  'a patch of the Flux object has named the path': [
    { ...patched('./apps/prod'), 'flux/apps.yaml': flux('./apps'), 'apps/prod/metallb.yaml': good },
    { 'apps/prod/metallb.yaml': bad },
  ],
  'a Flux object without an account names what the customizer applies': [
    prod,
    { ...forbidden, 'flux.yaml': flux('./clusters/prod') },
  ],
  'a file says that Flux itself applies the folder': [
    prod,
    { ...forbidden, 'clusters/prod/flux-system/gotk-sync.yaml': flux('./clusters/prod') },
  ],
  'an empty file says that Flux itself applies the folder': [
    prod,
    { ...forbidden, 'clusters/prod/flux-system/gotk-sync.yaml': '# nothing\n' },
  ],
  'an ignore stands in a block scalar': [
    clean,
    { 'metallb.yaml': `${bad}  x: |\n    # customizer-lint ignore chart-owned-field -- no comment\n` },
  ],
  'an ignore stands in a string': [
    clean,
    {
      'metallb.yaml': bad.replace(
        'variant: default',
        'variant: "default # customizer-lint ignore chart-owned-field -- no"',
      ),
    },
  ],
  'an ignore stands in the text of a patch': [
    clean,
    {
      'kustomization.yaml': `resources: [metallb.yaml]\npatches:\n  - patch: |-\n      # customizer-lint ignore chart-owned-field -- no comment of this file\n      - {op: add, path: /spec/variant, value: x}\n    target: {kind: Package}\n`,
    },
  ],
  'an ignore has no reason': [
    clean,
    { 'metallb.yaml': bad.replace('variant: default', 'variant: default # customizer-lint ignore chart-owned-field') },
  ],
  'the configuration switches the rule off': [
    { ...clean, '.customizer-lint.yaml': 'cluster: {release: v1.6.2}\n' },
    { 'metallb.yaml': bad, '.customizer-lint.yaml': off },
  ],
  'the configuration becomes unreadable': [
    { ...clean, '.customizer-lint.yaml': 'rules: {chart-owned-field: error}\n' },
    { 'metallb.yaml': bad, '.customizer-lint.yaml': '{{' },
  ],
  'the configuration names other entrypoints': [
    { ...prod, '.customizer-lint.yaml': 'entrypoints: [clusters/prod]\n' },
    { 'clusters/prod/metallb.yaml': bad, '.customizer-lint.yaml': 'entrypoints: [nothing]\n', 'nothing/a.yaml': good },
  ],
  'a file is too large to be read': [clean, { 'metallb.yaml': `${bad}# ${'x'.repeat(5 << 20)}\n` }],
  'a file is larger than anybody reads': [clean, { 'metallb.yaml': `${bad}# ${'x'.repeat(2 << 20)}\n` }],
  'a base is somewhere else': [
    clean,
    { 'kustomization.yaml': kustomization({ resources: ['https://example.org/base?ref=main', 'metallb.yaml'] }) },
  ],
  'a link takes the place of a file': [clean, { 'metallb.yaml': { link: '../somewhere/metallb.yaml' } }],
  'the root lists nothing any more': [clean, { 'kustomization.yaml': kustomization({ resources: [] }), 'x.yaml': bad }],
  'the root is a file of another kind': [clean, { 'kustomization.yaml': 'resources: {}\n', 'metallb.yaml': bad }],
  'an override hides in bytes that are no text': [
    clean,
    { 'metallb.yaml': Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(bad, 'utf16le')]) },
  ],
  'the file is ignored by git': [{ ...clean, '.gitignore': 'metallb.yaml\n' }, { 'metallb.yaml': bad }],
};

/** What is found of each all the same. */
const raised: Record<string, string[]> = {
  'the path moves': ['missing-entrypoint'],
  'the folder of a cluster moves': ['missing-entrypoint'],
  'the Flux object is deleted': ['chart-owned-field', 'missing-entrypoint'],
  'the Flux object names another path': ['chart-owned-field', 'missing-entrypoint'],
  'the Flux object becomes one of another repository': ['chart-owned-field', 'forbidden-object', 'missing-entrypoint'],
  'a patch of the Flux object names another path': ['chart-owned-field', 'missing-entrypoint'],
  'a patch of the Flux object has named the path': ['chart-owned-field'],
  'a Flux object without an account names what the customizer applies': ['forbidden-object'],
  'a file says that Flux itself applies the folder': ['forbidden-object'],
  'an empty file says that Flux itself applies the folder': ['forbidden-object'],
  'an ignore stands in a block scalar': ['chart-owned-field', 'schema-violation'],
  'an ignore stands in a string': ['chart-owned-field'],
  'an ignore stands in the text of a patch': ['chart-owned-field'],
  'an ignore has no reason': ['chart-owned-field', 'invalid-config'],
  'the configuration switches the rule off': ['chart-owned-field'],
  'the configuration becomes unreadable': ['chart-owned-field', 'invalid-config'],
  'the configuration names other entrypoints': ['chart-owned-field'],
  'a file is too large to be read': ['unbuildable-kustomization'],
  'a file is larger than anybody reads': ['chart-owned-field'],
  'a base is somewhere else': ['remote-base'],
  'a link takes the place of a file': ['symlink'],
  'the root lists nothing any more': ['pruned-everything'],
  'the root is a file of another kind': ['unbuildable-kustomization'],
  'an override hides in bytes that are no text': ['chart-owned-field'],
  'the file is ignored by git': ['chart-owned-field'],
};

describe('a change does not end with exit 0 because', () => {
  test.each(someOf(Object.keys(evasions), 5))('%s', async (name) => {
    const [files, change] = evasions[name] as (typeof evasions)[string];
    const made = history(files, change);
    const action = await run(made, 'a pull request');
    const command = await runHere(['check', made.folder, '--base', made.base, '--only-new', '--format', 'json']);
    const { findings } = JSON.parse(command.stdout) as {
      findings: { rule: string; severity: string; isNew: boolean }[];
    };
    const errors = findings.filter(({ severity, isNew }) => severity === 'error' && isNew).map(({ rule }) => rule);
    expect({ action: action.status, command: command.status, errors: [...new Set(errors)].sort() }).toEqual({
      ...{ action: 1, command: 1 },
      errors: raised[name],
    });
    for (const rule of errors) expect(stripVTControlCharacters(action.log)).toContain(`error[${rule}]`);
  });
});

type Reported = { facts: { name: string; value: unknown }[] };
function reported({ folder }: History): Reported {
  return JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as Reported;
}

describe('a change of the workflow that runs the check, where the directory is one of several', () => {
  const workflow = (version: string) => `jobs: {lint: {steps: [{uses: 'cozystack/customizer-lint@${version}'}]}}\n`;
  const below = Object.fromEntries(Object.entries(clean).map(([name, text]) => [`platform/${name}`, text]));
  const file = '.github/workflows/lint.yaml';
  const seen = async (before: Files, after: Files) => {
    const made = history({ ...below, ...before }, after);
    const { log } = await run(made, 'a pull request', { directory: 'platform' });
    const { stdout } = await runHere(['check', join(made.folder, 'platform'), '--base', made.base]);
    const texts = [stripVTControlCharacters(log), stdout];
    for (const text of texts) expect(text).toContain('compared');
    const said = texts.map((text) => [
      ...new Set(
        [...text.matchAll(/workflow "([^"]+)", which runs this check, is (\w+) by/g)].map(
          ([, name, verb]) => `${verb} ${name}`,
        ),
      ),
    ]);
    return { said, annotated: /::notice [^\n]*file=([^,]+)[^\n]*which runs this check/.exec(log)?.[1] };
  };

  test.each([
    ['modified', { [file]: workflow('v1') }, { [file]: workflow('v2') }],
    ['added', {}, { [file]: workflow('v1') }],
    ['removed', { [file]: workflow('v1') }, { [file]: null }],
    ['modified', { [file]: workflow('v1') }, { [file]: 'jobs: {}\n' }],
  ] as [string, Files, Files][])('it %s one', async (verb, before, after) => {
    const words = [`${verb} ${file}`];
    // What is gone has no line to be annotated.
    const annotated = verb === 'removed' ? undefined : file;
    expect(await seen(before, after)).toEqual({ said: [words, words], annotated });
  });

  test('workflows without end are refused', async () => {
    const large = Object.fromEntries(
      Array.from({ length: 5 }, (_, index) => [
        `.github/workflows/${index}.yaml`,
        `# ${' '.repeat(3.9 * 1024 * 1024)}\n`,
      ]),
    );
    const { folder } = history({ ...below, ...large }, { [file]: workflow('v2') });
    const { status, stderr } = await runHere(['check', join(folder, 'platform')]);
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringContaining('".github/workflows/" holds more than 16777216 bytes'),
    });
  });

  test.each([
    ['of other workflows', { '.github/workflows/build.yaml': 'jobs: {}\n' }],
    ['of what GitHub takes for none', { '.github/workflows/deeper/lint.yaml': workflow('v2') }],
    ['where a link stands in its place', { '.github/workflows/link.yaml': { link: '../../platform/metallb.yaml' } }],
  ] as [string, Files][])('nothing is said %s', async (_, after) => {
    expect((await seen({ [file]: workflow('v1') }, after)).said).toEqual([[], []]);
  });
});
