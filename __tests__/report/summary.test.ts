/** What every format says besides the findings: the verdict, the closing words, and how long lists are cut. */
import { expect, test } from '@jest/globals';
import type { DryRun, Effects, Fact, Run, StageOutcome } from '../../src/core/model.js';
import {
  brief,
  countsOf,
  effectWords,
  factWords,
  headline,
  objectsOf,
  placeWords,
  sections,
  seenFrom,
  sensitiveWords,
} from '../../src/report/summary.js';
import { at, cleanRun, finding } from './runs.js';

const count = <Item>(size: number, make: (index: number) => Item) => Array.from({ length: size }, (_, i) => make(i));
const itemsOf = (change: Partial<Run>, title: string) =>
  sections(cleanRun(change)).find((section) => section.title === title)?.items;
const checked = 'No problems found in 57 objects from 2 entrypoints';
const partly = `${checked}; not everything could be checked`;
const [prod, staging] = cleanRun().entrypoints as [Run['entrypoints'][number], Run['entrypoints'][number]];
const skipped: StageOutcome = { name: 'dry-run', ran: false, why: 'no cluster was given' };

test.each<[string, Partial<Run>, string]>([
  ['all was checked', {}, checked],
  ['a stage did not run', { stages: [skipped] }, partly],
  ['a stage that nobody asked for did not run', { stages: [{ ...skipped, optional: true }] }, checked],
  ['one of two such stages was asked for', { stages: [{ ...skipped, optional: true }, skipped] }, partly],
  ['something could not be judged', { notChecked: [{ what: 'a', why: 'b', count: 1 }] }, partly],
  [
    'one directory does not render',
    { entrypoints: [prod, { ...staging, rendered: false }] },
    'No problems found in 41 objects from 1 entrypoint; not everything could be checked',
  ],
  [
    'nothing is touched',
    { untouched: { files: 1, base: 'main' } },
    'Nothing that Flux applies is touched: 1 file changed since main',
  ],
  [
    'the run is that of another',
    { published: true, entrypoints: [] },
    'No problems found by the run that is published',
  ],
  ['there are findings in it', { published: true, findings: [finding()] }, '1 error'],
  [
    'only some are new',
    { findings: [finding({ isNew: true }), finding({ severity: 'notice', isNew: false })] },
    '1 error, 1 notice (1 new)',
  ],
])('the verdict when %s', (_, change, expected) => {
  expect(headline(cleanRun(change))).toBe(expected);
});

test('findings are counted by severity, and new ones where any is known to be new or not', () => {
  const notice = finding({ severity: 'notice' });
  expect(countsOf([finding(), notice, notice])).toEqual({ errors: 1, warnings: 0, notices: 2 });
  expect(countsOf([finding({ isNew: false }), notice])).toEqual({ errors: 1, warnings: 0, notices: 1, new: 0 });
  expect(countsOf([])).toEqual({ errors: 0, warnings: 0, notices: 0 });
});

test('objects are those of directories that render', () => {
  expect(objectsOf(cleanRun({ entrypoints: [prod, { ...staging, rendered: false }] }))).toBe(41);
});

test('the closing words come in the order of the work', () => {
  const ignored = { finding: finding(), reason: 'r' };
  const run = cleanRun({
    entrypoints: [prod, { ...staging, rendered: false }],
    stages: [{ name: 'base', ran: true, against: 'commit 1a2b3c4' }, { name: 'render', ran: true }, skipped],
    policy: ['the configuration of the base counts'],
    facts: [{ name: 'release', value: 'v1.6', source: 'assumed' }],
    dryRun: [dryRun()],
    notChecked: [{ what: 'kind', why: 'unknown', count: 2 }],
    ignored: [ignored, { ...ignored, isNew: true, expires: '2027-01-01' }, { ...ignored, isNew: false }],
  });
  expect(sections(run)).toEqual([
    { title: 'Rendered', items: ['clusters/prod: 41 objects (Flux Kustomization "flux-system/prod")'] },
    { title: 'Not rendered', items: ['clusters/staging (given with --path)'] },
    { title: 'Compared', items: ['commit 1a2b3c4'] },
    { title: 'Policy', items: ['the configuration of the base counts'] },
    { title: 'Assumed', items: ['Cozystack release v1.6'] },
    { title: 'Dry run', items: ['a bare API server, Kubernetes v1.33: 2 objects asked, 0 refused'] },
    { title: 'Not checked', items: ['2 × kind: unknown'] },
    { title: 'Not run', items: ['dry-run: no cluster was given'] },
    { title: 'Ignored', items: ['2 × chart-owned-field: r'] },
    { title: 'Newly ignored', items: ['1 × chart-owned-field: r, until 2027-01-01'] },
  ]);
  expect(sections(cleanRun({ entrypoints: [] }))).toEqual([]);
});

test.each<[string, Partial<Run>, string[]]>([
  ['in the usual case', {}, ['Rendered']],
  ['not where nothing was, as nothing is touched', { untouched: { files: 1, base: 'main' } }, []],
  ['not where that was done by another run, which is published', { published: true }, []],
])('in short what was rendered is said: %s', (_, change, titles) => {
  expect(brief(cleanRun(change)).map(({ title }) => title)).toEqual(titles);
});

