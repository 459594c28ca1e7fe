/** What the API server refuses of the objects that charts make: Kubernetes' own validation is asked. */
import { inShort, wordsOf } from '../apiserver/refusals.js';
import { type Cause, refusalIn } from '../apiserver/status.js';
import { definitionsOf } from '../cluster/crds.js';
import { defined } from '../core/defined.js';
import { shorten } from '../core/escape.js';
import type { Json, JsonObject, ObjectRef } from '../core/model.js';
import { formatPath, isObject, lookUp, refOf } from '../core/object.js';
import type { Schemas } from '../cozystack/schemas.js';
import type { ApplyEngine, LaterEngine } from '../engine/host/apply-engine.js';
import type { ApplyAnswer, Operation } from '../engine/host/apply-protocol.js';
import type { ChartObject } from '../engine/host/helm-protocol.js';
import { Stopped } from '../engine/host/stopped.js';
import { groupKind } from '../simulate/sources.js';
import type { Fault } from './culprits.js';
import { inNamespace } from './made.js';

/** A field of an object that a chart makes; `value` is what stands there. */
export type RefusedField = Fault & {
  ref: ObjectRef;
  template: string;
  /** With the field, in the server's words. */
  words: string;
  /** What to do about it. */
  help?: string;
  value: Json | undefined;
  /** The schema has no such field: a release that Helm 3 has made gets the object without it. */
  isUnknown: boolean;
};

type Kind = Pick<ObjectRef, 'apiVersion' | 'kind'>;

/** As helm-controller sends them. */
export const appliedByHelm = { op: 'apply', force: true, manager: 'helm-controller', brief: true } as const;

/** Characters of the server's words in a message. */
const longest = 160;

/**
 * What is asked about of one release at a time; the rest is not. `seconds` are for all releases of a revision, a quarter of what a run has
 * if nothing else is said: whose chart takes them is one of many. `kept`: characters of objects whose answers are remembered.
 */
const most = { objects: 2000, characters: 8_000_000, seconds: 10, kept: 16_000_000 };

/** Groups of operations in one call: the answers to all of them are in memory. */
const together = 20;

/** What is defined and what was answered is remembered, as it is asked for each of many values. */
export class ObjectServer {
  readonly #answers = new Map<string, ApplyAnswer>();
  readonly #defined = new Set<string>();
  #kept = 0;
  #seconds = 0;
  #engine: ApplyEngine | undefined;

  /** For one revision after the other: definitions of others take the place of its own. `seconds`: of asking, all in all. */
  constructor(
    private readonly server: LaterEngine,
    readonly schemas: Schemas,
    private readonly seconds = most.seconds,
  ) {}

  /**
   * An answer for each operation of each group, which finds a server that has no objects, and the definitions of these kinds. Throws where
   * the server cannot be opened, or is stopped: then the next call has another one.
   */
  async ask(kinds: readonly Kind[], groups: readonly Operation[][]): Promise<ApplyAnswer[][]> {
    try {
      return await this.#ask(kinds, groups);
    } catch (error) {
      await this.server.close();
      throw error;
    }
  }

