/** The report of another workflow's run: any file is read, or refused as a report; what is read does no harm in any format. */
import { join } from 'node:path';
import fc from 'fast-check';
import { readReport } from '../../src/action/publish.js';
import { UsageError } from '../../src/core/model.js';
import { formats, report } from '../../src/report/index.js';
import { root } from '../support/cli.js';
import { createRepo, removeRepo } from '../support/trees.js';
import type { Target } from './target.js';

const hostile = fc.oneof(
  fc.constantFrom(
    '::error::x',
    '\n::error::x',
    '\r\n##[add-mask]x',
    '\u001b[31m',
    '``` \n',
    '<img src=x>',
    '__proto__',
    '../../etc/passwd',
    '/etc/passwd',
    '\u202e',
    '\u2028::error::x',
    '|',
    ']]>',
    '%0A::error::',
    '',
    '@team',
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
);
const number = fc.oneof(fc.nat({ max: 100 }), fc.integer(), fc.constantFrom(0, -1, 1e21, 2 ** 53));
const finding = fc.record(
  {
    rule: fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom('chart-owned-field', 'dead-patch', 'invalid-value') },
      hostile,
    ),
    severity: fc.constantFrom('error', 'warning', 'notice'),
    message: hostile,
    help: hostile,
    file: hostile,
    line: number,
    column: number,
    endLine: number,
    endColumn: number,
    side: fc.constantFrom('head', 'base'),
    precision: fc.constantFrom('exact', 'parent', 'file'),
    field: fc.array(fc.oneof(hostile, fc.nat()), { maxLength: 3 }),
    object: fc.record(
      { apiVersion: hostile, kind: hostile, name: hostile, namespace: hostile },
      { requiredKeys: ['apiVersion', 'kind', 'name'] },
    ),
    fingerprint: hostile,
    isNew: fc.boolean(),
    related: fc.constant([]),
    entrypoints: fc.array(hostile, { maxLength: 2 }),
    assumes: fc.constant([]),
  },
  {
    requiredKeys: [
      'rule',
      'severity',
      'message',
      'file',
      'line',
      'column',
      'endLine',
      'endColumn',
      'side',
      'precision',
      'field',
      'fingerprint',
      'related',
      'entrypoints',
    ],
  },
);
const whole = fc.array(finding, { maxLength: 4 }).map((findings) => ({
  version: 1,
  tool: { name: 'customizer-lint', version: '0.1.0' },
  summary: { errors: 0, warnings: 0, notices: 0, ignored: 0, entrypoints: 0, objects: 0 },
  findings,
  ignored: [],
  policy: [],
  entrypoints: [],
  facts: [],
  stages: [],
  notChecked: [],
}));
const text = fc.oneof(
  { weight: 6, arbitrary: whole.map((one) => JSON.stringify(one)) },
  { weight: 1, arbitrary: fc.tuple(whole, fc.nat()).map(([one, at]) => JSON.stringify(one).slice(0, at % 900)) },
  { weight: 1, arbitrary: fc.json() },
  {
    weight: 1,
    arbitrary: fc
      .tuple(whole, fc.json())
      .map(([one, extra]) => JSON.stringify(one).replace('{', `{"__proto__":${extra},"constructor":${extra},`)),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
);

export const reports: Target<string> = {
  name: 'report reading',
  inputs: text,
  runs: 60,
  check(input) {
    const folder = createRepo({ 'report.json': input });
    const keys = Object.getOwnPropertyNames(Object.prototype).length;
    try {
      const run = readReport(join(folder, 'report.json'), root);
      for (const format of formats)
        expectHarmless(format, report(format, run, { color: false, quiet: false }), run.findings.length);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
    } finally {
      removeRepo(folder);
    }
    if (Object.getOwnPropertyNames(Object.prototype).length !== keys) throw new Error('Object.prototype is changed');
  },
};

function expectHarmless(format: string, output: string, findings: number) {
  if (format === 'text' || format === 'github') {
    const controls = [...output].filter((char) => char < ' ' && char !== '\n');
    if (controls.length > 0) throw new Error(`${format}: control characters ${JSON.stringify(controls)}`);
  }
  const commands = output.split(/[\n\r\u2028\u2029\u0085]/).filter((line) => /^\s*::|##\[/.test(line));
  if (commands.length > (format === 'github' ? findings + 1 : 0))
    throw new Error(`${format}: ${commands.length} workflow commands`);
}
