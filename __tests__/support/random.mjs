/** Chance that is the same for the same seed (mulberry32). */
export function randomOf(seed) {
  let state = seed >>> 0;
  const below = (n) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % n;
  };
  const random = {
    below,
    chance: (probability) => below(1_000_000) < probability * 1_000_000,
    pick: (items) => items[below(items.length)],
    shuffled(items) {
      const rest = [...items];
      return items.map(() => rest.splice(below(rest.length), 1)[0]);
    },
    some: (items, count) => random.shuffled(items).slice(0, count),
  };
  return random;
}
