/** What of a change is new: for which objects a line is wrong, how what applies it reaches the cluster, and which ignores count. */

import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { type Cluster, clustersOf } from '../../src/cluster/cluster.js';
import { type Config, defaults } from '../../src/config/config.js';
import type { Policy, Trust } from '../../src/config/policy.js';
import type { Entrypoint, Fix, Place, Problem, Rendered } from '../../src/core/model.js';
import { type LintResult, RevisionLinter } from '../../src/lint/lint-revision.js';
import { runHere } from '../support/here.js';
import { commitTwice } from '../support/history.js';
import { treeOf } from '../support/tree-of.js';
import { configMap, createRepo, type Files, kustomization, removeRepo } from '../support/trees.js';

const rule = 'dead-patch';
const ignore = (reason: string, name = rule) => ` # customizer-lint ignore ${name} -- ${reason}\n`;

type Texts = Record<string, string>;
type Setting = Partial<Policy> & { trust?: Trust; clusters?: readonly Cluster[] };

const policyOf = (more: Partial<Policy> = {}): Policy => ({
  ...{ config: defaults(), before: defaults(), from: 'head', facts: 'head', newIgnores: true, notes: [] },
  ...more,
});

/** The two revisions, and the tip of the base branch where it is another. */
function linterOf(files: { head: Texts; base?: Texts; tip?: Texts }, { trust, clusters = [], ...more }: Setting = {}) {
  const policy = policyOf(more);
  const trees = {
    head: treeOf(files.head),
    ...(files.base && { base: { ...treeOf(files.base), revision: 'base' as const } }),
    ...(files.tip && { tip: treeOf(files.tip) }),
  };
  return new RevisionLinter(trees, policy, clusters, {
    today: '2026-12-31',
    trust: trust ?? 'same-repository',
    remotes: [],
  });
}

const entrypoint = (more: Partial<Entrypoint> = {}): Entrypoint => ({
  path: 'apps',
  why: 'given with --path',
  kustomization: {},
  ...more,
});
const built = (...files: string[]): Rendered => rendered({}, ...files);
const rendered = (more: Partial<Entrypoint>, ...files: string[]): Rendered => ({
  ok: true,
  entrypoint: entrypoint(more),
  objects: [],
  files: files.length > 0 ? files : ['a.yaml'],
  ...{ lost: [], steps: [], dropped: [], undefinedVariables: [] },
});
const place = (...path: string[]): Place => ({ file: 'a.yaml', document: 0, path });
const problem = (more: Partial<Problem> = {}): Problem => ({ rule, message: 'm', at: place('a'), ...more });

const summary = ({ findings, ignored }: Pick<LintResult, 'findings' | 'ignored'>) => ({
  findings: findings.map(({ rule, isNew }) => `${rule}${isNew === undefined ? '' : isNew ? ' new' : ' old'}`),
  ignored: ignored.map(({ finding, isNew }) => `${finding.rule}${isNew ? ' new' : ''}`),
});

