import { createRequire } from 'node:module';
import { expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { report } from '../../src/report/index.js';
import { at, cleanRun, finding, richRun, sources } from './runs.js';

const options = { color: false, quiet: false };
const rules = [
  {
    ...{ id: 'chart-owned-field', group: 'ownership', summary: 'A field of the chart' },
    ...{ severity: 'error' as const, url: 'https://x.example/a' },
  },
];

/** The schema is of draft 4, and one of its patterns is no Unicode pattern: formats and patterns are left out. */
function withoutPatterns(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutPatterns);
  if (typeof node !== 'object' || node === null) return node;
  const kept = Object.entries(node).filter(([key, value]) => key !== 'pattern' || typeof value !== 'string');
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutPatterns(value)]));
}

const published = createRequire(import.meta.url)('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json');
const { $schema: _, id: __, ...schema } = withoutPatterns(published) as Record<string, unknown>;
const validate = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(schema);

function log(run = richRun(), change = {}) {
  return JSON.parse(report('sarif', run, { ...options, ...change }));
}

test.each([
  ['rich', richRun()],
  ['clean', cleanRun()],
  ['empty', cleanRun({ entrypoints: [] })],
])('a %s report is SARIF 2.1.0', (_, run) => {
  validate(log(run, { rules }));
  expect(validate.errors).toBeNull();
});

test('every result names its rule, and rules are described where that is known', () => {
  const [run] = log(richRun(), { rules }).runs;
  const { rules: described } = run.tool.driver;
  for (const { ruleId, ruleIndex } of run.results) expect(described[ruleIndex].id).toBe(ruleId);
  expect(described[0]).toEqual({
    id: 'chart-owned-field',
    shortDescription: { text: 'A field of the chart' },
    fullDescription: { text: 'A field of the chart' },
    helpUri: 'https://x.example/a',
    help: {
      text: 'A field of the chart: https://x.example/a',
      markdown: 'A field of the chart. [Examples, and when to ignore it](https://x.example/a)',
    },
    properties: { tags: ['ownership'] },
    defaultConfiguration: { level: 'error' },
  });
});

test.each([
  ['a b', 'a%20b'],
  ['a%20b', 'a%2520b'],
  ['ü/#1?x:y', '%C3%BC/%231%3Fx%3Ay'],
  ['a\ud800', 'a%EF%BF%BD'],
])('the file %j as a URI', (file, uri) => {
  const [run] = log(cleanRun({ findings: [finding({ at: at(file, 1, 1, 2) })] })).runs;
  expect(run.results[0].locations[0].physicalLocation.artifactLocation).toEqual({ uri, uriBaseId: '%SRCROOT%' });
});

test.each([
  ['the head', 'head', 'exact', { startLine: 7, startColumn: 3, endLine: 7, endColumn: 10 }],
  ['the head, a whole file', 'head', 'file', { startLine: 1, startColumn: 1, endLine: 1, endColumn: 1 }],
  ['the base', 'base', 'exact', { startLine: 7, startColumn: 3, endLine: 7, endColumn: 10 }],
] as const)('the region of %s', (_, revision, precision, region) => {
  const found = finding({ at: at('a.yaml', 7, 3, 10, revision), precision });
  expect(log(cleanRun({ findings: [found] })).runs[0].results[0].locations[0].physicalLocation.region).toEqual(region);
});

test('a name cannot become a link', () => {
  const found = finding({ message: 'Package "[x](https://evil.example)"' });
  expect(log(cleanRun({ findings: [found] })).runs[0].results[0].message.text).not.toContain('](');
});

test('a run that looked at nothing has not succeeded', () => {
  expect(log(cleanRun({ entrypoints: [] })).runs[0].invocations[0].executionSuccessful).toBe(false);
  expect(log(cleanRun()).runs[0].invocations[0]).toEqual({
    executionSuccessful: true,
    toolExecutionNotifications: [],
  });
});

test('more results than GitHub takes are cut, the worst kept, and that is said', () => {
  const findings = Array.from({ length: 25_001 }, (_, index) =>
    finding({ severity: index === 25_000 ? 'error' : 'notice', entrypoints: [] }),
  );
  const [run] = log(cleanRun({ findings })).runs;
  expect(run.results).toHaveLength(25_000);
  expect(run.results[0].level).toBe('error');
  expect(run.invocations[0].toolExecutionNotifications).toEqual([
    {
      level: 'warning',
      descriptor: { id: 'left-out' },
      message: { text: '1 more finding left out of this file' },
    },
  ]);
});

