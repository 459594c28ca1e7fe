/**
 * Upstream's own unit tests of its charts as a second reference: what the runner (helm-unittest) says of the chart, it has to say of what this
 * module renders. The charts are not in this repository; without them it is one skipped test.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { HelmEngine } from '../../src/engine/host/helm-engine.js';
import type { ChartFailure, ChartObject, ChartResponse } from '../../src/engine/host/helm-protocol.js';
import { root } from '../support/cli.js';
import { type UnitTest, unitTests, whyNoUnittest } from '../support/helm-unittest.js';
import { someOf } from '../support/sample.js';

const upstream = process.env.CUSTOMIZER_LINT_UPSTREAM ?? join(root, '../shared/upstream');
const release = 'v1.6.2';
const packages = join(upstream, `packages-${release}.tar.xz`);

const why = existsSync(packages) ? whyNoUnittest : 'the charts of the release are not here';
if (why) test.skip(`unit tests of charts pass with what is rendered here: skipped, as ${why}`, () => {});

(why ? describe.skip : describe)(`the unit tests of ${release}`, () => {
  let home: string;
  let engine: HelmEngine;
  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'charts-'));
    execFileSync('tar', ['-xJf', packages, '-C', home]);
    engine = await HelmEngine.open(join(root, 'dist/engine'));
  }, 120_000);
  afterAll(async () => {
    await engine?.close();
    rmSync(home, { recursive: true, force: true });
  });

  test('that pass with the chart pass with what is rendered here', async () => {
    const folder = join(home, `packages-${release}`);
    const files = someOf(testFiles(folder), 72);
    const counts = { files: files.length, passed: 0, failed: 0, skipped: 0, same: 0, ofNotes: 0 };
    const differences: object[] = [];
    const answers = unitTests(files.map((name) => ({ chart: chartOf(join(folder, name)), file: join(folder, name) })));
    for (const [index, name] of files.entries()) {
      const answer = answers[index];
      const file = join(folder, name);
      const cases = answer && 'cases' in answer ? answer.cases : [];
      for (const one of cases) counts[one.skipped ? 'skipped' : one.passed ? 'passed' : 'failed']++;
      const passed = cases.filter((one) => one.passed && !one.skipped);
      for (const one of passed) {
        const difference = await differenceOf(file, one);
        if (difference === undefined) counts.same++;
        else if (isOfNotes(difference)) counts.ofNotes++;
        else differences.push({ file: name, test: one.name, difference });
      }
    }
    process.stderr.write(`unit tests of charts: ${JSON.stringify(counts)}\n`);
    expect(differences).toEqual([]);
    expect(counts.ofNotes).toBeLessThan(5);
    expect(counts.passed).toBeGreaterThan(files.length);
  }, 3_600_000);

  /** Undefined where it passes. */
  async function differenceOf(file: string, one: UnitTest): Promise<unknown> {
    const response = await renderOf(chartOf(file), one);
    if (one.failed !== undefined)
      return 'failed' in response && plain(response.failed.message) === plain(one.failed)
        ? undefined
        : { theirs: one.failed, ours: 'failed' in response ? response.failed.message : 'rendered' };
    const templates = 'failed' in response ? failing(response.failed, one) : literal(response.objects, one);
    const [answer] = unitTests([{ chart: chartOf(file), file, suite: one.suite, test: one.test, templates }]);
    if (!answer || 'error' in answer) return answer;
    const [judged] = answer.cases;
    return judged?.passed ? undefined : judged?.why;
  }

  /** With nothing but the templates that the test looks at, as the runner does. */
  async function renderOf(chart: string, one: UnitTest): Promise<ChartResponse> {
    const kept = new Set(one.kept);
    const files = one.files
      .filter(
        (name) => !/^(?:charts\/[^/]+\/)*templates\//.test(name) || kept.has(fullName(chart, name, one.chartName)),
      )
      .map((path) => ({ path, bytes: bytesOf(join(chart, path), one) }));
    const loaded = await engine.load('chart', { files, libraries: [], valuesFiles: [] });
    if ('failed' in loaded) return { failed: loaded.failed, consulted: {} };
    const { release, values, kubeVersion } = one;
    const more = { apiVersions: one.apiVersions ?? [], objects: one.objects ?? [], chance: 0 };
    return engine.render('chart', { release, values, kubeVersion, ...more });
  }
});

