/** Cycles of a dependency graph. */
export type Edge = { from: string; to: string };

/**
 * One cycle of each strongly connected component: the shortest from its first member by name, as edges. The order is that of these
 * members. Takes time in proportion to the edges.
 */
export function cyclesIn<E extends Edge>(edges: readonly E[]): E[][] {
  const next = new Map<string, E[]>();
  for (const edge of edges) {
    const known = next.get(edge.from);
    if (known) known.push(edge);
    else next.set(edge.from, [edge]);
  }
  const cycles = componentsOf(next).flatMap((members) => {
    const start = members.reduce((first, name) => (name < first ? name : first));
    const cycle = shortestCycle(start, new Set(members), next);
    return cycle ? [{ start, cycle }] : [];
  });
  return cycles.sort((a, b) => (a.start < b.start ? -1 : 1)).map(({ cycle }) => cycle);
}

/** Undefined for a node that does not depend on itself. */
function shortestCycle<E extends Edge>(
  start: string,
  members: ReadonlySet<string>,
  next: ReadonlyMap<string, readonly E[]>,
): E[] | undefined {
  const reachedBy = new Map<string, E>();
  const queue = [start];
  for (const from of queue) {
    for (const edge of next.get(from) ?? []) {
      if (edge.to === start) return [...wayTo(from, start, reachedBy), edge];
      if (!members.has(edge.to) || reachedBy.has(edge.to)) continue;
      reachedBy.set(edge.to, edge);
      queue.push(edge.to);
    }
  }
  return undefined;
}

function wayTo<E extends Edge>(end: string, start: string, reachedBy: ReadonlyMap<string, E>): E[] {
  const way: E[] = [];
  for (let at = end; at !== start; ) {
    const edge = reachedBy.get(at) as E;
    way.push(edge);
    at = edge.from;
  }
  return way.reverse();
}

/** Strongly connected components (Tarjan). It keeps a stack of its own, as the depth is the repository's choice. */
function componentsOf(next: ReadonlyMap<string, readonly Edge[]>): string[][] {
  const found: string[][] = [];
  const state = new Map<string, { index: number; low: number; isOpen: boolean }>();
  const open: string[] = [];
  const enter = (name: string) => {
    const entered = { index: state.size, low: state.size, isOpen: true };
    state.set(name, entered);
    open.push(name);
    return { name, entered, edges: next.get(name) ?? [], at: 0 };
  };
  for (const root of next.keys()) {
    if (state.has(root)) continue;
    const calls = [enter(root)];
    for (let call = calls.at(-1); call; call = calls.at(-1)) {
      const edge = call.edges[call.at++];
      if (edge) {
        const known = state.get(edge.to);
        if (!known) calls.push(enter(edge.to));
        else if (known.isOpen) call.entered.low = Math.min(call.entered.low, known.index);
        continue;
      }
      calls.pop();
      const caller = calls.at(-1);
      if (caller) caller.entered.low = Math.min(caller.entered.low, call.entered.low);
      if (call.entered.low === call.entered.index) found.push(closed(call.name, open, state));
    }
  }
  return found;
}

/** The component that ends with a node: all that is on the stack above it. */
function closed(name: string, open: string[], state: ReadonlyMap<string, { isOpen: boolean }>): string[] {
  const members = open.splice(open.lastIndexOf(name));
  for (const member of members) (state.get(member) as { isOpen: boolean }).isOpen = false;
  return members;
}