test('a rule is described once, and one that is not known by its name', () => {
  const findings = [finding({ rule: 'z' }), finding(), finding({ rule: 'b' }), finding({ rule: 'z' })];
  const { rules: all } = log(cleanRun({ findings }), { rules }).runs[0].tool.driver;
  expect(all.map(({ id }: { id: string }) => id)).toEqual(['chart-owned-field', 'b', 'z']);
});

const resultOf = (change: Parameters<typeof finding>[0], files: Record<string, string> = {}) =>
  log(cleanRun({ findings: [finding(change)], sources: sources(files) })).runs[0].results[0];

test('a fix is told by file: what goes, and what comes for it', () => {
  const edits = [
    { at: at('a.yaml', 1, 4, 5), text: 'c' },
    { at: at('b.yaml', 1, 1, 5), text: '' },
    { at: at('a.yaml', 2, 1, 5), text: '' },
  ];
  const files = { 'a.yaml': 'a: b\nb: c\n', 'b.yaml': 'c: d\n' };
  const region = (line: number, from: number, to: number) => ({
    deletedRegion: { startLine: line, startColumn: from, endLine: line, endColumn: to },
  });
  const inFile = (uri: string, ...replacements: object[]) => ({
    artifactLocation: { uri, uriBaseId: '%SRCROOT%' },
    replacements,
  });
  expect(resultOf({ fix: () => ({ title: 'mend', safe: true, edits }) }, files).fixes).toEqual([
    {
      description: { text: 'mend' },
      artifactChanges: [
        inFile('a.yaml', { ...region(1, 4, 5), insertedContent: { text: 'c' } }, region(2, 1, 5)),
        inFile('b.yaml', region(1, 1, 5)),
      ],
    },
  ]);
});

test('a fix that writes a secret is not told, nor one that there is not', () => {
  const edits = [{ at: at('a.yaml', 1, 11, 12), text: 'hunter2' }];
  const fix = () => ({ title: 'mend', safe: true, edits });
  expect(resultOf({ fix }, { 'a.yaml': 'password: x\n' })).not.toHaveProperty('fixes');
  expect(resultOf({ fix: () => undefined })).not.toHaveProperty('fixes');
});

test.each([
  ['the head', { precision: 'parent' }, ['wrong (the nearest parent that is written)']],
  ['the base', { at: at('a.yaml', 7, 3, 10, 'base'), precision: 'parent' }, ['wrong (line 7 before this change)']],
  ['two directories', { entrypoints: ['a', 'b'] }, ['wrong', 'Seen from a, b']],
  ['a help', { help: 'mend it' }, ['wrong', 'mend it']],
  [
    'a guess',
    { assumes: [{ name: 'variant', value: 'x', source: 'assumed' }] },
    ['wrong', 'Assumes platform variant x'],
  ],
] as const)('the message of a result of %s', (_, change, lines) => {
  const { message } = resultOf({ message: 'wrong', entrypoints: [], ...change } as Parameters<typeof finding>[0]);
  expect(message.text.split('\n')).toEqual(lines);
});

test('the first hundred related places are told, those of the base as such', () => {
  const place = (index: number) => ({ message: `${index}`, at: at('b.yaml', 2, 3, 4, index === 0 ? 'base' : 'head') });
  const related = Array.from({ length: 101 }, (_, index) => place(index));
  const { relatedLocations: all } = resultOf({ related });
  const artifactLocation = { uri: 'b.yaml', uriBaseId: '%SRCROOT%' };
  expect(all).toHaveLength(100);
  expect(all.slice(0, 2)).toEqual([
    { id: 1, physicalLocation: { artifactLocation }, message: { text: '0 (line 2 before this change)' } },
    {
      id: 2,
      physicalLocation: { artifactLocation, region: { startLine: 2, startColumn: 3, endLine: 2, endColumn: 4 } },
      message: { text: '1' },
    },
  ]);
});

test.each([
  [true, 'new'],
  [false, 'unchanged'],
  [undefined, undefined],
])('new: %p is %p beside the base', (isNew, state) => {
  expect(resultOf({ ...(isNew !== undefined && { isNew }) }).baselineState).toBe(state);
});

