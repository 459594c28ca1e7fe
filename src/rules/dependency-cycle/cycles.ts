/** What waits for itself. */
export type Edge = { from: string; to: string };

/** For everything that waits for itself, one way around, the shortest from the first of its members by name. */
export function cyclesIn<E extends Edge>(edges: readonly E[]): E[][] {
  const seen = new Set<string>();
  const found: E[][] = [];
  for (const start of [...new Set(edges.map(({ from }) => from))].sort()) {
    const cycle = seen.has(start) ? undefined : wayBack(start, edges);
    if (!cycle) continue;
    found.push(cycle);
    for (const { from } of cycle) seen.add(from);
  }
  return found;
}

function wayBack<E extends Edge>(start: string, edges: readonly E[]): E[] | undefined {
  const queue: E[][] = [[]];
  const visited = new Set<string>();
  for (let way = queue.shift(); way; way = queue.shift()) {
    const end = way.at(-1)?.to ?? start;
    for (const edge of edges.filter(({ from }) => from === end)) {
      if (edge.to === start) return [...way, edge];
      if (visited.has(edge.to)) continue;
      visited.add(edge.to);
      queue.push([...way, edge]);
    }
  }
  return undefined;
}