describe('one revision', () => {
  test('has what its stages found, and what could not be built', () => {
    const refused = { ...built(), ok: false, problem: problem({ rule: 'build-failure', at: { file: 'a.yaml' } }) };
    const { findings } = linterOf({ head: { 'a.yaml': 'a: 1\n' } }).lint('head', [refused as Rendered], [problem()]);
    expect(findings.map(({ rule, severity, at }) => [rule, severity, at.revision, at.range.start.line])).toEqual([
      ['build-failure', 'error', 'head', 1],
      [rule, 'warning', 'head', 1],
    ]);
  });

  test('leaves what could not be built to the rules that know more of it', () => {
    const refused = (rule: string) => ({ ...built(), ok: false, problem: problem({ rule }) }) as unknown as Rendered;
    const found = (rule: string) => linterOf({ head: {} }).lint('head', [refused(rule)], []).findings;
    const counts = ['remote-base', 'build-failure', rule].map((one) => found(one).length);
    expect(counts).toEqual([0, 1, 1]);
  });

  test('is judged anew each time, in the order in which one reads', () => {
    const text = `a: 1\nb: 2\nc: 3${ignore('in vain')}x: 0\nd: 5\n`;
    const linter = linterOf({ head: { 'a.yaml': text } });
    const places = (...fields: string[]) => fields.map((field) => problem({ at: place(field) }));
    const lines = (...fields: string[]) =>
      linter.lint('head', [built()], places(...fields)).findings.map(({ at }) => at.range.start.line);
    expect([lines('d', 'a'), lines('b')]).toEqual([
      [1, 3, 5],
      [2, 3],
    ]);
  });

  test('counts an ignore until its day', () => {
    const until = (day: string) => {
      const head = { 'a.yaml': `a: 1${ignore(`known (until ${day})`)}` };
      return summary(linterOf({ head }).lint('head', [built()], [problem()]));
    };
    expect(until('2026-12-31')).toEqual({ findings: [], ignored: [rule] });
    expect(until('2026-12-30')).toEqual({ findings: [rule, 'expired-ignore'], ignored: [] });
  });

  test('offers to remove an entry of the configuration only from the revision that it stands in', () => {
    const reason = 'in vain';
    const config: Config = { ...defaults(), ignores: [{ rule, reason }] };
    const files = { '.customizer-lint.yaml': `ignores:\n- {rule: ${rule}, reason: ${reason}}\n` };
    const fixOf = (from: Policy['from']) => {
      const { findings } = linterOf({ head: files, base: files }, { config, from }).lint('head', [built()], []);
      return findings.map(({ rule, fix }) => [rule, fix?.()?.title]);
    };
    expect(fixOf('head')).toEqual([['unused-ignore', 'remove the ignore']]);
    expect(fixOf('base')).toEqual([['unused-ignore', undefined]]);
  });

  test('with nothing to check is not green', () => {
    expect(linterOf({ head: {} }).lint('head', [], []).findings).toMatchObject([
      {
        rule: 'missing-entrypoint',
        message: 'no directory that Flux applies was found, so nothing is checked',
        help: 'name one with --path, or list entrypoints in .customizer-lint.yaml',
        at: { file: '.customizer-lint.yaml' },
      },
    ]);
  });

  test('is judged by its own configuration, and its places are its own', () => {
    const off: Config = { ...defaults(), rules: { [rule]: { severity: 'off' } } };
    const files = { head: { 'a.yaml': 'b: 2\na: 1\n' }, base: { 'a.yaml': 'a: 1\n' } };
    const linter = linterOf(files, { config: off });
    expect(linter.lint('head', [built()], [problem()]).findings).toStrictEqual([]);
    const { findings } = linter.lint('base', [built()], [problem()]);
    expect(findings.map(({ at }) => [at.revision, at.range.start.line])).toEqual([['base', 1]]);
  });

  const remedy = { title: 'remove a', safe: true, changes: [{ do: 'remove' as const, at: place('a') }] };
  test('is edited where it is the head', () => {
    const files = { 'a.yaml': 'a: 1\nb: 2\n' };
    const fixOf = (revision: 'head' | 'base'): Fix | undefined =>
      linterOf({ head: files, base: files })
        .lint(revision, [built()], [problem({ remedy, entrypoint: 'apps' })])
        .findings[0]?.fix?.();
    expect(fixOf('head')).toMatchObject({ title: 'remove a', edits: [{ at: { file: 'a.yaml' }, text: '' }] });
    expect(fixOf('base')).toBeUndefined();
  });

  test('brings back what was there before', () => {
    const text = 'kind: ConfigMap\nmetadata: {name: a}\n';
    const object = {
      ...{ ref: { apiVersion: 'v1', kind: 'ConfigMap', name: 'a' }, value: {} },
      ...{ revision: 'base', entrypoint: 'apps', source: { file: 'b.yaml', document: 0 } },
    };
    const restore = { title: 'restore it', safe: false, changes: [{ do: 'restore', object, without: [], add: [] }] };
    const clusters = [{ base: { entrypoints: [built('b.yaml')] } }, {}] as unknown as Cluster[];
    const problems = [problem({ remedy: restore as unknown as Problem['remedy'] & object })];
    const linter = linterOf({ head: { 'a.yaml': 'a: 1\n' }, base: { 'b.yaml': text } }, { clusters });
    const [found] = linter.lint('head', [built()], problems).findings;
    expect(found?.fix?.()?.edits).toMatchObject([{ at: { file: 'b.yaml' }, text }]);
  });

  test('has its ignores, in what is built and in what something was found in, and says which are of no use', () => {
    const head = {
      'a.yaml': `a: 1${ignore('known')}`,
      'b.yaml': `b: 1${ignore('for nothing')}`,
      'c.yaml': ignore('x'),
    };
    const { findings, ignored } = linterOf({ head }).lint('head', [built('b.yaml')], [problem()]);
    expect(ignored).toMatchObject([{ finding: { rule }, reason: 'known' }]);
    expect(findings).toMatchObject([{ rule: 'unused-ignore', at: { file: 'b.yaml' } }]);
  });

  test('does not call an ignore unused where the stage that it is of did not run', () => {
    const head = { 'a.yaml': `a: 1${ignore('later', 'accepted-by-server')}` };
    const found = (ran: string[]) => summary(linterOf({ head }).lint('head', [built()], [], ran)).findings;
    expect(found([])).toEqual([]);
    expect(found(['dry-run'])).toEqual(['unused-ignore']);
    // One of several that may see it is enough.
    const both = { 'a.yaml': `a: 1${ignore('later', 'refused-by-server')}` };
    const one = linterOf({ head: both }).lint('head', [built()], [], ['simulation']);
    expect(summary(one).findings).toEqual(['unused-ignore']);
  });

  test('has no opinion of what a server refuses where it is not there', () => {
    expect(linterOf({ head: {} }).said('base')).toEqual([]);
  });
});

