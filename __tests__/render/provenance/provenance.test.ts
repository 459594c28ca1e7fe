/**
 * Whether every field is traced to the line that wrote it: samples here, everything with FULL=1 (minutes).
 * `node __tests__/render/provenance/report.mjs --why` prints the tables. The renders that prove a location run natively; the
 * locations are those of the committed command, and so come through WebAssembly.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { isLong } from '../../support/sample.js';
import { missing, NativeEngine } from './engine.mjs';
import * as suite from './suite.mjs';

const reason = missing();
if (reason) console.log(`skipped: the tests of provenance, as ${reason}`);
const full = process.env.FULL !== undefined;
const size = suite.sizeOf(full);
const bars = JSON.parse(readFileSync(new URL('expected.json', import.meta.url), 'utf8'));
const hour = 3_600_000;

/** Failures as text, a few of them, so that a red test says which tree to look at. */
const first = (failures: { verdict: string }[], verdict: string) =>
  failures.filter((one) => one.verdict === verdict).slice(0, 5);
const percent = (part: number, all: number) => (100 * part) / Math.max(all, 1);

(reason ? describe.skip : describe)('provenance', () => {
  let engine: InstanceType<typeof NativeEngine>;
  beforeAll(() => {
    engine = new NativeEngine();
  }, hour);
  afterAll(() => engine?.close());

  test(
    'a change at the place of a leaf changes that leaf, and what is derived from it',
    async () => {
      const table = await suite.property(engine, size);
      expect(first(table.failures, 'wrong')).toEqual([]);
      const { undeclared = 0, anchored = 0, idle = 0 }: Record<string, number> = table.totals;
      expect(100 * table.share()).toBeGreaterThanOrEqual(bars.property.exact);
      expect(percent(undeclared, table.leaves)).toBeLessThanOrEqual(bars.property.undeclared);
      expect(percent(idle, table.leaves)).toBeLessThanOrEqual(bars.property.idle);
      expect(percent(anchored, table.leaves)).toBeLessThanOrEqual(bars.property.anchored);
      if (full) {
        expect(table.leaves).toBeGreaterThanOrEqual(20_000);
        expect(table.kustomizations).toBeGreaterThanOrEqual(200);
        expect(percent(table.plain, table.leaves)).toBeLessThanOrEqual(30);
        expect(table.thin(200)).toEqual([]);
      }
    },
    hour,
  );

  (isLong() ? test : test.skip)(
    'what a scalar writes in the released kustomize names that scalar',
    async () => {
      const pairs = await suite.denominator(size);
      expect(pairs.count).toBeGreaterThan(full ? 5000 : 20);
      expect(percent(pairs.totals.exact, pairs.count)).toBeGreaterThanOrEqual(bars.denominator.exact);
      expect(percent(pairs.totals.other, pairs.count)).toBeLessThanOrEqual(bars.denominator.other);
    },
    hour,
  );

  (isLong() ? test : test.skip)(
    'a removed field comes back without the line that removed it',
    async () => {
      const removals = await suite.removed(engine, size);
      expect(removals.count).toBeGreaterThanOrEqual(full ? 500 : 20);
      expect(first(removals.failures, 'wrong')).toEqual([]);
      expect(percent(removals.totals.missed, removals.count)).toBeLessThanOrEqual(bars.removed.missed);
      expect(percent(removals.totals.unknown, removals.count)).toBeLessThanOrEqual(bars.removed.unknown);
    },
    hour,
  );

  (isLong() ? test : test.skip)(
    'a fault is reported on its line',
    async () => {
      const faults = await suite.faults(engine, size);
      expect(faults.count).toBeGreaterThanOrEqual(full ? 500 : 50);
      expect(percent(faults.totals.right, faults.count)).toBeGreaterThanOrEqual(bars.faults.right);
      expect(percent(faults.totals.elsewhere, faults.count)).toBeLessThanOrEqual(bars.faults.elsewhere);
    },
    hour,
  );
});
