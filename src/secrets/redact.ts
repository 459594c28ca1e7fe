/**
 * Texts of others, such as kustomize's errors, without what Secrets of the tree hold. The tree is read for it only when
 * there is such a text, and the texts are searched together.
 */

import type { Tree } from '../core/model.js';
import { isShowable, linesOf, secretSpans } from './file.js';
import { hidden, type MaskedSpan, maskText, mergeSpans, replaceSpans } from './mask.js';
import { namedFiles, textOf } from './named.js';
import { occurrences } from './search.js';
import { secretsIn } from './walk.js';

/** Of a text, so many characters are read, and so many told. */
const longest = { read: 1 << 14, told: 1 << 13 };
/** Characters of the tree that are read for its secrets: of files that were built from, and of others besides. */
const budget = { built: 4 << 20, others: 2 << 20 };

const unread = '(not repeated: the repository is too large to know its secrets by)';

/** `files` are those that the texts may be about; where they are too many to read, nothing is told. */
export function redact(tree: Tree, texts: readonly string[], files: Iterable<string>): string[] {
  if (texts.length === 0) return [];
  const { values, isComplete } = valuesOf(tree, new Set(files));
  if (!isComplete) return texts.map(() => unread);
  const cut = texts.map((text) => withoutDumps(text).slice(0, longest.read));
  return withoutValues(cut, values).map((text) => maskText(text.slice(0, longest.told)));
}

/** The values that files of a tree hold, and all forms of them; of no more text than there is time to read. */
export function valuesInFiles(tree: Tree, files: ReadonlySet<string>): ReadonlySet<string> {
  return files.size === 0 ? files : valuesOf(tree, files, false).values;
}

/** Texts in which no such value stands, whatever their length; the time grows with their sizes and that of all values. */
export function withoutValues(texts: readonly string[], values: ReadonlySet<string>): string[] {
  return [...inParts(texts)].flatMap((part) => {
    const spans = mergeSpans(occurrences(part.join(separator), values));
    let start = 0;
    let first = 0;
    // Told apart by where they begin, as a text may hold what stands between two.
    return part.map((text) => {
      const end = start + text.length;
      while ((spans[first]?.end ?? Number.POSITIVE_INFINITY) <= start) first += 1;
      const own: MaskedSpan[] = [];
      for (let at = first; (spans[at]?.start ?? Number.POSITIVE_INFINITY) < end; at += 1) {
        const span = spans[at] as MaskedSpan;
        own.push({ start: Math.max(span.start, start) - start, end: Math.min(span.end, end) - start });
      }
      start = end + separator.length;
      return replaceSpans(text, own);
    });
  });
}

/** Whether one can learn a secret from a text. */
export function isTelling(text: string): boolean {
  return !ordinary.has(text.toLowerCase());
}

const separator = '\n\0\n';

/** As many at a time as an automaton has room for. */
function* inParts(texts: readonly string[]): Generator<string[]> {
  let part: string[] = [];
  let size = 0;
  for (const text of texts) {
    if (size + text.length > longest.read * 2) {
      yield part;
      [part, size] = [[], 0];
    }
    part.push(text);
    size += text.length;
  }
  yield part;
}

/** Go prints objects as it has them in memory, and go-yaml the begin of a value that is long. */
function withoutDumps(text: string): string {
  const dump = /(?:map\[\w{1,20}\]|\[\])interface \{\}\{/.exec(text);
  const end = text.lastIndexOf('}');
  const rest = dump && end >= dump.index + dump[0].length ? text.slice(end + 1) : '';
  const bare = dump ? `${text.slice(0, dump.index)}${hidden}${rest}` : text;
  return bare.replace(/`[^`\n]{0,80}\.\.\.`/g, `\`${hidden}\``);
}

type Values = { values: ReadonlySet<string>; isComplete: boolean };

/** A tree is asked for again with other files: what was read of it is kept. */
const known = new WeakMap<Tree, Map<string, readonly string[]>>();

/** `others`: of the rest of the tree too. */
function valuesOf(tree: Tree, built: ReadonlySet<string>, others = true): Values {
  const kept = known.get(tree) ?? new Map<string, readonly string[]>();
  known.set(tree, kept);
  const values = new Set<string>();
  const left = { ...budget };
  let isComplete = true;
  const read = (file: string, from: keyof typeof left) => {
    left[from] -= tree.bytes(file)?.length ?? 0;
    if (left[from] < 0) return false;
    const found = kept.get(file) ?? valuesIn(tree, file);
    kept.set(file, found);
    for (const value of found) values.add(value);
    return true;
  };
  const named = namedFiles(tree);
  // What is built from counts whatever it is called.
  for (const file of tree.files) if (built.has(file)) isComplete = read(file, 'built') && isComplete;
  const isSource = (file: string) => !built.has(file) && (isShowable(file) || named.has(file));
  if (others) for (const file of tree.files) if (isSource(file) && !read(file, 'others')) break;
  return { values, isComplete };
}

function valuesIn(tree: Tree, file: string): string[] {
  const text = textOf(tree, file) ?? '';
  const known = namedFiles(tree).get(file);
  const values = new Set<string>();
  const add = (value: string) => forms(value).forEach((form) => void values.add(form));
  if (known?.whole) add(text);
  for (const { values: found } of secretsIn(text, known)) found.forEach(add);
  const spans = secretSpans(text, known);
  linesOf(text).forEach((line, index) => {
    for (const { start, end } of spans(index)) add(line.slice(start, end));
  });
  return [...values].filter(isTelling);
}

/** As what a value may be repeated: its lines, what they assign, as it is quoted, encoded or decoded. */
function forms(value: string): string[] {
  const lines = value.split(/\r\n|[\r\n\x85\u2028\u2029]/).map((line) => line.trim());
  const assigned = lines.map((line) => line.slice(line.indexOf('=') + 1).trim());
  const bare = [...lines, ...assigned].map((line) => line.replace(/^(["'])(.*)\1,?$/, '$2'));
  const defaults = lines.flatMap((line) =>
    line
      .split('${')
      .slice(1)
      .map((variable) => /^\w{1,80}:?[-=]([^}]*)/.exec(variable)?.[1] ?? ''),
  );
  const plain = [...new Set([value, value.trim(), ...lines, ...assigned, ...bare, ...defaults])].filter(
    (text) => text !== '',
  );
  const quoted = plain.map((text) => JSON.stringify(text).slice(1, -1));
  return [...plain, ...quoted, ...recoded(value)];
}

function recoded(value: string): string[] {
  const encoded = Buffer.from(value).toString('base64');
  const bytes = /^[\w+/=\s-]{4,}$/.test(value) ? Buffer.from(value, 'base64').toString() : '';
  return [encoded, ...(/^[\x20-\x7e\s]{3,}$/.test(bytes) ? [bytes, bytes.trim()] : [])];
}

/** What such texts are made of: nobody learns a secret from these, and a text without them says nothing. */
const ordinary = new Set(
  `true false null none yaml json line file path kind name value values error field data stringdata string secret key type
  patch patches resource resources kustomization kustomize from with into that this must cannot unable find found unknown
  anchor referenced invalid missing expected number object array list default version namespace password username user
  token admin flux node mapping document accumulating accumulation recursed target`.split(/\s+/),
);
