/**
 * Repositories made to hurt: each must end with a report that says what is wrong, within 60 s and 1 GiB, and neither show
 * nor change anything that lies outside the repository. Everything runs as a user runs it, all formats at once, on every Node
 * that is promised. CI takes a sample of them; FULL=1 runs all.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cli, root } from '../../support/cli.js';
import { inFormats } from '../../support/formats.js';
import { runMeasured } from '../../support/measured.js';
import { nodes } from '../../support/nodes.js';
import { sampleOf } from '../../support/sample.js';
import { configMap, createRepo, type Files, removeRepo } from '../../support/trees.js';
import { growing } from './growth.js';
import { oldTrees } from './shapes.js';

const canary = 'CANARY-9f2c1e7a';
let outside: string;

beforeAll(() => {
  outside = createRepo({ 'secret.yaml': configMap('outside', { canary }), 'plain.txt': canary });
});
afterAll(() => removeRepo(outside));

const trees: Record<string, () => Files> = { ...oldTrees(() => outside), ...growing };

/** Of each tree the exit status, and the rules that report something. */
const expected = JSON.parse(readFileSync(join(root, '__tests__/end-to-end/hostile/expected.json'), 'utf8')) as Record<
  string,
  { status: number; rules: string[] }
>;

const formats = ['json', 'text', 'markdown', 'sarif'];

test('the table is as long as promised, and of every tree is said what is expected', () => {
  expect(Object.keys(trees).length).toBeGreaterThanOrEqual(69 + 60);
  expect(Object.keys(expected).sort()).toEqual(Object.keys(trees).sort());
});

const all = nodes.flatMap((node) => Object.keys(trees).map((name) => ({ ...node, tree: name })));
const { rows, description, passed } = sampleOf(all, {
  name: 'hostile',
  seed: 19,
  size: 2,
  key: ({ name, tree }) => `${name}: ${tree}`,
  classOf: ({ name }) => name,
});

describe(description, () => {
  test.each(rows)(
    '$tree, under $name',
    async (row) => {
      const folder = createRepo((trees[row.tree] as () => Files)());
      const before = readdirSync(folder, { recursive: true }).sort();
      try {
        // A few seconds where the machine has nothing else to do: only what never ends is ended.
        const limits = { seconds: 240, mebibytes: 1024 };
        const measured = async (args: readonly string[]) => {
          const outcome = await runMeasured(row.path, [cli, ...args], limits);
          return { ...outcome, stdout: outcome.output, stderr: '' };
        };
        const { status, signal, stdout: output, peakMiB } = await inFormats(measured, formats, ['check', folder]);
        // Where the work cannot be done, there is a sentence in place of a report.
        const rules = status === 2 ? [] : rulesOf(reportIn(output));
        if (status === 2) expect(output).toMatch(/^customizer-lint: \S.*$/m);
        else expect(output).toContain('"$schema": "https://json.schemastore.org/sarif-2.1.0.json"');
        expect({ signal, status, rules, peakMiB: peakMiB <= 1024 ? 'enough' : peakMiB }).toEqual({
          signal: null,
          ...expected[row.tree],
          peakMiB: 'enough',
        });
        expect(output).not.toContain(canary);
        expect(output).not.toMatch(/pwned$|root:x:0|^::/m);
        expect(readdirSync(folder, { recursive: true }).sort()).toEqual(before);
        expect(readdirSync(outside).sort()).toEqual(['plain.txt', 'secret.yaml']);
        passed(row);
      } finally {
        removeRepo(folder);
      }
    },
    300_000,
  );
});

type Report = { findings: { rule: string }[] };

/** The first of the reports, which are written one behind the other. Throws where there is none. */
function reportIn(output: string): Report {
  const start = output.indexOf('{\n');
  const end = output.indexOf('\n}\n');
  if (start < 0 || end < 0) throw new Error(`no report: ${output.slice(0, 1000)}`);
  return JSON.parse(output.slice(start, end + 2)) as Report;
}

function rulesOf({ findings }: Report): string[] {
  return [...new Set(findings.map(({ rule }) => rule))].sort();
}
