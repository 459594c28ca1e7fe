/**
 * Whether anything differs that a build reads or could read. A build that is refused has stopped somewhere, so what it has read says
 * little: its directory counts as a whole, and so does every file and directory that a kustomization in it names.
 */
import { dirname, join } from 'node:path/posix';
import { kustomizationOf, kustomizationsIn } from '../core/kustomization.js';
import type { Rendered, Tree } from '../core/model.js';
import { oncePer } from '../core/once.js';
import { isSameFile } from '../tree/tree.js';

/** A build of each revision; of the base as many as there are of the path. */
export type Builds = { refused: Rendered; before: readonly Rendered[] };

export function mayReadOther({ refused, before }: Builds, head: Tree, base: Tree): boolean {
  const isLeftOut = leftOutOf([[refused], head], [before, base]);
  const changed = changedFiles(head)(base).filter((file) => !isLeftOut(file));
  if (changed.length === 0) return false;
  const { entrypoint, files } = refused;
  const known = new Set([...files, ...(entrypoint.declaredAt ? [entrypoint.declaredAt.file] : [])]);
  const paths = [
    entrypoint.path,
    ...(entrypoint.kustomization.components ?? []).map((one) => join(entrypoint.path, one)),
  ];
  const readable = paths.map((path) => readableBelow(path, [head, base]));
  return changed.some(
    (file) =>
      known.has(file) ||
      decidesArtifact(file) ||
      readable.some(
        (one) => one === 'all' || one.files.has(file) || withAncestors(file).some((path) => one.folders.has(path)),
      ),
  );
}

/** True for a file that Flux leaves out of its artifact wherever a revision has it. */
function leftOutOf(...revisions: [builds: readonly Rendered[], tree: Tree][]): (file: string) => boolean {
  const known = revisions.map(([builds, tree]) => ({
    tree,
    ignored: builds.map(({ lost }) => new Set(lost.flatMap((one) => (one.because === 'ignored' ? [one.path] : [])))),
  }));
  return (file) =>
    !decidesArtifact(file) &&
    known.every(({ tree, ignored }) => ignored.every((one) => one.has(file)) || isAbsent(file, tree));
}

function isAbsent(file: string, tree: Tree): boolean {
  const { links, submodules, refused } = tree;
  return !tree.has(file) && !links.includes(file) && !submodules.includes(file) && !refused.has(file);
}

/** Files that decide what Flux gets to see at all. */
function decidesArtifact(file: string): boolean {
  return /(?:^|\/)\.(?:sourceignore|gitmodules)$/.test(file);
}

/** Files, links and submodules that differ, and those of either revision that were not taken, as they are too large. */
export const changedFiles = oncePer((head: Tree) =>
  oncePer((base: Tree): readonly string[] => {
    const names = new Set(
      [head, base].flatMap(({ files, links, submodules, refused }) => [
        ...files,
        ...links,
        ...submodules,
        ...refused.keys(),
      ]),
    );
    return [...names].filter((name) => !isUnchanged(name, head, base));
  }),
);

function isUnchanged(name: string, head: Tree, base: Tree): boolean {
  const isSubmodule = head.submodules.includes(name) || base.submodules.includes(name);
  if (isSubmodule)
    return head.submoduleCommit(name) !== undefined && head.submoduleCommit(name) === base.submoduleCommit(name);
  const isLink = head.links.includes(name);
  if (isLink || base.links.includes(name)) return isLink && base.links.includes(name) && isSameFile(name, head, base);
  return isSameFile(name, head, base);
}

function withAncestors(file: string): string[] {
  const paths = [file];
  for (let path = dirname(file); path !== '.'; path = dirname(path)) paths.push(path);
  return [...paths, '.'];
}

/** Characters of kustomizations, and of the files that they name, that are looked through. */
const maxRead = 1 << 23;

/** Files that a build could read, and directories of which it could read any file. */
type Readable = { files: Set<string>; folders: Set<string> };

/** What a build of the path could read in either revision; `all` if that cannot be told. */
function readableBelow(path: string, trees: readonly Tree[]): Readable | 'all' {
  const readable: Readable = { files: new Set(), folders: new Set() };
  let left = maxRead;
  for (const tree of trees) {
    const built = new Set([path]);
    for (const folder of built) {
      for (const name of kustomizationsIn(folder)) readable.files.add(name);
      const kustomization = kustomizationOf(folder, tree);
      if (kustomization === undefined) {
        // Flux makes a kustomization of all files below it.
        readable.folders.add(folder);
        continue;
      }
      const files = new Set([kustomization]);
      for (const file of files) {
        const text = tree.text(file) ?? '';
        left -= text.length;
        // An escape, or another encoding, may hide any name.
        if (left < 0 || (file === kustomization && /[\\\0]/.test(text))) return 'all';
        readable.files.add(file);
        for (const one of namedIn(text, folder, tree)) (tree.isDirectory(one) ? built : files).add(one);
      }
    }
  }
  return readable;
}

/** Paths of the tree that the words of a text are, seen from a directory: whatever field they are in. */
function namedIn(text: string, folder: string, tree: Tree): string[] {
  const words = new Set(text.split(/[\s"',[\]{}]+/));
  const variants = [...words].flatMap((word) => [
    word,
    word.replace(/^[-:?&*!|>]{1,20}/, ''),
    word.slice(word.indexOf('=') + 1),
  ]);
  return variants
    .filter((word) => word !== '' && !/^[.]$/.test(word) && word.length < 4096)
    .map((word) => join(folder, word).replace(/\/$/, ''))
    .filter((path) => tree.has(path) || tree.refused.has(path) || tree.isDirectory(path));
}
