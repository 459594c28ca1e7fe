/**
 * Objects that a build gives again as an earlier one gave them stay the very same ones, so that nobody works out anew what follows
 * from one (`check --watch`).
 */
import type { RenderedObject } from '../core/model.js';
import { roundNumber } from '../core/rounds.js';
import type { BuildResponse, EngineObject } from '../engine/host/protocol.js';

type Built = BuildResponse & { ok: true };
/** What origins count in; no more of an answer is kept with an object. */
export type Places = Pick<Built, 'sources' | 'traces'>;

/** What the engine said of an object. */
const said = new WeakMap<RenderedObject, { object: EngineObject; places: Places }>();

/** Where no other round comes, it would only hold what the engine said. */
export function noteSaid(object: RenderedObject, from: EngineObject, places: Places): void {
  if (roundNumber() === 0) return;
  said.set(object, { object: from, places });
}

/** What an earlier build of the same entrypoint has of an answer. */
export class Again {
  readonly places: Places;
  readonly #earlier: ReadonlyMap<number, RenderedObject>;
  readonly #isSamePlaces: boolean;

  constructor(earlier: readonly RenderedObject[], { sources, traces }: Built) {
    this.#earlier = new Map(earlier.map((object) => [object.index, object]));
    const [first] = earlier;
    const places = first && said.get(first)?.places;
    this.#isSamePlaces = isSame(places?.sources, sources) && isSame(places?.traces, traces);
    this.places = places && this.#isSamePlaces ? places : { sources, ...(traces && { traces }) };
  }

  /** The earlier object in the place of what the engine says, or its value at least. */
  of(now: EngineObject, index: number): { object?: RenderedObject; said: EngineObject } {
    const object = this.#earlier.get(index);
    const before = object && said.get(object);
    if (!before || !isSame(before.object.value, now.value)) return { said: now };
    const { value, ...about } = before.object;
    const { value: _, ...aboutNow } = now;
    const isWhole = before.places === this.places && isSame(about, aboutNow);
    return { said: { ...now, value }, ...(isWhole && { object }) };
  }
}

/** In the order of the keys too, as a reader may go by it. */
function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [keys, others] = [Object.keys(one), Object.keys(other)];
  return (
    keys.length === others.length &&
    keys.every(
      (key, at) =>
        key === others[at] && isSame((one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]),
    )
  );
}
