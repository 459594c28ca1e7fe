/**
 * The entries that are there: an optional property is given or left out, never `undefined`, as `exactOptionalPropertyTypes` asks.
 * Keys keep their order.
 */
export function defined<T extends object>(entries: T): Defined<T> {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined)) as Defined<T>;
}

type Defined<T> = {
  [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>;
} & { [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key] };
