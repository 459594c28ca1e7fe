/** What a merge does, as it is printed: its colours, and how much of it a page holds. */
import { expect, test } from '@jest/globals';
import type { Diff, ObjectDiff } from '../../src/core/model.js';
import { diffData, diffMarkdown, diffText, totals } from '../../src/report/diff.js';
import { factWords } from '../../src/report/summary.js';
import { at } from './runs.js';

const object = (action: ObjectDiff['action'], fields: ObjectDiff['fields'] = []): ObjectDiff => ({
  ...{ action, fields, dependents: [], ref: { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'n', name: action } },
});
const diff = (...objects: ObjectDiff[]): Diff => ({ objects, reconciles: [], notSimulated: [] }) as unknown as Diff;
const field = (name: string, more: object) => ({ path: ['data', name], ownersBefore: [], ownersAfter: [], ...more });

test('what appears is green, what goes is red, what changes is yellow, and what stays is blue', () => {
  const changed = object('changed', [
    field('new', { after: 'x' }),
    field('gone', { before: 'x' }),
    field('other', { before: 'x', after: 'y' }),
  ]);
  const all = diff(object('created'), changed, object('deleted'), object('left'), object('refused'));
  // The code, the sign, the end.
  const parts = diffText([all], { color: true }).split('\u001b[');
  const signs = parts.flatMap((part) => /^(3\d)m(.)$/.exec(part)?.slice(1).join(' ') ?? []);
  expect(signs).toEqual(['32 +', '33 ~', '32 +', '31 -', '33 ~', '31 -', '36 ·', '31 !']);
  expect(diffText([all], { color: false })).not.toContain('\u001b');
});

test('a page holds as many lines as fit, and says how many do not', () => {
  const all = diff(...Array.from({ length: 100 }, () => object('created')));
  const lines = diffMarkdown([all], 1000);
  expect(Buffer.byteLength(lines.join('\n'))).toBeLessThan(1200);
  expect(lines.at(-1)).toMatch(/^\*\*\d+ more lines:\*\* run/);
  expect(diffMarkdown([all], 1_000_000).join('\n')).not.toContain('customizer-lint diff');
});

test('a value of a fact is cut that nobody would read to its end', () => {
  const wordsOf = (value: string) => factWords({ name: 'variant', value, source: 'config' }).split(' ').at(-1);
  expect(wordsOf('x'.repeat(100))).toBe('x'.repeat(100));
  expect(wordsOf('x'.repeat(101))).toBe(`${'x'.repeat(99)}…`);
});

const own = { ownersBefore: ['kustomize-controller'], ownersAfter: ['kustomize-controller'] };
const linesOf = (...objects: ObjectDiff[]) => diffText([diff(...objects)], { color: false }).split('\n');

test.each<[string, object, string]>([
  ['a value that appears', { after: 'x' }, '+ data.a: "x"'],
  ['a value that goes', { before: 'x' }, '- data.a: "x"'],
  ['another value', { before: 'x', after: 'y' }, '~ data.a: "x" → "y"'],
  ['the same value', { before: 'x', after: 'x' }, '~ data.a: "x"'],
  ['no value at all', {}, '+ data.a: '],
  ['80 characters', { after: 'x'.repeat(78) }, `+ data.a: "${'x'.repeat(78)}"`],
  ['81 characters', { after: 'x'.repeat(79) }, `+ data.a: "${'x'.repeat(78)}…`],
  ['where it is written', { after: 'x', at: at('a.yaml', 3, 1, 2) }, '+ data.a: "x"  a.yaml:3'],
  ['where it was written', { before: 'x', at: at('a.yaml', 3, 1, 2) }, '- data.a: "x"'],
  ['a field of Flux before and after', { after: 'x', ...own }, '+ data.a: "x"'],
  ['a field that Flux gets', { after: 'x', ...own, ownersBefore: [] }, '+ data.a: "x"'],
  ['a field that another gets', { after: 'x', ownersAfter: ['helm'] }, '+ data.a: "x", now of helm'],
  ['a field that another had', { before: 'x', ownersBefore: ['a', 'b'] }, '- data.a: "x", was of a and b'],
  ['a field that Flux had', { before: 'x', ...own, ownersAfter: [] }, '- data.a: "x", was of kustomize-controller'],
  ['a field that is taken', { after: 'x', ...own, ownersBefore: ['a'] }, '+ data.a: "x", a → kustomize-controller'],
])('%s is told', (_, change, expected) => {
  expect(linesOf(object('changed', [field('a', change)]))[1]).toBe(`    ${expected}`);
});

