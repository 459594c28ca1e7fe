/** Whose configuration a run goes by, for each kind of change, and what of it is said. */
import { describe, expect, test } from '@jest/globals';
import { type Config, defaults } from '../../src/config/config.js';
import { decidePolicy, type Policy, type PolicyInput } from '../../src/config/policy.js';

const config = (more: Partial<Config>, file?: string): Config => ({ ...defaults(file), ...more });
const lab = (more: Partial<Config['clusters'][number]> = {}) => ({ name: 'lab', paths: ['lab'], ...more });

/** Everything that a configuration can say, told apart by a word. */
const full = (word: string, release: string): Config =>
  config({
    entrypoints: [word],
    cluster: { release },
    clusters: [lab({ release, paths: [word] })],
    rules: { [word]: { severity: 'off' } },
    ignores: [{ rule: word, reason: word }] as Config['ignores'],
    require: word === 'head' ? ['base'] : [],
    ownership: [{ owner: word }] as unknown as Config['ownership'],
    cozystack: { data: word },
    dryRun: { user: word } as Config['dryRun'],
  });
const head = full('head', 'v1.6.2');
const base = full('base', 'v1.5.4');

const decide = (input: Partial<PolicyInput>): Policy =>
  decidePolicy({ head: undefined, base: undefined, with: 'base', trust: 'same-repository', ...input });

describe('with nothing to compare with', () => {
  test('the configuration counts as it is, and nothing is said', () => {
    expect(decide({ head, with: 'nothing' })).toEqual({
      ...{ config: head, from: 'head', facts: 'head', before: head, newIgnores: true, notes: [] },
    });
  });

  test('no configuration is one that says nothing', () => {
    const { config: own, before, notes } = decide({ with: 'nothing' });
    expect([own, before, notes]).toEqual([defaults(), defaults(), []]);
  });
});

describe('of a fork', () => {
  const settings =
    'cluster.release, clusters, cozystack.data, dryRun.user, entrypoints, ignores, ownership, require, rules.base, rules.head';

  test('the base’s counts for both sides, and what the change alters is named in order', () => {
    expect(decide({ head, base, trust: 'fork' })).toEqual({
      ...{ config: base, from: 'base', facts: 'base', before: base, newIgnores: false },
      notes: [`the changes of .customizer-lint.yaml are not used: the change is a fork’s: ${settings}`],
    });
  });

  test('the tip’s counts where that is another commit', () => {
    const tip = full('tip', 'v1.5.0');
    const policy = decide({ head: tip, base, tip: { config: tip }, trust: 'fork' });
    expect(policy).toEqual({ config: tip, from: 'tip', facts: 'tip', before: tip, newIgnores: false, notes: [] });
  });

  test('none counts where the tip has none, whatever the shared commit has', () => {
    const policy = decide({ head, base, tip: { config: undefined }, trust: 'fork' });
    expect([policy.config, policy.before, policy.from]).toEqual([defaults(), defaults(), 'tip']);
  });

  test.each(['base', 'unknown'] as const)('none counts where there is none: %s', (compared) => {
    const own = config({ require: ['base'] }, 'ci/lint.yaml');
    expect(decide({ head: own, with: compared, trust: 'fork' })).toEqual({
      ...{ config: defaults('ci/lint.yaml'), before: defaults('ci/lint.yaml') },
      ...{ from: 'base', facts: 'base', newIgnores: false },
      notes: ['the changes of ci/lint.yaml are not used: the change is a fork’s: require'],
    });
  });

  test('nothing is said where neither side has one', () => {
    expect(decide({ trust: 'fork' }).notes).toEqual([]);
  });
});

