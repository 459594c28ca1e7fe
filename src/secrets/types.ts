/** A scalar of a YAML text that is secret. */

/** Where a secret stands, and the texts as which it may be repeated. */
export type SecretScalar = { start: number; end: number; values: string[] };
