/** Charts as Helm renders them: small ones with what is known of them, and the Helm command as a second opinion. */
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { Budget } from '../../src/engine/host/budget.js';
import { HelmEngine } from '../../src/engine/host/helm-engine.js';
import type { ChartResponse, RenderRequest } from '../../src/engine/host/helm-protocol.js';
import { root } from '../support/cli.js';
import { helmCommand, helmTemplate, packChart, whyNoHelm } from '../support/helm-command.js';
import { isLong } from '../support/sample.js';
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
  definitions: true,
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

const doubled = (step: string) => `{{ $a := "aaaaaaaa" }}{{ range until 40 }}{{ $a = ${step} }}{{ end }}{{ len $a }}`;

test('a template that calls itself fails with the words that Helm has outside WebAssembly', async () => {
  const files = {
    'Chart.yaml': 'apiVersion: v2\nname: it\nversion: 1.0.0\n',
    'templates/a.yaml': '{{ define "a" }}{{ template "a" . }}{{ end }}{{ template "a" . }}',
  };
  const response = await render({ name: 'calls itself', files });
  expect('failed' in response && response.failed.message).toContain('exceeded maximum template depth (100000)');
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
    ['repeats a text too often', '{{ repeat 1000000000 "aaaaaaaaaa" }}', 'limit'],
    ['wants a list without end', '{{ until 1000000000 | len }}', 'limit'],
    ['wants numbers without end', '{{ seq 1 1000000000 | len }}', 'limit'],
    ['indents by a billion', '{{ "a" | indent 1000000000 }}', 'limit'],
    ['wants a billion letters', '{{ randAlphaNum 1000000000 | len }}', 'limit'],
    [
      'doubles a text by each step',
      '{{ $a := "aaaaaaaaaa" }}{{ range until 40 }}{{ $a = printf "%s%s" $a $a }}{{ end }}',
      'limit',
    ],
    ['doubles a text by print', doubled('print $a $a'), 'limit'],
    ['doubles a text by cat', doubled('cat $a $a'), 'limit'],
    ['replaces a letter by eight', doubled('replace "a" "aaaaaaaa" $a'), 'limit'],
    ['joins itself', doubled('join $a (list 1 2 3)'), 'limit'],
    ['doubles a list', '{{ $l := list 1 2 }}{{ range until 40 }}{{ $l = concat $l $l }}{{ end }}', 'limit'],
    [
      'wants steps that leave all numbers',
      '{{ untilStep 0 9223372036854775807 9223372036854775806 | len }}',
      'post-render',
    ],
    [
      'includes templates in a circle',
      `${Array.from({ length: 60 }, (_, i) => `{{ define "a${i}" }}{{ include "a${(i + 1) % 60}" . }}{{ end }}`).join('')}{{ include "a0" . }}`,
      'limit',
    ],
    ['writes lists in lists', 'a: {{ repeat 9000 "[" }}{{ repeat 9000 "]" }}', 'limit'],
    ['writes maps in maps', 'a: {{ repeat 9000 "{a: " }}1{{ repeat 9000 "}" }}', 'limit'],
    ['nests parentheses', `{{ ${'('.repeat(20_000)}1${')'.repeat(20_000)} }}`, 'render'],
  ])(
    '%s',
    async (_, template, stage) => {
      const response = await render(evil(template), { postRender: true });
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

  test.each([
    ['lists in lists', `a: ${'['.repeat(9000)}${']'.repeat(9000)}`],
    ['maps in maps', Array.from({ length: 3000 }, (_, i) => `${' '.repeat(i)}a:`).join('\n')],
  ])('has values that are %s', async (_, values) => {
    const chart = await engine.load('deep', sourceOf(evil('', { 'values.yaml': values })));
    expect(chart).toMatchObject({ failed: { stage: 'limit', message: expect.stringContaining('max depth') } });
  });

  test('has Chart.yaml that is a bomb', async () => {
    const bomb = [
      'annotations:\n  a0: &a0 [x,x,x,x,x,x,x,x,x,x]',
      ...Array.from({ length: 12 }, (_, i) => `  a${i + 1}: &a${i + 1} [${`*a${i},`.repeat(10)}]`),
    ].join('\n');
    const meta = `apiVersion: v2\nname: it\nversion: 1.0.0\n${bomb}\n`;
    const chart = await engine.load('bomb', sourceOf(evil('', { 'Chart.yaml': meta })));
    expect(chart).toMatchObject({ failed: { stage: 'load', message: expect.stringContaining('aliasing') } });
  });

  (isLong() ? test : test.skip)(
    'is an archive of much, of archives, or of very many files',
    async () => {
      const meta = ['it/Chart.yaml', Buffer.from('apiVersion: v2\nname: it\nversion: 1.0.0\n')] as const;
      const large = (count: number) =>
        Array.from({ length: count }, (_, i) => [`it/f${i}`, Buffer.alloc((5 << 20) - 1)] as const);
      const inner = archiveOf([meta, ...large(19)]);
      const archives = Array.from({ length: 6 }, (_, i) => [`it/charts/a${i}.tgz`, inner] as const);
      const many = Array.from({ length: 60_000 }, (_, i) => [`it/f${i}`, Buffer.alloc(0)] as const);
      for (const [files, stage] of [
        [large(30), 'load'],
        [archives, 'limit'],
        [many, 'limit'],
      ] as const) {
        const chart = await engine.load('archive', { archive: archiveOf([meta, ...files]) });
        expect(chart).toMatchObject({ failed: { stage } });
      }
    },
    60_000,
  );

  test('never ends: the time that a chart may take does', async () => {
    const own = await HelmEngine.open(home, new Budget({ seconds: 2, bytes: 2 ** 31 }));
    const one = evil('{{ range 9000000000000000000 }}{{ end }}');
    await own.load(one.name, sourceOf(one));
    await expect(own.render(one.name, request)).rejects.toThrow(
      'rendering a chart stopped: it takes more than 0.5 s, 25 % of the whole run’s',
    );
    await own.close();
  }, 60_000);
});

