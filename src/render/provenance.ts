/** What the engine knows of a node's writers, in the terms of the model. */

import { defined } from '../core/defined.js';
import type { FieldPath, Origin, Writer } from '../core/model.js';
import type { BuildResponse, EnginePlace, Head, WireOrigin as OriginTree } from '../engine/host/protocol.js';

type Built = Pick<BuildResponse & { ok: true }, 'sources' | 'traces'>;

export type Writers = {
  /** The writers of the node at `path`, or of its key, latest first; none where nobody knows. */
  of(path: FieldPath, part: 'key' | 'value'): Writer[];
  /** The keys of the map, or the length of the list, at `path` in render order; undefined where the engine does not say. */
  children(path: FieldPath): (string | number)[] | undefined;
};

/** `text` is the JSON of an origin tree; it is parsed when the first question comes. */
export function readWriters(text: string, built: Built): Writers {
  let tree: OriginTree | undefined;
  const root = () => {
    tree ??= JSON.parse(text) as OriginTree;
    return tree;
  };
  return {
    of(path, part) {
      const { key, node } = walk(root(), path);
      return chain(part === 'key' ? key : node && [node[0], node[1], node[2]], built);
    },
    children(path) {
      const below = walk(root(), path).node?.[3];
      if (!below) return undefined;
      return below.map((entry, index) => (typeof entry[0] === 'string' ? entry[0] : index));
    },
  };
}

/** A chain as the engine writes it, latest first. */
export function chain(head: Head | undefined, built: Built): Writer[] {
  const writers: Writer[] = [];
  for (let next = head; next && next[0] !== -1; ) {
    const [source, index] = next;
    const trace = source === -2 ? built.traces?.[index] : undefined;
    const place = source >= 0 ? toOrigin(next, built) : undefined;
    if (place) writers.push({ by: built.sources[source]?.by ?? 'resource', from: [place] });
    if (!trace) break;
    const from = trace.from.flatMap((one) => toOrigin(one, built) ?? []);
    const derivedFrom = trace.derivedFrom?.map(([object, path]) => ({ object, path }));
    writers.push({ by: trace.by, from, ...defined({ derivedFrom }) });
    next = trace.before;
  }
  return writers;
}

function toOrigin(place: EnginePlace, { sources }: Built): Origin | undefined {
  if (!Array.isArray(place)) {
    if (!place.file) return undefined; // a field of the Flux object, which may be in no file
    return 'line' in place ? { file: place.file, textLine: place.line, ...defined({ span: place.span }) } : place;
  }
  const [index, line, column, start, end] = place;
  const source = sources[index];
  if (!source?.file) return undefined;
  const { file, document, inside, within } = source;
  const span: [number, number] | undefined = start !== undefined && end !== undefined ? [start, end] : undefined;
  return {
    file,
    document,
    line: source.line + line,
    column,
    ...defined({ inside }),
    ...(within && { within }),
    ...defined({ span }),
  };
}

type Entry = [string, number, number, number, OriginTree];

function walk(root: OriginTree, path: FieldPath): { key?: Head; node: OriginTree | undefined } {
  let node: OriginTree | undefined = root;
  let key: Head | undefined;
  for (const step of path) {
    const children: OriginTree[] | Entry[] = node?.[3] ?? [];
    key = undefined;
    if (typeof step === 'number') node = children[step] as OriginTree | undefined;
    else {
      const entry: Entry | undefined = (children as Entry[]).find(([name]) => name === step);
      key = entry && [entry[1], entry[2], entry[3]];
      node = entry?.[4];
    }
  }
  return { ...defined({ key }), node };
}
