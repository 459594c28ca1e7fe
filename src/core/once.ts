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

/** Remembers what comes of a text, if it is short: keys, labels and sizes are much the same in all objects. */
export function remembering<Value>(work: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const value = work(text);
    if (known.size >= 10_000) known.clear();
    if (text.length <= 100) known.set(text, value);
    return value;
  };
}