describe('compared with the base', () => {
  const plain = { 'a.yaml': 'a: 1\nb: 2\n' };
  function compared(
    files: Parameters<typeof linterOf>[0],
    problems: { head: Problem[]; base: Problem[] },
    setting: Setting & { rendered?: { head: Rendered[]; base: Rendered[] } } = {},
  ) {
    const { rendered: given = { head: [built()], base: [built()] }, ...more } = setting;
    const linter = linterOf(files, more);
    const head = linter.lint('head', given.head, problems.head);
    return summary(linter.markNew(head, files.base && linter.lint('base', given.base, problems.base)));
  }

  test('what it has is old, and all else is new', () => {
    const [a, b] = [problem(), problem({ at: place('b') })];
    expect(compared({ head: plain, base: plain }, { head: [b, a], base: [a] }).findings).toEqual([
      `${rule} old`,
      `${rule} new`,
    ]);
    expect(compared({ head: plain }, { head: [a], base: [] }).findings).toEqual([rule]);
  });

  test('what a rule compares decides whether it is the same', () => {
    const map = { head: { 'a.yaml': 'a: {b: 1}\n' }, base: { 'a.yaml': 'a: {b: 2}\n' } };
    const found = (rule: string) => compared(map, { head: [problem({ rule })], base: [problem({ rule })] }).findings;
    expect([found('dead-patch'), found('replaced-list')]).toEqual([['dead-patch old'], ['replaced-list new']]);
  });

  test('what was ignored there is old as well', () => {
    const base = { 'a.yaml': `a: 1${ignore('known')}` };
    expect(compared({ head: plain, base }, { head: [problem()], base: [problem()] })).toEqual({
      findings: [`${rule} old`],
      ignored: [],
    });
  });

  const ignoring = { 'a.yaml': `a: 1${ignore('known')}` };
  const both = { head: [problem()], base: [problem()] };
  test('an ignore that comes with a change of our own counts, and is told', () => {
    expect(compared({ head: ignoring, base: plain }, both)).toEqual({ findings: [], ignored: [`${rule} new`] });
    const kept = { findings: [], ignored: [rule] };
    expect(compared({ head: ignoring, base: ignoring }, both)).toEqual(kept);
    expect(compared({ head: ignoring, base: ignoring, tip: plain }, both)).toEqual(kept);
  });

  describe('a stranger', () => {
    const newIgnores = false;
    const found = (head: Texts, base: Texts, tip?: Texts, more: Setting = {}) =>
      compared({ head, base, ...(tip && { tip }) }, both, { newIgnores, ...more });
    const refused = { findings: [`${rule} old`], ignored: [] };
    const accepted = { findings: [], ignored: [rule] };

    test('brings no ignore along', () => {
      expect(found(ignoring, plain)).toEqual(refused);
      const a = problem({ at: place('a') });
      expect(compared({ head: ignoring, base: plain }, { head: [a], base: [] }, { newIgnores })).toEqual({
        findings: [`${rule} new`],
        ignored: [],
      });
    });

    test('keeps an ignore that was there before, as long as the tip of the base branch has it', () => {
      expect(found(ignoring, ignoring)).toEqual(accepted);
      expect(found(ignoring, ignoring, ignoring)).toEqual(accepted);
      const gone = { findings: [`${rule} new`], ignored: [] };
      expect(found(ignoring, ignoring, plain)).toEqual(gone);
      expect(found(ignoring, ignoring, {})).toEqual(gone);
      const among = { 'a.yaml': `# a comment\n${ignoring['a.yaml']}` };
      expect(found(ignoring, ignoring, among)).toEqual(accepted);
      expect(found(ignoring, ignoring, { 'a.yaml': `a: known${ignore('other')}` })).toEqual(gone);
      expect(found(ignoring, ignoring, { 'a.yaml': `a: 1${ignore('known', 'schema-violation')}` })).toEqual(gone);
    });

    test('keeps one of what is applied as before', () => {
      const applied = { head: [problem({ entrypoint: 'apps' })], base: [problem({ entrypoint: 'apps' })] };
      expect(compared({ head: ignoring, base: ignoring }, applied, { newIgnores })).toEqual(accepted);
    });

    test('is told of what he would ignore where it stands', () => {
      const other = problem({ rule: 'schema-violation', at: place('b') });
      const { findings } = compared(
        { head: { 'a.yaml': `${ignoring['a.yaml']}x: 0\nb: 2\n` }, base: {} },
        { head: [...both.head, other], base: [] },
        { newIgnores },
      );
      expect(findings).toEqual([`${rule} new`, 'schema-violation new']);
    });

    test('keeps one that the configuration has, which is not his, whatever the files of the tip say', () => {
      const config: Config = { ...defaults(), ignores: [{ rule, reason: 'known' }] };
      expect(found(plain, plain, plain, { config, before: config })).toEqual(accepted);
      expect(found(plain, plain, plain, { config, before: defaults() })).toEqual(refused);
      const otherwise = (one: Config['ignores'][number]) =>
        found(ignoring, ignoring, plain, { config: { ...config, ignores: [one] }, before: config }).ignored;
      expect(otherwise({ rule, reason: 'other', paths: ['z.yaml'] })).toEqual([]);
      expect(otherwise({ rule: 'schema-violation', reason: 'known' })).toEqual([]);
    });

    test('has a finding for new where what applies it was suspended, which in our own change stays old', () => {
      const suspended = { head: [built()], base: [rendered({ reach: 'suspended' })] };
      const unsure = { head: [built()], base: [rendered({ reach: 'GitRepository a/b' })] };
      const at = { ...problem(), entrypoint: 'apps' };
      const newOf = (given: typeof suspended, newIgnores: boolean) =>
        compared({ head: plain, base: plain }, { head: [at], base: [at] }, { newIgnores, rendered: given }).findings;
      expect(newOf(suspended, false)).toEqual([`${rule} new`]);
      expect(newOf(suspended, true)).toEqual([`${rule} new`]);
      expect(newOf(unsure, false)).toEqual([`${rule} new`]);
      expect(newOf(unsure, true)).toEqual([`${rule} old`]);
    });
  });

  describe('of several that apply a directory', () => {
    const at = { ...problem(), entrypoint: 'apps' };
    const found = (base: Partial<Entrypoint>[], head: Partial<Entrypoint>[]) => {
      const all = (those: Partial<Entrypoint>[]) => those.map((one) => rendered(one));
      const given = { rendered: { head: all(head), base: all(base) }, newIgnores: false };
      return compared({ head: plain, base: plain }, { head: [at], base: [at] }, given).findings;
    };
    const [sure, suspended, unsure] = [{}, { reach: 'suspended' }, { reach: 'unrendered' }];
    const account = { account: { namespace: 'x', name: 'y' } };
    test.each<[string, Partial<Entrypoint>[], Partial<Entrypoint>[], boolean]>([
      ['the surest counts, first', [sure, suspended], [sure], false],
      ['the surest counts, last', [suspended, sure], [sure], false],
      ['the surest counts, behind one that may', [unsure, sure], [sure], false],
      ['the surest counts, before one that may', [sure, unsure], [sure], false],
      ['one that may counts before one that is suspended', [suspended, unsure], [unsure], false],
      ['one that may counts behind one that is suspended', [unsure, suspended], [unsure], false],
      ['one that may is not sure', [suspended, unsure], [sure], true],
      ['another account is another', [sure], [account], true],
      ['another account counts by itself', [account, sure], [sure, account], false],
      ['one more account is new', [sure], [sure, account], true],
    ])('%s', (_, base, head, isNew) => {
      expect(found(base, head)).toEqual([`${rule} ${isNew ? 'new' : 'old'}`]);
    });

    test('each cluster counts by itself', () => {
      const [a, b] = [{ appliedFrom: 'clusters/a' }, { appliedFrom: 'clusters/b' }];
      expect([found([a, b], [b, a]), found([a], [a, b])]).toEqual([[`${rule} old`], [`${rule} new`]]);
    });

    test('a directory of another cluster is another', () => {
      const of = (path: string) => rendered({ path });
      const both = (entrypoint: string) => [{ ...problem(), entrypoint }];
      const given = { head: [of('clusters/b/apps')], base: [of('clusters/a/apps')] };
      const change = { head: both('clusters/b/apps'), base: both('clusters/a/apps') };
      expect(compared({ head: plain, base: plain }, change, { rendered: given }).findings).toEqual([`${rule} new`]);
    });
  });
});

