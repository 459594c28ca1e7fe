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
    finding({ severity: index % 2 ? 'notice' : 'error', message: `日本 ${index}` }),
  );
  const text = report('markdown', cleanRun({ findings }), options);
  const shown = text.split('`chart-owned-field`').length - 1;
  expect(Buffer.byteLength(text)).toBeLessThan(1024 * 1024);
  expect(shown).toBeGreaterThan(5000);
  expect(text).toContain(`**${20_000 - shown} more findings in the log.**`);
  expect(text).toContain('**Rendered**');
});

const ref = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'n', name: 'a' };
const none: Effects = { created: [], changed: [], deleted: [], left: [], held: [], unknown: [], sensitive: [] };
const blocksOf = (change: Parameters<typeof cleanRun>[0], more = {}) =>
  report('markdown', cleanRun(change), { ...options, ...more })
    .trimEnd()
    .split('\n\n');
const simulation = (...actions: ObjectDiff['action'][]): Diff => ({
  reconciles: [],
  objects: actions.map((action) => ({ ref, action, fields: [], dependents: [] })),
  notSimulated: [],
});

const diff = (...lines: string[]) => ['```diff', ...lines, '```'].join('\n');
/** The blocks of a page, those of code whole. */
const blocksIn = (change: Parameters<typeof cleanRun>[0], more = {}) =>
  report('markdown', cleanRun(change), { ...options, ...more })
    .trimEnd()
    .split(/\n\n(?=#|```|\*\*|<|N|- \*\*)/);
const before = (blocks: string[]) =>
  blocks.slice(
    1,
    blocks.findIndex((block) => block.startsWith('<details>')),
  );
const unknown = '  what it takes from other field managers: not simulated';

test.each<[string, Parameters<typeof cleanRun>[0], string[]]>([
  ['nothing known', {}, []],
  ['no object', { effects: [none] }, ['### What the merge would do', 'No object changes.']],
  [
    'some of each, in two clusters',
    {
      effects: [
        { ...none, created: [ref], deleted: [ref, { ...ref, name: 'b' }] },
        { ...none, cluster: 'lab', changed: [ref], left: [ref], held: [{ path: '.', why: 'w' }], unknown: ['gone'] },
      ],
    },
    [
      '### What the merge would do',
      diff(
        ...['  deletes 2:', '- ConfigMap n/a', '- ConfigMap n/b'],
        ...['  creates 1, or takes over what has that name:', '+ ConfigMap n/a', unknown],
      ),
      '### What the merge would do in `lab`',
      diff(
        ...['  leaves 1 behind, which are in the repository no more:', '· ConfigMap n/a'],
        ...['  changes 1:', '~ ConfigMap n/a', '  applies nothing from:', '! the repository: w'],
        ...['  is not known of what nothing applies any more:', '? gone', unknown],
      ),
    ],
  ],
  [
    'effects to look at first',
    {
      diffs: [simulation()],
      effects: [{ ...none, cluster: 'lab', sensitive: [{ kind: 'source', ref, what: 'spec.url' }] }],
    },
    [
      '### What to look at first in `lab`',
      '- **fetches from**: `ConfigMap n/a (spec.url)`',
      '### What the merge does',
      'Nothing changes in the cluster.',
    ],
  ],
  [
    'a simulation',
    { diffs: [simulation('created', 'left')] },
    [
      '### What the merge does',
      diff(
        ...['+ ConfigMap n/a is created', '· ConfigMap n/a is left behind, as it is', ''],
        '2 objects: 1 created, 1 left behind',
      ),
    ],
  ],
  [
    'a simulation of nothing',
    { diffs: [simulation()] },
    ['### What the merge does', 'Nothing changes in the cluster.'],
  ],
])('a clean run shows what the merge does, and does not fold it: %s', (_, change, expected) => {
  expect(before(blocksIn(change))).toEqual(expected);
});

test('what the merge does comes before what is found, and what was assumed is folded behind it', () => {
  const run = { findings: [finding()], diffs: [simulation('created')] };
  const blocks = blocksOf(run);
  const order = ['## customizer-lint: 1 error', '### What the merge does', '### 1 error', '**Rendered**'];
  const found = order.map((block) => blocks.indexOf(block));
  expect(found).toEqual(found.toSorted((a, b) => a - b));
  expect(found[0]).toBe(0);
  expect(blocks.at(-1)).toBe('</details>');
  expect(blocks.indexOf('<details><summary>How this was checked: 57 objects rendered</summary>')).toBe(
    (found[3] as number) - 1,
  );
});

test('the small print is told in a line of words, with the root under a name', () => {
  const [prod] = cleanRun().entrypoints as [NonNullable<ReturnType<typeof cleanRun>['entrypoints'][number]>];
  const summaryOf = (change: Parameters<typeof cleanRun>[0]) =>
    /<summary>(.*)<\/summary>/.exec(report('markdown', cleanRun(change), options))?.[1];
  const entrypoints = [{ ...prod, path: '.', objects: 1 }];
  expect(
    summaryOf({
      entrypoints: [...entrypoints, { ...prod, path: 'b', rendered: false }],
      stages: [
        { name: 'dry-run', ran: false, why: 'no cluster', optional: true },
        { name: 'base', ran: false, why: 'no base' },
      ],
      facts: [{ name: 'release', value: 'v1.6', source: 'assumed' }],
      ignored: [
        { finding: finding(), reason: 'r' },
        { finding: finding(), reason: 's' },
      ],
    }),
  ).toBe('How this was checked: 1 object rendered, 1 thing assumed, 2 things not checked, 2 findings ignored');
  expect(summaryOf({ entrypoints: [], policy: ['the configuration of the base counts'] })).toBe('How this was checked');
  expect(blocksOf({ entrypoints })).toContain('- the root: 1 object (Flux Kustomization `flux-system/prod`)');
  expect(blocksOf({ entrypoints: [] })).toHaveLength(1);
  expect(blocksOf({}, { quiet: true })).toHaveLength(1);
});

test('what the base has too is folded behind what is new', () => {
  const findings = [
    finding({ isNew: false, message: 'old error' }),
    finding({ isNew: false, severity: 'warning', message: 'old warning' }),
    finding({ isNew: true, severity: 'notice', message: 'new notice' }),
  ];
  const blocks = blocksOf({ findings, entrypoints: [] });
  expect(blocks.filter((block) => /^(?:#|<|\*\*)/.test(block))).toEqual([
    '## customizer-lint: 1 error, 1 warning, 1 notice (1 new)',
    '### 1 notice',
    '**new notice**',
    '<details><summary>2 findings that the base has too</summary>',
    '### 1 error',
    '**old error**',
    '### 1 warning',
    '**old warning**',
    '</details>',
  ]);
});

test('findings that say the same stand once, with a list of the others', () => {
  const alike = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      finding({ message: `there is no "name${index}"`, at: at(`${index}.yaml`, index + 1, 1, 2), help: 'take it out' }),
    );
  const text = report('markdown', cleanRun({ findings: alike(5) }), options);
  expect(text).toContain('### 5 errors\n\n**there is no `name0`**');
  expect(text).toContain(
    '<details><summary>The same of 4 others</summary>\n\n- `1.yaml:2:1` `name1`\n- `2.yaml:3:1` `name2`\n',
  );
  expect(text.split('Help: take it out')).toHaveLength(2);
  expect(report('markdown', cleanRun({ findings: alike(3) }), options)).not.toContain('The same of');
  const many = report('markdown', cleanRun({ findings: alike(600) }), options);
  expect(many).toContain('- `500.yaml:501:1` `name500`\n- and 99 more in the log\n\n</details>');
});

test('findings get the room that the small print leaves', () => {
  const findings = Array.from({ length: 20_000 }, (_, index) => finding({ message: `日本 ${index}` }));
  const policy = Array.from({ length: 100 }, (_, index) => `${index} ${'a word '.repeat(300)}`);
  const text = report('markdown', cleanRun({ findings, policy }), options);
  expect(text).toContain('- 99 a word');
  expect(Buffer.byteLength(text)).toBeLessThan(1024 * 1024);
});

test('what is new gets the room that there is, and what is not the rest', () => {
  const findings = Array.from({ length: 12_000 }, (_, index) =>
    finding({ isNew: index >= 6000, message: `日本 ${index >= 6000 ? 'new' : 'old'}${index}` }),
  );
  const text = report('markdown', cleanRun({ findings }), options);
  const shown = (word: string) => text.split(`**日本 ${word}`).length - 1;
  expect(shown('new')).toBe(6000);
  expect(shown('old')).toBeGreaterThan(1000);
  expect(text).toContain('<details><summary>6000 findings that the base has too</summary>');
  expect(text).toContain(`</details>\n\n**${6000 - shown('old')} more findings in the log.**`);
  expect(Buffer.byteLength(text)).toBeLessThan(1024 * 1024);
});

test('a picture follows what it is of', () => {
  const graph = 'flowchart LR\n  a\n';
  const blocks = blocksIn({ findings: [finding()], effects: [{ ...none, deleted: [ref], graph }, none] });
  expect(blocks.slice(2, 4)).toEqual(
    [diff('  deletes 1:', '- ConfigMap n/a', unknown), '```mermaid\n  a\n```'].map((block) =>
      block.replace('mermaid\n', 'mermaid\nflowchart LR\n'),
    ),
  );
});

test('of many objects the numbers are shown, and the objects are folded', () => {
  const many = (size: number) => Array.from({ length: size }, (_, index) => ({ ...ref, name: `${index + 10}` }));
  const of = (size: number) =>
    before([...blocksIn({ effects: [{ ...none, created: many(size), deleted: many(19) }] }), '<details>']);
  expect(of(18)).toHaveLength(2);
  const blocks = blocksIn({ effects: [{ ...none, created: many(19), deleted: many(19) }] });
  expect(blocks.slice(1, 4)).toEqual([
    '### What the merge would do',
    diff('- deletes 19', '+ creates 19, or takes over what has that name'),
    '<details><summary>Every object</summary>',
  ]);
  expect(blocks[4]).toMatch(/^```diff\n {2}deletes 19:\n- ConfigMap n\/10\n/);
});

test('clusters for which there is no room are counted', () => {
  const created = Array.from({ length: 25 }, (_, index) => ({ ...ref, name: `${index}${'x'.repeat(140)}` }));
  const effects = Array.from({ length: 80 }, (_, index) => ({ ...none, cluster: `c${index}`, created }));
  const blocks = blocksOf({ findings: [finding()], effects });
  const shown = blocks.filter((block) => /^### What the merge would do in `c\d+`$/.test(block)).length;
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
  expect(blockOf(change)).toContain(expected);
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