  async #ask(kinds: readonly Kind[], groups: readonly Operation[][]): Promise<ApplyAnswer[][]> {
    const engine = await this.server.get();
    if (engine !== this.#engine) this.#defined.clear();
    this.#engine = engine;
    const open = [...new Set(kinds.map(groupKind))].filter((kind) => !this.#defined.has(kind));
    const definitions = definitionsOf(open, this.schemas);
    if (definitions.length > 0) await engine.define(definitions);
    for (const kind of open) this.#defined.add(kind);
    const answers: ApplyAnswer[][] = [];
    for (let from = 0; from < groups.length; from += together) {
      const some = groups.slice(from, from + together);
      const said = await engine.ask(some.flatMap((group): Operation[] => [{ op: 'reset' }, ...group]));
      let at = 0;
      for (const { length } of some) {
        answers.push(said.slice(at + 1, at + 1 + length));
        at += 1 + length;
      }
    }
    return answers;
  }

  /**
   * What it refuses of objects that are not there yet; nothing of kinds that it does not have. `left` are not asked about. Throws `Stopped`
   * where that takes too long.
   */
  async refused(made: readonly ChartObject[], namespace: string): Promise<{ fields: RefusedField[]; left: number }> {
    const all = made.filter(isCreated).map(({ template, object }) => {
      const value = inNamespace(object, namespace, this.schemas);
      return { template, value, ref: refOf(value), key: JSON.stringify(value) };
    });
    let characters = 0;
    const asked = all.slice(0, most.objects).filter(({ key }) => {
      characters += key.length;
      return characters <= most.characters;
    });
    const open = new Map(asked.filter(({ key }) => !this.#answers.has(key)).map((one) => [one.key, one]));
    const said = new Map<string, ApplyAnswer | undefined>();
    const objects = [...open.values()];
    for (let from = 0; from < objects.length; from += together) {
      const some = objects.slice(from, from + together);
      const groups = some.map(({ value }) => [{ ...appliedByHelm, object: value, dryRun: true }]);
      const kinds = some.map(({ ref }) => ref);
      const answers = await this.#timed(() => this.ask(kinds, groups));
      for (const [index, { key }] of some.entries()) said.set(key, answers[index]?.[0]);
    }
    for (const [key, answer] of said) this.#keep(key, answer);
    const fields = asked.flatMap(({ template, value, ref, key }) =>
      causesIn(said.get(key) ?? this.#answers.get(key), value).map((cause) => fieldOf(cause, { template, value, ref })),
    );
    return { fields, left: all.length - asked.length };
  }

  async #timed<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    if (this.#seconds > this.seconds) throw new Stopped(`asking takes more than ${this.seconds} s`, true);
    const begin = performance.now();
    try {
      return await work();
    } finally {
      this.#seconds += (performance.now() - begin) / 1000;
    }
  }

  #keep(key: string, answer: ApplyAnswer | undefined): void {
    if (!answer || this.#kept > most.kept) return;
    this.#kept += key.length;
    this.#answers.set(key, answer);
  }
}

/** By Helm, when it upgrades: not what tests and installations make, and not the definitions in `crds/`. */
function isCreated({ object, hook, crd }: ChartObject): boolean {
  const isUpgraded = hook?.some((event) => event.endsWith('upgrade')) ?? true;
  return !crd && isUpgraded && isObject(object.metadata) && typeof object.metadata.name === 'string';
}

/** Why an object is refused for itself. */
export function causesIn(answer: ApplyAnswer | undefined, value: JsonObject): Cause[] {
  if (!answer?.error || answer.status === 404) return [];
  const body = answer.error as unknown as JsonObject;
  const { reason, causes } = refusalIn({ status: answer.status, body }, { ref: refOf(value), value });
  if (reason !== 'invalid' && reason !== 'unknown-field') return [];
  const isHere = ({ path }: Cause) => lookUp(value, path) !== undefined;
  // A field that the server fills in from another one is wrong as that is.
  const isTold = (cause: Cause) => causes.some((other) => other.message === cause.message && isHere(other));
  return causes.filter((cause) => isHere(cause) || !isTold(cause));
}

function fieldOf(
  cause: Cause,
  { template, value, ref }: { template: string; value: JsonObject; ref: ObjectRef },
): RefusedField {
  const { message, help } = inShort(cause.message);
  // Items of lists move, and objects are called otherwise, when other values go.
  const where = `${template} ${ref.kind} ${formatPath(cause.path)}`.replace(/\d+/g, '0');
  return {
    ...{ ref, template, words: shorten(wordsOf({ ...cause, message }), longest), value: lookUp(value, cause.path) },
    ...defined({ help }),
    reason: `${where} ${cause.message}`,
    place: where,
    isUnknown: cause.message.includes('the schema of its kind has no such field'),
  };
}