const fact = (index: number): Fact => ({ name: 'variant', value: `v${index}`, source: 'assumed' });
const notChecked = (index: number) => ({ what: `kind ${index}`, why: 'unknown', count: 1 });
const ignored = (index: number) => ({ finding: finding(), reason: `reason ${index}` });

test.each<[string, number, (size: number) => Partial<Run>]>([
  ['Rendered', 10, (size) => ({ entrypoints: count(size, (index) => ({ ...prod, path: `p${index}` })) })],
  ['Assumed', 40, (size) => ({ facts: count(size, fact) })],
  ['Not checked', 20, (size) => ({ notChecked: count(size, notChecked) })],
  ['Ignored', 10, (size) => ({ ignored: count(size, ignored) })],
  ['Newly ignored', 10, (size) => ({ ignored: count(size, (index) => ({ ...ignored(index), isNew: true })) })],
])('%s: %d lines at the most, of which the last counts what is left out', (title, most, make) => {
  expect(itemsOf(make(most), title)).toHaveLength(most);
  expect(itemsOf(make(most), title)?.at(-1)).not.toContain('more');
  expect(itemsOf(make(most + 1), title)).toHaveLength(most);
  expect(itemsOf(make(most + 1), title)?.at(-1)).toBe('and 2 more');
});

function dryRun(change: Partial<DryRun> = {}): DryRun {
  const about = { asked: 2, refused: [], conflicts: [], disagreements: [], notes: [] };
  return { server: 'envtest', version: 'v1.33', ...about, ...change };
}

const object = { object: { apiVersion: 'v1', kind: 'ConfigMap', name: 'a' }, entrypoint: '.' };
const refused = (expected: boolean) => ({ ...object, reason: 'invalid' as const, message: 'no', expected });
const conflict = (manager: string) => ({ ...object, manager, path: ['data'] });

test.each<[string, Partial<DryRun>, string[]]>([
  [
    'one object, in a cluster that has a name',
    { server: 'kind', asked: 1, cluster: 'prod' },
    ['a cluster of kind, Kubernetes v1.33 (cluster prod): 1 object asked, 0 refused'],
  ],
  [
    'all is expected',
    { server: 'kubeconfig', refused: [refused(true), refused(true)] },
    ['the cluster of the kubeconfig, Kubernetes v1.33: 2 objects asked, 2 refused, all of them as the rules say'],
  ],
  [
    'some is expected',
    { refused: [refused(true), refused(false)] },
    ['a bare API server, Kubernetes v1.33: 2 objects asked, 2 refused, 1 of them as the rules say'],
  ],
  [
    'nothing is expected',
    { refused: [refused(false)] },
    ['a bare API server, Kubernetes v1.33: 2 objects asked, 1 refused, none of them as the rules say'],
  ],
  [
    'fields of others, disagreements and notes',
    {
      conflicts: [conflict('kubectl'), conflict('helm'), conflict('kubectl')],
      disagreements: [{ ...object, server: 'refuses' }],
      notes: ['webhooks were not asked'],
    },
    [
      'a bare API server, Kubernetes v1.33: 2 objects asked, 0 refused',
      'takes 3 fields from helm, kubectl',
      'not of one mind with the rules: 1 time',
      'webhooks were not asked',
    ],
  ],
])('a dry run in words: %s', (_, change, expected) => {
  expect(itemsOf({ dryRun: [dryRun(change)] }, 'Dry run')).toEqual(expected);
});

const none: Effects = { created: [], changed: [], deleted: [], left: [], held: [], unknown: [], sensitive: [] };
const named = (name: string, namespace?: string) => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap', name },
  ...(namespace !== undefined && { namespace }),
});

test('what a merge would do is told worst first, and by name', () => {
  const effects = {
    created: [named('new')],
    changed: [named('b', 'n'), named('a', 'n')],
    deleted: [named('gone')],
    left: [named('kept')],
    held: [{ path: 'clusters/broken', why: 'it cannot be built' }],
    unknown: ['clusters/gone'],
    sensitive: [],
  };
  expect(effectWords(effects)).toEqual([
    { sign: '-', title: 'deletes 1', items: ['ConfigMap gone'] },
    { sign: '·', title: 'leaves 1 behind, which are in the repository no more', items: ['ConfigMap kept'] },
    { sign: '~', title: 'changes 2', items: ['ConfigMap n/a', 'ConfigMap n/b'] },
    { sign: '+', title: 'creates 1, or takes over what has that name', items: ['ConfigMap new'] },
    { sign: '!', title: 'applies nothing from', items: ['clusters/broken: it cannot be built'] },
    { sign: '?', title: 'is not known of what nothing applies any more', items: ['clusters/gone'] },
  ]);
  expect(effectWords(none)).toEqual([]);
});

