/** A build that Flux would refuse, as a problem at the line to edit, in words of our own, with Flux's text beside them. */

import { posix } from 'node:path';
import { defined } from '../core/defined.js';
import { kustomizationOf } from '../core/kustomization.js';
import type { Entrypoint, ExcludedFile, FieldPath, Place, Problem, Tree } from '../core/model.js';
import { nearest, nearestDirectory } from '../core/suggest.js';
import type { EngineError } from '../engine/host/protocol.js';
import { type Complaint, mistakeIn } from '../yaml/mistake.js';
import { SourceText } from '../yaml/source-text.js';
import { parseSyntax, type Syntax } from '../yaml/syntax.js';
import { type Clue, explain } from './error-messages.js';
import { explainExcluded, explainPointer, isPointer, lostFrom } from './excluded-files.js';
import { without } from './match.js';

/** `files` are those that the build read before it stopped. */
export type Build = { entrypoint: Entrypoint; files: readonly string[]; lost: readonly ExcludedFile[] };

/** `told` is the error's text without the secrets of the tree: what is said comes of it, and where it stands of the text itself. */
export function refusal(
  tree: Tree,
  { entrypoint, files, lost }: Build,
  error: EngineError,
  told: string = error.message,
): Problem {
  const { clue, missing = [], rule: kind } = explain(error);
  const { message: text, help: way } = explain({ ...error, message: told });
  // Several of one file would look the same.
  const words = error.stage === 'limit' ? text.replace('This', () => `"${entrypoint.path}"`) : text;
  const near = nearFile(tree, error, missing);
  const said = { related: undefined, rule: kind, message: words, help: near ? `did you mean "${near}"?` : way };
  const {
    rule = 'unbuildable-kustomization',
    message,
    help,
    related,
  } = notThere(tree, error, error.class === 'missing-path' && !error.field ? [entrypoint.path] : missing, lost) ?? said;
  if (rule === 'missing-entrypoint') return { ...notNamed(tree, entrypoint), ...upstreamOf(error, told) };
  const twice = clue && (keyTwice(tree, files, clue) ?? objectTwice(tree, files, error, clue));
  const first = twice?.first ? [{ message: 'the first one', at: twice.first }] : undefined;
  const at = twice?.at ?? begunWith(tree, files, clue) ?? placeOf(tree, entrypoint, error, clue);
  const isPatch = clue && 'syntax' in clue && clue.syntax.reason === undefined && error.line !== undefined;
  const known = isPatch ? 'the patch is invalid YAML' : message;
  return {
    rule,
    message: isIndentedWithTab(message, at, tree) || (isPatch && beginsWithTab(at, tree)) ? withTab : known,
    ...defined({ help: help ?? (message.startsWith('invalid YAML') ? quoteVariable(at, tree) : undefined) }),
    ...upstreamOf(error, told),
    at,
    ...defined({ related: related ?? first }),
    entrypoint: entrypoint.path,
  };
}

function upstreamOf(error: EngineError, told: string): Pick<Problem, 'upstream'> {
  return isFluxs(error) ? { upstream: { program: 'flux', text: lastCause(told) } } : {};
}

/** Only the configuration names a directory that is not looked for first. */
function notNamed(tree: Tree, { path, declaredAt }: Entrypoint): Problem {
  const meant = nearestDirectory(path, tree.files);
  return {
    rule: 'missing-entrypoint',
    message: `entrypoint "${path}" does not exist, so nothing of it is checked`,
    help: meant === undefined ? 'name a directory that Flux applies, or remove the entry' : `did you mean "${meant}"?`,
    at: declaredAt ?? { file: path },
    entrypoint: path,
  };
}

const withTab = 'invalid YAML: a line is indented with a tab; use spaces';

/** The parser says of several characters that they cannot start a token; a tab is the one that is not seen. */
function isIndentedWithTab(message: string, at: Place, tree: Tree): boolean {
  if (message.includes('found a tab character')) return true;
  return message.includes('found character that cannot start any token') && beginsWithTab(at, tree);
}

function beginsWithTab(at: Place, tree: Tree): boolean {
  return 'range' in at && /^ *\t/.test(new SourceText(tree.text(at.file) ?? '').line(at.range?.start.line ?? 1));
}

