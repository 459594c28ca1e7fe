/**
 * No regular expression of ours takes time that grows with a power of the text: each literal is one that recheck has proved or
 * found to be safe (`patterns.json` remembers which, FULL=1 checks all of them anew), or one whose text is bounded, with the
 * reason. Whether the checker would notice is tested as well.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { root } from '../support/cli.js';
import { type Pattern, patterns, patternsIn } from '../support/patterns.js';
import { isFull } from '../support/sample.js';

process.env.RECHECK_BACKEND = 'pure';
const { check } = await import('recheck');

type Known = { safe: string[]; bounded: Record<string, string>; made: Record<string, string> };
const known = JSON.parse(readFileSync(join(root, '__tests__/project/patterns.json'), 'utf8')) as Known;
const all = patterns();
/** Milliseconds; a check that ends early for a slow machine would say nothing. */
const patience = 300_000;
const nameOf = ({ source, flags }: Pattern) => `/${source}/${flags}`;
const written = [
  ...new Map(all.filter(({ source }) => source !== undefined).map((one) => [nameOf(one), one])).values(),
];
const unknown = written.filter((one) => !Object.hasOwn(known.bounded, nameOf(one)));
const toCheck = unknown.filter((one) => isFull() || !known.safe.includes(nameOf(one)));

test('the expressions are found', () => {
  const text =
    "const a = /x+/g; new RegExp('y+', 'i'); RegExp(`z`); new globalThis.RegExp(a.source + 'b'); const no = '/q/';";
  expect(patternsIn('a.ts', text).map(({ source, flags }) => [source, flags])).toEqual([
    ['x+', 'g'],
    ['y+', 'i'],
    ['z', ''],
    [undefined, ''],
  ]);
  expect(all.length).toBeGreaterThan(250);
});

describe('the checker notices', () => {
  test.each<string[]>([
    ['an exponential one', '^(a+)+$', ''],
    // It takes long to find.
    ...(isFull()
      ? [['the comment that took hours', '^\\s+([\\w-]+)\\s*(--\\s*(.*?)\\s*(?:\\(until (\\d+)\\))?)?\\s*$', '']]
      : []),
    ['durations', '^(?:(?:\\d+\\.?\\d*)(?:ms|s|m))+$', ''],
  ])(
    '%s',
    async (_, source = '', flags = '') => {
      expect((await check(source, flags, { timeout: patience })).status).toBe('vulnerable');
    },
    600_000,
  );
});

test('every expression is safe, or its text is bounded', async () => {
  const unsafe: string[] = [];
  for (const one of toCheck) {
    const { status } = await check(one.source ?? '', one.flags, { timeout: patience });
    if (status !== 'safe') unsafe.push(`${one.file}:${one.line} ${nameOf(one)}: ${status}`);
  }
  expect(unsafe).toEqual([]);
}, 1_200_000);

test('what is made at run time is known, with the reason', () => {
  const files = all.filter(({ source }) => source === undefined).map(({ file }) => file);
  expect([...new Set(files)].sort()).toEqual(Object.keys(known.made).sort());
});

test('nothing is remembered that is not there any more', () => {
  const names = new Set(written.map(nameOf));
  expect([...known.safe, ...Object.keys(known.bounded)].filter((name) => !names.has(name))).toEqual([]);
});

/** A text that begins to match in many ways and then does not. */
const pumps = [
  'a',
  ' ',
  '\t',
  '\n',
  '-',
  '"',
  "'",
  '/',
  '\\',
  '=',
  ':',
  '.',
  '1',
  '{',
  '[',
  '(',
  '#',
  'a ',
  'x=',
  '1.',
  '${',
  ': "',
  '\\"',
  'é',
];

test.each(pumps)('pumped with %j, no expression takes a square of the time', (pump) => {
  const steps = unknown.map((one) => {
    const expression = new RegExp(one.source ?? '', one.flags.replace('g', ''));
    const time = (length: number) => {
      const text = `${pump.repeat(length / pump.length)}\u0000`;
      const begin = process.hrtime.bigint();
      expression.lastIndex = 0;
      expression.test(text);
      return Number(process.hrtime.bigint() - begin) / 1e6;
    };
    // The machine may have other work: the best of four.
    const best = (length: number) => Math.min(...[1, 2, 3, 4].map(() => time(length)));
    // Four times the text may take four times the time and some noise, not sixteen times.
    const [short, long] = [best(16_000), best(64_000)];
    return { name: `${one.file}:${one.line}`, grows: long > 20 && long > 10 * short };
  });
  expect(steps.filter(({ grows }) => grows).map(({ name }) => name)).toEqual([]);
});
