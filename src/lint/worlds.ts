/** What becomes of a finding of the likeliest world in all others that fit what is known. */

import type { World } from '../cluster/facts.js';
import { axes } from '../cluster/worlds.js';
import { groupBy } from '../core/group.js';
import { type Place, type Severity, severities } from '../core/model.js';
import { inventoryId } from '../core/object.js';
import { oncePer } from '../core/once.js';
import { lineName, oldestFirst } from '../cozystack/releases.js';
import type { ReportDescriptor } from '../rules/rule.js';

/** What a rule says in a world. */
export type InWorld = { world: World; said: readonly ReportDescriptor[] };

export type AcrossWorlds = {
  said: ReportDescriptor;
  /** Of what the finding depends on: the values with which it holds, or does not. Empty where it holds in every world. */
  rests: { [Axis in keyof World]?: { only: string[] } | { except: string[] } };
};

/** Findings are the same in two worlds where they are of one rule, object and field, and no milder in the other. */
export function compareWorlds(likeliest: InWorld, others: readonly InWorld[], usual: Severity): AcrossWorlds[] {
  const weight = ({ severity = usual }: ReportDescriptor) => severities.indexOf(severity);
  // Many worlds share what was said.
  const answers = [...groupBy(others, ({ said }) => said)].map(([said, worlds]) => ({
    worlds: worlds.map(({ world }) => world),
    found: groupBy(said, keyOf),
  }));
  return likeliest.said.map((said) => {
    const key = answers.length > 0 ? keyOf(said) : '';
    const holds = answers.map(({ worlds, found }) => ({
      worlds,
      same: found.get(key)?.find((other) => weight(other) <= weight(said)),
    }));
    const everywhere = holds.every(({ same }) => same !== undefined);
    const isSameFix = holds.every(({ same }) => !same || same.remedy === said.remedy || fixOf(same) === fixOf(said));
    // What is a guess in one world makes the whole one.
    const assumes = new Set([said, ...holds.map(({ same }) => same)].flatMap((one) => one?.assumes ?? []));
    return {
      said: {
        ...said,
        ...(assumes.size > 0 && { assumes: [...assumes] }),
        ...(said.remedy && !isSameFix && { remedy: { ...said.remedy, safe: false } }),
      },
      rests: everywhere ? {} : dependsOn([{ world: likeliest.world, same: said }, ...holds.flatMap(inEach)]),
    };
  });
}

function inEach({ worlds, same }: { worlds: readonly World[]; same: ReportDescriptor | undefined }): Held[] {
  return worlds.map((world) => ({ world, same }));
}

type Held = { world: World; same: ReportDescriptor | undefined };

/**
 * The axes along which a finding comes and goes, each with the values with which it is there in some world; where none of them leaves
 * a value out by itself, the worlds by name.
 */
function dependsOn(all: readonly Held[]): AcrossWorlds['rests'] {
  const held = all.filter(({ same }) => same !== undefined).map(({ world }) => world);
  const possible = all.map(({ world }) => world);
  const deciding = axes.filter((axis) => isDecidedBy(axis, all));
  const narrowing = deciding.filter((axis) => valuesOf(axis, held).length < valuesOf(axis, possible).length);
  if (narrowing.length > 0) return Object.fromEntries(narrowing.map((axis) => [axis, { only: valuesOf(axis, held) }]));
  const ofKubernetes = deciding.includes('kubernetes');
  const [only, except] = [true, false].map((wanted) => [
    ...new Set(
      all.filter(({ same }) => (same !== undefined) === wanted).map(({ world }) => nameOf(world, ofKubernetes)),
    ),
  ]) as [string[], string[]];
  const said = only.length <= except.length ? { only: only.sort() } : { except: except.sort() };
  // No two worlds need differ in one axis alone, as where each release has variants of its own.
  const [axis = 'release'] = deciding;
  return { [axis]: said };
}

/** `v1.6 with isp-full`, and `on Kubernetes v1.35` where that matters. */
function nameOf({ release, variant, kubernetes }: World, ofKubernetes: boolean): string {
  return `${lineName(release)} with ${variant}${ofKubernetes ? ` on Kubernetes ${kubernetes}` : ''}`;
}

/** Whether two worlds that differ in it alone differ in the finding. */
function isDecidedBy(axis: keyof World, all: readonly Held[]): boolean {
  const alike = groupBy(all, ({ world }) => JSON.stringify(axes.map((one) => one !== axis && world[one])));
  return [...alike.values()].some((group) => new Set(group.map(({ same }) => same !== undefined)).size > 1);
}

function valuesOf(axis: keyof World, worlds: readonly World[]): string[] {
  const values = worlds.map((world) => (axis === 'release' ? lineName(world.release) : world[axis]));
  return [...new Set(values)].sort(oldestFirst);
}

function keyOf({ at, object, entrypoint }: ReportDescriptor): string {
  const ref = object ?? ('object' in at ? at.object.ref : undefined);
  const from = entrypoint ?? ('object' in at ? at.object.entrypoint : undefined);
  return JSON.stringify([ref && inventoryId(ref), from, placeOf(at)]);
}

function placeOf(at: Place): unknown {
  if ('object' in at) return at.path;
  return 'document' in at ? [at.revision, at.file, at.document, at.path] : at;
}

/** Objects stand for themselves: they are the same ones in every world. What was said is asked for once for every world. */
const fixOf = oncePer(({ remedy }: ReportDescriptor): string =>
  remedy ? JSON.stringify(remedy, (name, value) => (name === 'object' ? inventoryId(value.ref) : value)) : '',
);
