import { expect, test } from '@jest/globals';
import { marked } from 'marked';
import type { Diff, Effects, ObjectDiff } from '../../src/core/model.js';
import { report } from '../../src/report/index.js';
import { at, cleanRun, finding, hostile, richRun, sources } from './runs.js';

const options = { color: false, quiet: false };

/** What is left of the page outside of code, where GitHub looks for mentions, references and links. */
function outsideCode(markdown: string): string {
  const html = marked.parse(markdown, { gfm: true, async: false });
  return html.replace(/<code[^>]*>[\s\S]*?<\/code>/g, '');
}

const spots = {
  message: hostile,
  help: hostile,
  at: at(`${hostile}.yaml`, 1, 1, 2),
  related: [{ message: hostile, at: at(`${hostile}.yaml`, 1, 1, 2) }],
  entrypoints: [hostile],
};

test.each([
  ['a finding', cleanRun({ findings: [finding(spots)], sources: sources({ [`${hostile}.yaml`]: hostile }) })],
  [
    'its code',
    cleanRun({ findings: [finding()], sources: sources({ 'packages/metallb.yaml': '\n\n\n\n\n\n````: @team' }) }),
  ],
  ['an entrypoint', cleanRun({ entrypoints: [{ path: hostile, why: hostile, objects: 1, rendered: true }] })],
  ['what was not checked', cleanRun({ notChecked: [{ what: hostile, why: hostile, count: 1 }] })],
  ['a reason', cleanRun({ ignored: [{ finding: finding(), reason: hostile }] })],
  ['a fact', cleanRun({ facts: [{ name: 'variant', value: hostile, source: 'assumed' }] })],
  ['everything', richRun()],
])('%s can hold no mention, link, image or tag', (_, run) => {
  const page = outsideCode(report('markdown', run, options));
  expect(page).not.toMatch(/@|<img|<a |<script|<!--|https?:|#\d/);
  expect(page).toContain('<h2>customizer-lint');
});

test('a rule links to its page', () => {
  const rules = [
    {
      id: 'chart-owned-field',
      group: 'ownership',
      summary: 's',
      severity: 'error' as const,
      url: 'https://x.example/a',
    },
  ];
  const text = report('markdown', cleanRun({ findings: [finding()] }), { ...options, rules });
  expect(text).toContain('[`chart-owned-field`](https://x.example/a)');
});

test('a page stays below what GitHub drops, and says what it leaves out', () => {
  const findings = Array.from({ length: 20_000 }, (_, index) =>
    finding({ severity: index % 2 ? 'notice' : 'error', message: `日本 "${index}"` }),
  );
  const text = report('markdown', cleanRun({ findings }), options);
  const shown = text.split('`chart-owned-field`').length - 1;
  expect(Buffer.byteLength(text)).toBeLessThan(1024 * 1024);
  expect(shown).toBeGreaterThan(5000);
  expect(text).toContain(`**${20_000 - shown} more findings in the log.**`);
  expect(text).toContain('**Rendered**');
});

const ref = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'n', name: 'a' };
const none: Effects = { created: [], changed: [], deleted: [], left: [], held: [], unknown: [] };
const blocksOf = (change: Parameters<typeof cleanRun>[0], more = {}) =>
  report('markdown', cleanRun(change), { ...options, ...more })
    .trimEnd()
    .split('\n\n');
const simulation = (...actions: ObjectDiff['action'][]): Diff => ({
  reconciles: [],
  objects: actions.map((action) => ({ ref, action, fields: [], dependents: [] })),
  notSimulated: [],
});

test.each<[string, Parameters<typeof cleanRun>[0], string[]]>([
  ['nothing known', {}, []],
  ['no object', { effects: [none] }, ['The merge: no object changes.']],
  [
    'some of each, in two clusters',
    {
      effects: [
        { ...none, created: [ref], deleted: [ref, ref] },
        { ...none, created: [ref], changed: [ref], left: [ref] },
      ],
    },
    ['The merge: 2 created, 1 changed, 2 deleted, 1 left behind.'],
  ],
  ['only one kind', { effects: [{ ...none, changed: [ref] }] }, ['The merge: 1 changed.']],
  [
    'a simulation',
    { diffs: [simulation('created'), simulation('left')] },
    ['The merge: 2 objects: 1 created, 1 left behind.'],
  ],
  ['a simulation of nothing', { diffs: [simulation()] }, ['The merge: nothing changes in the cluster.']],
])('a clean run says in a line what the merge does: %s', (_, change, expected) => {
  const blocks = blocksOf(change);
  expect(
    blocks.slice(
      1,
      blocks.findIndex((block) => block.startsWith('<details>')),
    ),
  ).toEqual(expected);
});

test('what a clean run folds is told by the titles', () => {
  const stages = [{ name: 'dry-run', ran: false as const, why: 'no cluster' }];
  expect(blocksOf({ stages })[1]).toBe('<details><summary>rendered 2 · not run 1</summary>');
  expect(blocksOf({ entrypoints: [], effects: [{ ...none, created: [ref] }] })[2]).toBe(
    '<details><summary>More</summary>',
  );
  expect(blocksOf({ entrypoints: [] })).toHaveLength(1);
  expect(blocksOf({}, { quiet: true })).toHaveLength(1);
});

test('what the merge would do, by cluster', () => {
  const effects = [
    { ...none, deleted: [ref], graph: 'flowchart LR\n  a\n' },
    none,
    { ...none, cluster: 'lab', created: [ref, { ...ref, name: 'b' }] },
  ];
  const blocks = blocksOf({ findings: [finding()], effects });
  const first = blocks.indexOf('**What the merge would do**');
  expect(blocks.slice(first, first + 5)).toEqual([
    '**What the merge would do**',
    '- deletes 1: `ConfigMap n/a`\n- what it takes from other field managers: not simulated',
    '```mermaid\nflowchart LR\n  a\n```',
    '**What the merge would do** in `lab`',
    [
      '- creates 2, or takes over what has that name: `ConfigMap n/a`, `ConfigMap n/b`',
      '- what it takes from other field managers: not simulated',
    ].join('\n'),
  ]);
});

