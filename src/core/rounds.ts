/**
 * What a command that goes on (`check --watch`) keeps from one round for the next: what was worked out of a text, as most texts are
 * the same again. What a round does not ask for is forgotten after it, so that nothing grows. Any other command keeps nothing.
 */

const turns: (() => void)[] = [];
let rounds = 0;

/** Another round begins. */
export function beginRound(): void {
  rounds += 1;
  for (const turn of turns) turn();
}

/** How many have begun; of any other command none. */
export function roundNumber(): number {
  return rounds;
}

/** `work` must depend on the text alone, and nobody may change what it gives. */
export function keptByText<Value>(work: (text: string) => Value): (text: string) => Value {
  const known = kept<Value>();
  return (text) =>
    known(
      () => text,
      () => work(text),
    );
}

/** The same, where what `work` depends on is told by `keyOf`, which is asked only where something is kept. */
export function kept<Value>(): (keyOf: () => string, work: () => Value) => Value {
  let now = new Map<string, { value: Value }>();
  let before = now;
  turns.push(() => {
    before = now;
    now = new Map();
  });
  return (keyOf, work) => {
    if (rounds === 0) return work();
    const key = keyOf();
    const known = now.get(key) ?? before.get(key) ?? { value: work() };
    now.set(key, known);
    return known.value;
  };
}
