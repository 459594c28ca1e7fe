/** The tree of an archive as GitHub makes it: a folder that holds all, and in it files, links and folders. */
import { expect, test } from '@jest/globals';
import { Header } from 'tar';
import { openArchive } from '../../src/github/archive.js';

type Entry = { path: string; type: 'File' | 'OldFile' | 'Directory' | 'SymbolicLink'; text?: string };

/** One entry of a tar: a header, and its bytes in blocks of 512. */
function entry({ path, type, text = '' }: Entry): Buffer {
  const header = Buffer.alloc(512);
  const more = type === 'SymbolicLink' ? { linkpath: 'elsewhere' } : {};
  new Header({ path: `repo-abc/${path}`, type, size: text.length, mode: 0o644, ...more }).encode(header, 0);
  return Buffer.concat([header, Buffer.from(text), Buffer.alloc((512 - (text.length % 512)) % 512)]);
}

const archive = (...entries: Entry[]) => Buffer.concat([...entries.map(entry), Buffer.alloc(1024)]);
const open = (prefix: string, ...entries: Entry[]) =>
  openArchive(archive(...entries), { description: 'a test', revision: 'base', prefix });

test('files have their bytes, links are named, and folders are nothing of their own', async () => {
  const tree = await open(
    '',
    { path: '', type: 'Directory' },
    { path: 'a.yaml', type: 'File', text: 'a' },
    { path: 'old.yaml', type: 'OldFile', text: 'old' },
    { path: 'sub/', type: 'Directory' },
    { path: 'sub/b.yaml', type: 'File', text: 'b' },
    { path: 'link.yaml', type: 'SymbolicLink' },
  );
  expect(tree.files.map((file) => [file, tree.text(file)])).toEqual([
    ['a.yaml', 'a'],
    ['old.yaml', 'old'],
    ['sub/b.yaml', 'b'],
  ]);
  expect([tree.links, tree.description, tree.revision]).toEqual([['link.yaml'], 'a test', 'base']);
});

test('of a folder only what is below it counts, and the workflows above it', async () => {
  const tree = await open(
    'sub/',
    { path: '.github/workflows/check.yaml', type: 'File', text: 'on: push' },
    { path: '.github/workflows/link.yaml', type: 'SymbolicLink' },
    { path: 'a.yaml', type: 'File', text: 'a' },
    { path: 'sub/b.yaml', type: 'File', text: 'b' },
    { path: 'sub/link.yaml', type: 'SymbolicLink' },
  );
  expect([tree.files, tree.links]).toEqual([['b.yaml'], ['link.yaml']]);
  expect([...(tree.workflowsAbove ?? [])]).toEqual([['../.github/workflows/check.yaml', 'on: push']]);
});

test.each<[string, (bytes: Buffer) => Buffer]>([
  ['ends in the middle of a file', (bytes) => bytes.subarray(0, 1536)],
  ['has a header that is damaged', (bytes) => Buffer.from(bytes).fill('x', 2048, 2058)],
])('an archive that %s is no tree, not one with less in it', async (_, damaged) => {
  // Each begins with a header of 512 bytes; those of the first file are 1,024.
  const whole = archive(
    { path: '', type: 'Directory' },
    { path: 'a.yaml', type: 'File', text: 'a: b\n'.repeat(150) },
    { path: 'b.yaml', type: 'File', text: 'b' },
  );
  const opened = openArchive(damaged(whole), { description: 'a test', revision: 'base' });
  await expect(opened).rejects.toThrow();
});