test('clusters for which there is no room are counted', () => {
  const created = Array.from({ length: 25 }, (_, index) => ({ ...ref, name: `${index}${'x'.repeat(140)}` }));
  const effects = Array.from({ length: 80 }, (_, index) => ({ ...none, cluster: `c${index}`, created }));
  const blocks = blocksOf({ findings: [finding()], effects });
  const shown = blocks.filter((block) => /^\*\*What the merge would do\*\* in `c\d+`$/.test(block)).length;
  expect(shown).toBeGreaterThan(40);
  expect(shown).toBeLessThan(80);
  expect(blocks).toContain(`**What the merge would do** in ${80 - shown} more clusters is left out.`);
});

test.each([
  ['as large as GitHub draws', 50_000, true],
  ['larger', 50_001, false],
])('a graph that is %s', (_, size, isDrawn) => {
  const graph = 'x'.repeat(size);
  expect(
    blocksOf({ diffs: [simulation()], effects: [{ ...none, graph }] })
      .join()
      .includes('```mermaid'),
  ).toBe(isDrawn);
});

const blockOf = (change: Parameters<typeof finding>[0], more = {}, run = {}) =>
  blocksOf({ findings: [finding({ entrypoints: [], ...change })], ...run }, { quiet: true, ...more }).slice(2);

test.each<[string, Parameters<typeof finding>[0], string]>([
  ['a line', {}, '`packages/metallb.yaml:7:3` · `chart-owned-field`'],
  ['a file', { precision: 'file' }, '`packages/metallb.yaml` (somewhere in this file) · `chart-owned-field`'],
  ['what is new', { isNew: true }, '`packages/metallb.yaml:7:3` · `chart-owned-field` · new'],
  ['what is not', { isNew: false }, '`packages/metallb.yaml:7:3` · `chart-owned-field` · not new'],
])('the place of %s', (_, change, expected) => {
  expect(blockOf(change)[1]).toBe(expected);
});

test.each<[string, Parameters<typeof finding>[0], string]>([
  ['a line of the head', {}, 'https://x.example/head/packages/metallb.yaml#L7'],
  ['a file', { precision: 'file' }, 'https://x.example/head/packages/metallb.yaml'],
  ['a line of the base', { at: at('a.yaml', 7, 3, 10, 'base') }, 'https://x.example/base/a.yaml#L7'],
  [
    'an odd name',
    { at: at("a (b)'!*~/\ud800.yaml", 7, 3, 10) },
    'https://x.example/head/a%20%28b%29%27%21%2A%7E/%EF%BF%BD.yaml#L7',
  ],
])('the address of %s', (_, change, address) => {
  const files = { head: 'https://x.example/head/', base: 'https://x.example/base/' };
  expect(blockOf(change, { files })[1]).toContain(`](${address})`);
});

test('frames stand below what they show, with related places and notes', () => {
  const files = { 'a.yaml': 'a: b\n', 'base:a.yaml': 'a: c\n' };
  const related = [
    { message: 'was here', at: at('a.yaml', 1, 4, 5, 'base') },
    { message: 'and there', at: at('b.yaml', 2, 1, 2) },
  ];
  const assumes = [{ name: 'variant', value: 'x', source: 'assumed' } as const];
  const change = { message: 'wrong', at: at('a.yaml', 1, 1, 2), related, assumes, help: 'mend it' };
  expect(blockOf({ ...change, entrypoints: ['p', 'q'] }, {}, { sources: sources(files) })).toEqual([
    '**wrong**',
    '`a.yaml:1:1` · `chart-owned-field`',
    '```text\n1 | a: b\n  | ^\n```',
    '`a.yaml:1:4` (before this change): was here',
    '```text\n1 | a: c\n  |    -\n```',
    '`b.yaml:2:1`: and there',
    'Help: mend it',
    'Seen from `p`, `q` · Assumes platform variant x',
  ]);
  expect(blockOf({ ...change, precision: 'file' }, {}, { sources: sources(files) })[2]).toMatch(/^`a\.yaml:1:4`/);
});

test('twenty related places are shown, and how many more there are', () => {
  const related = (size: number) => Array.from({ length: size }, () => ({ message: 'x', at: at('b.yaml', 2, 1, 2) }));
  expect(blockOf({ related: related(20) })).toHaveLength(22);
  expect(blockOf({ related: related(21) }).at(-1)).toBe('and 1 more place');
});

test('each severity has its heading, the worst first', () => {
  const findings = (['notice', 'error', 'notice'] as const).map((severity) => finding({ severity }));
  expect(blocksOf({ findings }).filter((block) => block.startsWith('#'))).toEqual([
    '## customizer-lint: 1 error, 2 notices',
    '### 1 error',
    '### 2 notices',
  ]);
});

test('the base of a run that touches nothing is quoted', () => {
  expect(blocksOf({ untouched: { files: 2, base: 'a_b' }, entrypoints: [] })[0]).toMatch(/changed since a\\_b$/);
});

test('code is as wide as is wanted', () => {
  const run = { sources: sources({ 'packages/metallb.yaml': `${'\n'.repeat(6)}  a: ${'b'.repeat(200)}` }) };
  const codeWidth = (more: object) => blockOf({}, more, run)[2]?.split('\n')[1]?.slice(4).length;
  expect(codeWidth({})).toBe(100);
  expect(codeWidth({ width: 60 })).toBe(60);
});
