/** The sampling of long tables: the same rows every time, something of each class, and full runs that go on. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { root } from './cli.js';
import { sampleOf } from './sample.js';

const rows = Array.from({ length: 100 }, (_, n) => n);
const options = { name: 'sample-test', seed: 7, size: 10, key: String };
const state = join(root, '.cache/sample/sample-test-7.jsonl');
const environment = { ...process.env };
afterEach(() => {
  process.env = { ...environment };
  rmSync(state, { force: true });
});
const settings = (set: Record<string, string>) => {
  const of = new Set(['FULL', 'RESUME', 'FROM', 'SEED', 'SAMPLES']);
  const others = Object.entries(environment).filter(([name]) => !of.has(name));
  process.env = { ...Object.fromEntries(others), ...set };
};

describe('without FULL', () => {
  test('the same rows are chosen every time, in their order', () => {
    settings({});
    const { rows: chosen } = sampleOf(rows, options);
    expect(chosen).toHaveLength(5);
    expect(chosen).toEqual(sampleOf(rows, options).rows);
    expect(chosen).toEqual([...chosen].sort((a, b) => a - b));
  });

  test('SAMPLES=3 chooses three times as many, but not more than there are', () => {
    settings({ SAMPLES: '3' });
    expect(sampleOf(rows, options).rows).toHaveLength(30);
    expect(sampleOf(rows.slice(0, 20), options).rows).toHaveLength(20);
  });

  test('another seed chooses others', () => {
    settings({ SEED: '8' });
    const { rows: chosen, seed } = sampleOf(rows, options);
    settings({});
    expect(seed).toBe(8);
    expect(chosen).not.toEqual(sampleOf(rows, options).rows);
  });

  test('each class has a row', () => {
    settings({});
    const { rows: chosen } = sampleOf(rows, { ...options, classOf: (row) => `${row % 15}` });
    expect(new Set(chosen.map((row) => row % 15)).size).toBe(15);
  });
});

describe('with FULL', () => {
  test('all rows are there, and those after FROM', () => {
    settings({ FULL: '1' });
    expect(sampleOf(rows, options).rows).toEqual(rows);
    settings({ FULL: '1', FROM: '90' });
    expect(sampleOf(rows, options).rows).toEqual(rows.slice(90));
  });

  test('RESUME leaves out what has passed, unless the rows are others', () => {
    settings({ FULL: '1' });
    const first = sampleOf(rows, options);
    first.passed(3);
    settings({ FULL: '1', RESUME: '1' });
    expect(sampleOf(rows, options).rows).toEqual(rows.filter((row) => row !== 3));
    expect(sampleOf(rows.slice(0, 50), options).rows).toHaveLength(50);
  });

  test('without RESUME it begins anew, and nothing is left when all have passed', () => {
    settings({ FULL: '1' });
    const sample = sampleOf(rows, options);
    for (const row of sample.rows) sample.passed(row);
    expect(existsSync(state)).toBe(false);
    settings({ FULL: '1', RESUME: '1' });
    expect(sampleOf(rows, options).rows).toEqual(rows);
  });
});

test('two rows of one key are refused', () => {
  expect(() => sampleOf([1, 1], options)).toThrow('two rows have the same key');
});
