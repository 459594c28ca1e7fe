/** Which alias brings a value that is written at an anchor to a field: both places are the reader's to know. */

import { isAlias, isMap, isNode, isScalar, isSeq, type Node } from 'yaml';
import { defined } from '../core/defined.js';
import type { FieldPath } from '../core/model.js';

type Step = string | number;
type Span = { start: number; end: number };
/** A way to the value; `anchored` has the anchors on it, each with the way on from there. */
type Way = { path: Step[]; anchored: { anchor: string; below: Step[] }[]; span?: Span };
type Alias = Way & { name: string; span: Span };

/** More aliases of aliases than this nobody reads, and a hostile document could ask for billions. */
const maxWays = 1000;

/**
 * The alias through which the field at `path` has the scalar that starts at `offset`; undefined where the field is the one
 * that is written there, or where several aliases could be meant. Lists that were merged have other indexes than in the
 * document, so what counts is how much of the end of the path agrees.
 */
export function aliasOf(root: Node, offset: number, path: FieldPath): Span | undefined {
  const { written, aliases } = look(root, offset);
  if (!written) return undefined;
  const ways: Way[] = [written];
  for (const way of ways) {
    for (const { anchor, below } of way.anchored) {
      for (const alias of aliases) {
        if (alias.name !== anchor || ways.length > maxWays) continue;
        const anchored = alias.anchored.map((one) => ({ ...one, below: [...one.below, ...below] }));
        ways.push({ path: [...alias.path, ...below], anchored, span: alias.span });
      }
    }
  }
  const most = Math.max(...ways.map((way) => commonEnd(way.path, path)));
  const best = ways.filter((way) => commonEnd(way.path, path) === most);
  return best.length === 1 ? best[0]?.span : undefined;
}

function look(root: Node, offset: number): { written?: Way; aliases: Alias[] } {
  const aliases: Alias[] = [];
  let written: Way | undefined;
  const visit = (node: unknown, { path, anchored }: Way) => {
    if (isAlias(node)) {
      const [start, end] = node.range ?? [0, 0];
      aliases.push({ name: node.source, path, anchored, span: { start, end } });
    } else if (isNode(node)) {
      const anchors = node.anchor ? [...anchored, { anchor: node.anchor, below: [] }] : anchored;
      if (isScalar(node) && node.range?.[0] === offset) written = { path, anchored: anchors };
      // A merge key puts what is below it on its own level.
      const step = (child: unknown, key: Step) => {
        const on = key === '<<' ? [] : [key];
        const deeper = anchors.map(({ anchor, below }) => ({ anchor, below: [...below, ...on] }));
        visit(child, { path: [...path, ...on], anchored: deeper });
      };
      if (isMap(node)) for (const { key, value } of node.items) step(value, String(key));
      if (isSeq(node)) for (const [index, item] of node.items.entries()) step(item, index);
    }
  };
  visit(root, { path: [], anchored: [] });
  return { ...defined({ written }), aliases };
}

function commonEnd(a: readonly Step[], b: readonly Step[]): number {
  let length = 0;
  while (length < a.length && length < b.length && a.at(-1 - length) === b.at(-1 - length)) length++;
  return length;
}
