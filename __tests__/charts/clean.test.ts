/** Clean repositories with the charts of real releases: nothing is reported of them either. Without the charts it is one skipped test. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { root } from '../support/cli.js';
import { runHere } from '../support/here.js';
import { someOf } from '../support/sample.js';

const upstream = process.env.CUSTOMIZER_LINT_UPSTREAM ?? join(root, '../shared/upstream');
const release = 'v1.6.2';
const archive = join(upstream, `packages-${release}.tar.xz`);
const clean = join(root, '__tests__/clean');
const names = readdirSync(clean).filter((name) => !name.endsWith('.base'));
const isOfCharts = (rule: string) =>
  /^chart-(?:fails|deletes)$|^immutable-chart-field$|^value-without-effect$/.test(rule);

if (!existsSync(archive))
  test.skip('clean repositories stay clean with charts: skipped, as the charts are not here', () => {});

(existsSync(archive) ? describe : describe.skip)(`with the charts of ${release}`, () => {
  let home: string;
  beforeAll(() => {
    home = mkdtempSync(join(tmpdir(), 'charts-'));
    execFileSync('tar', ['-xJf', archive, '-C', home]);
  }, 60_000);
  afterAll(() => rmSync(home, { recursive: true }));

  test.each(someOf(names, 60))(
    'nothing is reported of %s',
    async (name) => {
      const base = existsSync(join(clean, `${name}.base`)) ? ['--base', join(clean, `${name}.base`)] : [];
      const charts = ['--charts', join(home, `packages-${release}`)];
      const { stdout } = await runHere(['check', join(clean, name), ...base, ...charts, '--format', 'json']);
      const { findings, stages } = JSON.parse(stdout) as {
        findings: { rule: string; message: string; file: string }[];
        stages: { name: string; ran: boolean }[];
      };
      expect(findings.filter(({ rule }) => isOfCharts(rule))).toEqual([]);
      expect(stages).toContainEqual({ name: 'charts', ran: true });
    },
    120_000,
  );
});
