/** What rules will need in any case, done while the engine is waited for. */
import { posix } from 'node:path';
import { isMap, isScalar, isSeq } from 'yaml';
import { kustomizationOf } from '../core/kustomization.js';
import type { Tree } from '../core/model.js';
import { lenientFile } from '../yaml/documents.js';

/** Characters in all: more would keep the engine waiting for who reads its answer. */
const mostRead = 1 << 18;

/** Parses the kustomizations that a path is built of, while it is built. */
export function kustomizationsAhead(tree: Tree): (path: string) => void {
  const read = new Set<string>();
  let left = mostRead;
  const readBelow = (path: string) => {
    const folders = [path];
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      const file = kustomizationOf(folder, tree);
      if (file === undefined || read.has(file)) continue;
      left -= tree.text(file)?.length ?? 0;
      if (left < 0) return;
      read.add(file);
      for (const one of foldersIn(file, tree)) folders.push(posix.join(folder, one).replace(/\/$/, ''));
    }
  };
  return (path) => {
    try {
      readBelow(path);
    } catch {
      // By whoever needs it.
    }
  };
}

/** The folders that it may name. */
function foldersIn(file: string, tree: Tree): string[] {
  const root = lenientFile(file, tree);
  if (!isMap(root)) return [];
  const lists = ['resources', 'bases', 'components'].map((list) => root.get(list));
  const entries = lists.flatMap((list) => (isSeq(list) ? list.items : []));
  return entries.flatMap((entry) =>
    isScalar(entry) && typeof entry.value === 'string' && !/\.ya?ml$/.test(entry.value) ? [entry.value] : [],
  );
}
