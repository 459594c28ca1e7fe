/**
 * Fuzzing by properties: a target makes inputs by chance and says what must hold of each. What was found once is kept in
 * corpus.json and comes first. @jazzer.js/core would look for new paths by coverage, but its binary needs a newer C library than
 * some systems have that this is developed on (4.0.0: glibc 2.38), and older ones are not on npm; so these are fast-check's.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { root } from '../support/cli.js';
import { amount, seedOr } from '../support/sample.js';

export type Target<Input> = {
  name: string;
  inputs: fc.Arbitrary<Input>;
  /** Throws where something does not hold. */
  check(input: Input): void | Promise<void>;
  /** How many inputs run in `.ci/run`; by default it is a sixth. */
  runs: number;
};

/** Inputs by target, small and with nothing that is not needed. */
const corpus = JSON.parse(readFileSync(join(root, '__tests__/fuzz/corpus.json'), 'utf8')) as Record<string, unknown[]>;

/** Minutes a target, for `npm run test:fuzz`; 0 for the default number of inputs. */
const minutes = Number(process.env.FUZZ_MINUTES ?? 0);

/** Runs the corpus, then new inputs: always the same ones, or others for as long as FUZZ_MINUTES says. */
export async function fuzz<Input>({ name, inputs, check, runs }: Target<Input>): Promise<number> {
  const known = (corpus[name] ?? []) as Input[];
  for (const input of known) await check(input);
  let count = known.length;
  const property = fc.asyncProperty(inputs, async (input) => {
    count++;
    await check(input);
  });
  const length = { numRuns: Number.MAX_SAFE_INTEGER, interruptAfterTimeLimit: minutes * 60_000 };
  const chance = minutes > 0 ? Date.now() : seedOr(1);
  await fc.assert(property, {
    seed: chance,
    ...(minutes > 0 ? { ...length, markInterruptAsFailure: false } : { numRuns: amount(Math.ceil(runs / 6), runs) }),
  });
  return count;
}
