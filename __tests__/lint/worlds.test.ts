/** What becomes of a finding of the likeliest world in the others. */
import { describe, expect, test } from '@jest/globals';
import type { World } from '../../src/cluster/facts.js';
import type { RenderedObject } from '../../src/core/model.js';
import { compareWorlds } from '../../src/lint/worlds.js';
import type { ReportDescriptor } from '../../src/rules/rule.js';

const object = (name: string) => ({ ref: { apiVersion: 'v1', kind: 'ConfigMap', name } }) as RenderedObject;
const [one, two] = [object('one'), object('two')];
const at = (which = one, path = ['data']) => ({ object: which, path });
const said = (more: Partial<ReportDescriptor> = {}): ReportDescriptor => ({ message: 'm', at: at(), ...more });
const world = (text: string): World => {
  const [release, variant, kubernetes = 'v1.35'] = text.split(' ') as [string, string, string?];
  return { release, variant, kubernetes };
};
const likeliest = world('v1.6.2 isp-full');
const verdicts = (first: ReportDescriptor, others: { [world: string]: ReportDescriptor[] }) =>
  compareWorlds(
    { world: likeliest, said: [first] },
    Object.entries(others).map(([name, said]) => ({ world: world(name), said })),
    'error',
  );
const rests = (first: ReportDescriptor, others: { [world: string]: ReportDescriptor[] }) =>
  verdicts(first, others).map(({ rests }) => rests);

describe('a finding', () => {
  test('holds where no other world is possible', () => {
    expect(verdicts(said(), {})).toEqual([{ said: said(), rests: {} }]);
  });

  test.each<[string, Partial<ReportDescriptor>, Partial<ReportDescriptor>, boolean]>([
    ['is the same in other words', { message: 'a' }, { message: 'b', help: 'h' }, true],
    ['is another at another field', {}, { at: at(one, ['other']) }, false],
    ['is another of another object', {}, { at: at(two) }, false],
    ['is another from another entrypoint', { entrypoint: 'a' }, { entrypoint: 'b' }, false],
    ['is another of an object that it names itself', { object: one.ref }, { object: two.ref }, false],
    ['is the same at a key or a value', { at: { ...at(), part: 'key' } }, { at: { ...at(), part: 'value' } }, true],
    ['does not hold where it is milder', {}, { severity: 'warning' }, false],
    ['holds where it is worse', { severity: 'warning' }, {}, true],
    ['holds where it is as bad', { severity: 'notice' }, { severity: 'notice' }, true],
    [
      'is another in another document',
      { at: { file: 'a', document: 0, path: [] } },
      { at: { file: 'a', document: 1, path: [] } },
      false,
    ],
    ['is another in another file', { at: { file: 'a' } }, { at: { file: 'b' } }, false],
  ])('%s', (_, here, there, holds) => {
    const found = rests(said(here), { 'v1.6.2 isp-hosted': [said(there)] });
    expect(found).toEqual([holds ? {} : { variant: { only: ['isp-full'] } }]);
  });

  test('holds where one of several is as bad', () => {
    expect(rests(said(), { 'v1.5.4 isp-full': [said({ severity: 'notice' }), said()] })).toEqual([{}]);
  });
});

describe('what it rests on', () => {
  const worlds = ['v1.5.4', 'v1.6.2', 'next'].flatMap((release) =>
    ['isp-full', 'isp-hosted'].map((one) => `${release} ${one}`),
  );
  const others = worlds.filter((one) => one !== 'v1.6.2 isp-full');
  const only = (...held: string[]) =>
    rests(said(), Object.fromEntries(others.map((one) => [one, held.includes(one) ? [said()] : []])));

  test.each<[string, string[], object]>([
    ['the release', ['v1.6.2 isp-hosted'], { release: { only: ['v1.6'] } }],
    [
      'the release, of two',
      ['v1.6.2 isp-hosted', 'next isp-full', 'next isp-hosted'],
      { release: { only: ['v1.6', 'next'] } },
    ],
    ['the variant', ['v1.5.4 isp-full', 'next isp-full'], { variant: { only: ['isp-full'] } }],
    ['both', [], { release: { only: ['v1.6'] }, variant: { only: ['isp-full'] } }],
    [
      'all but one',
      others.filter((one) => one !== 'next isp-hosted'),
      { release: { except: ['next with isp-hosted'] } },
    ],
    [
      'a few of each',
      ['v1.5.4 isp-hosted', 'next isp-full'],
      { release: { only: ['next with isp-full', 'v1.5 with isp-hosted', 'v1.6 with isp-full'] } },
    ],
  ])('%s', (_, held, expected) => {
    expect(only(...held)).toEqual([expected]);
  });

  test('is the version of Kubernetes, by itself or with the variant', () => {
    const minors = ['v1.6.2 isp-full v1.34', 'v1.6.2 isp-hosted v1.34', 'v1.6.2 isp-hosted v1.35'];
    const found = (held: string[]) =>
      rests(said(), Object.fromEntries(minors.map((one) => [one, held.includes(one) ? [said()] : []])));
    expect(found(['v1.6.2 isp-hosted v1.35'])).toEqual([{ kubernetes: { only: ['v1.35'] } }]);
    expect(found(['v1.6.2 isp-full v1.34', 'v1.6.2 isp-hosted v1.34'])).toEqual([
      { variant: { except: ['v1.6 with isp-hosted on Kubernetes v1.35'] } },
    ]);
    expect(found(['v1.6.2 isp-hosted v1.34', 'v1.6.2 isp-full v1.34', 'v1.6.2 isp-hosted v1.35'])).toEqual([{}]);
  });

  test('is a world, where no two differ in one thing alone', () => {
    expect(rests(said(), { 'of-our-own plain': [] })).not.toEqual([{}]);
  });

  test('is the same in whichever order the worlds are asked', () => {
    const held = ['v1.5.4 isp-full', 'next isp-full'];
    const table = (names: string[]) =>
      Object.fromEntries(names.map((one) => [one, held.includes(one) ? [said()] : []]));
    expect(rests(said(), table(others.toReversed()))).toEqual(rests(said(), table(others)));
  });
});

describe('a fix', () => {
  const remove = (path: string[]) => ({
    title: 't',
    safe: true,
    changes: [{ do: 'remove' as const, at: at(one, path) }],
  });
  const isSafe = (here: string[], there: string[]) =>
    verdicts(said({ remedy: remove(here) }), { 'next isp-full': [said({ remedy: remove(there) })] })[0]?.said.remedy
      ?.safe;

  test('is safe where every world proposes the same', () => {
    expect(isSafe(['a'], ['a'])).toBe(true);
    expect(isSafe(['a'], ['b'])).toBe(false);
  });

  test('is not safe where a world has none', () => {
    const [found] = verdicts(said({ remedy: remove(['a']) }), { 'next isp-full': [said()] });
    expect(found?.said.remedy?.safe).toBe(false);
  });
});
