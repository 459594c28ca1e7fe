/** The schemas that others read: where they are found, with which version, and the entry by which SchemaStore hands one to editors. */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formatsOf from 'ajv-formats';
import { minimatch } from 'minimatch';
import { configFile } from '../../src/config/config.js';
import { root } from '../support/cli.js';

const json = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));
const major = json('package.json').version.split('.')[0];

describe.each(['config', 'report', 'charts'])('the schema of %s', (name) => {
  const path = `schemas/${name}.schema.json`;
  const schema = json(path);

  test('says where it is, below the tag of the major version', () => {
    expect(schema.$id).toBe(`https://raw.githubusercontent.com/cozystack/customizer-lint/v${major}/${path}`);
    expect(schema.title).not.toBe('');
    expect(schema.description).not.toBe('');
  });

  test('is one that a strict reader takes', () => {
    const reader = schema.$schema.includes('2020-12') ? Ajv2020 : Ajv;
    expect(() => new reader({ strict: true, allowUnionTypes: true }).compile(schema)).not.toThrow();
  });
});

test('a report names the version of its format, which its schema pins', () => {
  expect(json('schemas/report.schema.json').properties.version.const).toBe(1);
});

describe('the entry for SchemaStore', () => {
  const entry = json('src/build/schemastore.json');

  /** An item of `schemas` in SchemaStore's catalog (src/schemas/json/schema-catalog.json there, draft 04). */
  const item = {
    type: 'object',
    additionalProperties: false,
    required: ['name', 'url', 'description'],
    properties: {
      name: { type: 'string' },
      description: { type: 'string' },
      fileMatch: { type: 'array', uniqueItems: true, items: { type: 'string' } },
      url: { type: 'string', format: 'uri', pattern: '^https://' },
      versions: { type: 'object', additionalProperties: { type: 'string', format: 'uri', pattern: '^https://' } },
    },
  };

  test('is one that the catalog takes', () => {
    const ajv = new Ajv({ strict: true });
    (formatsOf as unknown as (one: Ajv) => void)(ajv);
    const validate = ajv.compile(item);
    expect([validate(entry), validate.errors]).toEqual([true, null]);
  });

  test('leads to the schema of the configuration, of the file that is read and of no other', () => {
    expect(entry.url).toBe(json('schemas/config.schema.json').$id);
    const matches = (path: string) =>
      entry.fileMatch.some((glob: string) => minimatch(basename(path), glob, { dot: true }));
    expect(matches(configFile)).toBe(true);
    expect(matches(`clusters/${configFile}`)).toBe(true);
    // That one is a mistake, which the linter reports.
    expect(matches('.customizer-lint.yml')).toBe(false);
  });
});
