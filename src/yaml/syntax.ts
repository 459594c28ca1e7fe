/**
 * The syntax tree of one YAML document, to find nodes in: never to learn what a scalar means, which is go-yaml's to say.
 */
import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  Lexer,
  type Node,
  type Pair,
  parseDocument,
  visit,
} from 'yaml';
import type { FieldPath, Json } from '../core/model.js';
import { aliasOf } from './alias.js';
import { entryOf } from './keys.js';

/** Deeper than this no manifest is, and a recursive parser comes near the end of its stack (Node 20 aborts at 1,000). */
export const maxDepth = 100;

/** More than any manifest has: the parser looks for the anchor of each alias among all that stand before it. */
const maxAliases = 1000;

/** What a document says; undefined where its aliases lead nowhere, or repeat more than any manifest does. */
export function plainValue(document: Document): Json | undefined {
  if (hasManyAliases(document)) return undefined;
  try {
    return (document.toJS({ maxAliasCount: 100 }) ?? null) as Json;
  } catch {
    return undefined;
  }
}

export function hasManyAliases(document: Document): boolean {
  let count = 0;
  visit(document, {
    Alias: () => {
      count += 1;
      return count > maxAliases ? visit.BREAK : undefined;
    },
  });
  return count > maxAliases;
}

export type Syntax = {
  /** The node at `path` and the key that leads to it; undefined where the document does not write it. */
  find(path: FieldPath): Found | undefined;
  /** The node, key or value, that starts at `offset` of the document. */
  startingAt(offset: number): Span | undefined;
  /** The key whose value starts at `offset`. */
  keyOf(offset: number): Span | undefined;
  /** The alias through which the field at `path` has the scalar that starts at `offset`; undefined where there is none. */
  aliasOf(offset: number, path: FieldPath): Span | undefined;
};

/** Offsets in the document, end exclusive; `style` for a scalar. */
export type Span = { start: number; end: number; style?: ScalarStyle };
type Found = { key?: Span; value?: Span; scalar: boolean };
export type ScalarStyle = 'PLAIN' | 'QUOTE_SINGLE' | 'QUOTE_DOUBLE' | 'BLOCK_LITERAL' | 'BLOCK_FOLDED';

/** Undefined where the text is not one sound document: too deep, or broken at its very root. */
export function parseSyntax(text: string): Syntax | undefined {
  if (depthExceeds(text, maxDepth)) return undefined;
  const document = parseDocument(text, {
    uniqueKeys: false,
    strict: false,
    logLevel: 'silent',
    keepSourceTokens: false,
  });
  const root = document.contents;
  if (!isNode(root)) return undefined;
  let index: Index | undefined;
  const indexed = () => {
    index ??= indexOf(root);
    return index;
  };
  return {
    find: (path) => find(root, path),
    startingAt: (offset) => indexed().starts.get(behindProperties(text, offset)),
    keyOf: (offset) => indexed().keys.get(behindProperties(text, offset)),
    aliasOf: (offset, path) => aliasOf(root, offset, path),
  };
}

/**
 * Whether a document nests deeper than `limit`, from its tokens alone: the lexer keeps no stack, so any input is safe.
 * Counts open flow collections, and block collections by the columns at which their entries begin.
 */
export function depthExceeds(text: string, limit: number): boolean {
  // A bracket opens one, and every column of a line at most another: most files need not be read for it.
  if (mostAtOnce(text) <= limit) return false;
  const columns: number[] = [];
  let flow = 0;
  let column = 0;
  for (const token of new Lexer().lex(text)) {
    if (token === '[' || token === '{') flow++;
    else if (token === ']' || token === '}') flow--;
    else if (flow === 0 && !isBlank(token)) {
      while (columns.length > 0 && (columns.at(-1) as number) > column) columns.pop();
      if (columns.at(-1) !== column) columns.push(column);
    }
    if (flow + columns.length > limit) return true;
    const newline = token.lastIndexOf('\n');
    column = newline < 0 ? column + token.length : token.length - newline - 1;
  }
  return false;
}

function mostAtOnce(text: string): number {
  const widest = text.split('\n').reduce((most, line) => Math.max(most, line.length), 0);
  return text.split(/[[{]/).length + widest + 1;
}

/** White space, or one of the marks that the lexer puts between documents and before scalars. */
function isBlank(token: string): boolean {
  return token.trim() === '' || (token.length === 1 && token < ' ');
}

function find(root: Node, path: FieldPath): Found | undefined {
  let node: unknown = root;
  let key: Node | undefined;
  for (const step of path) {
    const next = child(node, step);
    if (!next) return undefined;
    key = next.key;
    node = next.value;
  }
  return {
    ...(key && { key: span(key) }),
    ...(isNode(node) && { value: span(node) }),
    scalar: isScalar(node) || isAlias(node) || !isNode(node),
  };
}

function child(node: unknown, step: string | number): { key?: Node; value: unknown } | undefined {
  if (isMap(node)) {
    // The last of several equal keys is what a lenient decoder keeps.
    const pair = entryOf(node, String(step), 'last', keyText);
    return pair && { ...(isNode(pair.key) && { key: pair.key }), value: pair.value };
  }
  if (isSeq(node) && typeof step === 'number' && step < node.items.length) return { value: node.items[step] };
  return undefined;
}

function keyText(pair: Pair): string | undefined {
  return isScalar(pair.key) ? pair.key.source : undefined;
}

function span(node: Node): Span {
  const [start, end] = node.range ?? [0, 0];
  return { start, end, ...(isScalar(node) && node.type && { style: node.type as ScalarStyle }) };
}

/** go-yaml lets a node start with its anchor or tag, `yaml` with what follows them. */
function behindProperties(text: string, offset: number): number {
  const properties = /(?:[&!][^\s,[\]{}]*[ \t]+)*/y;
  properties.lastIndex = offset;
  properties.test(text);
  return properties.lastIndex;
}

/** By the offset at which it starts: every node, and the key of every value. */
type Index = { starts: Map<number, Span>; keys: Map<number, Span> };

function indexOf(root: Node): Index {
  const index: Index = { starts: new Map(), keys: new Map() };
  const visit = (node: unknown) => {
    if (isPair(node)) {
      if (isNode(node.key) && isNode(node.value)) index.keys.set(span(node.value).start, span(node.key));
      visit(node.key);
      visit(node.value);
    } else if (isNode(node)) {
      // A map starts where its first key does; the key is the smaller, and the better answer.
      if (isCollection(node)) for (const item of node.items) visit(item);
      const at = span(node);
      if (!index.starts.has(at.start)) index.starts.set(at.start, at);
    }
  };
  visit(root);
  return index;
}
