/**
 * The charts of Cozystack's releases as this module renders them beside the Helm command: every installed component, and seeded changes of
 * its values. The charts are not in this repository; without them it is one skipped test.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { renderPlatform } from '../../src/charts/platform.js';
import { type ComponentRelease, releasesOf } from '../../src/charts/releases.js';
import { ChartRenderer } from '../../src/charts/renderer.js';
import { type ChartStore, openChartFolder } from '../../src/charts/store.js';
import type { FieldPath, Json, JsonObject } from '../../src/core/model.js';
import { isObject, lookUp } from '../../src/core/object.js';
import { HelmEngine } from '../../src/engine/host/helm-engine.js';
import type { ChartResponse, RenderRequest } from '../../src/engine/host/helm-protocol.js';
import { leavesIn } from '../../src/simulate/changes.js';
import { packedFiles } from '../support/chart-files.js';
import { root } from '../support/cli.js';
import { helmCommand, helmTemplate, packChart, whyNoHelm } from '../support/helm-command.js';
import { helmController, renderedByController, whyNoController } from '../support/helm-controller.js';
import { randomOf } from '../support/random.mjs';
import { amount, isFull, seedOr } from '../support/sample.js';

const upstream = process.env.CUSTOMIZER_LINT_UPSTREAM ?? join(root, '../shared/upstream');
const releases = ['v1.5.4', 'v1.6.2', 'next'].filter((name) => existsSync(join(upstream, `packages-${name}.tar.xz`)));
const kubeVersion = 'v1.35.0';
const world = { kubeVersion, apiVersions: ['v1'], objects: [] };

const why = releases.length === 0 ? 'the charts of the releases are not here' : (whyNoHelm ?? whyNoController);
if (why) {
  test.skip(`the Helm command renders the charts of the releases alike: skipped, as ${why}`, () => {});
}

(why ? describe.skip : describe).each(releases.length > 0 ? releases : ['no release'])('%s', (name) => {
  let home: string;
  let store: ChartStore;
  let engine: HelmEngine;
  let renderer: ChartRenderer;
  let all: ComponentRelease[];
  let apiVersions: string[];

  beforeAll(async () => {
    helmCommand();
    helmController();
    home = mkdtempSync(join(tmpdir(), 'charts-'));
    execFileSync('tar', ['-xJf', join(upstream, `packages-${name}.tar.xz`), '-C', home]);
    store = openChartFolder(join(home, `packages-${name}`));
    engine = await HelmEngine.open(join(root, 'dist/engine'));
    renderer = new ChartRenderer(store, async () => engine);
    all = await installed(renderer);
    apiVersions = defaultVersions();
  }, 1_800_000);
  afterAll(async () => {
    await engine?.close();
    rmSync(home, { recursive: true, force: true });
  });

  test('every installed component', async () => {
    const random = randomOf(seedOr(7));
    const some = isFull() ? all : (random.shuffled(all) as ComponentRelease[]).slice(0, amount(0.75, all.length));
    const counts = { same: 0, random: 0, fail: 0 };
    for (const release of some) counts[await compare(release)]++;
    // Of all of them few are random, and next to none fails.
    expect(counts.same).toBeGreaterThan(some.length * 0.8 - 3);
  }, 1_800_000);

  test('changes of the values', async () => {
    const random = randomOf(seedOr(26));
    const count = amount(0.75, 170);
    const counts = { same: 0, random: 0, fail: 0 };
    for (let i = 0; i < count; i++) {
      counts[await compare(await changedRelease(random.below))]++;
    }
    expect(counts.same + counts.random + counts.fail).toBe(count);
    if (isFull()) expect(Math.min(counts.same, counts.fail)).toBeGreaterThan(5);
  }, 1_800_000);

  async function compare(release: ComponentRelease): Promise<'same' | 'random' | 'fail'> {
    const about = JSON.stringify([release.package, release.component, release.values]).slice(0, 2000);
    const { archive, remove } = packChart(packedFiles(store, release.chart));
    try {
      const theirs = helmTemplate(archive, { ...release, kubeVersion });
      const ours = await renderOf(release);
      if ('failed' in theirs) {
        expect({ about, ours }).toMatchObject({ ours: { failed: expect.anything() } });
        const { failed } = ours as Extract<ChartResponse, { failed: unknown }>;
        expect({ about, said: plain(theirs.failed) }).toEqual({
          about,
          said: expect.stringContaining(plain(failed.message).slice(0, 4000)),
        });
        return 'fail';
      }
      expect({ about, ours }).not.toMatchObject({ ours: { failed: expect.anything() } });
      const objects = objectsIn(await reread(theirs.text));
      const other = ours.consulted.random && (await renderOf(release, { chance: 1 }));
      const [mine, his] = [
        objectsIn(ours),
        other ? withoutChance(objectsIn(ours), objectsIn(other), objects) : objects,
      ];
      expect({ about, objects: texts(mine) }).toEqual({ about, objects: texts(his) });
      return other ? 'random' : 'same';
    } finally {
      remove();
    }
  }

  /** One of the releases with one of its values changed. */
  async function changedRelease(below: (count: number) => number): Promise<ComponentRelease> {
    const release = all[below(all.length)] as ComponentRelease;
    const chart = await renderer.load(release.chart);
    if ('failed' in chart) throw new Error(chart.failed.message);
    return { ...release, values: changed(chart.values, release.values, below) };
  }

  async function renderOf(
    { name, namespace, values, chart }: ComponentRelease,
    more: Partial<RenderRequest> = {},
  ): Promise<ChartResponse> {
    await renderer.load(chart);
    const release = { name, namespace, isUpgrade: true, revision: 1 };
    return engine.render(renderer.keyOf(chart), {
      release,
      values,
      ...world,
      apiVersions,
      chance: 0,
      definitions: true,
      ...more,
    });
  }

  test('as helm-controller renders them, in its order', async () => {
    const random = randomOf(seedOr(31));
    const some = isFull() ? [...all] : (random.shuffled(all) as ComponentRelease[]).slice(0, amount(2, all.length));
    const unchanged = some.length;
    for (let i = 0; i < amount(1, 170); i++) some.push(await changedRelease(random.below));
    const archives = some.map(({ chart }) => packChart(packedFiles(store, chart)));
    try {
      const requests = some.map(({ name, namespace, values }, index) => ({
        ...{ archive: archives[index]?.archive ?? '', name, namespace, values, kubeVersion },
      }));
      const counts = { same: 0, random: 0, fail: 0 };
      for (const [index, theirs] of renderedByController(requests).entries()) {
        const release = some[index] as ComponentRelease;
        const about = JSON.stringify([release.package, release.component, release.values]).slice(0, 2000);
        const ours = await renderOf(release, { postRender: true });
        if (!Array.isArray(theirs)) {
          const { failed } = ours as Extract<ChartResponse, { failed: unknown }>;
          expect({ about, said: plain(failed?.message ?? 'nothing') }).toEqual({ about, said: plain(theirs.failed) });
          counts.fail++;
          continue;
        }
        const other = ours.consulted.random && (await renderOf(release, { postRender: true, chance: 1 }));
        const his = other ? withoutChance(sent(ours), sent(other), theirs) : theirs;
        expect({ about, objects: sent(ours) }).toEqual({ about, objects: his });
        counts[other ? 'random' : 'same']++;
      }
      expect(counts.same).toBeGreaterThan(unchanged * 0.8 - 2);
      if (isFull()) expect(counts.fail).toBeGreaterThan(5);
    } finally {
      for (const { remove } of archives) remove();
    }
  }, 1_800_000);

  /** What the command printed, read by the same parser as our own objects. */
  async function reread(text: string): Promise<ChartResponse> {
    const bytes = (one: string) => Buffer.from(one);
    const files = [
      { path: 'Chart.yaml', bytes: bytes('apiVersion: v2\nname: printed\nversion: 1.0.0\n') },
      { path: 'templates/all.yaml', bytes: bytes('{{ .Files.Get "printed.yaml" }}') },
      ...pieces(text).map((piece, index) => ({
        path: index === 0 ? 'printed.yaml' : `printed-${index}.yaml`,
        bytes: bytes(piece),
      })),
    ];
    // A file of a chart may have 5 MiB.
    files[1] = {
      path: 'templates/all.yaml',
      bytes: bytes(
        files
          .slice(2)
          .map(({ path }) => `{{ .Files.Get ${JSON.stringify(path)} }}`)
          .join(''),
      ),
    };
    await engine.load('printed', { files, libraries: [], valuesFiles: [] });
    const release = { name: 'x', namespace: 'x', isUpgrade: true, revision: 1 };
    return engine.render('printed', { release, values: {}, ...world, chance: 0, definitions: true });
  }

  function defaultVersions(): string[] {
    const files = [
      { path: 'Chart.yaml', bytes: Buffer.from('apiVersion: v2\nname: versions\nversion: 1.0.0\n') },
      { path: 'templates/a.yaml', bytes: Buffer.from('a: {{ .Capabilities.APIVersions | toJson }}\n') },
    ];
    const { archive, remove } = packChart(files);
    const printed = helmTemplate(archive, { name: 'x', namespace: 'x', values: {}, kubeVersion });
    remove();
    return JSON.parse(/^a: (.*)$/m.exec('text' in printed ? printed.text : '')?.[1] ?? '[]') as string[];
  }
});