/** A packed chart: files in tar, packed by gzip. */
function archiveOf(files: readonly (readonly [name: string, bytes: Buffer])[]): Buffer {
  const parts = files.flatMap(([name, bytes]) => {
    const head = Buffer.alloc(512);
    const octal = (value: number, length: number) => `${value.toString(8).padStart(length - 1, '0')}\0`;
    head.write(name);
    head.write(octal(0o644, 8), 100);
    head.write(octal(bytes.length, 12), 124);
    head.write(octal(0, 12), 136);
    head.write('        0', 148);
    head.write('ustar\x0000', 257);
    head.write(
      `${octal(
        head.reduce((sum, byte) => sum + byte, 0),
        7,
      )} `,
      148,
    );
    return [head, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
  });
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(1024)]));
}

test('a packed chart is loaded as its files are', async () => {
  const one = chartCases.find(({ name }) => name.startsWith('capabilities')) as ChartCase;
  const files = Object.entries(one.files).map(([name, text]) => [`any/${name}`, Buffer.from(text)] as const);
  const ofFiles = await engine.load('files', sourceOf(one));
  expect(await engine.load('archive', { archive: archiveOf(files) })).toEqual(ofFiles);
  expect(await engine.render('archive', request)).toEqual(await engine.render('files', request));
});

test('the defaults of a dependency stand below its alias, whatever switches it off', async () => {
  const meta = (name: string, more = '') => `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n${more}`;
  const dependencies = 'dependencies:\n- {name: sub, version: 1.0.0, alias: twin, condition: twin.enabled}\n';
  const files = {
    'Chart.yaml': meta('it', dependencies),
    'values.yaml': 'twin: {enabled: false, own: 1}\n',
    'charts/sub/Chart.yaml': meta('sub'),
    'charts/sub/values.yaml': 'own: 2\nmore: 3\n',
  };
  const chart = await engine.load('alias', sourceOf({ name: 'alias', files }));
  expect(chart).toMatchObject({ values: { twin: { enabled: false, own: 1, more: 3 } } });
});

test('what a template changes of an object that it has looked up stays with it', async () => {
  const template =
    '{{ $_ := set (lookup "v1" "Secret" "here" "there") "data" "changed" }}a: {{ (lookup "v1" "Secret" "here" "there").data }}';
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'there', namespace: 'here' }, data: 'found' };
  const meta = 'apiVersion: v2\nname: it\nversion: 1.0.0\n';
  const one: ChartCase = { name: 'set', files: { 'Chart.yaml': meta, 'templates/a.yaml': template } };
  expect(objectsIn(await render(one, { objects: [secret] }))[0]?.object).toEqual({ a: 'found' });
});

test('what does not fit a schema is told in the same order each time', async () => {
  const names = [...'abcdefghij'];
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  const schema = JSON.stringify({ additionalProperties: false, properties });
  const meta = 'apiVersion: v2\nname: it\nversion: 1.0.0\n';
  const values = Object.fromEntries([...names, 'x', 'y', 'z'].map((name) => [name, 1]));
  const one: ChartCase = { name: 'schema', files: { 'Chart.yaml': meta, 'values.schema.json': schema }, values };
  const said = [];
  for (let i = 0; i < 5; i++) said.push(await render(one));
  expect(new Set(said.map((response) => JSON.stringify(response))).size).toBe(1);
  expect(JSON.stringify(said[0])).toContain("additional properties 'x', 'y', 'z'");
});

if (whyNoHelm) test.skip(`the Helm command agrees: skipped, as ${whyNoHelm}`, () => {});

(whyNoHelm ? describe.skip : describe)('the Helm command agrees', () => {
  beforeAll(() => {
    helmCommand();
  }, 1_200_000);

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
