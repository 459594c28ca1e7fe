import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { report } from '../../src/report/index.js';
import { cleanRun, hostile, richRun } from './runs.js';

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
