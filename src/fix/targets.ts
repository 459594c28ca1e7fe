/** Place → Spot: in which document, and at which path there, a field has to be edited; none where that is not certain. */
import { isDeepStrictEqual } from 'node:util';
import type { FieldPath, FixStep, Json, Origin, Place, RenderedObject, Tree, Writer } from '../core/model.js';
import { lookUp } from '../core/object.js';
import { YamlEditor } from '../yaml/editor.js';
import { innerText } from '../yaml/scalar.js';
import { SourceText } from '../yaml/source-text.js';
import { parseSyntax } from '../yaml/syntax.js';

/** A path in a document of a file, or in the only document of a scalar (`inside`) in it. */
export type Spot = {
  file: string;
  document: number;
  inside?: FieldPath;
  path: FieldPath;
  /** The path stands in a JSON patch as a text, and this is it. */
  pointer?: string;
};

/** An offset in such a document. */
type Point = { page: YamlEditor; key: string; spot: Omit<Spot, 'path'>; offset: number; part: 'key' | 'value' };

export class Places {
  readonly #sources = new Map<string, SourceText | undefined>();
  readonly #pages = new Map<string, YamlEditor | undefined>();

  constructor(private readonly tree: Tree) {}

  /** Every spot that has to be edited for the change to come about. */
  find(at: Place, change: Exclude<FixStep['do'], 'add' | 'cut' | 'restore'>): Spot[] | undefined {
    if ('removedBy' in at) return undefined;
    if ('object' in at) return at.object.revision === 'head' ? this.#written(at.object, at.path, change) : undefined;
    if (!('path' in at) || at.revision === 'base') return undefined;
    const spot = { file: at.file, document: at.document };
    return this.#page(spot)?.at(at.path) === undefined ? undefined : [{ ...spot, path: at.path }];
  }

  /** The manifest of an object, as far as one file brings it in. */
  root(object: RenderedObject): Spot | undefined {
    if (!object.source || object.revision !== 'head') return undefined;
    const writer = object.writers(['kind'], 'value').at(-1);
    const point = writer?.by === 'resource' ? this.#point(writer) : undefined;
    const path = point?.page.startingAt(point.offset, 'value').find((one) => one.at(-1) === 'kind');
    if (!point || !path || point.spot.inside || point.spot.file !== object.source.file) return undefined;
    return { ...point.spot, path: path.slice(0, -1) };
  }

  /** Whether the manifest says at a path what the object does. */
  isSame(root: Spot, path: FieldPath, object: RenderedObject): boolean {
    return isDeepStrictEqual(this.#page(root)?.at([...root.path, ...path]), lookUp(object.value, path));
  }

  /** Whether a node of the object at the same path was written at the spot, or below it. */
  isWrittenAt(object: RenderedObject, path: FieldPath, spot: Spot): boolean {
    const span = this.#page(spot)?.span(extentOf(spot));
    if (!span) return true;
    const key = keyOf(spot);
    return (['key', 'value'] as const).some((part) =>
      object.writers(path, part).some((writer) => {
        const point = this.#point(writer, part);
        return point?.key === key && point.offset >= span.start && point.offset < span.end;
      }),
    );
  }

  #written(object: RenderedObject, path: FieldPath, change: FixStep['do']): Spot[] | undefined {
    const value = lookUp(object.value, path);
    if (value === undefined) return undefined;
    const isMap = value !== null && typeof value === 'object';
    const keys = object.writers(path, 'key');
    const part = (isMap || change === 'rename' || change === 'move') && keys.length > 0 ? 'key' : 'value';
    const writers = object.writers(path, part);
    // What is overridden anyway is none of a value's business; but it comes forth again where the last one is taken away.
    const spots = (change === 'set' ? writers.slice(0, 1) : writers).map((writer) =>
      this.#spot(writer, part, path, change),
    );
    if (spots.length === 0 || !spots.every((spot) => spot !== undefined)) return undefined;
    if (change === 'set') return isMap ? undefined : spots;
    if (change === 'move' && (spots.length > 1 || !endsWith(spots[0]?.path ?? [], path))) return undefined;
    if (object.removed().some((gone) => path.every((step, index) => gone.path[index] === step))) return undefined;
    return this.#areAllIn(object, path, value, spots) ? spots : undefined;
  }

