/** What helm-controller makes of what the templates write, with its own post-renderer as a second opinion. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../src/core/model.js';
import { HelmEngine } from '../../src/engine/host/helm-engine.js';
import type { ChartResponse } from '../../src/engine/host/helm-protocol.js';
import { root } from '../support/cli.js';
import { packChart } from '../support/helm-command.js';
import { helmController, renderedByController, whyNoController } from '../support/helm-controller.js';
import { type ChartCase, chartCases, sourceOf } from './helm/charts.js';
import { type DocumentCase, documentCases } from './helm/documents.js';

const home = join(root, 'dist/engine');
let engine: HelmEngine;
beforeAll(async () => {
  engine = await HelmEngine.open(home);
});
afterAll(() => engine.close());

const release = { name: 'name', namespace: 'space', isUpgrade: true, revision: 1 };
const kubeVersion = 'v1.35.0';

async function render(one: ChartCase, postRender = true): Promise<ChartResponse> {
  const chart = await engine.load(one.name, sourceOf(one));
  if ('failed' in chart) return { failed: chart.failed, consulted: {} };
  const values = (one.values ?? {}) as JsonObject;
  const world = { kubeVersion, apiVersions: ['v1', 'apps/v1'], objects: [], chance: 0 };
  return engine.render(one.name, { release, values, ...world, postRender });
}

const chartOf = ({ name, text }: DocumentCase): ChartCase => ({
  name,
  files: {
    'Chart.yaml': 'apiVersion: v2\nname: it\nversion: 1.0.0\n',
    'out.txt': text,
    'templates/a.yaml': '{{ .Files.Get "out.txt" }}',
  },
});

const objectsIn = (response: ChartResponse) =>
  'objects' in response ? response.objects.filter(({ crd }) => !crd).map(({ object }) => object) : [];
const failureOf = (response: ChartResponse) => ('failed' in response ? response.failed : undefined);

describe('a template that writes', () => {
  test.each(documentCases.map((one) => [one.name, one] as const))('%s', async (_, one) => {
    const response = await render(chartOf(one));
    const failure = failureOf(response);
    if (one.refused === undefined) expect(failure).toBeUndefined();
    else {
      expect(failure?.message).toContain(one.refused);
      expect(['post-render', 'parse']).toContain(failure?.stage);
    }
    const objects = objectsIn(response);
    if (one.data) expect(objects[0]?.data).toEqual(one.data);
    if (one.names) expect(objects.map(({ metadata }) => (metadata as JsonObject).name)).toEqual(one.names);
  });
});

test('a refusal names the templates, both where two make the same object', async () => {
  const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n';
  const twice = {
    'Chart.yaml': 'apiVersion: v2\nname: it\nversion: 1.0.0\n',
    'templates/a.yaml': text,
    'templates/b.yaml': text,
  };
  const one: ChartCase = { name: 'twice', files: twice };
  const failure = failureOf(await render(one));
  expect(failure).toMatchObject({ stage: 'post-render', templates: ['it/templates/a.yaml', 'it/templates/b.yaml'] });
  // The Helm command has no such rule.
  expect(objectsIn(await render(one, false))).toHaveLength(2);
});

if (whyNoController) test.skip(`helm-controller agrees: skipped, as ${whyNoController}`, () => {});

(whyNoController ? describe.skip : describe)('helm-controller agrees', () => {
  beforeAll(() => {
    helmController();
  }, 1_200_000);

  const cases = [
    ...documentCases.map(chartOf),
    ...chartCases.filter(({ unlike, valuesFiles }) => !unlike && !valuesFiles),
  ];
  const isPrinted = new Set(documentCases.filter((one) => one.isPrinted).map(({ name }) => name));
  const plain = (text: string) => text.replace(/\s+/g, ' ').trim();

  test('on every template and every small chart, in the order of its objects and in its words', async () => {
    const archives = cases.map((one) => packChart(filesOf(one)));
    try {
      const requests = cases.map((one, index) => ({
        archive: archives[index]?.archive ?? '',
        name: release.name,
        namespace: release.namespace,
        values: (one.values ?? {}) as JsonObject,
        kubeVersion,
      }));
      for (const [index, theirs] of renderedByController(requests).entries()) {
        const one = cases[index] as ChartCase;
        const ours = await render(one);
        const failure = failureOf(ours);
        if (Array.isArray(theirs))
          expect({ name: one.name, objects: objectsIn(ours), failure }).toEqual({ name: one.name, objects: theirs });
        else if (isPrinted.has(one.name))
          expect(plain(theirs.failed)).toContain(plain(failure?.message ?? 'none').replace(/^.* on files: /, ''));
        else
          expect({ name: one.name, failed: plain(theirs.failed) }).toEqual({
            name: one.name,
            failed: plain(failure?.message ?? 'none'),
          });
      }
    } finally {
      for (const { remove } of archives) remove();
    }
  }, 300_000);
});

function filesOf(one: ChartCase) {
  const { files, libraries } = sourceOf(one);
  const below = libraries.flatMap(({ name, files }) =>
    files.map(({ path, bytes }) => ({ path: `charts/${name}/${path}`, bytes })),
  );
  return [...files, ...below];
}
