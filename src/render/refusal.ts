/** A build that Flux would refuse, as a problem at the line to edit, in words of our own; Flux's text stands in the help. */
import type { EngineError } from '../engine/protocol.js';
import { Source } from '../locate/source.js';
import { parseSyntax, type Syntax } from '../locate/syntax.js';
import type { Entrypoint, FieldPath, Place, Problem } from '../model.js';
import type { Tree } from '../tree.js';
import { type Clue, explain } from './explain.js';

/** `files` are those that the build read before it stopped. */
export function refusal(tree: Tree, entrypoint: Entrypoint, error: EngineError, files: readonly string[]): Problem {
  const { message, help, clue } = explain(error);
  const flux = error.stage === 'limit' || error.stage === 'internal' ? '' : `Flux says: ${lastCause(error.message)}`;
  const words = [help, flux].filter(Boolean).join('. ');
  return {
    rule: 'unbuildable-kustomization',
    message,
    ...(words && { help: words }),
    at: (clue && 'key' in clue && keyTwice(tree, files, clue)) || placeOf(tree, entrypoint, error, clue),
    entrypoint: entrypoint.path,
  };
}

/** kustomize wraps an error once per level, the innermost last; the levels above only say how it got there. */
function lastCause(message: string): string {
  const last = message.split(/: (?=accumulating |recursed accumulation |couldn't make target )/).at(-1) ?? message;
  const short = last.replace(/^kustomize build failed: /, '').replace(/\s+/g, ' ');
  return short.length > 300 ? `${short.slice(0, 299)}…` : short;
}

/** The engine knows the file, or the entry of a kustomization, and sometimes the line; the text may know more. */
function placeOf(tree: Tree, entrypoint: Entrypoint, error: EngineError, clue?: Clue): Place {
  const { line, kustomization, field } = error;
  const file = error.file !== undefined && tree.has(error.file) ? error.file : undefined;
  if (file && line !== undefined) return lineOf(tree, file, error.document ?? 0, line);
  const owner = kustomization && tree.has(kustomization) ? kustomization : rootOf(tree, entrypoint);
  const suspect = file ?? (field ? undefined : owner);
  const found = suspect && clue ? follow(tree, suspect, clue) : undefined;
  if (found) return found;
  if (file) return { file };
  if (owner && field) return { file: owner, document: 0, path: field, part: 'value' };
  return owner ? { file: owner } : (entrypoint.declaredAt ?? { file: entrypoint.path });
}

function rootOf(tree: Tree, { path }: Entrypoint): string | undefined {
  const names = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];
  return names.map((name) => (path === '.' ? name : `${path}/${name}`)).find(tree.has);
}

/** Looks in a file for what an error text speaks of; undefined where it is not there, or more than one could be meant. */
function follow(tree: Tree, file: string, clue: Clue): Place | undefined {
  if ('line' in clue) return lineOf(tree, file, 0, clue.line);
  const source = new Source(tree.text(file) ?? '');
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
    return value !== undefined && text.slice(value.start, value.end).replace(/^(["'])(.*)\1$/, '$2') === word;
  };
  const name = ['metadata', 'name'];
  return reads(['kind'], clue.kind) && reads(name, clue.name) ? { path: name } : undefined;
}

/** The error names lines, but no file: the one document that has the key on both is meant. */
function keyTwice(
  tree: Tree,
  files: readonly string[],
  { key, lines: [second, first] }: Extract<Clue, { key: string }>,
): Place | undefined {
  const found = files.flatMap((file) => {
    const { documents } = new Source(tree.text(file) ?? '');
    return documents.flatMap(({ text }, document) => {
      const lines = text.split('\n');
      const writes = (line: number) => lines[line - 1]?.includes(key);
      return writes(first) && writes(second) ? [lineOf(tree, file, document, second)] : [];
    });
  });
  return found.length === 1 ? found[0] : undefined;
}

/** A parser counts lines from the start of its document, and may name the line after the last one. */
function lineOf(tree: Tree, file: string, document: number, line: number): Place {
  const source = new Source(tree.text(file) ?? '');
  const start = source.documents[document]?.offset ?? 0;
  const number = Math.min(source.position(start).line + line - 1, source.lineCount);
  const content = source.line(number);
  const column = content.search(/\S|$/) + 1;
  const end = Math.max(content.trimEnd().length + 1, column);
  return { file, range: { start: { line: number, column }, end: { line: number, column: end } } };
}
