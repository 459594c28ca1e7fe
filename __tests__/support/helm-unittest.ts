/** The runner of charts' unit tests, helm-unittest, as a second opinion (helm-unittest/main.go). */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { goEnv, hasGo } from '../../src/build/go.mjs';
import type { JsonObject } from '../../src/core/model.js';
import { root } from './cli.js';
import { isLong } from './sample.js';

/** A suite file and its chart, or one test of it. */
export type UnitTestRequest = {
  chart: string;
  file: string;
  suite?: number;
  test?: number;
  /** Rendered ones, by their full names, in the place of those of the chart. */
  templates?: Record<string, string>;
};

export type UnitTest = {
  suite: number;
  test: number;
  name: string;
  skipped: boolean;
  passed: boolean;
  why?: string;
  /** What Helm says, where it does not render the chart for a reason that is in no template. */
  failed?: string;
  chartName: string;
  values: JsonObject;
  release: { name: string; namespace: string; isUpgrade: boolean; revision: number };
  kubeVersion: string;
  apiVersions: string[] | null;
  objects: JsonObject[] | null;
  /** The chart's, for this test. */
  chartVersion?: string;
  /** The full names of the templates that it looks at, and of partials. */
  kept: string[];
  /** Those that Helm loads. */
  files: string[];
  /** `apiVersion kind namespace name` of what Helm renders, by template, in their order there. */
  documents: Record<string, string[]>;
};

/** Of each request the tests, or why there are none. */
export function unitTests(requests: readonly UnitTestRequest[]): ({ cases: UnitTest[] } | { error: string })[] {
  const { stdout, status, stderr } = spawnSync(helmUnittest(), {
    input: requests.map((request) => JSON.stringify(request)).join('\n'),
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    env: {},
  });
  if (status !== 0) throw new Error(stderr);
  const answers = stdout.split('\n').filter(Boolean);
  return answers.map((line) => {
    const { cases, error } = JSON.parse(line) as { cases: UnitTest[] | null; error?: string };
    return error === undefined ? { cases: cases ?? [] } : { error };
  });
}

const source = join(root, '__tests__/support/helm-unittest');
const texts = ['main.go', 'go.mod', 'go.sum'].map((name) => readFileSync(join(source, name), 'utf8'));
const file = join(
  root,
  '.cache/bin',
  `helm-unittest-${createHash('sha256').update(texts.join('')).digest('hex').slice(0, 12)}`,
);

/** Why it is not asked, where that is so: the short run neither waits for a build, nor has the time. */
export const whyNoUnittest = !hasGo()
  ? 'Go is not installed'
  : isLong()
    ? undefined
    : 'only npm test -- --samples=6 has the time';

/** Its file. It is built once for each text that it has, which takes a minute or two. */
function helmUnittest(): string {
  if (existsSync(file)) return file;
  // Two suites may build it at once.
  const own = `${file}-${process.pid}`;
  execFileSync('go', ['build', '-p=2', '-o', own, '.'], { cwd: source, env: goEnv(), stdio: 'inherit' });
  renameSync(own, file);
  return file;
}
