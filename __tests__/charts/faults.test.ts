/**
 * Seeded faults in the values of real charts: the right rule, on the right line, and nothing else of a chart. Without the charts it is one
 * skipped test. What makes a chart fail is tried out with the Helm module alone; where, is known as it was put there.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { renderPlatform } from '../../src/charts/platform.js';
import { type ComponentRelease, merged, releasesOf } from '../../src/charts/releases.js';
import { ChartRenderer, type ChartWorld } from '../../src/charts/renderer.js';
import { openChartFolder } from '../../src/charts/store.js';
import type { FieldPath, Json, JsonObject } from '../../src/core/model.js';
import { isObject, lookUp } from '../../src/core/object.js';
import { loadSchemas } from '../../src/cozystack/schemas.js';
import { leavesIn } from '../../src/simulate/changes.js';
import { root } from '../support/cli.js';
import { runHere } from '../support/here.js';
import { randomOf } from '../support/random.mjs';
import { amount, seedOr } from '../support/sample.js';
import { createRepo, kustomization, removeRepo } from '../support/trees.js';

// After here.ts, which takes the place of what it starts.
const { HelmEngine } = await import('../../src/engine/host/helm-engine.js');

const upstream = process.env.CUSTOMIZER_LINT_UPSTREAM ?? join(root, '../shared/upstream');
const release = 'v1.6.2';
const archive = join(upstream, `packages-${release}.tar.xz`);
const ofCharts = /^chart-(?:fails|deletes)$|^immutable-chart-field$|^value-without-effect$/;

type Fault = { release: ComponentRelease; path: FieldPath; value: Json; rule: string; severity: string };

if (!existsSync(archive)) test.skip('seeded faults are found: skipped, as the charts are not here', () => {});

(existsSync(archive) ? describe : describe.skip)('seeded faults', () => {
  let home: string;
  let renderer: ChartRenderer;
  let all: ComponentRelease[];
  let world: ChartWorld;

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'charts-'));
    execFileSync('tar', ['-xJf', archive, '-C', home]);
    const store = openChartFolder(join(home, `packages-${release}`));
    renderer = new ChartRenderer(store, () => HelmEngine.open(join(root, 'dist/engine')));
    const apiVersions = loadSchemas(join(root, 'schemas'), release).served();
    world = { kubeVersion: 'v1.35.0', apiVersions, objects: [] };
    const platform = await renderPlatform(renderer, { variant: 'isp-full', values: {} }, world);
    if ('failed' in platform) throw new Error(platform.failed.message);
    // Those that the platform makes, and of which it sets nothing itself.
    all = [...platform.packages].flatMap(([name, value]) => {
      const source = platform.sources.get(name);
      if (!source || lookUp(value, ['spec', 'components']) !== undefined) return [];
      return releasesOf({ package: name, value, source }, platform.clusterValues);
    });
  }, 120_000);
  afterAll(async () => {
    await renderer.close();
    rmSync(home, { recursive: true });
  });

  test('each is found, on its line, and nothing else', async () => {
    const random = randomOf(seedOr(11));
    const kinds = [restated, failing, unread];
    const wanted = amount(1.5, 120);
    const counts: Record<string, number> = {};
    const missed: object[] = [];
    for (let tries = 0, found = 0; found < wanted && tries < wanted * 40; tries++) {
      const one = all[random.below(all.length)] as ComponentRelease;
      const fault = await (kinds[found % kinds.length] as typeof restated)(one, random.below);
      if (!fault) continue;
      found++;
      counts[fault.rule] = (counts[fault.rule] ?? 0) + 1;
      const said = await findings(fault);
      const isRight = said.length === 1 && said[0]?.rule === fault.rule && said[0].severity === fault.severity;
      const at = ['spec', 'components', one.component, 'values', ...fault.path];
      if (!isRight || !isAt(said[0]?.field, at))
        missed.push({ package: one.package, component: one.component, path: fault.path, value: fault.value, said });
    }
    expect(missed).toEqual([]);
    expect(Object.values(counts).reduce((a, b) => a + b, 0)).toBe(wanted);
  }, 1_800_000);

  async function leafOf({ chart }: ComponentRelease, random: (below: number) => number) {
    const loaded = await renderer.load(chart);
    if ('failed' in loaded) return undefined;
    const leaves = [...leavesIn(loaded.values).values()].filter((path) =>
      path.every((step) => typeof step === 'string'),
    );
    const path = leaves[random(leaves.length)];
    return path && { path, value: lookUp(loaded.values, path) ?? null };
  }

  async function rendersWith(one: ComponentRelease, path: FieldPath, value: Json) {
    return renderer.render({ ...one, values: merged(one.values, nested(path, value)) }, world);
  }

  /** The default once more. */
  async function restated(one: ComponentRelease, random: (below: number) => number): Promise<Fault | undefined> {
    const leaf = await leafOf(one, random);
    if (!leaf || leaf.value === null || isObject(leaf.value)) return undefined;
    const response = await rendersWith(one, leaf.path, leaf.value);
    if ('failed' in response) return undefined;
    return { release: one, ...leaf, rule: 'value-without-effect', severity: 'notice' };
  }

  /** A value of another type, with which the chart fails whatever a cluster says. */
  async function failing(one: ComponentRelease, random: (below: number) => number): Promise<Fault | undefined> {
    const leaf = await leafOf(one, random);
    if (!leaf) return undefined;
    const others: Json[] = ['text', 3, true, ['a'], { a: { b: 1 } }];
    const value = others[random(others.length)] ?? null;
    const [before, after] = [await renderer.render(one, world), await rendersWith(one, leaf.path, value)];
    const bare = await renderer.render(
      { ...one, values: merged(one.values, nested(leaf.path, value)) },
      { ...world, apiVersions: ['v1'] },
      1,
    );
    const isCertain = 'failed' in bare && !bare.consulted.lookups;
    if ('failed' in before || !('failed' in after) || !isCertain) return undefined;
    return { release: one, path: leaf.path, value, rule: 'chart-fails', severity: 'error' };
  }

  /** A key that no template names. */
  async function unread(one: ComponentRelease, random: (below: number) => number): Promise<Fault | undefined> {
    const leaf = await leafOf(one, random);
    if (!leaf) return undefined;
    const path = [...leaf.path.slice(0, -1), `unheardOf${random(1000)}`];
    const [before, after] = [await renderer.render(one, world), await rendersWith(one, path, 'value')];
    if ('failed' in before || 'failed' in after || JSON.stringify(before.objects) !== JSON.stringify(after.objects))
      return undefined;
    return { release: one, path, value: 'value', rule: 'value-without-effect', severity: 'warning' };
  }

  async function findings({ release: { package: name, component }, path, value, rule, severity }: Fault) {
    const object = {
      ...{ apiVersion: 'cozystack.io/v1alpha1', kind: 'Package' },
      metadata: { name, annotations: { 'kustomize.toolkit.fluxcd.io/prune': 'disabled' } },
      spec: { components: { [component]: { values: nested(path, value) } } },
    };
    const folder = createRepo({
      '.customizer-lint.yaml': `cluster: {release: ${release}, variant: isp-full}\n`,
      'kustomization.yaml': kustomization({ resources: ['package.yaml'] }),
      'package.yaml': JSON.stringify(object, null, 2),
    });
    try {
      const charts = join(home, `packages-${release}`);
      const { stdout } = await runHere(['check', folder, '--charts', charts, '--format', 'json']);
      const report = JSON.parse(stdout) as {
        findings: { rule: string; severity: string; message: string; field: unknown[] }[];
      };
      const said = report.findings.map(({ field, ...rest }) => ({ ...rest, field: JSON.stringify(field) }));
      const ours = said
        .filter(({ rule }) => ofCharts.test(rule))
        .map(({ rule, severity, message, field }) => ({ rule, severity, message, field }));
      // What the data of the release knows already is said by the rules that have it.
      const byRules = said.filter(({ rule }) => /^(?:unknown|invalid)-value$|^chart-owned-value$/.test(rule));
      if (ours.length === 0 && byRules.length > 0)
        return [{ rule, severity, message: 'said by a rule', field: byRules[0]?.field }];
      return ours;
    } finally {
      removeRepo(folder);
    }
  }
});

/** There, below it where a map was put there, or at the map that should not be there at all. */
function isAt(field: string | undefined, path: FieldPath): boolean {
  const found = JSON.parse(field ?? '[]') as FieldPath;
  return found.length > 4 && path.every((step, depth) => depth >= found.length || found[depth] === step);
}

function nested([step, ...rest]: FieldPath, value: Json): JsonObject {
  return { [String(step)]: rest.length === 0 ? value : nested(rest, value) };
}
