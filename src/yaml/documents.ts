/** Files that many objects stand in, taken apart once for a tree. */
import { parseDocument } from 'yaml';
import type { Json, Tree } from '../core/model.js';
import { oncePer } from '../core/once.js';
import { SourceText } from './source-text.js';
import { depthExceeds, maxDepth, plainValue } from './syntax.js';

const taken = oncePer((_tree: Tree) => ({ sources: new Map<string, SourceText>(), values: new Map<string, Json>() }));

/** An empty one where there is no such file. */
export function sourceOf(file: string, tree: Tree): SourceText {
  const { sources } = taken(tree);
  const source = sources.get(file) ?? new SourceText(tree.text(file) ?? '');
  sources.set(file, source);
  return source;
}

/** The map or list that a document is; null where it is none, or too much to be read. */
export function documentValue(file: string, document: number, tree: Tree): Json {
  const { values } = taken(tree);
  const key = `${document} ${file}`;
  const known = values.get(key);
  if (known !== undefined) return known;
  const text = sourceOf(file, tree).documents[document]?.text ?? '';
  const isRead = !depthExceeds(text, maxDepth);
  const value = (isRead && plainValue(parseDocument(text, { logLevel: 'silent', uniqueKeys: false }))) || null;
  values.set(key, value);
  return value;
}
