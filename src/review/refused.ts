/**
 * GitHub takes a review as a whole, so one place that it refuses loses all. Then a half is tried, and a half of what is to blame, until
 * it is known which: where one half is taken, it is the other, which is not tried as a whole. What was left out on the way goes at once.
 */

/** `failed`: it broke for another reason, so nothing more is tried. */
export type Taken = 'done' | 'refused' | 'failed';

/** Requests beside the first; what is not known by then is neither done nor refused. */
const most = 7;

export async function refusedApart<Item>(
  items: readonly Item[],
  send: (items: readonly Item[]) => Promise<Taken>,
): Promise<{ done: Item[]; refused: Item[] }> {
  const found: { done: Item[]; refused: Item[] } = { done: [], refused: [] };
  if (items.length === 0) return found;
  let left = most;
  let isOver = false;
  const attempt = async (some: readonly Item[]): Promise<Taken> => {
    if (isOver || left === 0) return 'failed';
    left -= 1;
    const sent = await send(some);
    if (sent === 'failed') isOver = true;
    if (sent === 'done') found.done.push(...some);
    return sent;
  };
  const divide = async (some: readonly Item[]): Promise<void> => {
    let blamed = some;
    let rest: readonly Item[] = [];
    while (blamed.length > 1) {
      const middle = Math.ceil(blamed.length / 2);
      const [first, second] = [blamed.slice(0, middle), blamed.slice(middle)];
      const sent = await attempt(first);
      if (sent === 'failed') return;
      blamed = sent === 'done' ? second : first;
      if (sent === 'refused') rest = [...second, ...rest];
    }
    found.refused.push(...blamed);
    // Most often there is but one to blame.
    if (rest.length > 0 && (await attempt(rest)) === 'refused') await divide(rest);
  };
  const sent = await send(items);
  if (sent === 'done') found.done.push(...items);
  if (sent === 'refused') await divide(items);
  return found;
}
