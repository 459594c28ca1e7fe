/** What is run as a sample, as the larger one of CI and in full; the same for the report and for the tests. */
import { provenanceOf } from './command.mjs';
import { count, Pairs } from './denominator.mjs';
import { Reference } from './engine.mjs';
import { corpusFolders, Faults, filesOf, seedFaults } from './faults.mjs';
import { generate } from './grammar/grammar.mjs';
import { measure, measureRepository, seedsOf, topUp } from './measure.mjs';
import { ownedFields } from './owned.mjs';
import { checkRemoved } from './removed.mjs';

/** A prime apart, so that a sample of few seeds has features from all over the list. */
const spaced = (length, first) => Array.from({ length }, (_, index) => first + index * 31);

const sizes = {
  sample: { trees: 6, repositories: 1, leavesEach: 4, counted: 2, every: 7, removals: 12, faulty: 1, faultsEach: 20 },
  samples: { trees: 22, repositories: 2, leavesEach: 4, counted: 2, every: 7, removals: 18, faulty: 2, faultsEach: 40 },
  full: {
    trees: 660,
    perFeature: 200,
    repositories: 99,
    leavesEach: 8,
    counted: 50,
    every: 1,
    removals: 300,
    faulty: 99,
    faultsEach: 150,
  },
};

export function sizeOf(full) {
  if (full) return sizes.full;
  return Number(process.env.SAMPLES ?? 1) > 1 ? sizes.samples : sizes.sample;
}

const managed = ['cozystack.metallb', 'cozystack.reloader', 'cozystack.networking'];

/** Generated trees, then the repositories of the corpus where they are there. */
export async function property(engine, size, first = 0) {
  const seeds = size.trees >= 66 ? seedsOf(size.trees, first) : spaced(size.trees, first);
  const table = await measure(engine, seeds);
  if (size.perFeature) await topUp(engine, size.perFeature, table);
  for (const folder of corpusFolders().slice(0, size.repositories))
    await measureRepository(engine, filesOf(folder), size.leavesEach, table);
  return table;
}

export async function denominator(size, first = 0) {
  const reference = new Reference();
  const pairs = new Pairs();
  try {
    const trees = spaced(size.counted, first + 3).map((seed) => generate(seed));
    for (const [tree, leaves] of await provenanceOf(trees)) await count(reference, tree, leaves, pairs, size.every);
  } finally {
    reference.close();
  }
  return pairs;
}

export const removed = (engine, size, first = 0) => checkRemoved(engine, seedsOf(size.removals, first));

export async function faults(engine, size) {
  const found = new Faults();
  await ownedFields(managed, found);
  for (const folder of corpusFolders().slice(0, size.faulty))
    await seedFaults(engine, filesOf(folder), size.faultsEach, found);
  return found;
}
