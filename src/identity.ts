/** Whether a finding is the same as one of the base: the value that it is about counts, within one run and nowhere else. */
import { createHmac, randomBytes } from 'node:crypto';
import type { Locator } from './locate/locate.js';
import type { Finding, Json, Place, Problem } from './model.js';
import { lookUp } from './object.js';

/** What must be equal besides rule, object and field: nothing, a scalar there, the whole value there, or the whole object. */
export type Compared = 'field' | 'scalar' | 'value' | 'object';

/**
 * Identities of findings with their values. They are made with a key that the run forgets, so that whoever sees one learns
 * nothing of a value; none is printed or written.
 */
export class Identities {
  readonly #key = randomBytes(32);
  readonly #known = new WeakMap<Finding, string>();

  constructor(
    private readonly locator: Locator,
    private readonly comparedBy: (rule: string) => Compared,
  ) {}

  /** `key` is the identity without a value; `problems` are what the finding was made of. */
  add(finding: Finding, key: string, problems: readonly Problem[]): void {
    const compared = this.comparedBy(finding.rule);
    const hmac = createHmac('sha256', this.#key).update(key);
    const values = new Set(problems.map(({ at }) => JSON.stringify(this.#valueAt(at, compared) ?? null)));
    for (const value of [...values].sort()) hmac.update('\0').update(value);
    this.#known.set(finding, hmac.digest('base64'));
  }

  /** The findings of a revision, each to be taken once by a finding of the other that is the same. */
  taker(findings: Iterable<Finding>): (finding: Finding) => boolean {
    const left = new Map<string, number>();
    for (const finding of findings) {
      const identity = this.#of(finding);
      left.set(identity, (left.get(identity) ?? 0) + 1);
    }
    return (finding) => {
      const identity = this.#of(finding);
      const count = left.get(identity) ?? 0;
      if (count > 0) left.set(identity, count - 1);
      return count > 0;
    };
  }

  #of(finding: Finding): string {
    const identity = this.#known.get(finding);
    if (identity === undefined) throw new Error(`the finding of "${finding.rule}" has no identity`);
    return identity;
  }

  #valueAt(place: Place, compared: Compared): Json | undefined {
    if (compared === 'field') return undefined;
    if ('object' in place) {
      if (compared === 'object') return place.object.value;
      const value = place.path.length > 0 ? lookUp(place.object.value, place.path) : undefined;
      return compared === 'value' || !isCollection(value) ? value : undefined;
    }
    if (!('document' in place) || place.path.length === 0) return undefined;
    const written = this.locator.written(place, place.path);
    return written && (written.scalar || compared !== 'scalar') ? written.text : undefined;
  }
}

function isCollection(value: Json | undefined): boolean {
  return value !== null && typeof value === 'object';
}