test('labels of Flux are no change that is told', () => {
  const label = { ...field('x', { after: 'y' }), path: ['metadata', 'labels', 'kustomize.toolkit.fluxcd.io/name'] };
  expect(linesOf(object('changed', [label]))[1]).toBe('    only the labels of Flux');
  expect(linesOf(object('changed', [label, field('a', { after: 'x' })])).slice(1, 3)).toEqual([
    '    + data.a: "x"',
    '',
  ]);
});

test('why an object is refused or lost stands below it, and what waits for it', () => {
  const told = (change: Partial<ObjectDiff>) => linesOf({ ...object('created'), ...change }).slice(0, 3);
  expect(told({ action: 'refused', why: 'no' })).toEqual(['! ConfigMap n/created is refused', '    no', '']);
  expect(told({ action: 'deleted', why: 'cannot be made again: no', at: at('a.yaml', 2, 1, 1) })).toEqual([
    '- ConfigMap n/created is deleted  a.yaml:2',
    '    cannot be made again: no',
    '',
  ]);
  const dependents = ['a', 'b'];
  expect(told({ dependents })).toEqual(['+ ConfigMap n/created is created', '    waiting for it: a, b', '']);
  const changed = told({ action: 'changed', dependents, fields: [field('a', { after: 'x' })] });
  expect(changed.slice(1)).toEqual(['    + data.a: "x"', '    waiting for it: a, b']);
  const { namespace: _, ...ref } = object('created').ref;
  expect(told({ ref })[0]).toBe('+ ConfigMap created is created');
});

test('eight names are told, and how many more there are', () => {
  const waiting = (size: number) =>
    linesOf({ ...object('created'), dependents: Array.from({ length: size }, (_, index) => `${index}`) })[1];
  expect(waiting(8)).toBe('    waiting for it: 0, 1, 2, 3, 4, 5, 6, 7');
  expect(waiting(9)).toBe('    waiting for it: 0, 1, 2, 3, 4, 5, 6, 7, and 1 more');
});

test('objects are counted by what becomes of them', () => {
  const all = (['refused', 'left', 'deleted', 'created', 'changed', 'created'] as const).map((action) =>
    object(action),
  );
  expect(totals(all)).toBe('6 objects: 2 created, 1 changed, 1 deleted, 1 left behind, 1 refused');
  expect(totals(all.slice(0, 1))).toBe('1 object: 1 refused');
  expect(totals([])).toBe('Nothing changes in the cluster');
});

const ready = 'ReconciliationSucceeded';

test.each<[string, Partial<Diff['reconciles'][number]>, string[]]>([
  ['is Ready', {}, []],
  ['fails later', { second: 'HealthCheckFailed' }, ['"apps" is Ready, then HealthCheckFailed']],
  [
    'fails and stays so',
    { path: '.', first: 'BuildFailed', second: 'BuildFailed' },
    ['the repository is not applied as it stands: BuildFailed, and stays so'],
  ],
  [
    'recovers',
    { first: 'PruneFailed', stopped: [object('created').ref] },
    ['"apps" is not applied as it stands: PruneFailed, then Ready', 'stopped with it: ConfigMap n/created'],
  ],
  [
    'fails otherwise',
    { first: 'PruneFailed', second: 'BuildFailed' },
    ['"apps" is not applied as it stands: PruneFailed, then BuildFailed'],
  ],
])('a Flux Kustomization that %s', (_, change, expected) => {
  const reconciles = [{ path: 'apps', first: ready, second: ready, stopped: [], ...change }];
  const lines = diffText([{ ...diff(), reconciles }], { color: false }).split('\n');
  expect(lines).toEqual(['Nothing changes in the cluster', ...expected.map((line) => `  ${line}`), '']);
});

test('clusters are told apart, and what is not simulated by its reason', () => {
  const notSimulated = [
    { what: 'Widget', why: 'no schema' },
    { what: 'apps', why: 'does not build' },
    { what: 'Gadget', why: 'no schema' },
  ];
  const told = diffText(
    [
      { ...diff(object('created')), cluster: 'prod' },
      { ...diff(), notSimulated },
    ],
    { color: false },
  );
  expect(told.split('\n')).toEqual([
    'cluster prod',
    '',
    '+ ConfigMap n/created is created',
    '',
    '1 object: 1 created',
    '',
    'Nothing changes in the cluster',
    '  not simulated: Widget, Gadget: no schema',
    '  not simulated: apps: does not build',
    '',
  ]);
});

