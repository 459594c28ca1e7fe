/** What is worked out when it is asked for, and not again. */
export function once<Value>(work: () => Value): () => Value {
  let done: { value: Value } | undefined;
  return () => {
    done ??= { value: work() };
    return done.value;
  };
}

/** The same of each of several things, for as long as somebody has it. */
export function oncePer<Key extends object, Value>(work: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { value: Value }>();
  return (key) => {
    const done = known.get(key) ?? { value: work(key) };
    known.set(key, done);
    return done.value;
  };
}

/** Forgets all that it has where it would grow without an end. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  override set(key: Key, value: Value): this {
    if (this.size >= 10_000 && !this.has(key)) this.clear();
    return super.set(key, value);
  }
}

/** Remembers what comes of a text, if it is short: keys, labels and sizes are much the same in all objects. */
export function remembering<Value>(work: (text: string) => Value): (text: string) => Value {
  const known = new BoundedMap<string, Value>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const value = work(text);
    if (text.length <= 100) known.set(text, value);
    return value;
  };
}
