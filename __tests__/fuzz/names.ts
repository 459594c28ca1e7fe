/** Names of a tree: what a commit holds is read under the name that git has, or refused by name. */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { openCommit } from '../../src/tree/tree.js';
import { createRepo } from '../support/trees.js';
import type { Target } from './target.js';

const parts = [
  'a',
  'b',
  'a.yaml',
  '\t',
  '\n',
  '\r',
  ' ',
  '"',
  "'",
  '\\',
  '..',
  '.',
  '.git',
  '.gitmodules',
  '-',
  '*',
  'ü',
  'u\u0308',
  '\u{1f600}',
  '\u202e',
  '\uFEFF',
  '\ufffd',
  '__proto__',
  '%',
  ':',
  '?',
];
const bytes = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...parts).map((part) => Buffer.from(part).toString('latin1')) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 255 }).map((byte) => String.fromCharCode(byte)) },
);
const segment = fc.array(bytes, { minLength: 1, maxLength: 4 }).map((some) => some.join('').replaceAll('/', ''));

/** Names as bytes, each character one: a tree object takes any, a checkout does not. */
export const names: Target<string[]> = {
  name: 'trees and names',
  inputs: fc.uniqueArray(
    segment.filter((name) => name !== ''),
    { minLength: 1, maxLength: 5 },
  ),
  runs: 60,
  async check(input) {
    const folder = createRepo({});
    const git = (args: string[], stdin?: Uint8Array) =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], {
        cwd: folder,
        input: stdin,
        stdio: ['pipe', 'pipe', 'ignore'],
      });
    try {
      git(['init', '-q', '-b', 'main']);
      const sorted = [...input].sort();
      const entries = sorted.map((name) => {
        const blob = git(['hash-object', '-w', '--stdin'], Buffer.from(`of ${name}`))
          .toString()
          .trim();
        return Buffer.concat([Buffer.from(`100644 ${name}\0`, 'latin1'), Buffer.from(blob, 'hex')]);
      });
      const tree = git(['hash-object', '-t', 'tree', '-w', '--literally', '--stdin'], Buffer.concat(entries))
        .toString()
        .trim();
      const commit = git(['commit-tree', '-m', 'x', tree]).toString().trim();
      await expectRead(folder, commit, sorted);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function expectRead(folder: string, commit: string, expected: string[]) {
  let tree: Awaited<ReturnType<typeof openCommit>>;
  try {
    tree = await openCommit(folder, commit, 'head');
  } catch (error) {
    const message = (error as Error).message;
    if (expected.every(isOrdinary)) throw new Error(`refused, though every name is fine: ${message}`);
    return;
  }
  const wanted = expected.map((name) => Buffer.from(name, 'latin1'));
  if (tree.files.length + tree.refused.size < wanted.length && new Set(tree.files).size !== wanted.length)
    throw new Error(`${wanted.length} names became ${JSON.stringify(tree.files)}`);
  for (const name of wanted) {
    const path = name.toString('utf8');
    if (Buffer.compare(Buffer.from(path), name) !== 0)
      throw new Error(`a name that is no UTF-8 is read as ${JSON.stringify(path)}`);
    const content = tree.bytes(path);
    const isThere =
      tree.refused.has(path) || (content && Buffer.from(content).toString() === `of ${name.toString('latin1')}`);
    if (!isThere)
      throw new Error(
        `${JSON.stringify(path)} is read as ${JSON.stringify(content && Buffer.from(content).toString())}`,
      );
  }
}

/** A name that nobody would refuse. */
function isOrdinary(name: string): boolean {
  return /^[a-z0-9_-][a-z0-9._-]*$/.test(name) && !name.includes('git');
}