test('a page that is just large enough holds all, and one that is a byte smaller a line less', () => {
  const all = [diff(object('created'), object('created'))];
  const size = Buffer.byteLength(diffText(all, { color: false }));
  expect(diffMarkdown(all, size)).toHaveLength(2);
  expect(diffMarkdown(all, size - 1).at(-1)).toBe('**1 more line:** run `customizer-lint diff`.');
});

const pageOf = (...objects: ObjectDiff[]) => diffMarkdown([diff(...objects)], 1_000_000);

test('on a page the lines of what comes and goes begin with their signs, which alone GitHub colours', () => {
  const changed = object('changed', [
    field('a', { after: 'x', ownersAfter: ['helm'] }),
    field('b', { before: 'x', at: at('a.yaml', 3, 1, 2) }),
    field('c', { before: 'x', after: 'y', at: at('a.yaml', 3, 1, 2), ownersBefore: ['helm'] }),
    field('d', { before: 'x', after: 'x' }),
  ]);
  expect(pageOf(object('created'), changed, object('deleted'))).toEqual([
    '### What the merge does',
    [
      '```diff',
      '+ ConfigMap n/created is created',
      '~ ConfigMap n/changed is changed',
      '+     data.a: "x", now of helm',
      '-     data.b: "x"',
      '-     data.c: "x"',
      '+     data.c: "y", was of helm  a.yaml:3',
      '~     data.d: "x"',
      '- ConfigMap n/deleted is deleted',
      '',
      '3 objects: 1 created, 1 changed, 1 deleted',
      '```',
    ].join('\n'),
  ]);
});

test('of a long difference the objects are shown, and their fields are folded', () => {
  const fields = (size: number) => Array.from({ length: size }, (_, index) => field(`f${index}`, { after: index }));
  expect(pageOf(object('changed', fields(37)))).toHaveLength(2);
  const [, sum, overview, folded, ...rest] = pageOf(object('changed', fields(38)));
  expect(sum).toBe('1 object: 1 changed.');
  expect(overview).toBe('```diff\n~ ConfigMap n/changed is changed\n\n1 object: 1 changed\n```');
  expect(folded).toMatch(
    /^<details><summary>All of it, field by field<\/summary>\n\n```diff\n[\s\S]*f37: 37\n[\s\S]*```\n\n<\/details>$/,
  );
  expect(rest).toEqual([]);
});

test('of very many objects forty lines are shown', () => {
  const [, sum, overview = ''] = pageOf(...Array.from({ length: 50 }, () => object('created')));
  expect(sum).toBe('50 objects: 50 created.');
  expect(overview.split('\n')).toHaveLength(43);
  expect(overview).toContain('\n  and 12 more lines, below\n```');
});

test('programs get all of it', () => {
  const here = at('a.yaml', 3, 1, 2);
  const { ref } = object('created');
  const one = {
    ...{ ref, action: 'refused', why: 'no', at: here, dependents: ['x'] },
    fields: [field('a', { after: 1, at: here }), field('b', { before: 1 })],
  } as ObjectDiff;
  const reconciles = [{ path: '.', first: 'BuildFailed', second: ready, stopped: [ref] }];
  const notSimulated = [{ what: 'Widget', why: 'no schema' }];
  expect(diffData([{ cluster: 'prod', objects: [one, object('created')], reconciles, notSimulated }])).toEqual([
    {
      cluster: 'prod',
      reconciles: [{ path: '.', first: 'BuildFailed', second: ready, stopped: ['/ConfigMap/n/created'] }],
      objects: [
        {
          id: '/ConfigMap/n/created',
          ...ref,
          ...{ action: 'refused', why: 'no', file: 'a.yaml', line: 3, dependents: ['x'] },
          fields: [
            { path: ['data', 'a'], after: 1, ownersBefore: [], ownersAfter: [], file: 'a.yaml', line: 3 },
            { path: ['data', 'b'], before: 1, ownersBefore: [], ownersAfter: [] },
          ],
        },
        { id: '/ConfigMap/n/created', ...ref, action: 'created', fields: [] },
      ],
      notSimulated,
    },
  ]);
  expect(Object.keys(diffData([diff()])[0] ?? {})).not.toContain('cluster');
});
