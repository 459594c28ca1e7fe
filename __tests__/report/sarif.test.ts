import { createRequire } from 'node:module';
import { expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { report } from '../../src/report/index.js';
import { at, cleanRun, finding, richRun } from './runs.js';

const options = { color: false, quiet: false };
const rules = [
  { id: 'chart-owned-field', summary: 'A field of the chart', severity: 'error' as const, url: 'https://x.example/a' },
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
    helpUri: 'https://x.example/a',
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
  ['the head, a whole file', 'head', 'file', undefined],
  ['the base', 'base', 'exact', undefined],
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
