import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { report } from '../../src/report/index.js';
import { at, cleanRun, finding, hostile, richRun, sources } from './runs.js';

const options = { color: false, quiet: false };
const schema = JSON.parse(readFileSync(new URL('../../schemas/report.schema.json', import.meta.url), 'utf8'));
const validate = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true }).compile(schema);

test.each([
  ['rich', richRun()],
  ['clean', cleanRun()],
])('a %s report keeps its contract', (_, run) => {
  validate(JSON.parse(report('json', run, options)));
  expect(validate.errors).toBeNull();
});

test('the contract knows every field', () => {
  const parsed = JSON.parse(report('json', richRun(), options));
  parsed.findings[0].surprise = true;
  expect(validate(parsed)).toBe(false);
});

test('a value is the one that was given, however hostile', () => {
  const parsed = JSON.parse(report('json', richRun(), options));
  expect(parsed.findings[2].object.name).toBe(hostile);
  expect(parsed.findings[2].field).toEqual(['data', hostile]);
});

test('without a base nothing is said to be new', () => {
  const parsed = JSON.parse(report('json', cleanRun(), options));
  expect(parsed.summary).toEqual({ errors: 0, warnings: 0, notices: 0, ignored: 0, entrypoints: 2, objects: 57 });
});

test('a finding leads to its rule, and names the objects that share its line', () => {
  const rules = [
    { id: 'chart-owned-field', group: 'ownership', summary: 's', severity: 'error', url: 'https://x.example/a' },
  ];
  const others = [{ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'n', name: 'a' }];
  const run = cleanRun({ findings: [finding({ also: others }), finding()] });
  const parsed = JSON.parse(report('json', run, { ...options, rules } as Parameters<typeof report>[2]));
  validate(parsed);
  expect(validate.errors).toBeNull();
  const about = { rule: 'chart-owned-field', group: 'ownership', url: 'https://x.example/a' };
  expect(parsed.findings).toMatchObject([{ ...about, also: others }, about]);
  expect(parsed.findings[1]).not.toHaveProperty('also');
});

test('what decides and was not judged has its place, and stands before the rest', () => {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'n', name: 'a' };
  const findings = [
    finding({ rule: 'unverifiable-change', message: 'm', object, at: at('b.yaml', 7, 1, 2) }),
    finding(),
  ];
  const notChecked = [{ what: 'kind', why: 'unknown', count: 2, file: 'a.yaml' }];
  const parsed = JSON.parse(report('json', cleanRun({ findings, notChecked }), options));
  validate(parsed);
  expect(validate.errors).toBeNull();
  expect(parsed.notChecked).toEqual([
    { weight: 'decisive', what: 'ConfigMap "a"', why: 'm', count: 1, file: 'b.yaml', line: 7 },
    { weight: 'plain', what: 'kind', why: 'unknown', count: 2, file: 'a.yaml' },
  ]);
});

const fixOf = (text: string, files: Record<string, string>) => {
  const edits = [{ at: at('a.yaml', 1, 4, 5), text }];
  const findings = [finding({ fix: () => ({ title: 'mend', safe: false, edits }) })];
  return JSON.parse(report('json', cleanRun({ findings, sources: sources(files) }), options)).findings[0].fix;
};

test('a fix is told with its edits, unless it writes a secret', () => {
  const edit = { file: 'a.yaml', line: 1, column: 4, endLine: 1, endColumn: 5, text: 'c' };
  expect(fixOf('c', { 'a.yaml': 'a: b\n' })).toEqual({ title: 'mend', safe: false, edits: [edit] });
  expect(fixOf('c\npassword: d', { 'a.yaml': 'a: b\n' })).toBeUndefined();
});

test('what a server answered is told as it was', () => {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'n', name: 'a' };
  const about = { object, entrypoint: '.' };
  const dryRun = {
    ...{ cluster: 'prod', server: 'kind', version: 'v1.33', asked: 3, notes: ['a note'] },
    refused: [{ ...about, reason: 'invalid', message: 'no', expected: true }],
    conflicts: [{ ...about, manager: 'helm', path: ['data', 'x'] }],
    disagreements: [{ ...about, server: 'accepts', rule: 'schema-violation' }],
  } as const;
  const run = { ...cleanRun(), dryRun: [dryRun] } as unknown as Parameters<typeof report>[1];
  const parsed = JSON.parse(report('json', run, options));
  expect(parsed.dryRun).toEqual([dryRun]);
  validate(parsed);
  expect(validate.errors).toBeNull();
});

test('an ignored finding has its reason, and whether the change brought it', () => {
  const ignored = [{ finding: finding(), reason: 'agreed', expires: '2027-01-01', isNew: true }];
  const parsed = JSON.parse(report('json', cleanRun({ ignored }), options));
  expect(parsed.ignored).toMatchObject([{ reason: 'agreed', expires: '2027-01-01', isNew: true }]);
  expect(parsed.summary.ignored).toBe(1);
});