test('the object of a result has a name, with its namespace where it has one', () => {
  const of = (change: object) => resultOf(change).locations[0].logicalLocations;
  const object = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a' };
  const named = (fullyQualifiedName: string) => [{ name: 'a', fullyQualifiedName, kind: 'object' }];
  expect(of({ object, field: ['data', 'x', 0] })).toEqual(named('ConfigMap/a.data.x.0'));
  expect(of({ object: { ...object, namespace: 'n' }, field: [] })).toEqual(named('ConfigMap/n/a'));
  expect(of({ object: undefined })).toBeUndefined();
});

test('what a reader of results alone would miss is a notification', () => {
  const [prod] = cleanRun().entrypoints;
  const run = cleanRun({
    entrypoints: [prod as typeof prod & object, { path: 'b', why: 'w', objects: 0, rendered: false }],
    stages: [{ name: 'dry-run', ran: false, why: 'no cluster' }],
    notChecked: [{ what: 'kind', why: 'unknown', count: 2 }],
    facts: [{ name: 'release', value: 'v1.6', source: 'assumed' }],
    policy: ['not told here'],
  });
  const { toolExecutionNotifications: all, executionSuccessful } = log(run).runs[0].invocations[0];
  expect(executionSuccessful).toBe(true);
  expect(all).toEqual([
    { level: 'warning', descriptor: { id: 'not-rendered' }, message: { text: 'Not rendered: b (w)' } },
    { level: 'note', descriptor: { id: 'assumed' }, message: { text: 'Assumed: Cozystack release v1.6' } },
    { level: 'note', descriptor: { id: 'not-checked' }, message: { text: 'Not checked: 2 × kind: unknown' } },
    { level: 'warning', descriptor: { id: 'not-run' }, message: { text: 'Not run: dry-run: no cluster' } },
  ]);
});

const only = (files: Record<string, string>) => ({
  ...sources(files),
  has: (_: unknown, file: string) => file in files,
});
const inRun = (change: Parameters<typeof finding>[0], files: Record<string, string>) =>
  log(cleanRun({ findings: [finding({ message: 'gone', entrypoints: [], ...change })], sources: only(files) })).runs[0]
    .results[0];

test('a finding of a file that is gone is placed in the kustomization that listed it, and says where it was', () => {
  const files = { 'kustomization.yaml': 'resources: []\n', 'base:apps/db.yaml': '\n\n\n\n\n\n  a: b\n' };
  const result = inRun({ at: at('apps/db.yaml', 7, 3, 4, 'base') }, files);
  expect(result.locations[0].physicalLocation).toEqual({
    artifactLocation: { uri: 'kustomization.yaml', uriBaseId: '%SRCROOT%' },
    region: { startLine: 1, startColumn: 1, endLine: 1, endColumn: 14 },
  });
  expect(result.message.text).toBe('gone (line 7 of apps/db.yaml before this change)');
  expect(result.partialFingerprints.primaryLocationLineHash).toMatch(/^[0-9a-f]+:1$/);
});

test('a finding for which the head has no place quotes the line that is gone, without what is secret', () => {
  const of = (line: string) => inRun({ at: at('apps/db.yaml', 1, 1, 4, 'base') }, { 'base:apps/db.yaml': `${line}\n` });
  expect(of('kind: A').locations[0].physicalLocation.region.snippet).toEqual({ text: 'kind: A' });
  expect(JSON.stringify(of('password: hunter2'))).not.toContain('hunter2');
  expect(of('kind: A').partialFingerprints).toEqual({ 'customizerLint/v1': '4f1e' });
});

test('an ignored finding is no result, as GitHub would open an alert for it, but is told with its reason', () => {
  const [run] = log(cleanRun({ ignored: [{ finding: finding(), reason: 'agreed' }] })).runs;
  expect(run.results).toEqual([]);
  expect(run.invocations[0].toolExecutionNotifications).toEqual([
    { level: 'note', descriptor: { id: 'ignored' }, message: { text: 'Ignored: 1 × chart-owned-field: agreed' } },
  ]);
});

test('two reports of one commit are told apart where they have names', () => {
  expect(log(cleanRun(), { category: 'prod' }).runs[0].automationDetails).toEqual({ id: 'customizer-lint/prod/' });
  expect(log(cleanRun()).runs[0]).not.toHaveProperty('automationDetails');
});
