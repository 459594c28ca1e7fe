/**
 * Changes that would harm a cluster, each written in several ways, by the mechanism that could hide them: the check of a fork finds
 * an error in every one. Histories are in merges.test.ts, links and secrets in tests of their own; evasion.test.ts asks the reference.
 */
import { afterEach, describe, expect, test } from '@jest/globals';
import { runHere } from '../../support/here.js';
import { pullRequestOf, runActionHere } from '../../support/job.js';
import { someOf } from '../../support/sample.js';
import { kustomization, removeRepo } from '../../support/trees.js';
import { commitPullRequest } from '../evasion/repository.js';
import * as effects from './effects.js';
import { type Attacks, note, tree } from './shapes.js';
import * as unbuilt from './unbuilt.js';
import * as variables from './variables.js';

const mechanisms: Record<string, Attacks> = {
  'a remote base hides what is beside it': unbuilt.remoteBases,
  'a directory that could not be built before is changed': unbuilt.oldRefusals,
  'a variable decides where': variables.variables,
  'a source decides from where': variables.sources,
  'a path decides what': variables.paths,
  'the garbage collector deletes': effects.collected,
  'an object goes': effects.deleted,
  'a decoy hides that an object goes': effects.decoys,
  'rights and sources': effects.rights,
  'a pod leaves its sandbox': effects.pods,
  'something is switched off or opened': effects.switches,
  'ciphertext decides': effects.ciphertext,
};

let folder: string | undefined;
afterEach(() => {
  if (folder) removeRepo(folder);
  folder = undefined;
});

/** The exit status, and the rules of new errors. */
async function judge(base: Record<string, string>, head: Record<string, string>) {
  const pull = commitPullRequest({ base, head });
  folder = pull.folder;
  const args = ['check', folder, '--base', pull.base, '--fork', '--only-new', '--format', 'json'];
  const { status, stdout, stderr } = await runHere(args);
  const report = stdout.startsWith('{') ? JSON.parse(stdout) : { findings: [] };
  const errors = report.findings.filter(
    ({ severity, isNew }: { severity: string; isNew?: boolean }) => severity === 'error' && isNew !== false,
  );
  return { status, rules: errors.map(({ rule }: { rule: string }) => rule) as string[], stderr };
}

describe.each(Object.entries(mechanisms))('%s:', (_, attacks) => {
  test.each(someOf(Object.keys(attacks), 4))('%s', async (title) => {
    const { base, head, rules } = attacks[title] as Attacks[string];
    const found = await judge(base, head);
    expect(found).toEqual({ ...found, status: 1 });
    expect(found.rules.filter((rule) => rules.includes(rule))).not.toEqual([]);
  });

  test('the same trees without a change are green', async () => {
    const [first] = Object.values(attacks);
    if (!first || attacks === unbuilt.oldRefusals) return;
    expect((await judge(first.base, { ...first.base, 'README.md': 'hello\n' })).rules).toEqual([]);
  });
});

/** Git writes "¥" as a backslash into the work tree, so the quotes of that text end only in the next line. */
test('the action reads the objects of git, and not what attributes make of them', async () => {
  const text = (note: string) =>
    `apiVersion: cozystack.io/v1alpha1\nkind: Package\nmetadata:\n  name: cozystack.metallb\n  annotations: {kustomize.toolkit.fluxcd.io/ssa: Merge, kustomize.toolkit.fluxcd.io/prune: disabled, note: "${note}\n`;
  const files = (more: Record<string, string>) => tree([note], { ...more, ...listed });
  const listed = { 'kustomization.yaml': kustomization({ resources: ['object-0.yaml', 'a.yaml'] }) };
  const base = files({ 'a.yaml': `${text('a"}')}spec: {components: {}}\n` });
  const head = files({
    '.gitattributes': 'a.yaml working-tree-encoding=SHIFT_JIS\n',
    'a.yaml': `${text('\u00a5"}')}spec: {components: {}, variant: oidc} #"}\nspec: {components: {}}\n`.replace(
      /\n(?=spec: \{components: \{\}\}\n$)/,
      '\n#',
    ),
  });
  const pull = commitPullRequest({ base, head });
  folder = pull.folder;
  const payload = { pull_request: pullRequestOf(pull) };
  const { status, log } = await runActionHere(
    folder,
    {},
    { name: 'pull_request', payload },
    { GITHUB_REPOSITORY: 'o/r' },
  );
  expect({ status, log }).toEqual({ status: 1, log: expect.stringContaining('chart-owned-field') });
});

test('each mechanism is attacked in five ways at least', () => {
  for (const attacks of Object.values(mechanisms)) expect(Object.keys(attacks).length).toBeGreaterThanOrEqual(5);
});
