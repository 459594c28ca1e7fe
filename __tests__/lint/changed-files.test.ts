/** A change that alters nothing that is rendered is said to; whatever a build reads, under whatever name, is looked at. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import type { Run } from '../../src/core/model.js';
import { openWorkTree } from '../../src/tree/tree.js';
import { root } from '../support/cli.js';
import { run } from '../support/run.js';
import { configMap, createRepo, type Files, kustomization, removeRepo } from '../support/trees.js';

const planted: string[] = [];
afterAll(() => planted.forEach(removeRepo));

const transformer = (path: string) =>
  `apiVersion: builtin\nkind: PatchTransformer\nmetadata: {name: t}\npath: ${path}\ntarget: {kind: ConfigMap}\n`;
const replacements = '- source: {kind: ConfigMap, name: a}\n  targets: []\n';

const before: Files = {
  'kustomization.yaml': `resources: [packages, "\\x61.txt"]
configMapGenerator: [{name: motd, files: [texts/motd.txt]}]
transformers: [t.yaml]
generators: [g.yaml]
replacements: [{path: r.conf}]
`,
  't.yaml': transformer('tweak.patch'),
  'g.yaml': 'apiVersion: builtin\nkind: SecretGenerator\nmetadata: {name: s}\nfiles: [generated.bin]\n',
  'r.conf': replacements,
  'tweak.patch': '[]\n',
  'generated.bin': 'x',
  'a.txt': configMap('a'),
  'packages/kustomization.yaml': kustomization({ resources: ['a.yaml'] }),
  'packages/a.yaml': configMap('b'),
  'packages/README.md': 'read\n',
  'texts/motd.txt': 'hello\n',
  'texts/other.txt': 'other\n',
  'docs/guide.md': 'guide\n',
  Makefile: 'all:\n',
  '.github/workflows/ci.yaml': 'on: push\n',
};

async function judged(changes: Record<string, Files[string] | null>, more: Files = {}): Promise<Run> {
  const base = { ...before, ...more };
  const after = { ...base, ...changes };
  const kept = Object.fromEntries(Object.entries(after).filter(([, content]) => content !== null)) as Files;
  const folders = [createRepo(kept), createRepo(base)] as const;
  planted.push(...folders);
  const change = {
    head: await openWorkTree(folders[0], undefined, 'head'),
    base: await openWorkTree(folders[1], undefined, 'base'),
    why: [],
  };
  return run({ directory: folders[0], home: root, paths: [], remotes: [], onlyNew: true, change, simulate: {} });
}

test.each<[string, Record<string, string | null>, number]>([
  ['documentation', { 'docs/guide.md': 'new\n', 'packages/README.md': 'new\n' }, 2],
  ['a file that nothing names', { 'texts/other.txt': 'new\n', Makefile: null, 'new.txt': 'x' }, 3],
  ['a workflow', { '.github/workflows/ci.yaml': 'on: pull_request\n' }, 1],
  ['nothing', {}, 0],
])('%s touches nothing', async (_, changes, files) => {
  const result = await judged(changes);
  expect(result.entrypoints.map(({ rendered }) => rendered)).toEqual([true]);
  expect(result.untouched?.files).toBe(files);
  // Nothing to simulate, and nobody is told that something is missing.
  expect(result.stages.find(({ name }) => name === 'simulation')).toMatchObject({ ran: false, optional: true });
  expect(result.findings.filter(({ isNew }) => isNew)).toEqual([]);
});

test.each<[string, Record<string, Files[string] | null>]>([
  ['a manifest', { 'packages/a.yaml': configMap('c') }],
  ['a manifest that is gone', { 'packages/a.yaml': null }],
  ['a kustomization without an ending', { 'packages/Kustomization': '' }],
  ['a file that a generator reads', { 'texts/motd.txt': 'bye\n' }],
  ['a file that a generator in a file reads', { 'generated.bin': 'y' }],
  ['the patch that a transformer in a file reads', { 'tweak.patch': '[{op: add, path: /data/x, value: y}]\n' }],
  ['a file of replacements', { 'r.conf': '[]\n' }],
  ['a file whose name is escaped', { 'a.txt': configMap('d') }],
  ['a file whose name is escaped, and that is gone', { 'a.txt': null }],
  [
    'a file that the change itself names',
    {
      'packages/kustomization.yaml': kustomization({ resources: ['../docs/guide.md'] }),
      'docs/guide.md': configMap('e'),
    },
  ],
  ['the configuration', { '.customizer-lint.yaml': 'rules: {}\n' }],
  ['what Flux leaves out', { '.sourceignore': 'packages\n' }],
  ['which submodules there are', { '.gitmodules': '[submodule "x"]\n' }],
  ['a link', { 'docs/link': { link: 'guide.md' } }],
])('%s is an input', async (_, changes) => {
  expect((await judged(changes)).untouched).toBeUndefined();
});

test('a file below a directory of data that the configuration names is an input, and one beside it is none', async () => {
  const folder = 'own./data';
  const data = Object.fromEntries(
    readdirSync(join(root, 'schemas'), { recursive: true, encoding: 'utf8' })
      .filter((file) => !/^cozystack\/(?:next|v1\.5)/.test(file) && statSync(join(root, 'schemas', file)).isFile())
      .map((file) => [`${folder}/${file}`, readFileSync(join(root, 'schemas', file), 'utf8')]),
  );
  const touched = async (file: string, name: string) => {
    const config = { '.customizer-lint.yaml': `cozystack: { data: ${name} }\n`, 'own./notes.txt': 'x' };
    return (await judged({ [file]: 'new\n' }, { ...data, ...config })).untouched?.files;
  };
  expect(await touched(`${folder}/notes.txt`, folder)).toBeUndefined();
  expect(await touched(`${folder}/notes.txt`, `./${folder}`)).toBeUndefined();
  expect(await touched('own./notes.txt', `./${folder}`)).toBe(1);
});

test('what Flux is told is an input, where no build reads it', async () => {
  const flux = (prune: boolean) =>
    `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: a, namespace: flux-system}\nspec: {path: ./packages, interval: 5m, prune: ${prune}, sourceRef: {kind: GitRepository, name: flux-system}}\n`;
  const told = { 'flux/a.yaml': flux(true) };
  expect((await judged({ 'docs/guide.md': 'new' }, told)).untouched?.files).toBe(1);
  expect((await judged({ 'flux/a.yaml': flux(false) }, told)).untouched).toBeUndefined();
});

test('where there are links, anything may be an input', async () => {
  expect((await judged({ 'docs/guide.md': 'new' }, { link: { link: 'docs' } })).untouched).toBeUndefined();
});
