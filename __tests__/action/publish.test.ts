/** The report of another workflow's run is data that a stranger may have made. */
import { symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { marked } from 'marked';
import { readReport } from '../../src/action/publish.js';
import { UsageError } from '../../src/core/model.js';
import { commentText } from '../../src/review/comment.js';
import { rules } from '../../src/rules/index.js';
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
    const text = commentText(
      run,
      finding,
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

  test('a link', () => {
    const link = join(folder, 'link.json');
    symlinkSync('/etc/hostname', link);
    expect(() => readReport(link, root)).toThrow('there is no report');
  });
});

test('rules that we do not have, and more findings than anybody reads, are left out and counted', () => {
  const [first] = report.findings;
  const many = Array.from({ length: 1500 }, () => first);
  const run = read({ ...report, findings: [{ ...first, rule: 'constructor' }, ...many] });
  expect(run.findings.length).toBe(999);
  expect(run.notChecked).toEqual([expect.objectContaining({ count: 502 })]);
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
