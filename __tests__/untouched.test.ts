/** A change that can alter nothing of what is rendered is not rendered; whatever may is. */
import { afterAll, expect, test } from '@jest/globals';
import { openWorkTree } from '../src/tree.js';
import { changedFiles, touchesInput } from '../src/untouched.js';
import { type Files, kustomization, plant, uproot } from './support/trees.js';

const planted: string[] = [];
afterAll(() => planted.forEach(uproot));

const before: Files = {
  'kustomization.yaml': kustomization({
    resources: ['packages'],
    configMapGenerator: [{ name: 'motd', files: ['texts/motd.txt'] }],
  }),
  'packages/kustomization.yaml': kustomization({ resources: ['a.yaml'] }),
  'packages/a.yaml': 'a: 1\n',
  'packages/README.md': 'read\n',
  'texts/motd.txt': 'hello\n',
  'texts/other.txt': 'other\n',
  'docs/guide.md': 'guide\n',
  Makefile: 'all:\n',
  '.github/workflows/ci.yaml': 'on: push\n',
  '.customizer-lint.yaml': 'cozystack: { data: own/data }\n',
  'own/data/notes.txt': 'notes\n',
};

async function judged(changes: Record<string, string | null>): Promise<{ changed: string[]; touches: boolean }> {
  const after = { ...before, ...changes };
  const kept = Object.fromEntries(Object.entries(after).filter(([, content]) => content !== null)) as Files;
  const folders = [plant(kept), plant(before)];
  planted.push(...folders);
  const [head, base] = await Promise.all(folders.map((folder) => openWorkTree(folder)));
  if (!head || !base) throw new Error('there are two');
  const changed = changedFiles(head, base);
  return { changed, touches: touchesInput(changed, '.customizer-lint.yaml', head, base) };
}

test.each<[string, Record<string, string | null>, string[]]>([
  [
    'documentation',
    { 'docs/guide.md': 'new\n', 'packages/README.md': 'new\n' },
    ['docs/guide.md', 'packages/README.md'],
  ],
  [
    'a file that nothing names',
    { 'texts/other.txt': 'new\n', Makefile: null, 'new.txt': 'x' },
    ['Makefile', 'new.txt', 'texts/other.txt'],
  ],
  ['a workflow', { '.github/workflows/ci.yaml': 'on: pull_request\n' }, ['.github/workflows/ci.yaml']],
  ['nothing', {}, []],
])('%s touches nothing', async (_, changes, changed) => {
  expect(await judged(changes)).toEqual({ changed, touches: false });
});

test.each<[string, Record<string, string | null>]>([
  ['a manifest', { 'packages/a.yaml': 'a: 2\n' }],
  ['a manifest that is new', { 'packages/b.yaml': 'b: 1\n' }],
  ['a manifest that is gone', { 'packages/a.yaml': null }],
  ['a kustomization without an ending', { 'packages/Kustomization': '' }],
  ['a file that a generator reads', { 'texts/motd.txt': 'bye\n' }],
  [
    'a file that the change itself names',
    { 'kustomization.yaml': kustomization({ resources: ['docs/guide.md'] }), 'docs/guide.md': 'new' },
  ],
  ['the configuration', { '.customizer-lint.yaml': 'rules: {}\n' }],
  ['a file below a directory that the configuration names', { 'own/data/notes.txt': 'new\n' }],
  ['what Flux leaves out', { '.sourceignore': 'packages\n' }],
  [
    'a workflow that a kustomization names',
    {
      '.github/workflows/ci.yaml': 'x: 1\n',
      'kustomization.yaml': kustomization({ resources: ['.github/workflows/ci.yaml'] }),
    },
  ],
])('%s touches an input', async (_, changes) => {
  expect((await judged(changes)).touches).toBe(true);
});

test('where there are links, anything may', async () => {
  const folders = [
    plant({ ...before, 'docs/guide.md': 'new', link: { link: 'docs' } }),
    plant({ ...before, link: { link: 'docs' } }),
  ];
  planted.push(...folders);
  const [head, base] = await Promise.all(folders.map((folder) => openWorkTree(folder)));
  if (!head || !base) throw new Error('there are two');
  expect(touchesInput(changedFiles(head, base), '.customizer-lint.yaml', head, base)).toBe(true);
});
