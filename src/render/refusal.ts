/** A build that Flux would refuse, as a problem at the line to edit, in words of our own; Flux's text stands in the help. */
import type { EngineError } from '../engine/protocol.js';
import { Source } from '../locate/source.js';
import type { Entrypoint, Place, Problem } from '../model.js';
import type { Tree } from '../tree.js';
import { explain } from './explain.js';

export function refusal(tree: Tree, entrypoint: Entrypoint, error: EngineError): Problem {
  const { message, help } = explain(error);
  const flux = `Flux says: ${lastCause(error.message)}`;
  return {
    rule: 'unbuildable-kustomization',
    message,
    help: help ? `${help}. ${flux}` : flux,
    at: placeOf(tree, entrypoint, error),
    entrypoint: entrypoint.path,
  };
}

/** kustomize wraps an error once per level, the innermost last; the levels above only say how it got there. */
function lastCause(message: string): string {
  const last = message.split(/: (?=accumulating |recursed accumulation |couldn't make target )/).at(-1) ?? message;
  const short = last.replace(/^kustomize build failed: /, '').replace(/\s+/g, ' ');
  return short.length > 300 ? `${short.slice(0, 299)}…` : short;
}

function placeOf(tree: Tree, entrypoint: Entrypoint, error: EngineError): Place {
  const atLine =
    error.line !== undefined && error.file ? lineOf(tree, error.file, error.document ?? 0, error.line) : undefined;
  if (atLine) return atLine;
  if (error.file && tree.has(error.file)) return { file: error.file };
  if (error.kustomization && tree.has(error.kustomization)) {
    return error.field
      ? { file: error.kustomization, document: 0, path: error.field, part: 'value' }
      : { file: error.kustomization };
  }
  if (entrypoint.declaredAt) return entrypoint.declaredAt;
  const names = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];
  const root = names.map((name) => (entrypoint.path === '.' ? name : `${entrypoint.path}/${name}`)).find(tree.has);
  return { file: root ?? entrypoint.path };
}

/** A parser counts lines from the start of its document, and may name the line after the last one. */
function lineOf(tree: Tree, file: string, document: number, line: number): Place | undefined {
  const text = tree.text(file);
  if (text === undefined) return undefined;
  const source = new Source(text);
  const start = source.documents[document]?.offset ?? 0;
  const number = Math.min(source.position(start).line + line - 1, source.lineCount);
  const content = source.line(number);
  const column = content.search(/\S|$/) + 1;
  const end = Math.max(content.trimEnd().length + 1, column);
  return { file, range: { start: { line: number, column }, end: { line: number, column: end } } };
}
