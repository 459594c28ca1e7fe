/** Which places a key was probably meant for, told from small charts. */
import { expect, test } from '@jest/globals';
import type { JsonObject } from '../../src/core/model.js';
import { type KnownKeys, misplaced } from '../../src/cozystack/misplaced.js';
import type { ChartValues, ValueTree } from '../../src/cozystack/values.js';

const chart = (values: ValueTree, more: Partial<ChartValues> = {}): ChartValues => ({
  ...{ values, subcharts: [], optional: [], open: [], schemas: [], mentioned: [] },
  ...more,
});

/** The places by the key, of a chart whose keys no other chart has. */
function meant(values: JsonObject, of: ChartValues, more: Partial<KnownKeys> = {}) {
  const known = { isWord: () => false, isPair: () => false, frequency: () => 1, names: [], chart: of, ...more };
  return Object.fromEntries(
    misplaced(values, known).map((one) => [one.path.join('.'), one.meant.map((to) => to.join('.'))]),
  );
}

test('what several maps of the chart have is meant for these at its root, and nobody knows below where many charts have it', () => {
  const two = { a: { verbosity: 'number' }, b: { verbosity: 'number' } } as const;
  const everywhere = { frequency: () => 10 };
  expect(meant({ verbosity: 3 }, chart(two), everywhere)).toEqual({ verbosity: ['a.verbosity', 'b.verbosity'] });
  expect(meant({ sub: { verbosity: 3 } }, chart({ sub: two }), everywhere)).toEqual({});
  expect(meant({ sub: { verbosity: 3 } }, chart({ sub: two }), { frequency: () => 5 })).toEqual({});
  expect(meant({ sub: { verbosity: 3 } }, chart({ sub: two }), { frequency: () => 4 })).toEqual({
    'sub.verbosity': ['sub.a.verbosity', 'sub.b.verbosity'],
  });
});

test('what many charts have is not known to be meant for the map above, unless it is in that of a sub-chart', () => {
  const of = { sub: { a: 'text' }, verbosity: 'number' } as const;
  const above = (frequency: number, more: Partial<ChartValues> = {}) =>
    meant({ sub: { verbosity: 3 } }, chart(of, more), { frequency: () => frequency });
  expect(above(4)).toEqual({ 'sub.verbosity': ['verbosity'] });
  expect(above(5)).toEqual({});
  expect(above(5, { subcharts: [['sub']] })).toEqual({ 'sub.verbosity': ['verbosity'] });
});

test('a map of names of somebody’s choice is known by the end of its name', () => {
  const of = (name: string) => meant({ [name]: { speeker: 'x' } }, chart({ [name]: { speaker: 'text' } }));
  expect(of('podLabels')).toEqual({});
  expect(of('data')).toEqual({});
  expect(of('database')).toEqual({ 'database.speeker': ['database.speaker'] });
});

test('a map is meant for the place where most of it fits', () => {
  const values = { a: { probe: { path: 'text' } }, b: { probe: { path: 'text', port: 'number' } } } as const;
  expect(meant({ probe: { path: '/', port: 80 } }, chart(values))).toEqual({ probe: ['b.probe'] });
  expect(meant({ probe: { path: '/', port: 80 } }, chart(values, { subcharts: [['a']] }))).toEqual({
    probe: ['a.probe'],
  });
});

test('a level that is written twice, or the chart’s own name at the root, is one too many', () => {
  const of = chart({ speaker: { logLevel: 'text' } });
  const names = ['metallb'];
  expect(meant({ metallb: { speaker: { logLevel: 'x' } } }, of, { names })).toEqual({ metallb: ['speaker'] });
  expect(meant({ speaker: { speaker: { logLevel: 'x' } } }, of, { names })).toEqual({
    'speaker.speaker': ['speaker.logLevel'],
  });
  expect(meant({ speaker: { metallb: { logLevel: 'x' } } }, of, { names })).toEqual({});
});

test('a key that is spelt much like one of the chart is meant for one that is not written yet', () => {
  const of = chart({ cat: 'text', rat: 'text' });
  expect(meant({ bat: 'x' }, of)).toEqual({ bat: ['cat'] });
  expect(meant({ cat: 'x', bat: 'y' }, of)).toEqual({ bat: ['rat'] });
  expect(meant({ cat: 'x', bat: 'y' }, chart({ cat: 'text' }))).toEqual({ bat: ['cat'] });
});

test('a word that other charts use is left alone, but for the usual ones with another ending', () => {
  const isWord = () => true;
  expect(meant({ speeker: 'x' }, chart({ speaker: 'text' }), { isWord })).toEqual({});
  expect(meant({ Speaker: 'x' }, chart({ speaker: 'text' }), { isWord })).toEqual({ Speaker: ['speaker'] });
  expect(meant({ speeker: 'x' }, chart({ speaker: 'text' }, { mentioned: ['speeker'] }))).toEqual({});
  expect(meant({ enable: true }, chart({ enabled: 'boolean' }), { isWord })).toEqual({ enable: ['enabled'] });
  expect(meant({ replica: 3 }, chart({ replicas: 'number' }), { isWord })).toEqual({ replica: ['replicas'] });
});

test('names that differ in numbers alone are two', () => {
  expect(meant({ ipv6: 'x' }, chart({ ipv4: 'text' }))).toEqual({});
});
