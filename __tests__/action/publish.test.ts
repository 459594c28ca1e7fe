/** The report of another workflow's run is data that a stranger may have made. */
import { symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { marked } from 'marked';
import { readReport } from '../../src/action/publish.js';
import { UsageError } from '../../src/core/model.js';
import { commentText } from '../../src/review/comment.js';
import { rules } from '../../src/rules/index.js';
import { alone } from '../review/topics.js';
import { root, runCli } from '../support/cli.js';
import { runAction } from '../support/runner.js';
import { createRepo, removeRepo } from '../support/trees.js';

const folder = createRepo({});
afterAll(() => removeRepo(folder));

type Report = { findings: Record<string, unknown>[] } & Record<string, unknown>;
let report: Report;
beforeAll(async () => {
  report = JSON.parse((await runCli(['check', '__tests__/examples/broken', '--format', 'json'])).stdout) as Report;
});

function read(content: unknown) {
  const file = join(folder, 'report.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return readReport(file, root);
}

test('every finding of a real report is told in our own words, at its own line', () => {
  const run = read(report);
  expect(run.findings.map(({ rule, at }) => [rule, at.file, at.range.start.line])).toEqual(
    report.findings.map(({ rule, file, line }) => [rule, file, line]),
  );
  for (const { rule, message } of run.findings) {
    const summary = rules.find(({ id }) => id === rule)?.summary ?? '?';
    expect(message.toLowerCase()).toContain(summary.toLowerCase());
  }
});

test('a finding is about its object and its field, as far as it has them', () => {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', name: 'c' };
  const { object: _, ...first } = report.findings[0] ?? {};
  const told = (more: Record<string, unknown>) =>
    read({ ...report, findings: [{ ...first, ...more }] }).findings[0]?.message ?? '';
  const summary = told({ field: [] });
  expect(summary).not.toContain('"');
  expect(told({ field: [], object })).toBe(`${summary} ("ConfigMap c")`);
  expect(told({ field: ['data', 'a'] })).toBe(`${summary} ("data.a")`);
  expect(told({ field: ['data', 'a'], object })).toBe(`${summary} ("ConfigMap c", "data.a")`);
});

test('a finding is known by its place, its field and its identity, and rests on nothing else', () => {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', name: 'c', namespace: 'd' };
  const summary = rules.find(({ id }) => id === 'dead-patch')?.summary ?? '';
  const reported = {
    ...{ rule: 'dead-patch', severity: 'warning', message: 'x', file: 'a.yaml', side: 'base', precision: 'parent' },
    ...{ line: 1, column: 2, endLine: 3, endColumn: 4, field: ['data'], fingerprint: 'f'.repeat(32), isNew: false },
  };
  const template = report.findings[0] ?? {};
  const { findings } = read({ ...report, findings: [{ ...template, ...reported, object }] });
  expect(findings).toStrictEqual([
    {
      ...{ rule: 'dead-patch', severity: 'warning', precision: 'parent', fingerprint: 'f'.repeat(32), isNew: false },
      message: `${summary.charAt(0).toUpperCase()}${summary.slice(1)} ("ConfigMap c", "data")`,
      at: { revision: 'base', file: 'a.yaml', range: { start: { line: 1, column: 2 }, end: { line: 3, column: 4 } } },
      ...{ field: ['data'], object, related: [], entrypoints: [], assumes: [] },
    },
  ]);
  const { isNew: _, ...unknown } = { ...template, ...reported, object };
  expect(read({ ...report, findings: [unknown] }).findings[0]).not.toHaveProperty('isNew');
});

test('a name, or a field, that is long is cut to 200 characters', () => {
  const [first] = report.findings;
  const object = { apiVersion: 'v1', kind: 'A', name: 'n'.repeat(300) };
  const field = ['f'.repeat(300)];
  const [found] = read({ ...report, findings: [{ ...first, object, field }] }).findings;
  expect(found?.message).toMatch(/ \("A n{197}…", "f{199}…"\)$/);
});

test('nothing else is taken over, and nobody is told of a source that is not here', () => {
  const run = read(report);
  expect(run).toMatchObject({
    ...{ ignored: [], policy: [], entrypoints: [], facts: [], worlds: [], stages: [], notChecked: [], published: true },
    tool: { name: 'customizer-lint' },
  });
  const { sources } = run;
  expect([sources.text('head', 'a'), sources.has('head', 'a'), sources.secrets('head', 'a')]).toEqual([
    undefined,
    true,
    {},
  ]);
});

test('nothing is printed while a report is read', () => {
  const warned = jest.spyOn(console, 'warn').mockImplementation(() => {});
  try {
    read(report);
    expect(warned).not.toHaveBeenCalled();
  } finally {
    warned.mockRestore();
  }
});

test('nothing of the report’s own words reaches a comment outside a quotation', () => {
  const hostile = '@team ::error::x <img src=x> [a](https://evil.example) `` --> ```suggestion\nrm -rf\n``` \u202e';
  const forged = report.findings.map((finding) => ({
    ...finding,
    message: hostile,
    help: hostile,
    field: [hostile],
    object: { apiVersion: hostile, kind: hostile, name: hostile },
    related: [{ message: hostile, ...place }],
  }));
  const run = read({ ...report, findings: forged });
  for (const finding of run.findings) {
    const { text } = commentText(
      run,
      alone(finding),
      { kind: 'line', path: 'a', side: 'RIGHT', line: 1 },
      {
        url: () => undefined,
        suggestion: () => undefined,
      },
    );
    const outside = (marked.parse(text, { async: false }) as string).replace(/<code[\s\S]*?<\/code>/g, '');
    expect(outside).not.toMatch(/@team|evil|<img|<a |rm -rf|-->/);
    expect(text).not.toMatch(/^`{3,}/m);
  }
});

const place = { file: 'a', line: 1, column: 1, endLine: 1, endColumn: 1, side: 'head' };

describe('refused', () => {
  test.each<[string, () => unknown]>([
    ['no JSON', () => '{'],
    ['no report', () => ({ findings: [] })],
    ['a field that is not there', () => ({ ...report, more: 1 })],
    ['a line that is no number', () => ({ ...report, findings: [{ ...report.findings[0], line: '1' }] })],
    ['a severity of its own', () => ({ ...report, findings: [{ ...report.findings[0], severity: 'fatal' }] })],
  ])('%s', (_, content) => {
    expect(() => read(content())).toThrow(UsageError);
  });

  test('a report of more than 16 MiB, though one of as much is read', () => {
    const padded = JSON.stringify(report).padEnd(16 << 20);
    expect(read(padded).findings.length).toBe(report.findings.length);
    expect(() => read(`${padded} `)).toThrow('is larger than a report can be');
  });

  test('what is not there', () => {
    const missing = join(folder, 'missing.json');
    expect(() => readReport(missing, root)).toThrow(new UsageError(`there is no report "${missing}"`));
  });

  test('a link', () => {
    const link = join(folder, 'link.json');
    symlinkSync('/etc/hostname', link);
    expect(() => readReport(link, root)).toThrow('there is no report');
  });
});

test('rules that we do not have, and more findings than anybody reads, are left out and counted', () => {
  const [first] = report.findings;
  const many = Array.from({ length: 1500 }, (_, index) => ({ ...first, fingerprint: String(index).padStart(32, '0') }));
  const run = read({ ...report, findings: [{ ...first, rule: 'constructor' }, ...many] });
  expect(run.findings.length).toBe(999);
  const said = { what: 'findings of the report', why: 'too many, of unknown rules, or there twice' };
  expect(run.notChecked).toEqual([{ ...said, count: 502 }]);
  expect(read({ ...report, findings: [first, first] }).findings).toHaveLength(1);
  const one = read({ ...report, findings: [{ ...first, rule: 'constructor', fingerprint: 'f'.repeat(32) }, first] });
  expect([one.findings.length, one.notChecked]).toEqual([1, [{ ...said, count: 1 }]]);
});

test('no annotation is printed: it would stand on the last commit of the default branch, with a stranger’s paths and texts', async () => {
  const server = createServer((_, response) => response.setHeader('content-type', 'application/json').end('[]'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const workspace = createRepo({ 'report.json': JSON.stringify(report) });
  try {
    const payload = {
      workflow_run: {
        head_sha: 'a'.repeat(40),
        head_branch: 'topic',
        head_repository: { full_name: 'someone/r', owner: { login: 'someone' } },
      },
    };
    const { status, log, annotations, summary } = await runAction(
      workspace,
      { publish: 'report.json', token: 'ghs_x' },
      process.execPath,
      { name: 'workflow_run', payload },
      { GITHUB_REPOSITORY: 'o/r', GITHUB_API_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
    );
    expect({ status, log }).toEqual({ status: 0, log: expect.stringContaining('no open pull request') });
    expect(summary).toContain(String(report.findings[0]?.rule));
    const levels = ['error', 'warning', 'notice', 'debug'];
    expect(annotations.filter(({ command }) => levels.includes(command))).toEqual([]);
  } finally {
    server.close();
    removeRepo(workspace);
  }
});
