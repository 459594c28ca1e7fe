/**
 * One YAML document as text that can be edited at a path: every other character stays as it is. Each edit is proved: the text
 * that comes out must mean what the edit says and nothing else, or there is none (undefined).
 */
import { isDeepStrictEqual } from 'node:util';
import {
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  stringify,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { FieldPath, Json } from '../core/model.js';
import { isObject } from '../core/object.js';
import { entryOf, keyTwice } from './keys.js';
import { meaningOf } from './plain.js';
import { depthExceeds, maxDepth, plainValue } from './syntax.js';

export type Scalar = string | number | boolean;

/** An edit of one document. What is emptied by `remove` goes as well: a map with its key, a list becomes `[]`. */
export type YamlEdit =
  | { do: 'remove'; path: FieldPath }
  | { do: 'set'; path: FieldPath; value: Json; asWritten?: true | undefined }
  | { do: 'rename'; path: FieldPath; key: string }
  /** `after` is the key behind which it goes, where that is there; else it goes last. */
  | { do: 'add'; path: FieldPath; value: Json; after?: string }
  /** Before the item at `index`, or behind the last. */
  | { do: 'insert'; path: FieldPath; index?: number; value: string }
  | { do: 'move'; path: FieldPath; to: FieldPath };

export class YamlEditor {
  private constructor(
    readonly text: string,
    readonly root: Node,
    private readonly value: Json,
  ) {}

  /** Undefined where the text is not one sound document, or one that is sealed: a MAC counts every value of it. */
  static read(text: string): YamlEditor | undefined {
    if (depthExceeds(text, maxDepth)) return undefined;
    const document = parseDocument(text, { uniqueKeys: false, strict: true, logLevel: 'silent' });
    if (document.errors.length > 0 || !isNode(document.contents) || keyTwice(document.contents)) return undefined;
    const value = plainValue(document);
    if (value === undefined || (isObject(value) && Object.hasOwn(value, 'sops'))) return undefined;
    return new YamlEditor(text, document.contents, value);
  }

  /** What the document says at a path. */
  at(path: FieldPath): Json | undefined {
    return step(this.value, path);
  }

  /** The paths of the nodes, and of the keys, that start at an offset. */
  startingAt(offset: number, part: 'key' | 'value'): FieldPath[] {
    const found: FieldPath[] = [];
    const visit = (node: unknown, path: FieldPath) => {
      if (part === 'value' && isNode(node) && node.range?.[0] === offset) found.push(path);
      if (isMap(node)) {
        for (const { key, value } of node.items) {
          if (!isScalar(key)) continue;
          const below = [...path, String(key.value)];
          if (part === 'key' && key.range?.[0] === offset) found.push(below);
          visit(value, below);
        }
      } else if (isSeq(node)) for (const [index, item] of node.items.entries()) visit(item, [...path, index]);
    };
    visit(this.root, []);
    return found;
  }

  /** Where the node at a path starts and ends, its key included. */
  span(path: FieldPath): { start: number; end: number } | undefined {
    const found = find(this.root, path);
    if (!found) return undefined;
    const start = isScalar(found.pair?.key) ? found.pair.key.range?.[0] : found.node?.range?.[0];
    return start === undefined ? undefined : { start, end: this.#endOf(found.pair ?? found.node) };
  }

  edit(wanted: YamlEdit): YamlEditor | undefined {
    const edit = wanted.do === 'set' && wanted.asWritten ? { ...wanted, value: this.#asWritten(wanted) } : wanted;
    const expected = meaning(this.value, edit);
    const text = expected === undefined ? undefined : this.#write(edit);
    const page = text === undefined ? undefined : YamlEditor.read(text);
    return page && isDeepStrictEqual(page.value, expected) ? page : undefined;
  }

  #write(edit: YamlEdit): string | undefined {
    switch (edit.do) {
      case 'remove':
        return this.#remove(edit.path);
      case 'set':
        return this.#set(find(this.root, edit.path), edit.value);
      case 'rename':
        return this.#replaceScalar(find(this.root, edit.path)?.pair?.key, edit.key);
      case 'add':
        return this.#add(edit.path, edit.value, edit.after);
      case 'insert':
        return this.#insertItem(find(this.root, edit.path)?.node, edit.index ?? Number.POSITIVE_INFINITY, edit.value);
      case 'move':
        return this.#move(edit.path, edit.to);
    }
  }

  #remove(path: FieldPath): string | undefined {
    const found = find(this.root, path);
    if (!found || hasAnchor(found.pair ?? found.node)) return undefined;
    const { holder, pair } = found;
    if (holder.items.length === 1) {
      if (path.length < 2) return undefined;
      const above = path.slice(0, -1);
      if (isMap(holder)) return typeof above.at(-1) === 'string' ? this.#remove(above) : undefined;
      const isRoots = above.length === 1 && isMap(this.root) && this.root.items.length > 1;
      return isRoots ? this.#remove(above) : this.#empty(above);
    }
    const last = holder.items.indexOf((pair ?? found.node) as never) === holder.items.length - 1;
    if (holder.flow) return this.#removeFlow(found, last);
    const start = startOf(pair ?? found.node);
    const begin = pair ? start : this.#dashBefore(start);
    if (begin === undefined) return undefined;
    const end = this.#lineEnd(this.#endOf(pair ?? found.node));
    if (end === undefined) return undefined;
    const line = lineStart(this.text, begin);
    const before = this.text.slice(line, begin);
    if (before.trim() === '') return this.#cut(this.#withIgnores(line), end);
    // The first key behind the dash of an item: what follows takes its place.
    const next = holder.items[holder.items.indexOf((pair ?? found.node) as never) + 1];
    const nextStart = isPair(next) ? startOf(next) : undefined;
    if (nextStart === undefined || this.text.slice(end, nextStart).trim() !== '') return undefined;
    return splice(this.text, begin, nextStart, '');
  }

  #removeFlow({ holder, pair, node }: Found, last: boolean): string | undefined {
    const index = holder.items.indexOf((pair ?? node) as never);
    const neighbour = holder.items[last ? index - 1 : index + 1];
    const [start, end] = last
      ? [this.#endOf(neighbour), this.#endOf(pair ?? node)]
      : [startOf(pair ?? node), startOf(neighbour)];
    if (start === undefined || end === undefined || this.text.slice(start, end).includes('#')) return undefined;
    return splice(this.text, start, end, '');
  }

  /** A list whose last item goes stays a list: without it, somebody else's would count. */
  #empty(path: FieldPath): string | undefined {
    const found = find(this.root, path);
    const key = found?.pair?.key;
    if (!found?.node || !isScalar(key) || !key.range) return undefined;
    if ((found.node as YAMLSeq).flow) return splice(this.text, startOf(found.node) ?? 0, this.#endOf(found.node), '[]');
    const colon = this.#behindColon(key.range[1]);
    const end = this.#lineEnd(this.#endOf(found.node));
    if (colon === undefined || end === undefined || this.text.slice(colon, startOf(found.node)).includes('#'))
      return undefined;
    return splice(this.text, colon, end, ` []${this.text.slice(0, end).endsWith('\n') ? this.#eol : ''}`);
  }

  #asWritten({ path, value }: { path: FieldPath; value: Json }): Json {
    const node = find(this.root, path)?.node;
    if (!isScalar(node) || node.type !== 'PLAIN' || node.source === undefined) return value;
    return String(node.value) === value || meaningOf(node.source) === value ? node.source : value;
  }

  #set(found: Found | undefined, value: Json): string | undefined {
    if (!found) return undefined;
    const { holder, node } = found;
    if (isText(value)) return this.#replaceScalar(node, value);
    if (!isScalar(node) || !node.range || node.anchor || node.tag || !isObject(value) || !isSeq(holder))
      return undefined;
    const [start, end] = node.range;
    if (start === end || this.text.slice(start, end).includes('\n')) return undefined;
    const lines = this.#lines(value, start - lineStart(this.text, start));
    const block = lines.join(this.#eol).trimStart();
    return splice(this.text, start, end, holder.flow ? `{ ${this.#flow(value)} }` : block);
  }

  #replaceScalar(node: unknown, value: Scalar): string | undefined {
    if (!isScalar(node) || !node.range || node.anchor || node.tag) return undefined;
    const [start, end] = node.range;
    if (start === end) return undefined;
    const written = this.text.slice(start, end);
    if (node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED' || written.includes('\n')) return undefined;
    return splice(this.text, start, end, scalarText(value, node.type));
  }

  #insertItem(list: Node | undefined, index: number, value: string): string | undefined {
    if (!isSeq(list) || list.items.length === 0 || list.anchor) return undefined;
    const item = list.items[index] ?? list.items.at(-1);
    const start = startOf(item);
    if (start === undefined) return undefined;
    if (list.flow) {
      const text = scalarText(value);
      if (index < list.items.length) return splice(this.text, start, start, `${text}, `);
      return splice(this.text, this.#endOf(item), this.#endOf(item), `, ${text}`);
    }
    const dash = this.#dashBefore(start);
    if (dash === undefined) return undefined;
    const line = lineStart(this.text, dash);
    const text = this.text.slice(line, start) + scalarText(value);
    if (index < list.items.length) return splice(this.text, line, line, text + this.#eol);
    return this.#insert(item, [text]);
  }

  #add(path: FieldPath, value: Json, after?: string): string | undefined {
    let depth = path.length - 1;
    while (depth > 0 && !isFilledMap(find(this.root, path.slice(0, depth))?.node)) depth--;
    const holder = depth === 0 ? this.root : find(this.root, path.slice(0, depth))?.node;
    if (!isMap(holder) || this.#isAnchored(path.slice(0, depth))) return undefined;
    const rest = path.slice(depth);
    const nested = rest.slice(1).reduceRight<Json>((inner, key) => ({ [key]: inner }), value);
    const key = String(rest[0]);
    const empty = holder.items.find((pair) => isScalar(pair.key) && pair.key.value === key);
    if (holder.flow) return empty ? undefined : this.#addFlow(holder, { [key]: nested });
    const column = this.#column(holder);
    if (column === undefined) return undefined;
    if (empty) return this.#fill(empty, nested, column);
    const behind = holder.items.find((pair) => isScalar(pair.key) && pair.key.value === after);
    return this.#insert(behind ?? holder.items.at(-1), this.#lines({ [key]: nested }, column));
  }

  /** `annotations:` or `annotations: {}`, which have nothing below them yet. */
  #fill(pair: Pair, value: Json, column: number): string | undefined {
    if (!isObject(value) || !isScalar(pair.key) || !pair.key.range || hasAnchor(pair)) return undefined;
    if (isMap(pair.value) && pair.value.flow && pair.value.items.length === 0) return this.#addFlow(pair.value, value);
    if (!isScalar(pair.value) || pair.value.value !== null || pair.value.source) return undefined;
    return this.#insert(pair, this.#lines(value, column + this.#indent));
  }

  #addFlow(map: YAMLMap, value: { [key: string]: Json }): string | undefined {
    if (!map.range) return undefined;
    const close = map.range[1] - 1;
    const quoted = map.items.length > 0 && map.items.every(({ key }) => isScalar(key) && key.type === 'QUOTE_DOUBLE');
    const text = quoted ? JSON.stringify(value).slice(1, -1) : this.#flow(value);
    const last = map.items.at(-1);
    if (!last) return splice(this.text, map.range[0] + 1, close, ` ${text} `);
    const end = this.#endOf(last);
    if (this.text.slice(end, close).trim() !== '') return undefined;
    const lines = this.text.slice(map.range[0], startOf(map.items[0])).match(/\r?\n[ \t]*$/);
    return splice(this.text, end, end, lines ? `,${lines[0]}${text}` : `, ${text}`);
  }

  #flow(value: { [key: string]: Json }): string {
    return Object.entries(value)
      .map(([key, inner]) => `${scalarText(key)}: ${JSON.stringify(inner)}`)
      .join(', ');
  }

  #move(path: FieldPath, to: FieldPath): string | undefined {
    const found = find(this.root, path);
    if (!found?.pair || hasAnchor(found.pair) || to.slice(0, path.length).join('\n') === path.join('\n'))
      return undefined;
    const value = step(this.value, path);
    if (value === undefined || step(this.value, to) !== undefined) return undefined;
    const whole = meaning(this.value, { do: 'add', path: to, value });
    // Written first, so that what the entry leaves behind is not taken away and made anew.
    const added = this.#addLines(to, found) ?? this.#add(to, value);
    const page = added === undefined ? undefined : YamlEditor.read(added);
    return page && isDeepStrictEqual(page.value, whole) ? page.#remove(path) : undefined;
  }

  /** The lines of an entry as they are, comments included, at another depth. */
  #addLines(to: FieldPath, { holder, pair }: Found): string | undefined {
    const start = startOf(pair);
    if (start === undefined || holder.flow || !isScalar(pair?.key) || !pair.key.range) return undefined;
    const line = lineStart(this.text, start);
    const end = this.#lineEnd(this.#endOf(pair));
    if (end === undefined || this.text.slice(line, start).trim() !== '') return undefined;
    const indent = start - line;
    const body = this.text
      .slice(line, end)
      .replace(/\r?\n$/, '')
      .split(/\r?\n/);
    const target = to.slice(0, -1);
    const filled = isFilledMap(find(this.root, target)?.node);
    // A level that is not there yet is made with a place holder, whose line then makes room.
    const marker = 'customizer-lint-moves-this-here';
    const made = filled ? undefined : this.#add([...target, marker], true);
    const page = made === undefined ? this : YamlEditor.read(made);
    const map = page && find(page.root, target)?.node;
    const column = page && isMap(map) && !map.flow ? page.#column(map) : undefined;
    if (!page || !isMap(map) || column === undefined || page.#isAnchored(target)) return undefined;
    const [first = '', ...others] = body;
    const head = scalarText(String(to.at(-1))) + first.slice(indent + (pair.key.range[1] - pair.key.range[0]));
    if (others.some((text) => text.trim() !== '' && text.slice(0, indent).trim() !== '')) return undefined;
    const pad = ' '.repeat(column);
    const moved = [head, ...others.map((text) => text.slice(indent))].map((text) => (text ? pad + text : text));
    if (page === this) return this.#insert(map.items.at(-1), moved);
    const at = lineStart(page.text, startOf(map.items[0]) ?? 0);
    const behind = page.#lineEnd(page.#endOf(map.items[0]));
    const eol = page.text.slice(0, behind).endsWith('\n') ? page.#eol : '';
    return behind === undefined ? undefined : splice(page.text, at, behind, moved.join(page.#eol) + eol);
  }

  /** Whole lines behind an entry of a block map. */
  #insert(entry: unknown, lines: readonly string[]): string | undefined {
    const end = this.#lineEnd(this.#endOf(entry));
    if (end === undefined) return undefined;
    const ended = this.text.slice(0, end).endsWith('\n');
    const added = lines.join(this.#eol);
    return splice(this.text, end, end, ended ? added + this.#eol : this.#eol + added);
  }

  #lines(value: { [key: string]: Json }, column: number): string[] {
    const text = stringify(value, { indent: this.#indent, lineWidth: 0, version: '1.1' });
    return text
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => (line ? ' '.repeat(column) + line : line));
  }

  #cut(start: number, end: number): string {
    // The last line of a text that does not end with a line break takes the one before it along.
    const whole = end === this.text.length && !this.text.endsWith('\n');
    const from = whole ? start - (/\r?\n$/.exec(this.text.slice(0, start))?.[0].length ?? 0) : start;
    return splice(this.text, from, end, '');
  }

  /** A comment that excuses a line goes with it. */
  #withIgnores(line: number): number {
    const above = line === 0 ? 0 : lineStart(this.text, line - 1);
    return /^[ \t]*#+\s*customizer-lint ignore\b/.test(this.text.slice(above, line)) ? above : line;
  }

  #dashBefore(offset: number | undefined): number | undefined {
    if (offset === undefined) return undefined;
    const line = lineStart(this.text, offset);
    const dash = /^[ \t]*(-[ \t]+)$/.exec(this.text.slice(line, offset))?.[1];
    return dash === undefined ? undefined : offset - dash.length;
  }

  #behindColon(offset: number): number | undefined {
    const colon = /[ \t]*:/y;
    colon.lastIndex = offset;
    return colon.test(this.text) ? colon.lastIndex : undefined;
  }

  /** The end of a node without the white space and the comments behind it. */
  #endOf(node: unknown): number {
    if (isPair(node)) {
      const key = isScalar(node.key) ? (node.key.range?.[1] ?? 0) : 0;
      const isEmpty = isScalar(node.value) && node.value.range?.[0] === node.value.range?.[1];
      return isEmpty || node.value === null ? (this.#behindColon(key) ?? key) : this.#endOf(node.value);
    }
    if (isCollection(node) && !node.flow && node.items.length > 0) return this.#endOf(node.items.at(-1));
    const end = isNode(node) ? (node.range?.[1] ?? 0) : 0;
    if (!isScalar(node) || !String(node.type).startsWith('BLOCK')) return end;
    const keeps = /^[|>]\d?\+/.test(this.text.slice(node.range?.[0]));
    return keeps ? end : this.text.slice(0, end).trimEnd().length;
  }

  /** Behind the comment and the line break that follow; undefined where something else does. */
  #lineEnd(offset: number): number | undefined {
    if (offset > 0 && this.text[offset - 1] === '\n') return offset;
    const rest = /(?:[ \t]+#[^\n]*|[ \t]*)(?:\r?\n|$)/y;
    rest.lastIndex = offset;
    return rest.test(this.text) ? rest.lastIndex : undefined;
  }

  #column(map: YAMLMap): number | undefined {
    const start = startOf(map.items[0]);
    if (start === undefined) return undefined;
    const line = lineStart(this.text, start);
    return /^[ ]*(?:- +)*$/.test(this.text.slice(line, start).replace(/^\uFEFF/, '')) ? start - line : undefined;
  }

  /** As the document indents; two where it does not say. */
  get #indent(): number {
    const found = (isMap(this.root) ? this.root.items : []).flatMap(({ value }) => {
      const column = isMap(value) && !value.flow ? this.#column(value) : undefined;
      return column ? [column] : [];
    });
    return found[0] ?? 2;
  }

  get #eol(): string {
    return /\r?\n/.exec(this.text)?.[0] ?? '\n';
  }

  /** Whether what is written there counts in another place as well. */
  #isAnchored(path: FieldPath): boolean {
    return path.some((_, index) => find(this.root, path.slice(0, index + 1))?.node?.anchor !== undefined);
  }
}

