/** Trees that are in no folder. Apart from those that are, as it loads the product. */
import type { Tree } from '../../src/core/model.js';
import { collectTree } from '../../src/tree/tree.js';

/** A revision of these files, without a directory. */
export function treeOf(files: Record<string, string | Uint8Array>): Tree {
  const { admit, file, tree } = collectTree('head', 'a test');
  for (const [path, content] of Object.entries(files)) {
    const bytes = Buffer.from(content);
    if (admit(path, bytes.length)) file(path, bytes);
  }
  return tree();
}
