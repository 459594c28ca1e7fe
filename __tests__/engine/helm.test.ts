/** Charts as Helm renders them: small ones with what is known of them, and the Helm command as a second opinion. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { hasGo } from '../../src/build/go.mjs';
import { Budget } from '../../src/engine/host/budget.js';
import { HelmEngine } from '../../src/engine/host/helm-engine.js';
import type { ChartResponse, RenderRequest } from '../../src/engine/host/helm-protocol.js';
import { root } from '../support/cli.js';
import { helmTemplate, packChart } from '../support/helm-command.js';
import { type ChartCase, chartCases, sourceOf } from './helm/charts.js';

const home = join(root, 'dist/engine');
let engine: HelmEngine;
beforeAll(async () => {
  engine = await HelmEngine.open(home);
});
afterAll(() => engine.close());

const request: RenderRequest = {
  release: { name: 'name', namespace: 'space', isUpgrade: true, revision: 1 },
  values: {},
  kubeVersion: 'v1.35.0',
  apiVersions: ['v1', 'apps/v1'],
  objects: [],
  chance: 0,
};

async function render(one: ChartCase, more: Partial<RenderRequest> = {}): Promise<ChartResponse> {
  const chart = await engine.load(one.name, sourceOf(one));
  if ('failed' in chart) return { failed: chart.failed, consulted: {} };
  return engine.render(one.name, { ...request, values: (one.values ?? {}) as RenderRequest['values'], ...more });
}

const objectsIn = (response: ChartResponse) => ('objects' in response ? response.objects : []);

describe('a chart with', () => {
  test.each(chartCases.map((one) => [one.name, one] as const))('%s', async (_, one) => {
    const response = await render(one);
    if (one.fails) {
      expect(response).toHaveProperty('failed');
      const { failed } = response as Extract<ChartResponse, { failed: unknown }>;
      expect(failed.stage).toBe(one.fails.stage);
      if (one.fails.own) expect(failed.own).toBe(one.fails.own);
      if (one.fails.message) expect(failed.message).toContain(one.fails.message);
      if (one.fails.line)
        expect(failed.frames?.at(-1)).toMatchObject({ line: one.fails.line, template: one.fails.template });
      return;
    }
    expect(response).not.toHaveProperty('failed');
    const objects = objectsIn(response);
    if (one.kinds) expect(objects.map(({ object }) => object.kind)).toEqual(one.kinds);
    if (one.data) {
      const it = objects.find(({ object }) => (object.metadata as { name?: string }).name === 'it');
      expect(it?.object.data).toEqual(one.data);
    }
    if (one.consulted) expect(response.consulted).toEqual(one.consulted);
  });
});

test('a hook has its events, and a definition of crds/ is told', async () => {
  const one = chartCases.find(({ files }) => 'crds/c.yaml' in files) as ChartCase;
  const objects = objectsIn(await render(one));
  expect(objects.filter(({ crd }) => crd).map(({ template }) => template)).toEqual(['it/crds/c.yaml']);
  expect(objects.filter(({ hook }) => hook).map(({ hook }) => hook)).toEqual([['pre-upgrade', 'post-install']]);
});

test('lookup finds the objects that are given, alone and as a list', async () => {
  const one = chartCases.find(({ name }) => name.startsWith('lookup')) as ChartCase;
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'there', namespace: 'here' }, data: 'found' };
  const [{ object } = { object: undefined }] = objectsIn(await render(one, { objects: [secret] }));
  expect(object?.data).toEqual({ a: 'found', l: '3' });
});

test('with another chance all that is random is another, and nothing else', async () => {
  const one = chartCases.find(({ name }) => name.startsWith('chance')) as ChartCase;
  const [first, again, other] = [await render(one), await render(one), await render(one, { chance: 1 })];
  expect(again).toEqual(first);
  const data = (response: ChartResponse) => Object.entries(objectsIn(response)[0]?.object.data ?? {});
  expect(data(other).filter(([key, value]) => Object.fromEntries(data(first))[key] === value)).toEqual([]);
});

describe('a chart that does harm', () => {
  const evil = (template: string, more: Record<string, string> = {}): ChartCase => ({
    name: template,
    files: { 'Chart.yaml': 'apiVersion: v2\nname: it\nversion: 1.0.0\n', 'templates/a.yaml': template, ...more },
  });

  test.each([
    [
      'writes without end',
      '{{ range until 100000 }}{{ range until 1000 }}aaaaaaaaaaaaaaaaaaaa{{ end }}{{ end }}',
      'limit',
    ],
    ['includes itself', '{{ define "a" }}{{ include "a" . }}{{ end }}{{ include "a" . }}', 'render'],
    ['renders itself by tpl', '{{ $t := "{{ tpl . . }}" }}{{ tpl $t $t }}', 'limit'],
    ['repeats a text too often', '{{ repeat 1000000000 "aaaaaaaaaa" }}', 'render'],
    ['wants a list without end', '{{ until 1000000000 | len }}', 'render'],
    ['wants numbers without end', '{{ seq 1 1000000000 | len }}', 'render'],
    ['indents by a billion', '{{ "a" | indent 1000000000 }}', 'render'],
    ['wants a billion letters', '{{ randAlphaNum 1000000000 | len }}', 'render'],
    [
      'doubles a text by each step',
      '{{ $a := "aaaaaaaaaa" }}{{ range until 40 }}{{ $a = printf "%s%s" $a $a }}{{ end }}',
      'render',
    ],
  ])(
    '%s',
    async (_, template, stage) => {
      const response = await render(evil(template));
      expect(response).toMatchObject({ failed: { stage } });
      // And goes on.
      expect(objectsIn(await render(chartCases[0] as ChartCase))).toHaveLength(1);
    },
    60_000,
  );

  test('has names that lead out of it', async () => {
    for (const path of ['../up.yaml', '/etc/passwd', 'templates/../../up.yaml']) {
      const chart = await engine.load('out', sourceOf(evil('', { [path]: 'a' })));
      expect(chart).toMatchObject({ failed: { stage: 'load', message: expect.stringContaining('outside') } });
    }
  });

  test('has values that are a bomb', async () => {
    const bomb = [
      'a0: &a0 [x,x,x,x,x,x,x,x,x,x]',
      ...Array.from({ length: 12 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i},`.repeat(10)}]`),
    ].join('\n');
    const chart = await engine.load('bomb', sourceOf(evil('', { 'values.yaml': bomb })));
    expect(chart).toMatchObject({ failed: { stage: 'load' } });
  });

  test('never ends: the time that a run may take is', async () => {
    const own = await HelmEngine.open(home, new Budget({ seconds: 2, bytes: 2 ** 31 }));
    const one = evil('{{ range 9000000000000000000 }}{{ end }}');
    await own.load(one.name, sourceOf(one));
    await expect(own.render(one.name, request)).rejects.toThrow('rendering a chart stopped: the 2 s for the whole run');
    await own.close();
  }, 60_000);
});

(hasGo() ? describe : describe.skip)('the Helm command agrees (skipped where Go is not installed)', () => {
  const files = (one: ChartCase) => {
    const { files: own, libraries } = sourceOf(one);
    const below = libraries.flatMap(({ name, files }) =>
      files.map(({ path, bytes }) => ({ path: `charts/${name}/${path}`, bytes })),
    );
    return [...own, ...below];
  };

  test.each(
    chartCases.filter(({ unlike, valuesFiles }) => !unlike && !valuesFiles).map((one) => [one.name, one] as const),
  )(
    '%s',
    async (_, one) => {
      const { archive, remove } = packChart(files(one));
      try {
        const { release, kubeVersion } = request;
        const theirs = helmTemplate(archive, { ...release, values: one.values ?? {}, kubeVersion });
        const ours = await render(one);
        if ('failed' in theirs) {
          expect(ours).toHaveProperty('failed');
          expect(theirs.failed).toContain((ours as Extract<ChartResponse, { failed: unknown }>).failed.message);
          return;
        }
        const texts = theirs.text.split(/^---\n/m).map((text) => parse(text, { version: '1.1' }));
        const flat = texts.flatMap((object) => object?.items ?? (object ? [object] : []));
        const sorted = (objects: unknown[]) => objects.map((object) => JSON.stringify(object, null, 1)).sort();
        expect(sorted(objectsIn(ours).map(({ object }) => sortKeys(object)))).toEqual(sorted(flat.map(sortKeys)));
      } finally {
        remove();
      }
    },
    120_000,
  );
});

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([k, v]) => [k, sortKeys(v)]),
  );
}