describe('for a report', () => {
  const linter = linterOf({ head: { 'apps/a.yaml': 'a: 1\n' }, base: { 'b.yaml': 'token: abc\n' } });
  test('the text of a file is there, of either revision', () => {
    expect(linter.sources.text('head', 'apps/a.yaml')).toBe('a: 1\n');
    expect(linter.sources.text('head', 'b.yaml')).toBeUndefined();
    expect(linter.sources.text('base', 'b.yaml')).toBe('token: abc\n');
  });

  test('what is secret in a file is told, be it of a Secret that is built', () => {
    const text = 'apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData: {a: abcdef}\n';
    const at = { file: 'c.yaml', document: 0, line: 4, column: 17 };
    const object = {
      ...{ ref: { apiVersion: 'v1', kind: 'Secret', name: 'a' }, value: { stringData: { a: 'abcdef' } } },
      ...{ revision: 'head', entrypoint: 'apps', source: { file: 'c.yaml', document: 0 } },
      ...{ writers: () => [{ by: 'resource', from: [at] }], removed: () => [] },
    };
    const one = linterOf({ head: { 'c.yaml': text } });
    one.lint('head', [{ ...built('c.yaml'), objects: [object] } as unknown as Rendered], []);
    const known = one.sources.secrets('head', 'c.yaml');
    expect([...(known.documents ?? [])]).toEqual([0]);
    expect(one.sources.secrets('head', 'c.yaml')).toBe(known);
    expect(one.sources.secrets('head', 'd.yaml')).toEqual({});
    expect(one.sources.secrets('base', 'c.yaml')).toEqual({});
    expect(linter.sources.secrets('base', 'b.yaml')).toEqual({});
  });

  test('a link is there', () => {
    const head = { ...treeOf({}), links: ['link'] };
    const one = new RevisionLinter({ head }, policyOf(), [], { today: '', trust: 'fork', remotes: [] });
    expect([one.sources.has('head', 'link'), one.sources.has('head', 'other')]).toEqual([true, false]);
  });

  test('a file and a directory are there or not', () => {
    const { has } = linter.sources;
    expect([has('head', 'apps/a.yaml'), has('head', 'apps'), has('head', 'b.yaml')]).toEqual([true, true, false]);
    expect([has('base', 'b.yaml'), linterOf({ head: {} }).sources.has('base', 'b.yaml')]).toEqual([true, false]);
  });
});