/** A variable is no text to the parser before Flux has substituted it. */
function quoteVariable(at: Place, tree: Tree): string | undefined {
  if (!('range' in at)) return undefined;
  const { line } = at.range.start;
  const [name] = /(?<!["'$\w])\$\{\w{1,80}\}/.exec(new SourceText(tree.text(at.file) ?? '').line(line)) ?? [];
  return name && `put "${name}" in quotes`;
}

/** The error names no file: the one value that begins so is meant. */
function begunWith(tree: Tree, files: readonly string[], clue: Clue | undefined): Place | undefined {
  if (!clue || !('begins' in clue)) return undefined;
  const found = files.flatMap((file) => {
    const source = new SourceText(tree.text(file) ?? '');
    return source.text.split('\n').flatMap((text, index): Place[] => {
      const at = text.indexOf(clue.begins);
      if (at < 0 || !/(?:^|[:-])\s*$/.test(text.slice(0, at))) return [];
      const start = (source.lineSpan(index + 1)?.start ?? 0) + at;
      return [{ file, range: source.firstLine(start, source.text.length) }];
    });
  });
  return found.length === 1 ? found[0] : undefined;
}

/** Of the one file or directory that is missing: what is there, in the same directory, with nearly its name. */
function nearFile(tree: Tree, { kustomization }: EngineError, missing: readonly string[]): string | undefined {
  const [path, ...others] = missing;
  if (path === undefined || others.length > 0 || kustomization === undefined || posix.isAbsolute(path))
    return undefined;
  const folder = posix.join(posix.dirname(kustomization), posix.dirname(path));
  const prefix = folder === '.' ? '' : `${folder}/`;
  const beside = tree.files.flatMap((file) =>
    file.startsWith(prefix) ? [file.slice(prefix.length).split('/')[0] ?? ''] : [],
  );
  const name = nearest(posix.basename(path), new Set(beside));
  return name && posix.join(posix.dirname(path), name);
}

/** Git has it, but not what Flux builds from. */
function notThere(
  tree: Tree,
  { file, kustomization }: EngineError,
  missing: readonly string[],
  lost: readonly ExcludedFile[],
) {
  if (file !== undefined && isPointer(tree.text(file))) return { related: undefined, ...explainPointer(file) };
  const gone = lostFrom(lost, missing, kustomization);
  return gone && { related: undefined, ...explainExcluded(gone, tree) };
}

/** Some words are the engine's own: it has limits, and does not fetch what Flux would. */
function isFluxs({ stage, class: kind }: EngineError): boolean {
  return stage !== 'limit' && stage !== 'internal' && kind !== 'remote-base';
}

/** kustomize wraps an error once per level, the innermost last; the levels above only say how it got there. */
function lastCause(message: string): string {
  const last = message.split(/: (?=accumulating |recursed accumulation |couldn't make target )/).at(-1) ?? message;
  const short = last.replace(/^kustomize build failed: /, '');
  // A whole patch, secrets and all; the finding stands on it.
  const plain = without(without(short, ' with config: `', '`'), ' from [patch: "', '"]').replace(/\s+/g, ' ');
  return plain.length > 300 ? `${plain.slice(0, 299)}…` : plain;
}

/** The engine knows the file, or the entry of a kustomization, and sometimes the line; the text may know more. */
function placeOf(tree: Tree, entrypoint: Entrypoint, error: EngineError, clue?: Clue): Place {
  const { line, kustomization, field } = error;
  const file = error.file !== undefined && tree.has(error.file) ? error.file : undefined;
  // A text that stands in an entry of the file counts its own lines.
  const isInside = field !== undefined && (file === undefined || file === kustomization);
  const mistake =
    file && clue && 'syntax' in clue && !isInside ? syntaxPlace(tree, file, error, clue.syntax) : undefined;
  if (mistake) return mistake;
  if (file && line !== undefined) return lineOf(tree, file, error.document ?? 0, line);
  const owner = kustomization && tree.has(kustomization) ? kustomization : kustomizationOf(entrypoint.path, tree);
  const suspect = file ?? (field ? undefined : owner);
  const found = suspect && clue && !(isInside && 'syntax' in clue) ? follow(tree, suspect, clue) : undefined;
  if (found) return found;
  if (file) return { file };
  if (owner && field) return { file: owner, document: 0, path: field, part: 'value' };
  return owner ? { file: owner } : (entrypoint.declaredAt ?? { file: entrypoint.path });
}

/** A file that is read whole, as a kustomization.yaml is, counts its lines from its start. */
function syntaxPlace(
  tree: Tree,
  file: string,
  { document = 0, line }: Pick<EngineError, 'document' | 'line'>,
  { line: said = line, ...refusal }: Complaint,
): Place | undefined {
  if (said === undefined && refusal.reason === undefined) return undefined;
  const source = new SourceText(tree.text(file) ?? '');
  const whole = { text: source.text, offset: 0 };
  // Of a first line nothing is said, nor of which document it is.
  const documents = said === undefined ? source.documents : source.documents.slice(document, document + 1);
  for (const { text, offset } of refusal.names === 'stop' ? [whole] : documents) {
    const found = mistakeIn(text, { ...refusal, ...defined({ line: said }) });
    if (found) return { file, range: source.firstLine(offset + found.start, offset + found.end) };
  }
  return undefined;
}

/** Looks in a file for what an error text speaks of; undefined where it is not there, or more than one could be meant. */
function follow(tree: Tree, file: string, clue: Clue): Place | undefined {
  if ('syntax' in clue) return syntaxPlace(tree, file, {}, clue.syntax);
  const source = new SourceText(tree.text(file) ?? '');
  if ('text' in clue) {
    const at = source.text.indexOf(clue.text);
    return at < 0 ? undefined : { file, range: source.firstLine(at, at + clue.text.length) };
  }
  const found = source.documents.flatMap(({ text }, document) => {
    const syntax = parseSyntax(text);
    const place = syntax && placeIn(syntax, text, clue);
    return place ? [{ file, document, ...place }] : [];
  });
  return found.length === 1 ? found[0] : undefined;
}

type Written = { path: FieldPath; part?: 'key' };

function placeIn(syntax: Syntax, text: string, clue: Clue): Written | undefined {
  if ('path' in clue) return syntax.find(clue.path) && { path: clue.path, part: 'key' };
  if ('without' in clue) return syntax.find(clue.without) ? undefined : { path: [] };
  if (!('kind' in clue)) return undefined;
  const reads = (path: FieldPath, word: string) => {
    const value = syntax.find(path)?.value;
    return value !== undefined && unquoted(text.slice(value.start, value.end)) === word;
  };
  const name = ['metadata', 'name'];
  return reads(['kind'], clue.kind) && reads(name, clue.name) ? { path: name } : undefined;
}

type Twice = { at: Place; first?: Place };

/** The error names lines, but no file: the one document that has the key on both is meant. */
function keyTwice(tree: Tree, files: readonly string[], clue: Clue): Twice | undefined {
  if (!('key' in clue)) return undefined;
  const { key } = clue;
  const [second, first] = clue.lines;
  const found = files.flatMap((file) => {
    const { documents } = new SourceText(tree.text(file) ?? '');
    return documents.flatMap(({ text }, document): Twice[] => {
      const lines = text.split('\n');
      const writes = (line: number) => lines[line - 1]?.includes(key);
      if (!writes(first) || !writes(second)) return [];
      const at = lineOf(tree, file, document, second);
      return [first === second ? { at } : { at, first: lineOf(tree, file, document, first) }];
    });
  });
  return found.length === 1 ? found[0] : undefined;
}

/** The error names the second file at most: it is listed twice, or a document before it is of the same object. */
function objectTwice(tree: Tree, files: readonly string[], error: EngineError, clue: Clue): Twice | undefined {
  if (!('kind' in clue)) return undefined;
  const listed = listedTwice(tree, error);
  if (listed) return listed;
  const places = files.flatMap((file) => {
    const { documents } = new SourceText(tree.text(file) ?? '');
    return documents.flatMap(({ text }, document) => {
      const syntax = text.includes(clue.name) ? parseSyntax(text) : undefined;
      const place = syntax && placeIn(syntax, text, clue);
      return place ? [{ file, document, ...place }] : [];
    });
  });
  const at = places.findLast(({ file }) => file === error.file);
  const others = places.filter((place) => place !== at);
  const first = others.find(({ file }) => file === error.file) ?? (others.length === 1 ? others[0] : undefined);
  return at && { at, ...defined({ first }) };
}

/** An entry that an earlier one of the same list repeats. */
function listedTwice(tree: Tree, { kustomization, field }: EngineError): Twice | undefined {
  const text = kustomization ? tree.text(kustomization) : undefined;
  const [list, index] = field ?? [];
  if (!kustomization || text === undefined || list === undefined || typeof index !== 'number') return undefined;
  const syntax = parseSyntax(text);
  const entry = (at: number) => {
    const value = syntax?.find([list, at])?.value;
    return value && posix.normalize(unquoted(text.slice(value.start, value.end)));
  };
  const place = (at: number): Place => ({ file: kustomization, document: 0, path: [list, at] });
  for (let earlier = 0; earlier < index; earlier++) {
    if (entry(earlier) !== undefined && entry(earlier) === entry(index)) {
      return { at: place(index), first: place(earlier) };
    }
  }
  return undefined;
}

function unquoted(text: string): string {
  return text.replace(/^(["'])(.*)\1$/, '$2');
}

/** A parser counts lines from the start of its document, and may name the line after the last one. */
function lineOf(tree: Tree, file: string, document: number, line: number): Place {
  const source = new SourceText(tree.text(file) ?? '');
  const start = source.documents[document]?.offset ?? 0;
  const number = Math.min(source.position(start).line + line - 1, source.lineCount);
  const content = source.line(number);
  const column = content.search(/\S|$/) + 1;
  const end = Math.max(content.trimEnd().length + 1, column);
  return { file, range: { start: { line: number, column }, end: { line: number, column: end } } };
}
