/** The runner of charts' unit tests, helm-unittest, as a second opinion (helm-unittest/main.go). */
import { hasGo } from '../../src/build/go.mjs';
import type { JsonObject } from '../../src/core/model.js';
import { GoProgram } from './go-program.js';
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
  return program
    .ask<{ cases: UnitTest[] | null; error?: string }>(requests)
    .map(({ cases, error }) => (error === undefined ? { cases: cases ?? [] } : { error }));
}

const program = new GoProgram('helm-unittest');

/** Why it is not asked, where that is so: the short run neither waits for a build, nor has the time. */
export const whyNoUnittest = !hasGo()
  ? 'Go is not installed'
  : isLong()
    ? undefined
    : 'only npm test -- --samples=5 has the time';