describe('what the rules say of a cluster', () => {
  /** A ConfigMap whose data the API server refuses, in a cluster of its own for each revision. */
  const refusedObject = (revision: 'head' | 'base', more: object = {}) => ({
    ref: { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'x', name: 'a' },
    value: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'x', name: 'a' }, data: { a: 1 } },
    ...{ revision, entrypoint: 'apps', source: { file: 'a.yaml', document: 0 } },
    ...{ index: 0, writers: () => [], children: () => undefined, removed: () => [] },
    ...more,
  });
  const files = { 'a.yaml': 'a: 1\n' };
  /** The chart owns this field, but no server refuses it. */
  const pack = { apiVersion: 'cozystack.io/v1alpha1', kind: 'Package', name: 'cozystack.metallb' };
  const ownedField = {
    ref: pack,
    value: { apiVersion: pack.apiVersion, kind: pack.kind, metadata: { name: pack.name }, spec: { variant: 'oidc' } },
  };
  const renderedIn = (revision: 'head' | 'base') =>
    ({ ...built(), objects: [refusedObject(revision), refusedObject(revision, ownedField)] }) as unknown as Rendered;
  const config = defaults();
  const clusters = clustersOf(
    { rendered: [renderedIn('head')], unrendered: [] },
    { rendered: [renderedIn('base')], unrendered: [] },
    {
      data: join(import.meta.dirname, '..', '..', 'schemas'),
      trust: 'same-repository',
      sources: { head: { config, files: undefined }, base: { config, files: undefined } },
    },
  );
  const linterIn = async (setting: Setting = {}) =>
    linterOf({ head: files, base: files }, { ...setting, clusters: await clusters });
  const off: Config = { ...defaults(), rules: { 'schema-violation': { severity: 'off' } } };

  test('is found, and what could not be checked and for which clusters it is are told', async () => {
    const linter = await linterIn();
    const result = linter.lint('head', [renderedIn('head')], []);
    expect(result.findings.map(({ rule }) => rule)).toEqual(
      expect.arrayContaining(['schema-violation', 'chart-owned-field']),
    );
    expect(result.worlds.filter(({ likeliest }) => likeliest)).toHaveLength(1);
    expect(result.notChecked).toEqual([]);
  });

  test('as the server refuses it is the same whatever the configuration says, and of each revision its own', async () => {
    const linter = await linterIn({ config: off, before: off });
    expect(linter.lint('head', [renderedIn('head')], []).findings.map(({ rule }) => rule)).not.toContain(
      'schema-violation',
    );
    for (const revision of ['head', 'base'] as const) {
      const said = linter.said(revision);
      expect(said.map(({ rule, severity, at }) => [rule, severity, at.revision, at.file])).toContainEqual([
        ...['schema-violation', 'error', revision, 'a.yaml'],
      ]);
      expect(said.map(({ rule }) => rule)).not.toContain('chart-owned-field');
      expect(linter.said(revision)).toBe(said);
    }
  });
});

