/** The part of a graph that a change touches. */
import type { Graph } from './graph.js';

/** What is named, and all that waits for it, nearest first until there are `most`; marked is only what is named. */
export function around({ release, nodes, edges }: Graph, names: ReadonlySet<string>, most: number): Graph {
  const shown = new Set(nodes.filter(({ name }) => names.has(name)).map(({ name }) => name));
  for (let size = -1; size !== shown.size; ) {
    size = shown.size;
    const next = edges.filter(({ from, to }) => shown.has(to) && !shown.has(from)).map(({ from }) => from);
    for (const name of next.slice(0, Math.max(0, most - shown.size))) shown.add(name);
  }
  return {
    release,
    nodes: nodes.filter(({ name }) => shown.has(name)).map((node) => ({ ...node, touched: names.has(node.name) })),
    edges: edges.filter(({ from, to }) => shown.has(from) && shown.has(to)),
  };
}
