/** A repository of several clusters: what each command does with it, with and without `--cluster`. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runHere } from '../support/here.js';
import { configMap, createRepo, kustomization, removeRepo } from '../support/trees.js';

const { commands } = await import('../../src/cli/options.js');

const live = JSON.stringify({
  apiVersion: 'cozystack.io/v1alpha1',
  kind: 'Package',
  metadata: { name: 'cozystack.metallb', managedFields: [] },
  spec: {},
});
const cluster = (name: string) => ({
  [`clusters/${name}/kustomization.yaml`]: kustomization({ resources: [`${name}.yaml`] }),
  [`clusters/${name}/${name}.yaml`]: configMap(`of-${name}`),
});

let several = '';
let one = '';
let packages = '';
beforeAll(() => {
  several = createRepo({ ...cluster('lab'), ...cluster('prod') });
  one = createRepo({ 'kustomization.yaml': kustomization({ resources: ['a.yaml'] }), 'a.yaml': configMap('a') });
  packages = createRepo({ 'live.json': live });
});
afterAll(() => {
  for (const repo of [several, one, packages]) removeRepo(repo);
});

type Asked = (repo: string) => string[];
/** Those that show all clusters where none is named, each with what its output has of a cluster. */
const ofAll: Record<string, [args: Asked, shown: (name: string) => string]> = {
  check: [(repo) => ['check', repo], (name) => `clusters/${name}`],
  fix: [(repo) => ['fix', repo, '--dry-run', '--verbose'], (name) => `clusters/${name}`],
  diff: [(repo) => ['diff', repo], (name) => `cluster ${name}`],
  explain: [(repo) => ['explain', '-C', repo, 'ConfigMap/of-lab'], (name) => `cluster ${name}`],
  render: [(repo) => ['render', repo], (name) => `name: of-${name}`],
  'render --as-applied': [(repo) => ['render', repo, '--as-applied'], (name) => `# cluster ${name}`],
  inventory: [(repo) => ['inventory', repo], (name) => `# clusters/${name}`],
};
/** Those that show one, each with what its output has in any case. */
const ofOne: Record<string, [args: Asked, shown: string]> = {
  graph: [(repo) => ['graph', repo], 'digraph'],
  audit: [(repo) => ['audit', repo, '--live', `${packages}/live.json`], 'in 1 Package'],
};
const takesCluster = (name: string) => {
  const { options } = commands[name.split(' ')[0] as keyof typeof commands];
  return options.some((option) => (typeof option === 'string' ? option : option.name) === 'cluster');
};
const narrowed = [...Object.keys(ofAll), ...Object.keys(ofOne)].filter(
  // `check` asks a server about the one that is named.
  (name) => takesCluster(name) && name !== 'check',
);
const argsOf = (name: string, repo: string) => (ofAll[name] ?? ofOne[name])?.[0](repo) ?? [];

test('every command that renders is asked', () => {
  const rendering = Object.entries(commands).filter(([, command]) => 'renders' in command);
  const asked = [...Object.keys(ofAll), ...Object.keys(ofOne)];
  expect(rendering.map(([name]) => name).filter((name) => !asked.includes(name))).toEqual([]);
});

describe('without --cluster', () => {
  test.each(Object.entries(ofAll))('%s shows all of them', async (name, [args, shown]) => {
    const { stdout } = await runHere(args(several));
    expect(stdout).toContain(shown('lab'));
    if (name !== 'explain') expect(stdout).toContain(shown('prod'));
  });

  test.each(Object.entries(ofOne))('%s says which there are', async (_, [args]) => {
    const { status, stderr } = await runHere(args(several));
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringContaining('which cluster? use --cluster with one of lab, prod'),
    });
  });
});

describe.each(narrowed)('%s --cluster', (name) => {
  test('shows only the one', async () => {
    const { stdout, stderr } = await runHere([...argsOf(name, several), '--cluster', 'lab']);
    expect(stderr).not.toContain('cluster');
    expect(stdout).not.toMatch(/of-prod|clusters\/prod|cluster prod/);
    expect(stdout).toContain(ofAll[name] ? 'of-lab' : ofOne[name]?.[1]);
  });

  test('knows what was meant, or which there are', async () => {
    const said = async (wanted: string, repo = several) =>
      runHere([...argsOf(name, repo), '--cluster', wanted]).then(({ status, stderr }) => [status, stderr]);
    expect(await said('prd')).toEqual([
      2,
      expect.stringContaining('the repository has no cluster "prd"; did you mean "prod"?'),
    ]);
    expect(await said('elsewhere')).toEqual([
      2,
      expect.stringContaining('the repository has no cluster "elsewhere"; use one of lab, prod'),
    ]);
    expect(await said('prod', one)).toEqual([
      2,
      expect.stringContaining('has no cluster "prod", as it does not tell clusters apart; leave --cluster out'),
    ]);
  });
});