  /** Whether all that is below the path, and its value, was written at the spots and nowhere else. */
  #areAllIn(object: RenderedObject, path: FieldPath, value: Json, spots: readonly Spot[]): boolean {
    const isIn = (writer: Writer, part: 'key' | 'value') => {
      const point = this.#point(writer, part);
      if (!point) return false;
      return spots.some((spot) => {
        const span = keyOf(spot) === point.key ? point.page.span(extentOf(spot)) : undefined;
        return span !== undefined && point.offset >= span.start && point.offset < span.end;
      });
    };
    const all = (node: Json, at: FieldPath): boolean => {
      const writers = object.writers(at, 'value');
      // Somebody wrote it, though nobody knows where.
      if (writers.length === 0 || !writers.every((writer) => isIn(writer, 'value'))) return false;
      if (at.length > path.length && !object.writers(at, 'key').every((writer) => isIn(writer, 'key'))) return false;
      if (node === null || typeof node !== 'object') return true;
      const steps = Array.isArray(node) ? [...node.keys()] : Object.keys(node);
      return steps.every((step) => all((node as { [key: string | number]: Json })[step] as Json, [...at, step]));
    };
    return all(value, path);
  }

  #spot(writer: Writer, part: 'key' | 'value', path: FieldPath, change: FixStep['do']): Spot | undefined {
    const point = this.#point(writer, part);
    if (!point) return undefined;
    const found = point.page.startingAt(point.offset, point.part);
    const last = path.at(-1);
    const own = found.find((one) => (typeof last === 'number' ? typeof one.at(-1) === 'number' : one.at(-1) === last));
    if (own) return { ...point.spot, path: own };
    const scalars = writer.by === 'json-patch' ? point.page.startingAt(point.offset, 'value') : [];
    const operation = scalars.find((one) => isOperation(point.page, one));
    if (!operation) return undefined;
    if (change === 'rename') return pointerAt(point, [...operation.slice(0, -1), 'path'], last);
    if (change === 'set') return { ...point.spot, path: [...operation.slice(0, -1), 'value'] };
    // The only operation of a patch cannot go without the patch.
    return change === 'remove' && operation.length > 1 ? { ...point.spot, path: operation.slice(0, -1) } : undefined;
  }

  /** Undefined where the value is made of several, or of no YAML. */
  #point({ by, from, derivedFrom }: Writer, part: 'key' | 'value' = 'value'): Point | undefined {
    const [origin] = from;
    if (!origin || from.length > 1 || derivedFrom || !['resource', 'merge-patch', 'json-patch'].includes(by))
      return undefined;
    if ('textLine' in origin) return undefined;
    return 'path' in origin ? this.#pointOfPath(origin) : this.#pointOf(origin, part);
  }

  #pointOfPath({ file, document, path, part = 'value' }: Extract<Origin, { path: FieldPath }>): Point | undefined {
    const spot = { file, document };
    const page = this.#page(spot);
    const offset = page?.span(path)?.start;
    return page && offset !== undefined ? { page, key: keyOf(spot), spot, offset, part } : undefined;
  }

  #pointOf(origin: Exclude<Origin, { path: FieldPath } | { textLine: number }>, part: 'key' | 'value') {
    const { file, inside, within = 0, line, column } = origin;
    const spot = inside ? { file, document: within, inside } : { file, document: origin.document };
    const page = inside && origin.document > 0 ? undefined : this.#page(spot);
    const source = inside ? page && new SourceText(page.text) : this.#source(file);
    const document = inside ? undefined : source?.documents[origin.document];
    if (!page || !source) return undefined;
    return { page, key: keyOf(spot), spot, offset: source.offset(line, column) - (document?.offset ?? 0), part };
  }

  #source(file: string): SourceText | undefined {
    if (!this.#sources.has(file)) {
      const text = this.tree.text(file);
      this.#sources.set(file, text === undefined ? undefined : new SourceText(text));
    }
    return this.#sources.get(file);
  }

  #page(spot: Omit<Spot, 'path'>): YamlEditor | undefined {
    const key = keyOf(spot);
    if (!this.#pages.has(key)) {
      const text = this.#textOf(spot);
      this.#pages.set(key, text === undefined ? undefined : YamlEditor.read(text));
    }
    return this.#pages.get(key);
  }

  #textOf({ file, document, inside }: Omit<Spot, 'path'>): string | undefined {
    const text = this.#source(file)?.documents[document]?.text;
    if (text === undefined || !inside) return text;
    const scalar = parseSyntax(text)?.find(inside)?.value;
    return scalar?.style && innerText(text.slice(scalar.start, scalar.end), scalar.style)?.text;
  }
}

/** The text that names the key, where it is the last one that it names. */
function pointerAt({ page, spot }: Point, path: FieldPath, key: string | number | undefined): Spot | undefined {
  const pointer = page.at(path);
  if (typeof pointer !== 'string' || typeof key !== 'string') return undefined;
  return pointer.endsWith(`/${escaped(key)}`) ? { ...spot, path, pointer } : undefined;
}

/** As a JSON pointer has it (RFC 6901). */
export function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** What the edit is about, an operation of a patch as a whole. */
function extentOf({ path, pointer }: Spot): FieldPath {
  return pointer === undefined ? path : path.slice(0, -1);
}

function keyOf({ file, document, inside }: Omit<Spot, 'path'>): string {
  return JSON.stringify([file, document, inside ?? null]);
}

/** `value` or `path` of a JSON patch's operation. */
function isOperation(page: YamlEditor, path: FieldPath): boolean {
  const operation = page.at(path.slice(0, -1));
  return (
    ['value', 'path'].includes(String(path.at(-1))) &&
    typeof path.at(-2) === 'number' &&
    lookUp(operation as Json, ['op']) !== undefined
  );
}

function endsWith(path: FieldPath, end: FieldPath): boolean {
  const tail = path.slice(path.length - end.length);
  return tail.length === end.length && tail.every((step, index) => step === end[index]);
}