describe('of a change within the repository', () => {
  const counted = 'count after the merge, but those of the cluster already do';

  test('the base’s counts, with the clusters of the head', () => {
    const policy = decide({ head, base });
    expect(policy.config).toEqual({ ...base, cluster: head.cluster, clusters: head.clusters, ignores: head.ignores });
    expect([policy.from, policy.facts, policy.newIgnores]).toEqual(['base', 'head', true]);
    expect(policy.notes).toEqual([
      expect.stringContaining(`the changes of .customizer-lint.yaml ${counted}: cluster.release, clusters,`),
    ]);
  });

  test('the base is seen with the facts that it states itself, and for the rest with the head’s', () => {
    const now = config({
      cluster: { release: 'v1.6.2', variant: 'isp-full' },
      clusters: [
        { name: 'new', paths: ['new'], release: 'v1.6.2' },
        lab({ release: 'v1.6.2', variant: 'isp-full', paths: ['moved'] }),
      ],
    });
    const then = config({
      ...{ cluster: { release: 'v1.5.4' }, require: ['base'] },
      clusters: [{ name: 'gone', paths: ['gone'] }, lab({ release: 'v1.5.4' })],
    });
    expect(decide({ head: now, base: then }).before).toEqual({
      ...then,
      cluster: { release: 'v1.5.4', variant: 'isp-full' },
      clusters: [
        { name: 'new', paths: ['new'], release: 'v1.6.2' },
        lab({ release: 'v1.5.4', variant: 'isp-full', paths: ['moved'] }),
      ],
    });
  });

  test('the tip’s counts, and the facts of the base are those of the shared commit', () => {
    const tip = config({ require: ['base'], cluster: { release: 'v1.6.0' } });
    const policy = decide({ head, base, tip: { config: tip } });
    expect(policy.config).toEqual({ ...tip, cluster: head.cluster, clusters: head.clusters, ignores: head.ignores });
    expect(policy.from).toBe('tip');
    expect(policy.before.require).toEqual(['base']);
    expect(policy.before.cluster).toEqual({ release: 'v1.5.4' });
    expect(policy.before.clusters).toEqual([lab({ release: 'v1.5.4', paths: ['head'] })]);
  });

  test('the facts of the base are the tip’s where the shared commit states none', () => {
    const tip = config({ cluster: { release: 'v1.6.0' } });
    expect(decide({ head, tip: { config: tip } }).before.cluster).toEqual({ release: 'v1.6.0' });
  });

  test('one that is removed counts still, but for its clusters', () => {
    const named = { ...base, file: 'ci/lint.yaml' };
    const { config: used, notes } = decide({ base: named });
    expect(used).toEqual({ ...named, cluster: {}, clusters: [] });
    expect(notes).toEqual([expect.stringContaining(`the changes of ci/lint.yaml ${counted}: cluster.release,`)]);
  });

  test('nothing is said where nothing differs', () => {
    expect(decide({ head: base, base: structuredClone(base) }).notes).toEqual([]);
  });

  test.each<[string, Partial<Config>, Partial<Config>, string]>([
    ['a rule that is new', {}, { rules: { 'dead-patch': { severity: 'off' } } }, 'rules.dead-patch'],
    ['a rule that is gone', { rules: { 'dead-patch': { severity: 'off' } } }, {}, 'rules.dead-patch'],
    [
      'a rule with another option, and not the option',
      { rules: { a: { severity: 'error', paths: [] }, b: {} } },
      { rules: { a: { severity: 'notice', paths: [] }, b: {} } },
      'rules.a',
    ],
    ['a list that is new', {}, { entrypoints: ['apps'] }, 'entrypoints'],
    ['a list that is gone', { entrypoints: ['apps'] }, {}, 'entrypoints'],
    ['an item of a list, by the list', { require: ['base'] }, { require: ['base', 'base'] }, 'require'],
    [
      'several, in order',
      { cozystack: { data: 'a' } },
      { rules: { b: {}, a: {} } },
      'cozystack.data, rules.a, rules.b',
    ],
  ])('what differs is named: %s', (_, then, now, expected) => {
    expect(decide({ head: config(now), base: config(then) }).notes).toEqual([
      `the changes of .customizer-lint.yaml ${counted}: ${expected}`,
    ]);
  });

  test('another file with the same settings is no change', () => {
    expect(decide({ head: config({}, 'b.yaml'), base: config({}, 'a.yaml') }).notes).toEqual([]);
  });
});

describe('a first configuration, within the repository,', () => {
  /** What it says of the clusters, and what is off, holds for the base too; entrypoints and ignores do not. */
  const before = {
    ...defaults(),
    ...{ cluster: head.cluster, clusters: head.clusters, rules: head.rules, cozystack: head.cozystack },
  };

  test.each([
    ['base', 'is new in this change'],
    ['unknown', 'is this change’s own'],
  ] as const)('counts, with a word: %s', (compared, why) => {
    expect(decide({ head, with: compared })).toEqual({
      ...{ config: head, from: 'head', facts: 'head', before, newIgnores: true },
      notes: [`.customizer-lint.yaml ${why}; it is used, as no other can be had`],
    });
  });

  test('counts where the tip has none, though the shared commit has one', () => {
    const policy = decide({ head, base, tip: { config: undefined } });
    expect([policy.config, policy.from, policy.before]).toEqual([head, 'head', before]);
  });

  test('stands for the base under its own name', () => {
    expect(decide({ head: config({}, 'ci/lint.yaml') }).before.file).toBe('ci/lint.yaml');
  });

  test('that is not there changes nothing, and nothing is said', () => {
    expect(decide({})).toEqual({
      ...{ config: defaults(), from: 'head', facts: 'head', before: defaults(), newIgnores: true, notes: [] },
    });
  });
});
