/** A tree that reads each file once, so that it stays as it was while the files go on to change. */
import type { Tree } from '../core/model.js';
import { textBy } from './tree.js';

export function remembered(tree: Tree): Tree {
  const read = new Map<string, Uint8Array | undefined>();
  const bytes = (path: string) => {
    if (!read.has(path)) read.set(path, tree.bytes(path));
    return read.get(path);
  };
  return { ...tree, bytes, text: textBy(bytes) };
}
