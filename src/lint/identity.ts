/**
 * Whether a finding is the same as one of the base: the value that it is about, the objects that it is of and the directories that
 * apply them count, within one run and nowhere else.
 */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { Finding, Json, Place, Problem } from '../core/model.js';
import { inventoryId, lookUp } from '../core/object.js';
import { once } from '../core/once.js';
import { isSetTo } from '../flux/settings.js';
import type { ComparedBy } from '../rules/rule.js';
import { hidden } from '../secrets/mask.js';
import { maskedObject, maskedValue } from '../secrets/masked-values.js';
import type { Locator } from '../yaml/locator.js';
import { identityOf } from './fingerprint.js';

/** One line may be wrong for several objects, and in several directories. `entrypoint` is empty where there is none. */
type Part = { identity: string; entrypoint: string; place: Place; ref: string };

/** Who applies a directory where, and the best way in which it reaches the cluster so. */
export type AppliedBy = { account: string; cluster: string; reach: string };

/** The findings of a revision, and by the path of each directory those who apply it. */
export type ComparedRevision = { findings: readonly Finding[]; appliers: (entrypoint: string) => readonly AppliedBy[] };

/** How what nothing is known to stand in the way of reaches the cluster. */
export const sure = 'sure';

/**
 * Identities of findings with their values. They are made with a key that the run forgets, so that whoever sees one learns
 * nothing of a value; none is printed or written. What a baseline holds (`ids`) is made without a key, and without what is secret.
 */
export class Identities {
  readonly #key = randomBytes(32);
  readonly #known = new WeakMap<Finding, () => Part[]>();

  constructor(
    private readonly locator: Locator,
    private readonly comparedBy: (rule: string) => ComparedBy,
  ) {}

  /** `problems` are what the finding was made of. */
  add(finding: Finding, problems: readonly Problem[]): void {
    // Of a run without a base or a baseline nobody asks.
    this.#known.set(
      finding,
      once(() => this.#partsOf(finding, problems)),
    );
  }

  #partsOf(finding: Finding, problems: readonly Problem[]): Part[] {
    const compared = this.comparedBy(finding.rule);
    const parts = new Map<string, Part>();
    for (const { at, object, entrypoint } of problems) {
      const held = 'object' in at ? at.object : undefined;
      const ref = object ?? held?.ref;
      const subject = ref ? inventoryId(ref) : finding.at.file;
      const identity = createHmac('sha256', this.#key)
        .update(
          JSON.stringify([
            finding.rule,
            subject,
            identityOf(at, this.locator),
            this.#valueAt(at, compared) ?? null,
            isOnlyCreated(at),
          ]),
        )
        .digest('base64');
      const part = { identity, entrypoint: entrypoint ?? held?.entrypoint ?? '', place: at, ref: subject };
      parts.set(keyOf(part), part);
    }
    return [...parts.values()];
  }

  /** One for each part, the same in every run while rule, object, field, value and directory are; `secrets` are those of its file. */
  ids(finding: Finding, secrets: ReadonlySet<string>): string[] {
    const compared = this.comparedBy(finding.rule);
    return this.#of(finding).map(({ entrypoint, place, ref }) => {
      const value = JSON.stringify(this.#shownAt(place, compared) ?? null);
      const shown = [...secrets].reduce(
        (text, secret) => text.replaceAll(JSON.stringify(secret).slice(1, -1), hidden),
        value,
      );
      const identity = JSON.stringify([
        finding.rule,
        ref,
        identityOf(place, this.locator),
        shown,
        isOnlyCreated(place),
        entrypoint,
      ]);
      return createHash('sha256').update(identity).digest('hex').slice(0, 32);
    });
  }

  /**
   * Says of findings of the head, one after another, whether those of the base have all of it; each part of theirs is taken once.
   * What reached the cluster counts, and what was kept from it by the same; and who applied it, to which cluster. A directory that
   * has taken the place of another may have what that had; `mayMove`: so may any other of that cluster that has it no more.
   */
  taker(base: ComparedRevision, head: ComparedRevision, mayMove: boolean): (finding: Finding) => boolean {
    const still = new Set(head.findings.flatMap((finding) => this.#parts(finding, head).map(({ key }) => key)));
    const left = new Map<string, string[]>();
    const moved = new Map<string, string[]>();
    const add = (to: typeof left, key: string, reach: string) => {
      const known = to.get(key);
      if (known) known.push(reach);
      else to.set(key, [reach]);
    };
    for (const part of base.findings.flatMap((finding) => this.#parts(finding, base))) {
      if (still.has(part.key)) add(left, part.key, part.reach);
      else if (mayMove || head.appliers(part.entrypoint).length === 0) add(moved, part.elsewhere, part.reach);
    }
    /** Takes it, and says how to give it back. */
    const take = (part: Placed): (() => void) | undefined => {
      const others = mayMove || base.appliers(part.entrypoint).length === 0 ? moved.get(part.elsewhere) : undefined;
      for (const reaches of [left.get(part.key), others]) {
        const at = reaches?.findIndex((reach) => reach === sure || reach === part.reach) ?? -1;
        const [taken] = at < 0 ? [] : (reaches?.splice(at, 1) ?? []);
        if (taken !== undefined) return () => void reaches?.push(taken);
      }
      return undefined;
    };
    return (finding) => {
      const returns: (() => void)[] = [];
      for (const part of this.#parts(finding, head)) {
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

  /** Each part once for everybody who applies it. `elsewhere` leaves out the directory. */
  #parts(finding: Finding, { appliers }: Pick<ComparedRevision, 'appliers'>): Placed[] {
    return this.#of(finding).flatMap(({ identity, entrypoint }) => {
      const all = appliers(entrypoint);
      return (all.length > 0 ? all : [nobody]).map(({ account, cluster, reach }) => {
        const elsewhere = JSON.stringify([identity, account, cluster]);
        return { key: `${elsewhere} ${entrypoint}`, elsewhere, entrypoint, reach };
      });
    });
  }

  #of(finding: Finding): Part[] {
    const parts = this.#known.get(finding)?.();
    if (parts === undefined) throw new Error(`the finding of "${finding.rule}" has no identity`);
    return parts;
  }

  /** The value without what is secret in it. */
  #shownAt(place: Place, compared: ComparedBy): Json | undefined {
    const value = this.#valueAt(place, compared);
    if (value === undefined) return undefined;
    if (!('object' in place))
      return 'path' in place ? maskedValue({ ref: { kind: '' }, value: {} }, place.path, value) : value;
    return compared === 'object' ? maskedObject(place.object) : maskedValue(place.object, place.path, value);
  }

  #valueAt(place: Place, compared: ComparedBy): Json | undefined {
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

/** What is said of an object that Flux leaves as it is counts once it does no more. */
function isOnlyCreated(place: Place): boolean {
  return 'object' in place && isSetTo(place.object.value, 'ssa', 'IfNotPresent');
}

function keyOf({ identity, entrypoint }: Part): string {
  return `${identity} ${entrypoint}`;
}

type Placed = { key: string; elsewhere: string; entrypoint: string; reach: string };

/** Of a finding that no directory has. */
const nobody: AppliedBy = { account: '', cluster: '', reach: sure };

function isCollection(value: Json | undefined): boolean {
  return value !== null && typeof value === 'object';
}
