/** What `npm run audit` makes of the reports of npm and govulncheck, which need a network of their own. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { acceptedIn, faultsOf, ofGo, ofNpm } from '../../src/build/audit.mjs';
import { root } from '../support/cli.js';
import { createRepo, removeRepo } from '../support/trees.js';

const planted: string[] = [];
afterAll(() => planted.forEach(removeRepo));

/** As npm 10 prints it: what depends on `tar` names it, and the advisory stands with `tar` itself. */
const npm = JSON.stringify({
  auditReportVersion: 2,
  vulnerabilities: {
    pacote: { name: 'pacote', severity: 'high', via: ['tar'], effects: [], range: '*' },
    tar: {
      name: 'tar',
      severity: 'high',
      via: [
        { source: 1, name: 'tar', title: 'Writes elsewhere', url: 'https://github.com/advisories/GHSA-aaaa-bbbb-cccc' },
      ],
    },
  },
});

/** As govulncheck 1.1 prints it: a finding of the module, one of the package, and one of what is called. */
const go = [
  { config: { protocol_version: 'v1.0.0', scanner_name: 'govulncheck' } },
  { osv: { id: 'GO-2026-0001', summary: 'Loops' } },
  { osv: { id: 'GO-2026-0002', summary: 'Is not called' } },
  { finding: { osv: 'GO-2026-0002', trace: [{ module: 'example.org/b', version: 'v1.0.0' }] } },
  {
    finding: { osv: 'GO-2026-0001', trace: [{ module: 'example.org/a', version: 'v1.0.0', package: 'example.org/a' }] },
  },
  {
    finding: { osv: 'GO-2026-0001', trace: [{ module: 'example.org/a', package: 'example.org/a', function: 'Read' }] },
  },
]
  .map((message) => JSON.stringify(message, undefined, 2))
  .join('\n');

const inTar = { id: 'GHSA-aaaa-bbbb-cccc', package: 'tar', title: 'Writes elsewhere' };
const inA = { id: 'GO-2026-0001', package: 'example.org/a', title: 'Loops' };

test('advisories are read of both, and of Go those of what is called', () => {
  expect(ofNpm(npm)).toEqual([inTar]);
  expect(ofGo(go)).toEqual([inA]);
});

test('what is no report is no clean one', () => {
  expect(() => ofNpm('{"message": "405 Method Not Allowed"}')).toThrow('npm audit printed no report');
  expect(() => ofGo('')).toThrow('govulncheck printed no report');
});

describe('an advisory', () => {
  const reason = 'Only its server is affected, which is not linked';
  const accepted = (more = {}) => [{ id: inTar.id, package: 'tar', reason, until: '2026-12-31', ...more }];

  test.each<[string, object[], number]>([
    ['is a fault', [], 1],
    ['is none once it was looked at', accepted(), 0],
    ['is one again after the day, and so is the entry', accepted({ until: '2026-10-01' }), 2],
    ['is one in another package', accepted({ package: 'fs-tar' }), 1],
  ])('%s', (_, entries, count) => {
    expect(faultsOf([inTar], entries, '2026-11-01')).toHaveLength(count);
  });

  test('is not accepted without a reason and a day', () => {
    const text = (entry: object) => JSON.stringify({ accepted: [entry] });
    expect(acceptedIn(text(accepted()[0] as object))).toHaveLength(1);
    for (const key of ['id', 'package', 'reason', 'until'])
      expect(() => acceptedIn(text({ ...accepted()[0], [key]: '' }))).toThrow('an entry needs');
  });
});

test('those of the project are whole', () => {
  expect(() => acceptedIn(readFileSync(join(root, '.github/audit.yaml'), 'utf8'))).not.toThrow();
});

test('the command fails on what nobody has looked at, and names it', () => {
  const script = join(root, 'src/build/audit.mjs');
  const run = (files: Record<string, string>) => {
    const folder = createRepo(files);
    planted.push(folder);
    const { status, stdout } = spawnSync(process.execPath, [script, '--from', folder], { encoding: 'utf8' });
    return { status, stdout };
  };
  expect(run({ 'npm.json': npm, 'engine.go.json': go })).toEqual({
    status: 1,
    stdout: `${inTar.id} in tar: Writes elsewhere\n${inA.id} in example.org/a: Loops\n2 advisories, 2 to look at\n`,
  });
  const nothing = JSON.stringify({ auditReportVersion: 2, vulnerabilities: {} });
  expect(run({ 'npm.json': nothing })).toEqual({ status: 0, stdout: '0 advisories, 0 to look at\n' });
});