describe('in a repository', () => {
  let folder: string;
  afterEach(() => removeRepo(folder));

  /** The rules of the findings that are new. */
  async function newIn(files: Files, change: Files): Promise<string[]> {
    const made = commitTwice(files, change);
    folder = made.folder;
    const { stdout } = await runHere(['check', folder, '--base', made.base, '--format', 'json']);
    const { findings } = JSON.parse(stdout) as { findings: { rule: string; isNew: boolean }[] };
    return findings.filter(({ isNew }) => isNew).map(({ rule }) => rule);
  }

  const annotations = { 'kustomize.toolkit.fluxcd.io/ssa': 'Merge', 'kustomize.toolkit.fluxcd.io/prune': 'disabled' };
  const pack = (name: string, spec: object) =>
    JSON.stringify({ apiVersion: 'cozystack.io/v1alpha1', kind: 'Package', metadata: { name, annotations }, spec });
  const apply = (name: string, spec: object = {}) =>
    JSON.stringify({
      apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
      kind: 'Kustomization',
      metadata: { name, namespace: 'cozy-customizer' },
      spec: {
        interval: '5m',
        prune: true,
        path: './apps',
        sourceRef: { kind: 'GitRepository', name: 'self' },
        ...spec,
      },
    });

  test('a line that was wrong for one object is wrong anew for another', async () => {
    const patched = (name: string) =>
      kustomization({
        resources: ['a.yaml', 'b.yaml'],
        patches: [{ path: 'p.yaml', target: { kind: 'Package', name } }],
      });
    const files = {
      'kustomization.yaml': patched('cozystack.metallb'),
      'a.yaml': pack('cozystack.metallb', { components: {} }),
      'b.yaml': pack('cozystack.linstor', { components: {} }),
      'p.yaml': '- {op: add, path: /spec/variant, value: oidc}\n',
    };
    expect(await newIn(files, { 'kustomization.yaml': patched('cozystack.linstor') })).toContain('chart-owned-field');
  });

  test('of several that apply a directory the one that reaches the cluster counts, wherever it is listed', async () => {
    const files = {
      'kustomization.yaml': kustomization({ resources: ['on.yaml', 'off.yaml'] }),
      ...{ 'on.yaml': apply('on'), 'off.yaml': apply('off', { suspend: true }) },
      'apps/kustomization.yaml': kustomization({ resources: ['a.yaml'] }),
      'apps/a.yaml': pack('cozystack.metallb', { variant: 'oidc' }),
    };
    expect(await newIn(files, { 'kustomization.yaml': kustomization({ resources: ['on.yaml'] }) })).toEqual([]);
  });

  test('a file that is not there is said to be so', async () => {
    folder = createRepo({ 'note.yaml': configMap('note') });
    const { stdout } = await runHere(['check', folder]);
    expect(stdout).toContain('--> kustomization.yaml (not there)\n');
  });
});

test('what the configuration calls an error holds nothing back in the cluster', async () => {
  const realm = JSON.stringify({
    ...{ apiVersion: 'k8s.keycloak.org/v2alpha1', kind: 'KeycloakRealmImport' },
    ...{ metadata: { name: 'portal', namespace: 'cozy-keycloak' }, spec: { keycloakCRName: 'keycloak', realm: {} } },
  });
  const list = (...resources: string[]) => ({ 'kustomization.yaml': kustomization({ resources }) });
  for (const severity of ['warning', 'error']) {
    const files = {
      '.customizer-lint.yaml': `rules: {other-keycloak-operator: ${severity}}\n`,
      'a.yaml': configMap('a'),
    };
    const made = commitTwice({ ...files, ...list('a.yaml') }, { ...list('a.yaml', 'b.yaml'), 'b.yaml': realm });
    const { stdout } = await runHere(['check', made.folder, '--base', made.base, '--format', 'markdown']);
    expect(stdout).toContain(`1 ${severity}`);
    expect(stdout).toMatch(/creates 1, .*\n\+ KeycloakRealmImport cozy-keycloak\/portal\n/);
    expect(stdout).not.toContain('applies nothing from');
    removeRepo(made.folder);
  }
});
