import { stripVTControlCharacters } from 'node:util';
import { expect, test } from '@jest/globals';
import type { Run } from '../../src/core/model.js';
import { report } from '../../src/report/index.js';
import { at, cleanRun, finding, richRun, sources } from './runs.js';

const options = { color: false, quiet: false };

test.each<[string, Parameters<typeof cleanRun>[0], string]>([
  ['all was checked', {}, 'No problems found in 57 objects from 2 entrypoints'],
  [
    'a stage did not run',
    { stages: [{ name: 'cluster', ran: false, why: 'not asked for' }] },
    'No problems found in 57 objects from 2 entrypoints; not everything could be checked',
  ],
  ['there is nothing to check', { entrypoints: [] }, 'Nothing was checked: no entrypoint was rendered'],
  [
    'nothing renders',
    { entrypoints: [{ path: 'a', why: 'w', objects: 0, rendered: false }] },
    'Nothing was checked: no entrypoint was rendered',
  ],
  ['there is no base', { findings: [finding()] }, '1 error'],
  ['all is old', { findings: [finding({ isNew: false })] }, '1 error (none new)'],
  ['some is new', { findings: [finding({ isNew: true }), finding({ isNew: false })] }, '2 errors (1 new)'],
])('the verdict when %s', (_, change, expected) => {
  const more = '; customizer-lint rules ID explains a rule';
  expect(report('text', cleanRun(change), options).replace(more, '').split('\n')).toContain(expected);
});

test('quiet leaves the closing words out', () => {
  expect(report('text', cleanRun(), { ...options, quiet: true })).toBe('');
  const text = report('text', richRun(), { ...options, quiet: true });
  expect(text.endsWith('  = seen from: clusters/prod\n')).toBe(true);
});

test('colour changes no word', () => {
  const colored = report('text', richRun(), { ...options, color: true });
  expect(colored).toContain('\u001b[');
  expect(stripVTControlCharacters(colored)).toBe(report('text', richRun(), options));
});

test('the id of a rule is a link where the terminal has them', () => {
  const rules = richRun().findings.map(({ rule: id }) => ({ id, url: `https://x.example/${id}` }));
  const linked = { ...options, links: true, rules } as unknown as Parameters<typeof report>[2];
  const text = report('text', cleanRun({ findings: [finding()] }), linked);
  const link = '\u001b]8;;https://x.example/chart-owned-field\u0007chart-owned-field\u001b]8;;\u0007';
  expect(text.startsWith(`error[${link}]: Package`)).toBe(true);
  expect(report('text', richRun(), { ...linked, links: false })).toBe(report('text', richRun(), options));
});

test('how to read about a rule is said once, where there is one', () => {
  const said = (run: Run) => report('text', run, options).split('customizer-lint rules ID').length - 1;
  expect([said(richRun()), said(cleanRun())]).toEqual([1, 0]);
});

test.each([
  [[], ''],
  [['a'], ' (and 1 more object)'],
  [['a', 'b'], ' (and 2 more objects)'],
])('of %j on the same line is said how many they are', (names, words) => {
  const also = names.map((name) => ({ apiVersion: 'v1', kind: 'ConfigMap', name }));
  const one = finding({ message: 'wrong', also });
  for (const format of ['text', 'concise', 'github', 'markdown', 'gitlab', 'junit', 'sarif'] as const)
    expect(/wrong( \(and[^)]*\))?/.exec(report(format, cleanRun({ findings: [one] }), options))?.[1] ?? '').toBe(words);
});

test('every entrypoint that has it is named', () => {
  const entrypoints = Array.from({ length: 9 }, (_, index) => `clusters/${index}`);
  const run = cleanRun({
    entrypoints: entrypoints.map((path) => ({ path, why: 'w', objects: 1, rendered: true })),
    findings: [finding({ entrypoints: entrypoints.slice(1) })],
  });
  expect(report('text', run, options)).toContain(`= seen from: ${entrypoints.slice(1).join(', ')}\n`);
});

test('many entrypoints are not all listed', () => {
  const entrypoints = Array.from({ length: 30 }, (_, index) => ({
    path: `clusters/${index}`,
    why: 'given with --path',
    objects: 1,
    rendered: index !== 29,
  }));
  const paths = entrypoints.map(({ path }) => path);
  const run = cleanRun({ entrypoints, findings: [finding({ entrypoints: paths })] });
  const text = report('text', run, { ...options, verbose: true });
  expect(text).toContain('= seen from: all 30 entrypoints');
  expect(text).toContain('and 20 more');
  expect(text).toContain('not rendered  clusters/29 (given with --path)');
});

test('one entrypoint needs no naming', () => {
  const entrypoints = cleanRun().entrypoints.slice(0, 1);
  expect(report('text', cleanRun({ entrypoints, findings: [finding()] }), options)).not.toContain('seen from');
});

