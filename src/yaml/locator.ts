/** Place → Location: the one function that finds lines, so that no rule can get one wrong on its own. */

import { kustomizationOf } from '../core/kustomization.js';
import {
  type FieldPath,
  type Location,
  type Origin,
  type Place,
  type Precision,
  type RenderedObject,
  type Revision,
  revisionOf,
  type SourcePoint,
  type Tree,
  type Writer,
} from '../core/model.js';
import { lookUp } from '../core/object.js';
import { keptByText } from '../core/rounds.js';
import { innerText } from './scalar.js';
import { simpleSpan } from './simple.js';
import { SourceText } from './source-text.js';
import { parseSyntax, type Span, type Syntax } from './syntax.js';

export type Located = { at: Location; precision: Precision };
type Part = 'key' | 'value';

/**
 * The text that is searched for aliases in one run, in UTF-16 units: each time a whole document. An alias is told besides
 * the place that counts, so what is beyond the limit is left out.
 */
const maxAliasText = 16 << 20;

const sourceOfText = keptByText((text) => new SourceText(text));
const syntaxOf = keptByText(parseSyntax);

export class Locator {
  #aliasText = maxAliasText;
  readonly #sources = new Map<string, SourceText | undefined>();
  /** By the text: the clusters of a fleet often have the same files. */
  readonly #syntax = new Map<string, Syntax | undefined>();

  constructor(private readonly trees: Partial<Record<Revision, Tree>>) {}

  locate(place: Place): Located {
    if ('removedBy' in place) return this.#removed(place.object, place.path, place.removedBy);
    if ('object' in place) return this.#rendered(place.object, place.path, place.part);
    const revision = place.revision ?? 'head';
    if ('document' in place) return this.#asWritten(revision, place.file, place.document, place.path, place.part);
    if (place.range)
      return {
        at: { revision, file: place.file, range: place.range },
        precision: 'exact',
      };
    return this.#file(revision, place.file);
  }

  /** What stands there, as far as it is on one line; undefined where only what is around it is known. */
  text(place: Place): string | undefined {
    const { at, precision } = this.locate(place);
    const { start, end } = at.range;
    if (precision !== 'exact' || start.line !== end.line) return undefined;
    const line = this.source(revisionOf(at.revision), at.file)?.line(start.line);
    return line?.slice(start.column - 1, end.column - 1).replace(/^&\S+\s+/, '');
  }

  source(revision: Revision, file: string): SourceText | undefined {
    const key = `${revision}:${file}`;
    if (!this.#sources.has(key)) {
      const text = this.trees[revision]?.text(file);
      this.#sources.set(key, text === undefined ? undefined : sourceOfText(text));
    }
    return this.#sources.get(key);
  }

