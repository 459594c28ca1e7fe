import { expect, test } from '@jest/globals';
import type { Finding, Run } from '../../src/core/model.js';
import { report } from '../../src/report/index.js';
import { at, cleanRun, finding, hostile } from './runs.js';

const options = { color: false, quiet: false };

function commands(run: Run, annotationLimit?: number): string[] {
  const change = annotationLimit === undefined ? {} : { annotationLimit };
  return report('github', run, { ...options, ...change })
    .split('\n')
    .slice(0, -1);
}

/** As the runner reads a command (actions/runner, ActionCommand.TryParseV2). */
function parse(line: string) {
  const [, info = '', data = ''] = /^::(.*?)::(.*)$/.exec(line) ?? [];
  const [level = '', ...rest] = info.split(' ');
  const decode = (text: string) =>
    text
      .replaceAll('%0D', '\r')
      .replaceAll('%0A', '\n')
      .replaceAll('%3A', ':')
      .replaceAll('%2C', ',')
      .replaceAll('%25', '%');
  const pairs = rest
    .join(' ')
    .split(',')
    .map((pair) => [pair.slice(0, pair.indexOf('=')), decode(pair.slice(pair.indexOf('=') + 1))]);
  return { level, properties: Object.fromEntries(pairs), message: decode(data) };
}

function first(change: Partial<Finding>) {
  return parse(commands(cleanRun({ findings: [finding(change)] }))[0] ?? '');
}

test.each<[string, Partial<Finding>, Record<string, string>]>([
  ['a line', {}, { file: 'packages/metallb.yaml', line: '7', endLine: '7', col: '3', endColumn: '10' }],
  [
    'several lines',
    { at: { ...at('a.yaml', 7, 3, 10), range: { start: { line: 7, column: 3 }, end: { line: 9, column: 2 } } } },
    { file: 'a.yaml', line: '7', endLine: '9' },
  ],
  [
    'several lines, the last not begun',
    { at: { ...at('a.yaml', 7, 3, 10), range: { start: { line: 7, column: 3 }, end: { line: 9, column: 1 } } } },
    { file: 'a.yaml', line: '7', endLine: '8' },
  ],
  ['a file', { precision: 'file' }, { file: 'packages/metallb.yaml' }],
  ['a line of the base', { at: at('a.yaml', 7, 3, 10, 'base') }, {}],
  [
    'a hostile file',
    { at: at('a,b:c%d', 1, 1, 2) },
    { file: 'a,b:c%d', line: '1', endLine: '1', col: '1', endColumn: '2' },
  ],
])('the properties for %s', (_, change, expected) => {
  expect(first(change).properties).toEqual({ ...expected, title: 'chart-owned-field' });
});

test('a hostile message stays a message', () => {
  const { level, message } = first({ message: hostile, entrypoints: [], severity: 'warning' });
  expect(level).toBe('warning');
  expect(message).toContain('x\\n::error::forged ##\\[add-mask]y');
});

test('the line of the base is in the message', () => {
  expect(first({ at: at('a.yaml', 7, 3, 10, 'base') }).message).toContain('(a.yaml:7; before this change)');
});

test('a message is cut where the runner cuts it, with an ellipsis', () => {
  const { message } = first({ message: 'x'.repeat(5000) });
  expect(message).toHaveLength(4096);
  expect(message.endsWith('…')).toBe(true);
});

test('ten of each level are shown, new ones first, and the rest is counted', () => {
  const findings = (['notice', 'warning', 'error'] as const).flatMap((severity) =>
    Array.from({ length: 12 }, (_, index) => finding({ severity, isNew: index === 11, message: `${index}` })),
  );
  const parsed = commands(cleanRun({ findings })).map(parse);
  const count = (level: string) => parsed.filter((command) => command.level === level).length;
  expect([count('error'), count('warning'), count('notice')]).toEqual([10, 10, 10]);
  expect(parsed[0]?.message.startsWith('11\n')).toBe(true);
  expect(parsed.at(-1)?.message).toContain('7 more findings in the job summary and the log');
});

test('the limit can be lower', () => {
  const findings = Array.from({ length: 5 }, () => finding());
  expect(commands(cleanRun({ findings }), 2)).toHaveLength(3);
});

test('nothing is said where there is nothing to say', () => {
  expect(commands(cleanRun())).toEqual([]);
});

test('what was not checked is said even when nothing was found', () => {
  const stages: Run['stages'] = [{ name: 'cluster', ran: false, why: 'no kubeconfig given' }];
  expect(commands(cleanRun({ stages })).map(parse)).toEqual([
    {
      level: 'notice',
      properties: { title: 'customizer-lint' },
      message:
        'No problems found in 57 objects from 2 entrypoints; not everything could be checked\nNot run: cluster: no kubeconfig given',
    },
  ]);
});

test('what else is known of a finding follows, a line each', () => {
  const related = [{ message: 'there', at: at('b.yaml', 2, 1, 3) }];
  const assumes = [{ name: 'variant', value: 'isp-full', source: 'assumed' } as const];
  const { message } = first({ message: 'wrong', help: 'mend it', related, assumes, precision: 'parent' });
  expect(message.split('\n')).toEqual([
    'wrong (the nearest parent that is written)',
    'help: mend it',
    'seen from: clusters/prod',
    'assumes: platform variant isp-full',
    'b.yaml:2: there',
  ]);
  expect(first({ message: 'wrong', entrypoints: [] }).message).toBe('wrong');
});

test('a file whose name cannot be seen is told in words', () => {
  const { message, properties } = first({ at: at('a\u202eb.yaml', 7, 1, 2), message: 'wrong' });
  expect(properties).toEqual({ title: 'chart-owned-field' });
  expect(message).toContain('wrong (a\\u202eb.yaml:7)');
});

test('a title is cut at 255', () => {
  expect(first({ rule: 'x'.repeat(255) }).properties.title).toBe('x'.repeat(255));
  expect(first({ rule: 'x'.repeat(256) }).properties.title).toBe(`${'x'.repeat(254)}…`);
});

test('nine notices are shown, as the tenth is ours', () => {
  const run = cleanRun({ findings: Array.from({ length: 9 }, () => finding({ severity: 'notice' })) });
  expect(commands(run)).toHaveLength(9);
});

test.each([
  ['error', 0, 0],
  ['notice', 0, 0],
  ['notice', 1, 0],
  ['error', 1, 1],
] as const)('of two, %s, a limit of %d shows %d', (severity, limit, shown) => {
  const all = commands(cleanRun({ findings: [finding({ severity }), finding({ severity })] }), limit).map(parse);
  expect(all).toHaveLength(shown + 1);
  const left = shown === 1 ? '1 more finding in' : '2 more findings in';
  expect(all.at(-1)?.message).toContain(left);
});

test('what a review comment shows needs no annotation', () => {
  const findings = [finding({ fingerprint: 'a' }), finding({ fingerprint: 'b', rule: 'plain-secret' })];
  const printed = report('github', cleanRun({ findings }), { ...options, shown: new Set(['a']) });
  expect(printed.trimEnd().split('\n').map(parse)).toMatchObject([{ properties: { title: 'plain-secret' } }]);
});
