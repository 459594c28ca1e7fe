/**
 * Whether a finding is the same as one of the base: the value that it is about, the objects that it is of and the directories that
 * apply them count, within one run and nowhere else.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { isSetTo } from './contract/flux.js';
import { identityOf } from './fingerprint.js';
import type { Locator } from './locate/locate.js';
import type { Finding, Json, Place, Problem } from './model.js';
import { inventoryId, lookUp } from './object.js';

/** What must be equal besides rule, object and field: nothing, a scalar there, the whole value there, or the whole object. */
export type Compared = 'field' | 'scalar' | 'value' | 'object';

/** One line may be wrong for several objects, and in several directories. `entrypoint` is empty where there is none. */
type Part = { identity: string; entrypoint: string };

/** How the directories of a revision reach the cluster, and which there are. */
export type Side<Reach> = {
  findings: readonly Finding[];
  reaches: (entrypoint: string) => ReadonlySet<Reach>;
  has: (entrypoint: string) => boolean;
};

/**
 * Identities of findings with their values. They are made with a key that the run forgets, so that whoever sees one learns
 * nothing of a value; none is printed or written.
 */
export class Identities {
  readonly #key = randomBytes(32);
  readonly #known = new WeakMap<Finding, Part[]>();

  constructor(
    private readonly locator: Locator,
    private readonly comparedBy: (rule: string) => Compared,
  ) {}

  /** `problems` are what the finding was made of. */
  add(finding: Finding, problems: readonly Problem[]): void {
    const compared = this.comparedBy(finding.rule);
    const parts = new Map<string, Part>();
    for (const { at, object, entrypoint } of problems) {
      const held = 'object' in at ? at.object : undefined;
      const ref = object ?? held?.ref;
      const identity = createHmac('sha256', this.#key)
        .update(
          JSON.stringify([
            ...[finding.rule, ref ? inventoryId(ref) : finding.at.file, identityOf(at, this.locator)],
            ...[this.#valueAt(at, compared) ?? null, held !== undefined && isSetTo(held.value, 'ssa', 'IfNotPresent')],
          ]),
        )
        .digest('base64');
      const part = { identity, entrypoint: entrypoint ?? held?.entrypoint ?? '' };
      parts.set(keyOf(part), part);
    }
    this.#known.set(finding, [...parts.values()]);
  }

  /**
   * Says of findings of the head, one after another, whether those of the base have all of it; each part of theirs is taken once.
   * What reached the cluster counts, and what was kept from it by the same. A directory that has taken the place of another may
   * have what that had; `mayMove`: so may any other that has it no more.
   */
  taker<Reach>(
    base: Side<Reach | 'sure'>,
    head: Side<Reach | 'sure'>,
    mayMove: boolean,
  ): (finding: Finding) => boolean {
    const still = new Set(head.findings.flatMap((finding) => this.#of(finding).map(keyOf)));
    const left = new Map<string, (Reach | 'sure')[]>();
    const moved = new Map<string, (Reach | 'sure')[]>();
    const add = (to: typeof left, key: string, reach: Reach | 'sure') =>
      void to.set(key, [...(to.get(key) ?? []), reach]);
    for (const part of base.findings.flatMap((finding) => this.#of(finding))) {
      const reach = best(base.reaches(part.entrypoint));
      if (still.has(keyOf(part))) add(left, keyOf(part), reach);
      else if (mayMove || !head.has(part.entrypoint)) add(moved, part.identity, reach);
    }
    /** Takes it, and says how to give it back. */
    const take = (part: Part): (() => void) | undefined => {
      const wanted = new Set<Reach | 'sure'>(['sure', ...head.reaches(part.entrypoint)]);
      const own = left.get(keyOf(part));
      const others = mayMove || !base.has(part.entrypoint) ? moved.get(part.identity) : undefined;
      for (const reaches of [own, others]) {
        const at = reaches?.findIndex((reach) => wanted.has(reach)) ?? -1;
        const [taken] = at < 0 ? [] : (reaches?.splice(at, 1) ?? []);
        if (taken !== undefined) return () => void reaches?.push(taken);
      }
      return undefined;
    };
    return (finding) => {
      const returns: (() => void)[] = [];
      for (const part of this.#of(finding)) {
        const giveBack = take(part);
        if (giveBack) returns.push(giveBack);
        else {
          for (const one of returns) one();
          return false;
        }
      }
      return true;
    };
  }

  #of(finding: Finding): Part[] {
    const parts = this.#known.get(finding);
    if (parts === undefined) throw new Error(`the finding of "${finding.rule}" has no identity`);
    return parts;
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

function keyOf({ identity, entrypoint }: Part): string {
  return `${identity} ${entrypoint}`;
}

/** Several Flux objects may apply one directory: what any of them applies is there. */
function best<Reach>(reaches: ReadonlySet<Reach | 'sure'>): Reach | 'sure' {
  if (reaches.has('sure')) return 'sure';
  const all = [...reaches];
  return all.find((reach) => reach !== 'suspended') ?? all[0] ?? 'sure';
}

function isCollection(value: Json | undefined): boolean {
  return value !== null && typeof value === 'object';
}