  /** A field of a rendered object: where its node was written, else its nearest parent's key, else no more than the file. */
  #rendered(object: RenderedObject, path: FieldPath, part?: Part): Located {
    const exact = this.#node(object, path, part ?? (isLeaf(object, path) ? 'value' : 'key'));
    if (exact) return { at: exact, precision: 'exact' };
    if (!exists(object, path)) {
      for (let length = path.length - 1; length > 0; length--) {
        const parent = this.#node(object, path.slice(0, length), 'key');
        if (parent) return { at: parent, precision: 'parent' };
      }
    }
    const { revision } = object;
    const generator = object.source
      ? undefined
      : this.origin(object.writers(['metadata', 'name'], 'value').at(-1)?.from[0], revision);
    if (generator) return { at: generator, precision: 'parent' };
    const name = this.#node(object, ['metadata', 'name'], 'value') ?? this.#node(object, ['kind'], 'value');
    if (name) return { at: name, precision: exists(object, path) ? 'file' : 'parent' };
    if (!object.source) return this.#file(revision, this.#kustomizationOf(revision, object.entrypoint));
    const { file, document } = object.source;
    const at = this.#asWritten(revision, file, document, ['metadata', 'name'], 'value').at;
    return { at, precision: 'file' };
  }

  /** The places that the field's value came from before its last writer, nearest first; none where they are one line. */
  earlier(object: RenderedObject, path: FieldPath): Location[] {
    const places = object.writers(path, 'value').flatMap(({ from }) => this.origin(from[0], object.revision) ?? []);
    const lines = new Map(places.map((place) => [`${place.file}:${place.range.start.line}`, place]));
    return [...lines.values()].slice(1);
  }

  /** The alias that gives the field the value which is written elsewhere, at an anchor; undefined where there is none. */
  alias(object: RenderedObject, path: FieldPath): Location | undefined {
    const origin = object.writers(path, 'value')[0]?.from[0];
    if (!origin || !('line' in origin) || origin.inside) return undefined;
    const { revision } = object;
    const source = this.source(revision, origin.file);
    const document = source?.documents[origin.document];
    const anchor = source && this.#span(source, revision, origin, false);
    if (!source || !document || !anchor || !document.text.includes('&')) return undefined;
    this.#aliasText -= document.text.length;
    if (this.#aliasText < 0) return undefined;
    const found = this.#parsed(revision, origin.file, origin.document)?.aliasOf(anchor.start - document.offset, path);
    if (!found) return undefined;
    const { start, end } = shift(found, document.offset);
    return { revision, file: origin.file, range: source.firstLine(start, end) };
  }

  #kustomizationOf(revision: Revision, path: string): string {
    const tree = this.trees[revision];
    return (tree && kustomizationOf(path, tree)) ?? path;
  }

  /** The line that removed it, else the nearest parent that is left. */
  #removed(object: RenderedObject, path: FieldPath, by: Writer[]): Located {
    const origin = by[0]?.from[0];
    const at = origin && this.origin(origin, object.revision);
    return at ? { at, precision: 'exact' } : this.#rendered(object, path);
  }

  #node(object: RenderedObject, path: FieldPath, part: Part): Location | undefined {
    const key = part === 'key' ? object.writers(path, 'key')[0]?.from[0] : undefined;
    const origin = key ?? object.writers(path, 'value')[0]?.from[0];
    // A merge may keep the key of the one side and the value of the other; the value is what was set.
    return origin && this.origin(origin, object.revision, part === 'key' && !key);
  }

  /** A place of the sources as a location; with `keyOfValue` the key of the value that stands there. */
  origin(origin: Origin | undefined, revision: Revision = 'head', keyOfValue = false): Location | undefined {
    if (!origin) return undefined;
    const source = this.source(revision, origin.file);
    const span = source && this.#span(source, revision, origin, keyOfValue);
    return span && { revision, file: origin.file, range: source.firstLine(span.start, span.end) };
  }

  #span(source: SourceText, revision: Revision, origin: Origin, keyOfValue: boolean): Span | undefined {
    if ('textLine' in origin) return partOfLine(source.lineSpan(origin.textLine), origin.span);
    if ('path' in origin) return this.#field(source, revision, origin, keyOfValue);
    const found = origin.inside
      ? this.#inside(source, revision, origin, origin.inside, keyOfValue)
      : spanIn(source, origin, keyOfValue, () => this.#parsed(revision, origin.file, origin.document));
    return partOf(source.text, found, origin.span);
  }

  #field(
    source: SourceText,
    revision: Revision,
    origin: Extract<Origin, { path: FieldPath }>,
    keyOfValue: boolean,
  ): Span | undefined {
    const { file, document, path, part, span } = origin;
    const found = this.#parsed(revision, file, document)?.find(path);
    const node = keyOfValue || part === 'key' ? found?.key : found?.value;
    return node && partOf(source.text, shift(node, source.documents[document]?.offset ?? 0), span);
  }

  /** A node of a document that stands in a scalar; where the scalar cannot be taken apart, the scalar itself. */
  #inside(
    source: SourceText,
    revision: Revision,
    written: SourcePoint,
    path: FieldPath,
    keyOfValue: boolean,
  ): Span | undefined {
    const within = written.within ?? 0;
    const node = this.#parsed(revision, written.file, within)?.find(path)?.value;
    const scalar = node && shift(node, source.documents[within]?.offset ?? 0);
    if (!scalar?.style) return undefined;
    const inner = innerText(source.text.slice(scalar.start, scalar.end), scalar.style);
    if (!inner) return undefined;
    const text = new SourceText(inner.text);
    const span = spanIn(text, written, keyOfValue, () => parseSyntax(text.documents[written.document]?.text ?? ''));
    return (
      span && { ...span, start: scalar.start + inner.outer(span.start), end: scalar.start + inner.outer(span.end) }
    );
  }

  #asWritten(revision: Revision, file: string, document: number, path: FieldPath, part?: Part): Located {
    const source = this.source(revision, file);
    const text = source?.documents[document];
    const syntax = this.#parsed(revision, file, document);
    if (!source || !text || !syntax) return this.#file(revision, file);
    for (let length = path.length; length >= 0; length--) {
      const found = syntax.find(path.slice(0, length));
      if (!found) continue;
      const wanted = length < path.length ? 'key' : (part ?? (found.scalar ? 'value' : 'key'));
      const span: Span | undefined = wanted === 'key' ? (found.key ?? found.value) : (found.value ?? found.key);
      if (!span) continue;
      const range = source.firstLine(text.offset + span.start, text.offset + span.end);
      return {
        at: { revision, file, range },
        precision: length === path.length ? 'exact' : 'parent',
      };
    }
    return this.#file(revision, file);
  }

  /** What is written at a path of a document, quotes and all; undefined where nothing is. */
  written(
    { revision = 'head', file, document }: Extract<Place, { document: number }>,
    path: FieldPath,
  ): { text: string; scalar: boolean } | undefined {
    const text = this.source(revision, file)?.documents[document]?.text;
    const found = this.#parsed(revision, file, document)?.find(path);
    return text !== undefined && found?.value
      ? { text: text.slice(found.value.start, found.value.end), scalar: found.scalar }
      : undefined;
  }

  #file(revision: Revision, file: string): Located {
    const start = { line: 1, column: 1 };
    return {
      at: { revision, file, range: { start, end: start } },
      precision: 'file',
    };
  }

  #parsed(revision: Revision, file: string, document: number): Syntax | undefined {
    const text = this.source(revision, file)?.documents[document]?.text;
    if (text === undefined) return undefined;
    if (!this.#syntax.has(text)) this.#syntax.set(text, syntaxOf(text));
    return this.#syntax.get(text);
  }
}

