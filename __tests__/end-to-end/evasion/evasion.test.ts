/**
 * Changes by number, from a seed: the packages of Flux render the merge and its first parent, and the action judges the pull
 * request of a fork. If Flux applies the harm, the check is red; if not, it is not red for it; if nothing in the repository decides,
 * it is not silent. A control is harmless, and any error in it is a false alarm. The classes are in classes.ts. A sample runs by a
 * committed seed; FULL=1 takes all (RESUME=1 goes on). ONLY=n,m runs some numbers, COUNT=n that many; REPORT=file writes each outcome.
 * JOBS=n judges that many at once; STALE=1 judges the source, if `dist/` is older.
 */
import { appendFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { amount, isChosen, sampleOf, seedOr } from '../../support/sample.js';
import { evasionOf } from './classes.js';
import type { Evasion } from './generate.js';
import { judge, outcomeOf } from './judge.js';
import { type Reference, startReference } from './reference.js';
import { undecidable } from './undecidable.js';

const seed = 1;
const count = Number(process.env.COUNT ?? 3100);
const numbers = Array.from({ length: count }, (_, n) => n);
const only = process.env.ONLY?.split(',').map(Number);
const sample = sampleOf(only ?? numbers, {
  name: 'evasion',
  seed,
  size: 3,
  key: String,
  // In CI one of each way to deliver it, and one of each newer class.
  ...(amount(1, 3) > 1 && {
    classOf: (n: number) =>
      evasionOf(seedOr(seed), n).labels.find((label) => /^(?:delivery|class): /.test(label)) ?? '',
  }),
});

let reference: Reference | undefined;
beforeAll(() => {
  reference = startReference();
});
afterAll(() => reference?.stop());

describe(`evasions: ${sample.description}`, () => {
  test.concurrent.each(only ?? sample.rows)('%i', async (n) => {
    await slots.take();
    try {
      await check(evasionOf(sample.seed, n));
    } finally {
      slots.give();
    }
    sample.passed(n);
  });
});

describe('what nobody can judge is not passed over in silence:', () => {
  const names = only ? [] : Object.keys(undecidable).filter((name) => isChosen(name, 6));
  for (const name of names) test(name, () => check(undecidable[name] as Evasion));
});

/** Where nothing is applied there is nothing to miss. */
test('Flux applies the harm in most of them of which that is known', () => {
  const judged = outcomes.true + outcomes.false;
  if (judged >= 10) expect(outcomes.true / judged).toBeGreaterThan(0.5);
});
const outcomes = { true: 0, false: 0, unknown: 0 };

async function check(evasion: Evasion) {
  if (!reference) throw new Error('there is no Go toolchain to build the reference with');
  const verdict = await judge(evasion, reference);
  const outcome = outcomeOf(verdict);
  outcomes[`${verdict.applied}`]++;
  const { log, ...shown } = verdict;
  const line = { n: evasion.n, outcome, labels: evasion.labels, ...shown };
  if (process.env.REPORT) appendFileSync(process.env.REPORT, `${JSON.stringify({ ...line, log: log.slice(-3000) })}\n`);
  if (outcome !== 'right') expect(line).toEqual({ ...line, outcome: 'right' });
}

/** As many at once as the machine has cores for: each is a process. */
const slots = (() => {
  let free = Number(process.env.JOBS ?? 2);
  const waiting: (() => void)[] = [];
  return {
    take: () => (free-- > 0 ? Promise.resolve() : new Promise<void>((resolve) => waiting.push(resolve))),
    give() {
      free++;
      waiting.shift()?.();
    },
  };
})();
