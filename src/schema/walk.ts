/** What the schema checks share: where they stand, what they have found. */
import type { FieldPath, Json } from '../core/model.js';
import type { KnownSchema, Schema } from './types.js';
import { describe, maySecret } from './wording.js';

export type Violation = {
  path: FieldPath;
  part: 'key' | 'value';
  kind:
    | 'unknown-field'
    | 'required'
    | 'type'
    | 'null'
    | 'enum'
    | 'pattern'
    | 'format'
    | 'length'
    | 'range'
    | 'size'
    | 'choice';
  message: string;
  /** What follows from an unknown field. */
  outcome?: string;
  help?: string;
  /** What is to be put in quotes as it is written, which `help` only has as it is read. */
  quotes?: number | boolean;
  /** What to write instead: another key, or another value. */
  instead?: { key: string } | { value: string | number | boolean };
  /** Nothing is refused: Flux drops the field silently. */
  dropped?: boolean;
  /** A null in place of a map or a list: refused unless somebody else has filled it, where it changes nothing. */
  unlessFilled?: true;
};

export type Walk = {
  known: KnownSchema;
  violations: Violation[];
  /** What could not be judged, and how often. */
  skipped: Map<string, number>;
  /** How many checks could go either way; only choices ask. */
  undecided: number;
};

export function newWalk(known: KnownSchema): Walk {
  return { known, violations: [], skipped: new Map(), undecided: 0 };
}

export type Node = {
  schema: Schema;
  /** What a `$ref` refers to. */
  root: Schema;
  path: FieldPath;
  /** Nobody else writes here: what is absent is missing. */
  whole: boolean;
  /** Within a list or a map that is replaced as one: what is written here is what will be. */
  replaced?: true;
  /** Flux converts the value to a Go type before it is applied: null means absent. */
  lax: boolean;
  /** Unknown fields are preserved here and below. */
  open: boolean;
  /** Within anyOf, oneOf, not, allOf: the schema that these constrain, which alone declares fields and defaults. */
  declared?: Schema;
};

export function report(walk: Walk, violation: Violation): void {
  walk.violations.push(violation);
}

export function skip(walk: Walk, why: string, count = 1): void {
  walk.skipped.set(why, (walk.skipped.get(why) ?? 0) + count);
}

/** A value as a message may show it. */
export function tell({ known }: Walk, value: Json, path: FieldPath): string {
  return describe(value, isHidden(known, path));
}

export function isHidden(known: KnownSchema, path: FieldPath): boolean {
  return (known.builtIn && known.plural === 'secrets' && path[0] !== 'metadata') || maySecret(path);
}

export function isScalar(value: Json): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** A variable that substitution has not filled in, or a value that SOPS has encrypted: its content is not known. */
export function isUnresolved(text: string): boolean {
  return text.includes('${') || text.startsWith('ENC[');
}

export function unresolvedBecause(text: string): string {
  return text.startsWith('ENC[') ? 'the value is encrypted' : 'the value has a variable in it';
}