async function installed(renderer: ChartRenderer): Promise<ComponentRelease[]> {
  const values = { publishing: { host: 'example.org' } };
  const platform = await renderPlatform(renderer, { variant: 'isp-full', values }, world);
  if ('failed' in platform) throw new Error(platform.failed.message);
  return [...platform.sources].flatMap(([name, source]) => {
    const variants = (lookUp(source, ['spec', 'variants']) as JsonObject[]).map(({ name: variant }) => String(variant));
    const components = lookUp(platform.packages.get(name) ?? {}, ['spec', 'components']) ?? {};
    return variants.flatMap((variant) =>
      releasesOf({ package: name, value: { spec: { variant, components } }, source }, platform.clusterValues),
    );
  });
}

/** One leaf of the defaults gets another value: of its type, of another one, none; or a key that is one off. */
function changed(defaults: JsonObject, values: JsonObject, random: (below: number) => number): JsonObject {
  const leaves: FieldPath[] = [...leavesIn(defaults).values()];
  const leaf = leaves[random(leaves.length)] ?? ['extra'];
  const before = lookUp(defaults, leaf) ?? null;
  const others: Json[] = [another(before), 'text', 3, true, null, [], {}, ['a'], { a: 1 }];
  const path = random(8) === 0 ? [...leaf.slice(0, -1), `${leaf.at(-1)}s`] : random(8) === 0 ? leaf.slice(1) : leaf;
  return withValue(
    values,
    path.length > 0 ? path : ['extra'],
    others[random(2) === 0 ? 0 : random(others.length)] ?? null,
  );
}

