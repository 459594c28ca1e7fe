/** The configuration, as a user meets it: each setting does what the README says, and a mistake is a finding at its line. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import Ajv from 'ajv';
import { root } from '../support/cli.js';
import { runHere } from '../support/here.js';
import { configMap, createRepo, type Files, kustomization, removeRepo } from '../support/trees.js';

const planted: string[] = [];
afterAll(() => planted.forEach(removeRepo));

type Found = { rule: string; severity: string; file: string; line: number; message: string; entrypoints: string[] };
type Report = {
  findings: Found[];
  facts: { name: string; value: unknown; source: string; cluster?: string }[];
  notChecked: { what: string; why: string; count: number }[];
};

async function check(files: Files, ...args: string[]): Promise<Report & { status: number | null }> {
  const folder = createRepo(files);
  planted.push(folder);
  const { status, stdout, stderr } = await runHere(['check', folder, '--format', 'json', ...args]);
  if (stdout === '') throw new Error(stderr);
  return { status, ...(JSON.parse(stdout) as Report) };
}

const metallb = (spec: string) =>
  `apiVersion: cozystack.io/v1alpha1\nkind: Package\nmetadata:\n  name: cozystack.metallb\n  annotations: {kustomize.toolkit.fluxcd.io/ssa: Merge, kustomize.toolkit.fluxcd.io/prune: disabled}\nspec:\n${spec}`;
const owned = metallb('  variant: default\n');
const tree = (config: string, more: Files = {}): Files => ({
  'kustomization.yaml': kustomization({ resources: ['metallb.yaml'] }),
  'metallb.yaml': owned,
  '.customizer-lint.yaml': config,
  ...more,
});
const severities = ({ findings }: Report) => findings.map(({ rule, severity }) => `${severity} ${rule}`);

describe('severity', () => {
  test.each([
    ['of a rule', 'rules: {chart-owned-field: notice}', ['notice chart-owned-field']],
    ['off', 'rules: {chart-owned-field: off}', []],
    ['in the long form', 'rules: {chart-owned-field: {severity: warning}}', ['warning chart-owned-field']],
    [
      'below a path',
      'rules: {chart-owned-field: {severity: warning, paths: [{paths: ["*.yaml"], severity: notice}]}}',
      ['notice chart-owned-field'],
    ],
    [
      'below another path',
      'rules: {chart-owned-field: {paths: [{paths: ["lab/**"], severity: notice}]}}',
      ['error chart-owned-field'],
    ],
    [
      'the last path that fits',
      'rules: {chart-owned-field: {paths: [{paths: ["**"], severity: off}, {paths: [metallb.yaml], severity: notice}]}}',
      ['notice chart-owned-field'],
    ],
  ])('%s', async (_, config, expected) => {
    expect(severities(await check(tree(config)))).toEqual(expected);
  });
});

describe('ignores', () => {
  const ignore = (more: string) => `ignores: [{rule: chart-owned-field, reason: x${more}}]`;

  test.each([
    ['of a rule', ignore(''), []],
    ['below a path', ignore(', paths: ["*.yaml"]'), []],
    ['of an object', ignore(', object: Package/cozystack.metallb'), []],
    ['until a day to come', ignore(', expires: 2999-01-01'), []],
    ['below another path', ignore(', paths: [lab]'), ['warning unused-ignore', 'error chart-owned-field']],
    ['of another object', ignore(', object: Package/x'), ['warning unused-ignore', 'error chart-owned-field']],
    [
      'until a day that has passed',
      ignore(', expires: 2020-01-01'),
      ['warning expired-ignore', 'error chart-owned-field'],
    ],
  ])('%s', async (_, config, expected) => {
    expect(severities(await check(tree(config))).sort()).toEqual([...expected].sort());
  });
});

describe('a mistake', () => {
  test.each([
    ['an unknown setting', 'rule: {}\n', 1, '"rule" is not a setting'],
    ['an unknown rule', 'rules:\n  dead-pach: off\n', 2, '"rules.dead-pach" is not a setting'],
    ['an unknown severity', 'rules:\n  dead-patch: loud\n', 2, '"rules.dead-patch" must be one of'],
    ['a severity that is a list', 'rules:\n  dead-patch: [off]\n', 2, '"rules.dead-patch"'],
    ['an unknown option', 'rules:\n  dead-patch:\n    x: 1\n', 3, '"rules.dead-patch.x" is not a setting'],
    ['an ignore without a reason', 'ignores:\n  - rule: dead-patch\n', 2, '"ignores.0" must say "reason"'],
    ['a time that is none', 'dryRun: {wait: soon}\n', 1, '"dryRun.wait" must be a duration'],
    ['an image that is an option', 'dryRun: {image: --config=x}\n', 1, '"dryRun.image" must be the name of an image'],
    ['a name that is none', 'dryRun: {name: ../x}\n', 1, '"dryRun.name" must be a name of'],
    ['a day that is none', 'ignores:\n  - {rule: dead-patch, reason: x, expires: soon}\n', 2, 'must be a date'],
    ['a list that is none', 'entrypoints: .\n', 1, '"entrypoints" must be a list'],
    ['a cluster without a name', 'clusters:\n  - paths: [a]\n', 2, '"clusters.0" must say "name"'],
    [
      'a cluster that has the name of another',
      'clusters:\n  - {name: lab, paths: [a]}\n  - name: lab\n    paths: [b]\n',
      3,
      '"clusters.1.name" is "lab", as "clusters.0.name" is: each cluster needs a name of its own',
    ],
    ['a list at the top', '- a\n', 1, 'The configuration must be a map'],
    ['broken YAML', 'rules: [\n', 1, 'not valid YAML'],
    ['an alias of nothing', 'cluster: {release: *v1}\n', 1, 'has an alias without its anchor'],
    ['aliases without end', `a: &a [x]\nb: &b [${'*a,'.repeat(30)}]\nc: [${'*b,'.repeat(30)}]\n`, 1, 'repeats aliases'],
  ])('%s', async (_, config, line, message) => {
    const { findings, status } = await check(tree(config));
    const mistakes = findings.filter(({ rule }) => rule === 'invalid-config');
    expect(mistakes).toMatchObject([{ severity: 'error', file: '.customizer-lint.yaml', line }]);
    expect(mistakes[0]?.message).toContain(message);
    expect(status).toBe(1);
  });

  test.each([
    ['a link', { link: 'lax.yaml' }, 'is a symbolic link, which is not followed'],
    ['too large', '#'.repeat((4 << 20) + 1), 'is 4194305 bytes, over the limit of 4194304'],
  ])('is a configuration that is %s', async (_, config, why) => {
    const { findings } = await check({
      ...tree(''),
      'lax.yaml': 'rules: {chart-owned-field: off}',
      '.customizer-lint.yaml': config,
    });
    expect(findings.map(({ rule, message }) => [rule, message])).toContainEqual([
      'invalid-config',
      `The configuration ${why}`,
    ]);
    expect(findings.map(({ rule }) => rule)).toContain('chart-owned-field');
  });

  test.each([
    ['that is as large as one may be', 1 << 18, []],
    ['that is larger', (1 << 18) + 1, ['The configuration is larger or deeper than any could be']],
  ])('is no configuration by its size, but one %s', async (_, size, messages) => {
    const { findings } = await check(tree(`${'#'.repeat(size - 1)}\n`));
    expect(findings.flatMap(({ rule, message }) => (rule === 'invalid-config' ? [message] : []))).toEqual(messages);
  });

  test('leaves the defaults in force', async () => {
    const report = await check(tree('rules: {chart-owned-field: off, x: off}\n'));
    expect(severities(report)).toContain('error chart-owned-field');
  });
});

describe('facts', () => {
  test('of several clusters differ, and so do the verdicts', async () => {
    const cluster = (name: string) => ({
      [`clusters/${name}/kustomization.yaml`]: kustomization({ resources: ['a.yaml'] }),
      [`clusters/${name}/a.yaml`]: configMap('a').replace('cozy-customizer', 'tools'),
    });
    const config =
      'cluster: {release: v1.6.2}\nclusters:\n  - {name: one, paths: [clusters/a], ownedNamespaces: [tools]}\n  - {name: two, paths: ["clusters/b*"], release: v1.5.4}\n';
    const report = await check({ ...cluster('a'), ...cluster('b'), '.customizer-lint.yaml': config });
    expect(report.findings.map(({ rule, file }) => [rule, file])).toEqual([['forbidden-object', 'clusters/b/a.yaml']]);
    const releases = report.facts.filter(({ name }) => name === 'release');
    expect(releases.map(({ cluster, value }) => [cluster, value])).toEqual([
      ['one', 'v1.6.2'],
      ['two', 'v1.5.4'],
    ]);
  });

  test('of a cluster hold in its hidden folders too', async () => {
    const { findings } = await check({
      '.lab/kustomization.yaml': kustomization({ resources: ['a.yaml'] }),
      '.lab/a.yaml': configMap('a').replace('cozy-customizer', 'tools'),
      '.customizer-lint.yaml':
        'entrypoints: [.lab]\nclusters: [{name: lab, paths: ["*"], release: v1.6.2, ownedNamespaces: [tools]}]\n',
    });
    expect(findings).toEqual([]);
  });

  test('say what other service accounts may do', async () => {
    const flux = `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps, namespace: tools}\nspec: {path: ./apps, prune: true, interval: 5m, serviceAccountName: deployer, sourceRef: {kind: GitRepository, name: x}}\n`;
    const roles = `apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: deployer}\nrules: [{apiGroups: [""], resources: [configmaps], verbs: [get, patch, create]}]\n---\napiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {name: deployer, namespace: here}\nsubjects: [{kind: ServiceAccount, name: deployer, namespace: tools}]\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: deployer}\n`;
    const report = await check({
      'flux.yaml': flux,
      'roles.yaml': roles,
      'apps/here.yaml': configMap('a').replace('cozy-customizer', 'here'),
      'apps/there.yaml': configMap('a').replace('cozy-customizer', 'there'),
      '.customizer-lint.yaml': 'cluster: {roles: [roles.yaml]}\n',
    });
    expect(report.findings.map(({ rule, file }) => [rule, file])).toEqual([['forbidden-object', 'apps/there.yaml']]);
  });

  test('of a role that nobody knows leave it open what its account may do', async () => {
    const binding = `apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {name: deployer, namespace: here}\nsubjects: [{kind: ServiceAccount, name: cozystack-customizer, namespace: cozy-system}]\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: deployer}\n`;
    const report = await check({
      'kustomization.yaml': kustomization({ resources: ['here.yaml', 'there.yaml'] }),
      'roles.yaml': binding,
      'here.yaml': configMap('a').replace('cozy-customizer', 'here'),
      'there.yaml': configMap('a').replace('cozy-customizer', 'there'),
      '.customizer-lint.yaml': 'cluster: {roles: [roles.yaml]}\n',
    });
    const refused = report.findings.filter(({ rule }) => rule === 'forbidden-object');
    expect(refused.map(({ file }) => file)).toEqual(['there.yaml']);
    expect(report.notChecked).toContainEqual({
      weight: 'plain',
      what: 'rights of cozy-system/cozystack-customizer',
      why: 'ClusterRole/deployer is not known',
      count: 1,
    });
  });

  test('from --release go before those of the configuration', async () => {
    const { facts } = await check(tree('cluster: {release: v1.6.2}\n'), '--release', 'v1.5.4');
    expect(facts.find(({ name }) => name === 'release')).toMatchObject({ value: 'v1.5.4', source: 'config' });
  });

  test.each([
    ['is not there', 'cluster: {snapshot: none.yaml}\n', 'the snapshot none.yaml is not in the work tree'],
    ['is something else', 'cluster: {snapshot: metallb.yaml}\n', 'metallb.yaml is no snapshot of a cluster'],
  ])('a snapshot that %s ends the run', async (_, config, words) => {
    const folder = createRepo(tree(config));
    planted.push(folder);
    const { status, stdout, stderr } = await runHere(['check', folder]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(words);
  });
});

test('contract data of one’s own stand for a release that is not in the box', async () => {
  const data = mkdtempSync(join(tmpdir(), 'data-'));
  planted.push(data);
  cpSync(join(root, 'schemas'), join(data, 'contract'), { recursive: true });
  rmSync(join(data, 'contract/cozystack/v1.5.4'), { recursive: true });
  rmSync(join(data, 'contract/cozystack/next'), { recursive: true });
  cpSync(join(data, 'contract/cozystack/v1.6.2'), join(data, 'contract/cozystack/v9.0.0'), { recursive: true });
  cpSync(join(root, '__tests__/rules/chart-owned-field/bad'), data, { recursive: true });
  const folder = createRepo({});
  planted.push(folder);
  cpSync(data, folder, { recursive: true });
  const config = 'cluster: {release: v9.0.0}\ncozystack: {data: ./contract}\n';
  const withData = createRepo({ '.customizer-lint.yaml': config });
  planted.push(withData);
  cpSync(folder, withData, { recursive: true });
  const { status, stdout } = await runHere(['check', withData, '--format', 'json']);
  const report = JSON.parse(stdout) as Report;
  expect(severities(report)).toEqual(['error chart-owned-field']);
  expect(status).toBe(1);
  const without = await runHere(['check', withData, '--release', 'v8.0.0', '--format', 'json']);
  // What the nearest and every other release forbid is forbidden.
  expect(without.status).toBe(1);
  const { facts, notChecked } = JSON.parse(without.stdout) as { facts: object[]; notChecked: object[] };
  const why = 'there is no data for it';
  expect(notChecked).toContainEqual({ weight: 'plain', what: 'what is different in release v8.0.0', why, count: 1 });
  expect(facts).toContainEqual(expect.objectContaining({ name: 'release', value: 'v8.0.0', dataOf: 'v9.0.0' }));
});

test('the schema for editors accepts what the command accepts, and names every rule', async () => {
  const { stdout } = await runHere(['rules', '--format', 'schema']);
  const schema = JSON.parse(stdout);
  const validate = new Ajv({ strict: false }).compile(schema);
  expect(validate({ cluster: { release: 'v1.6.2' }, rules: { 'dead-patch': 'off' }, require: ['base'] })).toBe(true);
  expect(validate({ rules: { 'dead-patch': 'loud' } })).toBe(false);
  const { stdout: json } = await runHere(['rules', '--format', 'json']);
  const ids = (JSON.parse(json) as { id: string }[]).map(({ id }) => id);
  expect(Object.keys(schema.properties.rules.properties)).toEqual(ids);
});

test('the schema for editors says of each setting what it is', async () => {
  type Setting = { description?: string; properties?: object; items?: Setting; anyOf?: Setting[] };
  const silent = ({ properties = {}, items, anyOf = [] }: Setting, path: string): string[] => [
    ...Object.entries(properties).flatMap(([name, setting]: [string, Setting]) => [
      ...(setting.description ? [] : [`${path}.${name}`]),
      ...silent(setting, `${path}.${name}`),
    ]),
    ...[...(items ? [items] : []), ...anyOf].flatMap((one) => silent(one, path)),
  ];
  const { stdout } = await runHere(['rules', '--format', 'schema']);
  expect(silent(JSON.parse(stdout), '')).toEqual([]);
});

describe('a release that there is no data for', () => {
  const folder = createRepo(tree('cluster: {release: v1.9.0}\n'));
  planted.push(folder);
  const assumedIn = (stdout: string) => /^ {2}assumed +(Cozystack release .*)$/m.exec(stdout)?.[1];
  const words = (release: string, hint = '') =>
    `Cozystack release ${release} (there is no data for it, so the data of v1.6.2 is used${hint})`;

  test.each([
    ['the configuration', [], words('v1.9.0')],
    ['--release', ['--release', 'v1.8'], words('v1.8')],
    ['a misspelt --release', ['--release', 'v16.2'], words('v16.2', '; did you mean "v1.6.2"?')],
  ])('of %s is told with the facts, brief and verbose, with whose data is used', async (_, args, expected) => {
    const [brief, verbose] = await inFormats(folder, args);
    expect(assumedIn(brief)).toBe(`${expected}, platform variant isp-full; no finding depends on it`);
    expect(assumedIn(verbose)).toBe(
      `${expected}; set cozystack.data in .customizer-lint.yaml, to data of that release`,
    );
    const release = args.at(-1) ?? 'v1.9.0';
    expect(brief).toContain(`  not checked  1 × what is different in release ${release}: there is no data for it\n`);
  });

  test('of a line that there is data for is known, and the patch that is used is told', async () => {
    const [brief] = await inFormats(folder, ['--release', 'v1.6.9']);
    expect(assumedIn(brief)).toBeUndefined();
    expect(brief).toContain('1 × release v1.6.9: there is no data for it, so the data of v1.6.2 is used');
  });

  test('is told beside a graph', async () => {
    const { stdout } = await runHere(['graph', folder]);
    expect(stdout).toContain(`// assumed: ${words('v1.9.0')}; set`);
  });

  async function inFormats(repository: string, args: string[]): Promise<[string, string]> {
    const brief = await runHere(['check', repository, ...args]);
    const verbose = await runHere(['check', repository, ...args, '--verbose']);
    return [brief.stdout, verbose.stdout];
  }
});