test.each([
  ['head', 'exact', ' --> packages/metallb.yaml:7:3'],
  ['base', 'exact', ' --> packages/metallb.yaml:7:3 (before this change)'],
  ['head', 'parent', ' --> packages/metallb.yaml:7:3 (the nearest parent that is written)'],
  ['head', 'file', ' --> packages/metallb.yaml (somewhere in this file)'],
  ['base', 'file', ' --> packages/metallb.yaml (somewhere in this file; before this change)'],
] as const)('a place on the side %s, precision %s', (revision, precision, expected) => {
  const found = finding({ at: at('packages/metallb.yaml', 7, 3, 10, revision), precision });
  expect(report('text', cleanRun({ findings: [found] }), options).split('\n')).toContain(` ${expected}`);
});

test.each<[string, Parameters<typeof cleanRun>[0], string]>([
  ['errors, red', { findings: [finding({ severity: 'notice' }), finding()] }, '31'],
  ['warnings, yellow', { findings: [finding({ severity: 'notice' }), finding({ severity: 'warning' })] }, '33'],
  ['notices, cyan', { findings: [finding({ severity: 'notice' })] }, '36'],
  ['nothing, green', {}, '32'],
  [
    'nothing in the half that renders, green',
    { entrypoints: cleanRun().entrypoints.map((one, index) => ({ ...one, rendered: index === 0 })) },
    '32',
  ],
  ['nothing looked at, yellow', { entrypoints: [] }, '33'],
])('the verdict has the colour of the worst: %s', (_, change, code) => {
  const lines = report('text', cleanRun(change), { ...options, color: true }).split('\n');
  const verdict = lines.find((line) => /^\d+;1m(?:\d|No)/.test(line.replace('\u001b[', '')));
  expect(verdict).toContain(`[${code};1m`);
});

/** The columns of the code, which stands behind a gutter. */
function codeWidth(width: number | undefined): number {
  const run = cleanRun({
    findings: [finding({ at: at('a.yaml', 1, 1, 2) })],
    sources: sources({ 'a.yaml': `a: ${'b'.repeat(300)}` }),
  });
  const text = report('text', run, { ...options, ...(width !== undefined && { width }) });
  return (
    text
      .split('\n')
      .find((line) => line.startsWith(' 1 | '))
      ?.slice(5).length ?? 0
  );
}

test.each([
  [undefined, 90],
  [80, 70],
  [31, 21],
  [30, 20],
  [5, 20],
])('in %p columns a line of code takes %d', (width, expected) => {
  expect(codeWidth(width)).toBe(expected);
});

test('the gutter is as wide as the largest line number', () => {
  const far = { message: 'there', at: at('a.yaml', 100, 1, 2) };
  const run = cleanRun({
    findings: [finding({ at: at('a.yaml', 7, 1, 2), related: [far], entrypoints: [], help: 'mend it' })],
    sources: sources({ 'a.yaml': Array.from({ length: 100 }, (_, index) => `k${index + 1}: v`).join('\n') }),
  });
  expect(
    report('text', run, { ...options, quiet: true })
      .split('\n')
      .slice(1),
  ).toEqual([
    '    --> a.yaml:7:1',
    '     |',
    '   7 | k7: v',
    '     | ^',
    '    --> a.yaml:100:1',
    '     |',
    ' 100 | k100: v',
    '     | - there',
    '     = help: mend it',
    '',
  ]);
});

test('a related line of the base is told as such', () => {
  const before = { message: 'there', at: at('b.yaml', 2, 3, 4, 'base') };
  const lines = report('text', cleanRun({ findings: [finding({ related: [before] })] }), options).split('\n');
  expect(lines).toContain('  --> b.yaml:2:3 (before this change): there');
});

test.each([
  [true, false],
  [undefined, false],
  [false, true],
])('new: %p, so that it is not new is said: %p', (isNew, expected) => {
  const found = finding({ ...(isNew !== undefined && { isNew }) });
  expect(report('text', cleanRun({ findings: [found] }), options).includes('= note: not new')).toBe(expected);
});

test('the end is three lines at most, and says what weakened a finding and what was not checked', () => {
  const end = (run: Run) =>
    report('text', run, options)
      .split(/^\d+ (?:error|warning|notice).*\n|^No problems.*\n/m)
      .at(-1);
  const assumes = [{ name: 'variant', value: 'isp-full', source: 'assumed' }] as Run['facts'];
  const facts = [...assumes, { name: 'release', value: 'v1.6', source: 'assumed' }] as Run['facts'];
  const stages: Run['stages'] = [
    { name: 'base', ran: false, why: 'no base was given', optional: true },
    { name: 'cluster', ran: false, why: 'it does not answer' },
  ];
  const notChecked = [{ what: 'schema of kind "Widget"', why: 'no schema known', count: 2 }];
  expect(end(cleanRun({ facts, stages, notChecked }))).toBe(
    [
      '',
      '  rendered     57 objects from clusters/prod, clusters/staging',
      '  assumed      platform variant isp-full, Cozystack release v1.6; no finding depends on it',
      '  not checked  cluster: it does not answer; and 1 more (--verbose lists them)',
      '',
    ].join('\n'),
  );
  expect(end(cleanRun({ facts, findings: [finding({ assumes }), finding({ assumes })] }))).toContain(
    '; 2 findings are warnings at most because of it',
  );
  expect(end(cleanRun({ stages: stages.slice(0, 1) }))).toBe(
    '\n  rendered  57 objects from clusters/prod, clusters/staging\n',
  );
});
