/** A change that alters nothing that is rendered is said to; whatever a build reads, under whatever name, is looked at. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { defaults } from '../../src/config/config.js';
import type { Run } from '../../src/core/model.js';
import { Baseline } from '../../src/lint/baseline.js';
import { untouchedFiles } from '../../src/lint/changed-files.js';
import type { Workspace } from '../../src/lint/load.js';
import { openWorkTree } from '../../src/tree/tree.js';
import { root } from '../support/cli.js';
import { run } from '../support/run.js';
import { isLong } from '../support/sample.js';
import { treeOf } from '../support/tree-of.js';
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

async function judged(
  changes: Record<string, Files[string] | null>,
  more: Files = {},
  options: { baseline?: Baseline } = {},
): Promise<Run> {
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
  return run({
    directory: folders[0],
    home: root,
    paths: [],
    remotes: [],
    onlyNew: true,
    change,
    simulate: {},
    ...options,
  });
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

(isLong() ? test : test.skip)(
  'a file below a directory of data that the configuration names is an input, and one beside it is none',
  async () => {
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
  },
);

test('what Flux is told is an input, where no build reads it', async () => {
  const flux = (prune: boolean) =>
    `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: a, namespace: flux-system}\nspec: {path: ./packages, interval: 5m, prune: ${prune}, sourceRef: {kind: GitRepository, name: flux-system}}\n`;
  const told = { 'flux/a.yaml': flux(true) };
  expect((await judged({ 'docs/guide.md': 'new' }, told)).untouched?.files).toBe(1);
  expect((await judged({ 'flux/a.yaml': flux(false) }, told)).untouched).toBeUndefined();
});

test('what the baseline lists beyond what is found is told only where everything was looked for', async () => {
  const baseline = Baseline.read({
    file: 'known.json',
    text: JSON.stringify({ version: 1, findings: [{ id: 'gone' }] }),
  });
  const notes = async (changes: Files) => (await judged(changes, {}, { baseline })).policy;
  expect(await notes({ 'docs/guide.md': 'new\n' })).toEqual([]);
  expect(await notes({ 'texts/motd.txt': 'bye\n' })).toEqual([
    '1 entry of the baseline known.json matches no finding any more; write it again with --write-baseline',
  ]);
});

test('where there are links, anything may be an input', async () => {
  expect((await judged({ 'docs/guide.md': 'new' }, { link: { link: 'docs' } })).untouched).toBeUndefined();
});

describe('of what was loaded', () => {
  const before = { 'a.yaml': 'a: 1\n', 'b.yaml': 'b: 1\n', 'x/c.md': 'c\n' };
  type Texts = Record<string, string>;
  type More = Partial<Workspace> & { links?: string[]; submodules?: string[]; refused?: string[]; data?: string[] };
  /** A build of either revision reads a.yaml. */
  const untouched = (change: Texts, { links, submodules, refused, data, ...more }: More = {}, base: Texts = before) => {
    const special = {
      ...(links && { links }),
      ...(submodules && { submodules }),
      ...(refused && { refused: new Map(refused.map((file) => [file, 'too large'])) }),
    };
    const build = [{ ok: true, files: ['a.yaml'], objects: [] }];
    const config = { ...defaults(), cozystack: data ? { data } : {} };
    return untouchedFiles({
      trees: { head: { ...treeOf({ ...base, ...change }), ...special }, base: treeOf(base) },
      ...{ rendered: { head: build, base: build }, inputs: new Set<string>(), policy: { config, before: defaults() } },
      ...more,
    } as unknown as Workspace);
  };

  test('the files that differ are told, where nothing has read them', () => {
    expect(untouched({})).toStrictEqual([]);
    expect(untouched({ 'b.yaml': 'b: 2\n', 'x/c.md': 'd\n', new: '' })).toStrictEqual(['b.yaml', 'new', 'x/c.md']);
    expect(untouched({ 'a.yaml': 'a: 2\n' })).toBeUndefined();
    expect(untouched({ 'b.yaml': 'b: 2\n' }, { inputs: new Set(['b.yaml']) })).toBeUndefined();
    expect(untouched({ 'x/.sourceignore': 'x' })).toBeUndefined();
    expect(untouched({ '.gitmodules': 'x' })).toBeUndefined();
  });

  test('data of a release is an input, wherever it lies and whichever revision names it', () => {
    expect(untouched({ 'x/c.md': 'd\n' }, { data: ['x'] })).toBeUndefined();
    expect(untouched({ 'x/c.md': 'd\n' }, { data: ['./x'] })).toBeUndefined();
    expect(untouched({ 'x/c.md': 'd\n' }, { data: ['y', 'x'] })).toBeUndefined();
    expect(untouched({ 'x./c.md': 'd\n' }, { data: ['x./c'] })).toBeUndefined();
    expect(untouched({ 'x/c.md': 'd\n' }, { data: ['y'] })).toEqual(['x/c.md']);
    const policy = { config: defaults(), before: { ...defaults(), cozystack: { data: ['x'] } } };
    expect(untouched({ 'x/c.md': 'd\n' }, { policy: policy as unknown as Workspace['policy'] })).toBeUndefined();
  });

  test('nothing is known where there is no base, no build, or one that was refused', () => {
    const build = { ok: true, files: [], objects: [] } as unknown as Workspace['rendered']['head'][number];
    const refused = { ...build, ok: false } as typeof build;
    const builds = (head: (typeof build)[], base?: (typeof build)[]) =>
      untouched({}, { rendered: { head, ...(base && { base }) } });
    expect([builds([build], [build]), builds([build], []), builds([], [build])]).toEqual([[], [], []]);
    expect([builds([], []), builds([build]), builds([refused], [build]), builds([build], [refused, build])]).toEqual([
      ...[undefined, undefined, undefined, undefined],
    ]);
    expect(untouched({}, { trees: { head: treeOf({}) } })).toBeUndefined();
  });

  test('a link, a submodule and what was refused may lead anywhere', () => {
    expect(untouched({}, { links: ['l'] })).toBeUndefined();
    expect(untouched({}, { submodules: ['s'] })).toBeUndefined();
    expect(untouched({}, { refused: ['r'] })).toBeUndefined();
    const trees = { head: treeOf(before), base: { ...treeOf(before), links: ['l'] } };
    expect(untouched({}, { trees })).toBeUndefined();
  });
});
