/**
 * GitHub takes a review as a whole, so one place that it refuses loses all. Then halves are tried, and halves of these, until it is
 * known which. Where one half is taken, the other is to blame, and is not tried as a whole.
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
    if (some.length === 1) {
      found.refused.push(...some);
      return;
    }
    const middle = Math.ceil(some.length / 2);
    const [first, second] = [some.slice(0, middle), some.slice(middle)];
    const sent = await attempt(first);
    if (sent === 'done') return divide(second);
    if (sent === 'refused') await divide(first);
    if ((await attempt(second)) === 'refused') await divide(second);
  };
  const sent = await send(items);
  if (sent === 'done') found.done.push(...items);
  if (sent === 'refused') await divide(items);
  return found;
}
