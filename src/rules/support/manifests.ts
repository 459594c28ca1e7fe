/** Whether a file that nothing renders holds an object, told from its text: an untrusted file is not taken apart for it. */

import type { Place, Tree } from '../../core/model.js';
import { SourceText } from '../../yaml/source-text.js';
import { parseSyntax } from '../../yaml/syntax.js';

/** The name of the first object in the file; undefined where there is none. */
export function firstObjectIn(file: string, tree: Tree): Place | undefined {
  for (const [document, { text }] of new SourceText(tree.text(file) ?? '').documents.entries()) {
    if (!/^["']?kind["']?\s*:/m.test(text) || /^apiVersion:\s*["']?kustomize\.config\.k8s\.io\//m.test(text)) continue;
    const syntax = parseSyntax(text);
    const paths = [['apiVersion'], ['kind'], ['metadata', 'name']];
    if (paths.every((path) => syntax?.find(path)?.scalar)) return { file, document, path: ['metadata', 'name'] };
  }
  return undefined;
}
