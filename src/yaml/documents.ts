/** Files that many objects stand in, taken apart once for a tree. */
import { isMap, isSeq, parseDocument, type YAMLMap, type YAMLSeq } from 'yaml';
import type { Json, Tree } from '../core/model.js';
import { oncePer } from '../core/once.js';
import { keptByText } from '../core/rounds.js';
import { SourceText } from './source-text.js';
import { depthExceeds, maxDepth, plainValue } from './syntax.js';

type Collection = YAMLMap | YAMLSeq;

const taken = oncePer((_tree: Tree) => ({
  sources: new Map<string, SourceText>(),
  values: new Map<string, Json>(),
  lenient: new Map<string, Collection | undefined>(),
}));

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

/** The map or list that a text is to a parser that takes a key more than once; undefined where it is none, or too deep. */
export const lenientRoot = keptByText((text): Collection | undefined => {
  if (depthExceeds(text, maxDepth)) return undefined;
  const { contents } = parseDocument(text, { uniqueKeys: false, strict: false, logLevel: 'silent' });
  return isMap(contents) || isSeq(contents) ? contents : undefined;
});

/** A kustomization, which kustomize reads with such a parser. It may list thousands of files, and several rules read it. */
export function lenientFile(file: string, tree: Tree): Collection | undefined {
  const { lenient } = taken(tree);
  if (!lenient.has(file)) lenient.set(file, lenientRoot(tree.text(file) ?? ''));
  return lenient.get(file);
}
