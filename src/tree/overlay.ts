/** A tree with edits that are in no file yet, so that they can be checked before anything is written. */
import type { Tree } from '../core/model.js';

const utf8 = new TextEncoder();

/** `texts` by path; a file that is not in the tree is added to it. */
export function overlaid(tree: Tree, texts: ReadonlyMap<string, string>): Tree {
  if (texts.size === 0) return tree;
  const bytes = new Map([...texts].map(([path, text]) => [path, utf8.encode(text)]));
  const added = [...texts.keys()].filter((path) => !tree.has(path));
  const isAbove = (path: string) => added.some((file) => file.startsWith(`${path}/`));
  return {
    ...tree,
    files: [...tree.files, ...added].sort(),
    has: (path) => texts.has(path) || tree.has(path),
    isDirectory: (path) => tree.isDirectory(path) || isAbove(path),
    bytes: (path) => bytes.get(path) ?? tree.bytes(path),
    text: (path) => texts.get(path) ?? tree.text(path),
  };
}