/** `node` is absent where a key has no value at all. */
type Found = { holder: YAMLMap | YAMLSeq; pair?: Pair; node?: Node };

/** The node at a path that is not empty; undefined behind an alias, an anchor or a merge key, where an edit has other effects. */
function find(root: Node, path: FieldPath): Found | undefined {
  let node: unknown = root;
  let found: Found | undefined;
  for (const key of path) {
    if (!isNode(node) || isAlias(node) || node.anchor) return undefined;
    if (isMap(node)) {
      if (entryOf(node, '<<', 'first', keyText)) return undefined;
      const pair = entryOf(node, String(key), 'first', keyText);
      if (!pair) return undefined;
      found = { holder: node, pair, ...(isNode(pair.value) && { node: pair.value }) };
      node = pair.value;
    } else if (isSeq(node) && typeof key === 'number' && isNode(node.items[key])) {
      found = { holder: node, node: node.items[key] };
      node = node.items[key];
    } else return undefined;
  }
  return found;
}

function keyText({ key }: Pair): string | undefined {
  return isScalar(key) ? String(key.value) : undefined;
}

function isText(value: Json): value is Scalar {
  return value !== null && typeof value !== 'object';
}

function isFilledMap(node: Node | undefined): boolean {
  return isMap(node) && node.items.length > 0;
}