/** Relative to the folder; those of the runner itself, `tests/*_test.yaml` of a chart, and what lies deeper. */
function testFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\/tests\/.*_test\.yaml$/.test(name))
    .sort();
}

function chartOf(file: string): string {
  const folder = dirname(file);
  return existsSync(join(folder, 'Chart.yaml')) ? folder : chartOf(folder);
}

/** Templates that say what was rendered, in the order that the documents have in their templates; Helm sorts them by kind. */
function literal(objects: readonly ChartObject[], { kept, documents }: UnitTest): Record<string, string> {
  const templates: Record<string, string[]> = {};
  for (const name of kept) if (!basename(name).startsWith('_')) templates[name] = [];
  const placed = objects
    .filter(({ crd }) => !crd)
    .map(({ template, object }) => ({ template, object, place: placeOf(object, documents[template] ?? []) }))
    .sort((one, other) => one.place - other.place);
  for (const { template, object } of placed) {
    templates[template] ??= [];
    templates[template].push(JSON.stringify(object));
  }
  return Object.fromEntries(
    Object.entries(templates).map(([name, texts]) => [name, texts.join('\n---\n').replaceAll('{{', '{{ "{{" }}')]),
  );
}

function placeOf(object: ChartObject['object'], ids: string[]): number {
  const { name, namespace } = (object.metadata ?? {}) as Record<string, unknown>;
  const id = [object.apiVersion, object.kind, namespace, name].map((one) => one ?? '<nil>').join(' ');
  const place = ids.indexOf(id);
  // The next one of the same name is another.
  if (place >= 0) ids[place] = '';
  return place >= 0 ? place : ids.length;
}

/** A template that fails as the chart did, at the same place; the runner reads both from Helm's message. */
function failing({ message }: ChartFailure, { kept }: UnitTest): Record<string, string> {
  const [, at, words] = /^(?:.+?: |.+? \()(.+?):\d+:\d+.+?: (.+)$/s.exec(message) ?? [];
  const names = kept.filter((name) => !basename(name).startsWith('_'));
  const place = at ?? names[0] ?? '';
  // Of a message of several lines the runner takes all but the first.
  const text = words === undefined || message.includes('\n') ? message : words;
  const empty = names.map((name) => [name, ''] as const);
  return { ...Object.fromEntries(empty), [place]: `{{ fail ${JSON.stringify(text)} }}` };
}

/** As Helm names a template: by the names of charts, not of their folders. */
function fullName(chart: string, file: string, name: string): string {
  const [folder, own, ...rest] = file.split('/');
  if (folder !== 'charts' || own === undefined) return `${name}/${file}`;
  const below = join(chart, folder, own);
  const { name: inner } = parse(readFileSync(join(below, 'Chart.yaml'), 'utf8')) as { name: string };
  return fullName(below, rest.join('/'), `${name}/charts/${inner}`);
}

/**
 * A file of a chart, with the version that the test gives it. The runner has Kubernetes 1.20 where a test says nothing, and does not ask
 * whether the chart wants it.
 */
function bytesOf(file: string, { chartVersion }: UnitTest): Uint8Array {
  const bytes = readFileSync(file);
  if (basename(file) !== 'Chart.yaml') return bytes;
  const text = bytes.toString().replace(/^kubeVersion:.*$/m, '');
  return Buffer.from(chartVersion === undefined ? text : text.replace(/^version:.*$/m, `version: ${chartVersion}`));
}

/** Whether it is about the text of NOTES.txt alone, which is no object. */
function isOfNotes(difference: unknown): boolean {
  const failed = String(difference).match(/`\w+` fail/g) ?? [];
  return failed.length > 0 && failed.every((one) => /Raw` fail/.test(one));
}

const plain = (text: string) => text.replace(/[ \n]+/g, ' ').trim();