function another(value: Json): Json {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'string') return `${value}x`;
  return Array.isArray(value) ? [...value, { name: 'extra', value: 'more' }] : { extra: 'more' };
}

function withValue(object: JsonObject, [step, ...rest]: FieldPath, value: Json): JsonObject {
  const key = String(step);
  const inner = object[key];
  return { ...object, [key]: rest.length === 0 ? value : withValue(isObject(inner) ? inner : {}, rest, value) };
}

/** Without definitions of `crds/`, which helm-controller applies by itself. */
const sent = (response: ChartResponse): JsonObject[] =>
  'objects' in response ? response.objects.filter(({ crd }) => !crd).map(({ object }) => object) : [];

const objectsIn = (response: ChartResponse): JsonObject[] =>
  'objects' in response ? response.objects.map(({ object }) => object) : [{ failed: response.failed.message }];

const texts = (objects: readonly JsonObject[]) => objects.map((object) => JSON.stringify(sortKeys(object))).sort();

/** Their objects, with ours in the place of what another chance changes in ours. */
function withoutChance(ours: JsonObject[], other: JsonObject[], theirs: JsonObject[]): JsonObject[] {
  return theirs.map((object, index) => {
    const at = ours.findIndex((one) => idOf(one) === idOf(object));
    const [mine, changed] = [ours[at < 0 ? index : at], other[at < 0 ? index : at]];
    return mine && changed ? (masked(mine, changed, object) as JsonObject) : object;
  });
}

const idOf = ({ apiVersion, kind, metadata }: JsonObject) =>
  [apiVersion, kind, ...(isObject(metadata) ? [metadata.namespace, metadata.name] : [])].join(' ');

function masked(ours: Json, other: Json, theirs: Json): Json {
  if (JSON.stringify(ours) === JSON.stringify(other)) return theirs;
  if (isObject(ours) && isObject(other) && isObject(theirs)) {
    const entries = Object.entries(theirs).map(([key, value]): [string, Json] => {
      const [mine, changed] = [ours[key], other[key]];
      return [key, mine === undefined || changed === undefined ? value : masked(mine, changed, value)];
    });
    return Object.fromEntries(entries);
  }
  if (Array.isArray(ours) && Array.isArray(other) && Array.isArray(theirs) && ours.length === theirs.length)
    return theirs.map((value, index) => masked(ours[index] ?? null, other[index] ?? null, value));
  return ours;
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortKeys(inner)]));
}

/** Without what the command adds, and line ends that it trims. */
const plain = (text: string) =>
  text
    .replace(/^Error: /, '')
    .replace(/\n+Use --debug[\s\S]*$/, '')
    .replace(/[ \n]+/g, ' ')
    .trim();

/** Of at most 4 MiB, cut between documents. */
function pieces(text: string): string[] {
  const found = [''];
  for (const document of text.split(/^(?=---\n)/m)) {
    if ((found.at(-1) ?? '').length + document.length > 4 << 20) found.push('');
    found[found.length - 1] += document;
  }
  return found;
}