/** The node, or the key of the value, that starts at a point of a source. */
function spanIn(
  source: SourceText,
  at: SourcePoint,
  keyOfValue: boolean,
  parsed: () => Syntax | undefined,
): Span | undefined {
  const document = source.documents[at.document];
  if (!document) return undefined;
  const start = source.offset(at.line, at.column);
  const offset = start - document.offset;
  const simple = simpleSpan(document, offset, keyOfValue);
  if (simple) return shift(simple, document.offset);
  const syntax = parsed();
  const span = (keyOfValue && syntax?.keyOf(offset)) || syntax?.startingAt(offset);
  return span ? shift(span, document.offset) : { start, end: start };
}

function shift(span: Span, offset: number): Span {
  return { ...span, start: span.start + offset, end: span.end + offset };
}

function partOfLine(span: Span | undefined, part?: [number, number]): Span | undefined {
  return span && part ? { start: span.start + part[0], end: span.start + part[1] } : span;
}

/** `part` counts in the value of a scalar, which quotes and escapes make differ from what is written. */
function partOf(text: string, span: Span | undefined, part?: [number, number]): Span | undefined {
  if (!span?.style || !part) return span;
  const inner = innerText(text.slice(span.start, span.end), span.style);
  return inner ? { start: span.start + inner.outer(part[0]), end: span.start + inner.outer(part[1]) } : span;
}

function exists(object: RenderedObject, path: FieldPath): boolean {
  return lookUp(object.value, path) !== undefined;
}

function isLeaf(object: RenderedObject, path: FieldPath): boolean {
  const value = lookUp(object.value, path);
  return value === null || typeof value !== 'object' || typeof path.at(-1) === 'number';
}