test('the effects to look at first are listed by kind, each object once, and not all of many', () => {
  const sensitive = [
    { kind: 'source' as const, ref: named('b', 'n'), what: 'spec.url' },
    { kind: 'source' as const, ref: named('b', 'n'), what: 'spec.url' },
    { kind: 'deletes' as const, ref: named('gone') },
    ...count(27, (index) => ({ kind: 'rights' as const, ref: named(`${index}`) })),
  ];
  const [deletes, rights, fetches, ...others] = sensitiveWords({ ...none, sensitive });
  expect(deletes).toEqual({ title: 'deletes', items: ['ConfigMap gone'] });
  expect(rights).toMatchObject({ title: 'runs with more rights' });
  expect(rights?.items.slice(-2)).toEqual(['ConfigMap 23', 'and 3 more']);
  expect(fetches).toEqual({ title: 'fetches from', items: ['ConfigMap n/b (spec.url)'] });
  expect(others).toEqual([]);
});

test.each(['created', 'changed', 'deleted', 'left', 'unknown'] as const)('of what is %s not all is named', (kind) => {
  const most = kind === 'unknown' ? 10 : 25;
  const wordsOf = (size: number) => {
    const all = kind === 'unknown' ? count(size, String) : count(size, (index) => named(`${index}`));
    return effectWords({ ...none, [kind]: all })[0]?.items;
  };
  expect(wordsOf(most)).toHaveLength(most);
  expect(wordsOf(most)).not.toContain('and 1 more');
  expect(wordsOf(most + 1)?.at(-1)).toBe('and 2 more');
});

test('what is assumed of every cluster is said once, and of some with their names', () => {
  const assumed = (cluster: string, value: string, more: Partial<Fact> = {}): Fact => ({
    ...{ name: 'variant', value, source: 'assumed', cluster, setBy: 'cluster.variant' },
    ...more,
  });
  const of = (...facts: Fact[]) => itemsOf({ facts }, 'Assumed');
  expect(of(assumed('a', 'x'), assumed('b', 'x'))).toEqual(['platform variant x; set cluster.variant']);
  expect(of(assumed('a', 'x'), assumed('b', 'y'))).toEqual([
    'platform variant x (cluster a); set cluster.variant',
    'platform variant y (cluster b); set cluster.variant',
  ]);
  expect(of(assumed('a', 'x'), assumed('b', 'x', { name: 'release' }))).toHaveLength(2);
  expect(of(assumed('a', 'x'), assumed('b', 'x', { setBy: '--variant' }))).toHaveLength(2);
  // What another cluster is known to be counts as one that is not assumed.
  expect(of(assumed('a', 'x'), assumed('b', 'x', { source: 'config' }))).toEqual([
    'platform variant x (cluster a); set cluster.variant',
  ]);
});

test.each<[string, Partial<Fact>, string]>([
  ['a text', { value: 'isp-full' }, 'optional packages isp-full'],
  ['nothing', { value: [] }, 'optional packages (none)'],
  ['a list', { value: ['a', 'b'] }, 'optional packages a, b'],
  ['six of a list', { value: count(6, String) }, 'optional packages 0, 1, 2, 3, 4, 5'],
  ['more of a list', { value: count(7, String) }, 'optional packages 0, 1, 2, 3, 4, and 2 more'],
  ['a map', { value: { a: true } }, 'optional packages {"a":true}'],
  ['a map that is long', { value: { a: 'x'.repeat(100) } }, `optional packages {"a":"${'x'.repeat(93)}…`],
  ['a cluster', { value: 'a', cluster: 'c'.repeat(61) }, `optional packages a (cluster ${'c'.repeat(59)}…)`],
  ['how it is set', { value: 'a', setBy: '--release' }, 'optional packages a; set --release'],
])('a fact in words: %s', (_, change, expected) => {
  expect(factWords({ name: 'optionalPackages', value: '', source: 'config', ...change })).toBe(expected);
});

test.each<[number, number, string[]]>([
  [1, 1, []],
  [2, 1, ['p0']],
  [2, 2, ['p0', 'p1']],
  [3, 3, ['p0', 'p1', 'p2']],
  [4, 4, ['all 4 entrypoints']],
  [9, 6, ['p0', 'p1', 'p2', 'p3', 'p4', 'p5']],
  [60, 50, count(50, (index) => `p${index}`)],
  [60, 51, [...count(49, (index) => `p${index}`), 'and 2 more']],
])('of %d directories %d show a finding', (all, some, expected) => {
  const paths = count(all, (index) => `p${index}`);
  const run = cleanRun({ entrypoints: paths.map((path) => ({ ...prod, path })) });
  expect(seenFrom(run, finding({ entrypoints: paths.slice(0, some) }))).toEqual(expected);
});

test('a file that is not there is no place within a file', () => {
  const place = { at: at('a.yaml', 1, 1, 1), precision: 'file' as const };
  const run = cleanRun();
  expect(placeWords(run, place)).toEqual(['somewhere in this file']);
  expect(placeWords({ ...run, sources: { ...run.sources, has: () => false } }, place)).toEqual(['not there']);
});
