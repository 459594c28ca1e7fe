/** Effects of a change by the table of docs/trust.md, each by some delivery, and each with a change that has no such effect. */
import { stringify } from 'yaml';
import type { Json, JsonObject } from '../../../../src/core/model.js';
import { lookUp } from '../../../../src/core/object.js';
import { deliveries } from '../deliveries.js';
import type { Folder } from '../folder.js';
import { type Path, type Target, withField } from '../harms.js';
import type { Random } from '../writing.js';
import { access } from './effects/access.js';
import { disabling } from './effects/disabling.js';
import { network } from './effects/network.js';
import { rights } from './effects/rights.js';
import { becoming, type Draft, type Draw, idOf, isSame, layoutOf, note, site } from './site.js';

/** A field of an object, or a whole new object, by which a change has an effect. */
export type Effect = Target & {
  /** The base has nothing of the object. */
  isAdded?: boolean;
  /** The same without the effect; without one, a new annotation. */
  twin?: Partial<Target>;
  /** Recognizes the effect, if the value of the field alone does not. */
  isBad?: (object: JsonObject) => boolean;
  /** The effect exists only if the base has the object. */
  isOfOld?: true;
  /** Objects that are there before and after. */
  beside?: Record<string, JsonObject>;
};

export const effects: Record<string, Effect> = { ...rights, ...access, ...network, ...disabling };

export const effectsDraw: Draw = (random) => {
  const name = random.pick(Object.keys(effects));
  const effect = effects[name] as Effect;
  const isControl = random.chance(0.3);
  return draftOf(random, effect, isControl, [`effect: ${name}`]);
};

/** The change of an effect, or of its harmless twin. */
export function draftOf(random: Random, effect: Effect, isControl: boolean, labels: string[]): Draft {
  const target: Target = isControl ? twinOf(effect) : effect;
  const fitting = fittingOf(effect, target, isControl);
  const delivery = random.chance(0.3) ? 'manifest' : random.pick(fitting);
  const layout = layoutOf(random, isControl ? [0] : undefined);
  if (deliveries[delivery]?.needsFlux) layout.steps = [];
  const isAdded = effect.isAdded === true && idOf(target.object) === idOf(effect.object);
  const fill = (active: boolean) => (folder: Folder) => {
    if (active || !isAdded) deliveries[delivery]?.deliver(folder, target, active);
    folder.add('resources', folder.named('inside.yaml', stringify(note('inside'))));
  };
  const base = site(layout, fill(false), effect.beside);
  const head = site(layout, fill(true), effect.beside);
  return {
    harm: harmOf(effect),
    base: base.tree,
    head: head.tree,
    isNew: isAdded,
    isControl,
    labels: [...labels, `effect delivery: ${delivery}`, ...(isControl ? ['twin'] : []), ...head.labels],
  };
}

const rules = ['sensitive-change', 'deleted-object', 'platform-object-edited', 'unverifiable-change'];

function harmOf(effect: Effect) {
  const { object, field, value } = effect;
  const isBad = effect.isBad ?? ((one: JsonObject) => isAt(one, field, value));
  const harm = becoming(rules, object, effect.isAdded && !effect.isBad ? () => true : isBad);
  if (!effect.isOfOld) return harm;
  const isThere = (then: readonly JsonObject[]) => then.some((one) => idOf(one) === idOf(object));
  return {
    ...harm,
    happens: (now: readonly JsonObject[], then: readonly JsonObject[]) =>
      isThere(then) && harm.happens?.(now, then) === true,
  };
}

const isAt = (one: JsonObject, field: Path, value: Json) => isSame(lookUp(one, [...field]), value);

/** Deliveries that delete an object of another kind or name, or change the Flux object, whatever they deliver. */
const isHarmful = (name: string) =>
  ['patch of the kind', 'patch of the name', 'replacement from a generator'].includes(name) ||
  deliveries[name]?.needsFlux === true;

/** Deliveries that can write the field. A prefix that comes with a new object would rename all that is there. */
function fittingOf(effect: Effect, target: Target, isControl: boolean): string[] {
  return Object.entries(deliveries).flatMap(([name, { fits }]) => {
    const isOdd = (isControl && isHarmful(name)) || (effect.isAdded && name === 'namePrefix');
    return !isOdd && (fits?.(target) ?? true) ? [name] : [];
  });
}

function twinOf({ twin, object, decoy, field, value }: Effect): Target {
  if (twin) return { object, field, value, ...(decoy !== undefined && { decoy }), ...twin };
  // The field is as it was before.
  return { object: decoy === undefined ? object : withField(object, field, decoy), ...harmless };
}

const harmless = { field: ['metadata', 'annotations', 'example.org/note'] as Path, value: 'hello', decoy: 'none' };