function hasAnchor(node: unknown): boolean {
  if (isPair(node)) return hasAnchor(node.key) || hasAnchor(node.value);
  if (!isNode(node)) return false;
  if (!isAlias(node) && node.anchor) return true;
  return isCollection(node) && node.items.some(hasAnchor);
}

function startOf(node: unknown): number | undefined {
  const start = isPair(node) ? node.key : node;
  return isNode(start) ? start.range?.[0] : undefined;
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

function splice(text: string, start: number, end: number, by: string): string {
  return text.slice(0, start) + by + text.slice(end);
}

/** In the quotes that are there, else in those it needs. Old parsers take more words for booleans. */
function scalarText(value: Scalar, type?: string): string {
  if (typeof value === 'string' && type === 'QUOTE_SINGLE') return `'${value.replaceAll("'", "''")}'`;
  if (typeof value === 'string' && type === 'QUOTE_DOUBLE') return JSON.stringify(value);
  return stringify(value, { lineWidth: 0, version: '1.1' }).trimEnd();
}

function step(value: Json, path: FieldPath): Json | undefined {
  let node: Json | undefined = value;
  for (const key of path) {
    if (node === null || typeof node !== 'object' || !Object.hasOwn(node, key)) return undefined;
    node = (node as { [key: string | number]: Json })[key];
  }
  return node;
}

/** What a document says after an edit; undefined where there is nothing to edit. */
function meaning(value: Json, edit: YamlEdit): Json | undefined {
  const copy = JSON.parse(JSON.stringify(value)) as Json;
  const key = edit.path.at(-1);
  const above = edit.path.slice(0, -1);
  const holder = step(copy, above) as { [key: string | number]: Json } | undefined;
  if (key === undefined) return undefined;
  const isThere = holder !== null && typeof holder === 'object' && Object.hasOwn(holder, key);
  if (edit.do === 'insert') {
    const list = step(copy, edit.path);
    if (!Array.isArray(list)) return undefined;
    list.splice(edit.index ?? list.length, 0, edit.value);
    return copy;
  }
  if (edit.do === 'add') return isThere ? undefined : put(copy, edit.path, edit.value);
  if (!isThere) return undefined;
  if (edit.do === 'remove') return drop(copy, edit.path);
  if (edit.do === 'set') {
    holder[key] = edit.value;
    return copy;
  }
  const moved = holder[key] as Json;
  const to = edit.do === 'rename' ? [...above, edit.key] : edit.to;
  if (step(copy, to) !== undefined) return undefined;
  if (edit.do === 'rename') delete holder[key];
  const put_ = put(copy, to, moved);
  return edit.do === 'rename' || put_ === undefined ? put_ : drop(put_, edit.path);
}

function put(value: Json, path: FieldPath, added: Json): Json | undefined {
  let node: Json = value;
  for (const key of path.slice(0, -1)) {
    if (Array.isArray(node) && typeof key === 'number' && node[key] !== undefined) {
      node = node[key];
      continue;
    }
    if (!isObject(node)) return undefined;
    if (!Object.hasOwn(node, key) || node[key] === null) node[key] = {};
    node = node[key] as Json;
  }
  if (!isObject(node)) return undefined;
  node[path.at(-1) as string] = added;
  return value;
}

function drop(value: Json, path: FieldPath): Json | undefined {
  const holder = step(value, path.slice(0, -1)) as { [key: string | number]: Json } | Json[];
  const isOnly = Object.keys(holder).length === 1;
  if (Array.isArray(holder)) {
    const isRoots = path.length === 2 && Object.keys(value as object).length > 1;
    if (isOnly && isRoots) return drop(value, path.slice(0, -1));
    holder.splice(path.at(-1) as number, 1);
    return value;
  }
  if (isOnly) return typeof path.at(-2) === 'string' ? drop(value, path.slice(0, -1)) : undefined;
  delete holder[path.at(-1) as string];
  return value;
}
