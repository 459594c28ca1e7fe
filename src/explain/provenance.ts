/** `render --provenance`: every leaf of the render with the place in the sources that wrote it. */
import { Document, isNode } from 'yaml';
import { printable } from '../core/escape.js';
import type { FieldPath, Json, ObjectRef, Precision, RenderedObject, Writer, WriterKind } from '../core/model.js';
import { formatPath, lookUp } from '../core/object.js';
import type { Locator } from '../yaml/locator.js';

export type Leaf = Location & {
  entrypoint: string;
  object: ObjectRef;
  path: FieldPath;
  /** Absent for a field that was removed. */
  value?: Json;
  removed?: true;
  /** What kind of operation wrote it last; null where nobody knows. */
  by: WriterKind | null;
  derivedFrom: { object: ObjectRef; path: FieldPath }[];
  /** All who wrote it, latest first; each with every place that it took the value from. */
  writers: { by: WriterKind; from: Location[] }[];
};

/** Lines and columns from 1, the end exclusive. */
type Location = {
  file: string;
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
  precision: Precision;
};

/** In render order; an empty map or list is a leaf. The fields that were removed from an object follow its leaves. */
export function* leavesOf(objects: readonly RenderedObject[], locator: Locator): Generator<Leaf> {
  const byIndex = new Map(objects.map((object) => [object.index, object]));
  const describe = (object: RenderedObject, path: FieldPath, writers: Writer[]) => ({
    entrypoint: object.entrypoint,
    object: object.ref,
    path,
    by: writers[0]?.by ?? null,
    derivedFrom: (writers[0]?.derivedFrom ?? []).flatMap((one) => {
      const other = byIndex.get(one.object);
      return other ? [{ object: other.ref, path: one.path }] : [];
    }),
    writers: writers.map(({ by, from }) => ({
      by,
      from: from.flatMap((origin) => {
        const at = locator.origin(origin, object.revision);
        return at ? [flat(at, 'exact')] : [];
      }),
    })),
  });
  for (const object of objects) {
    for (const path of leafPaths(object, [])) {
      const { at, precision } = locator.locate({ object, path, part: 'value' });
      const value = lookUp(object.value, path) ?? null;
      yield { ...describe(object, path, object.writers(path, 'value')), value, ...flat(at, precision) };
    }
    for (const { path, by } of object.removed()) {
      const { at, precision } = locator.locate({ object, path, removedBy: by });
      yield { ...describe(object, path, by), removed: true, ...flat(at, precision) };
    }
  }
}

function* leafPaths(object: RenderedObject, path: FieldPath): Generator<FieldPath> {
  const value = lookUp(object.value, path);
  if (value === null || typeof value !== 'object' || Object.keys(value).length === 0) {
    yield path;
    return;
  }
  const inOrder = object.children(path);
  const own = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  for (const key of inOrder?.length === own.length ? inOrder : own) yield* leafPaths(object, [...path, key]);
}

type Range = { start: { line: number; column: number }; end: { line: number; column: number } };

function flat({ file, range }: { file: string; range: Range }, precision: Precision): Location {
  const { start, end } = range;
  return { file, line: start.line, column: start.column, endLine: end.line, endColumn: end.column, precision };
}

/** The object as YAML, with `# file:line` behind every leaf. */
export function withPlaces(object: RenderedObject, locator: Locator): string {
  const document = new Document(object.value);
  for (const { path, removed, file, line, precision } of leavesOf([object], locator)) {
    const place = precision === 'file' ? `${file}` : `${file}:${line}`;
    const node = removed ? document.contents : document.getIn(path, true);
    if (!isNode(node)) continue;
    // A place that is not exact is near by, and removed nothing.
    const by = precision === 'exact' ? ` by ${printable(place)}` : '';
    if (removed) node.comment = [node.comment, ` ${formatPath(path)} removed${by}`].filter(Boolean).join('\n');
    else node.comment = ` ${printable(place)}`;
  }
  return document.toString({ lineWidth: 0 });
}
