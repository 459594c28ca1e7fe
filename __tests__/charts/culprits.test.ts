/**
 * The line that `chart-fails` names beside what a second method finds (culprits/second.ts), over seeded failing values: on small charts of a
 * repository, and on the real ones, which are not in this repository; without them, or without the Helm command, a test is skipped.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseDocument } from 'yaml';
import { renderPlatform } from '../../src/charts/platform.js';
import { type ComponentRelease, releasesOf } from '../../src/charts/releases.js';
import { ChartRenderer, type ChartWorld } from '../../src/charts/renderer.js';
import { openChartFolder } from '../../src/charts/store.js';
import type { JsonObject } from '../../src/core/model.js';
import { lookUp } from '../../src/core/object.js';
import { loadSchemas } from '../../src/cozystack/schemas.js';
import { packedFiles } from '../support/chart-files.js';
import { root } from '../support/cli.js';
import { helmCommand, helmTemplate, packChart, whyNoHelm } from '../support/helm-command.js';
import { helmController, renderedByController, whyNoController } from '../support/helm-controller.js';
import { runHere } from '../support/here.js';
import { randomOf } from '../support/random.mjs';
import { amount, seedOr } from '../support/sample.js';
import { createRepo, type Files, kustomization, removeRepo } from '../support/trees.js';
import { failingCharts } from './culprits/charts.js';
import { failingPackage } from './culprits/failing.js';
import { type Place, SecondMethod, type Step, type Verdict } from './culprits/second.js';

// After here.ts, which takes the place of what it starts.
const { HelmEngine } = await import('../../src/engine/host/helm-engine.js');
type Helm = Awaited<ReturnType<typeof HelmEngine.open>>;

const upstream = process.env.CUSTOMIZER_LINT_UPSTREAM ?? join(root, '../shared/upstream');
const release = 'v1.6.2';
const packages = join(upstream, `packages-${release}.tar.xz`);
const kubeVersion = 'v1.35.0';
/** Of the failing renders that the linter has to name rightly. */
const share = 0.98;

const why = whyNoHelm ?? whyNoController;
const whyNoRelease = existsSync(packages) ? why : 'the charts of the release are not here';
if (why) test.skip(`a second method finds the same lines in small charts: skipped, as ${why}`, () => {});
if (whyNoRelease)
  test.skip(`a second method finds the same lines in real charts: skipped, as ${whyNoRelease}`, () => {});

/** A chart, under which name it is installed, and the repository around its Package. */
type Subject = {
  package: string;
  component: string;
  name: string;
  namespace: string;
  defaults: JsonObject;
  /** Those of Secret `cozystack-values`. */
  below: object;
  /** Packed. */
  archive: string;
  files: Files;
  charts: string;
  apiVersions: readonly string[];
  /** By our own engine: whether it is worth a look. */
  fails(values: JsonObject): Promise<boolean>;
};

type Outcome = { isRight: boolean; isAlone: boolean; about?: object };

/** Of `spec.components.NAME.values`. */
const valuesDepth = 4;

/** Undefined for values that do not make the chart fail. */
async function outcomeOf(subject: Subject, text: string): Promise<Outcome | undefined> {
  const base = ['spec', 'components', subject.component, 'values'];
  const values = (parseDocument(text).getIn(base) as { toJSON(): object }).toJSON();
  if (!(await subject.fails(over(subject.below, values) as JsonObject))) return undefined;
  const byHelm = new SecondMethod(text, base, verdictOf(subject, saidByHelm));
  // Helm itself does not mind what the post-renderer of helm-controller refuses.
  const second =
    byHelm.without([]) !== undefined ? byHelm : new SecondMethod(text, base, verdictOf(subject, saidByController));
  expect({ text, said: second.without([]) }).toEqual({ text, said: expect.any(String) });
  if (second.without(second.places) !== undefined) return undefined;
  const found = await findingsIn(subject, text);
  const { healing } = second;
  const named = second.places.filter((place) => found.some((one) => isNamed(place, one)));
  const isHealed = healing.some((place) =>
    found.some((one) => isNamed(place, one) && isRightOf(one, place, { second, found })),
  );
  // A schema tells each of its faults, and each has its line.
  const most = second.without([])?.match(/^\s*- at '/gm)?.length ?? 1;
  const isRight =
    found.length > 0 &&
    found.filter(({ rule }) => rule === 'chart-fails').length <= most &&
    (healing.length > 0
      ? isHealed
      : found.length > 1
        ? second.without(named) === undefined
        : named.some((place) => second.isNeeded(place)));
  const about = { ...{ text, found, healing }, said: second.without([])?.slice(0, 1000) };
  return { isRight, isAlone: healing.length > 0, ...(!isRight && { about }) };
}

type Told = { rule: string; line: number; message: string; severity: string; field?: Step[] };

/** By its line; or the finding is about the map that it stands in (a string belongs there), or about a part of it (an item of a list). */
function isNamed({ path, line }: Place, finding: Told): boolean {
  const field = finding.field ?? [];
  const isOfValues = field.length > valuesDepth;
  return finding.line === line || (isOfValues && (isWithin(path, field) || isWithin(field, path)));
}

/**
 * Where items of a list are named, the list is, if it heals to be without them. Whoever names a map names all that is in it: each of it has
 * to heal.
 */
function isRightOf(
  { field }: Told,
  { path }: Place,
  { second, found }: { second: SecondMethod; found: readonly Told[] },
): boolean {
  if (field === undefined || field.length === path.length) return true;
  const named = second.places.filter((one) => found.some(({ field }) => field && isWithin(one.path, field)));
  if (isWithin(field, path)) return second.without(named) === undefined;
  const inside = second.places.filter((one) => isWithin(one.path, field));
  const outer = inside.filter((place) => !inside.some((one) => one !== place && isWithin(place.path, one.path)));
  return outer.every((place) => second.without([place]) === undefined);
}

const isWithin = (inner: readonly Step[], outer: readonly Step[]) =>
  outer.every((step, depth) => String(inner[depth]) === String(step));

async function findingsIn({ files, charts }: Subject, text: string): Promise<Told[]> {
  const folder = createRepo({
    '.customizer-lint.yaml': `cluster: {release: ${release}, variant: isp-full, kubernetes: v1.35}\n`,
    'kustomization.yaml': kustomization({
      resources: ['package.yaml', ...('source.yaml' in files ? ['source.yaml'] : [])],
    }),
    'package.yaml': text,
    ...files,
  });
  try {
    const { stdout } = await runHere(['check', folder, '--charts', charts, '--format', 'json']);
    const { findings } = JSON.parse(stdout) as { findings: (Told & { file: string })[] };
    // What the data of the release knows of a schema is said by the rule that has it, and not twice.
    return findings
      .filter(({ rule, severity }) => rule === 'chart-fails' || (rule === 'invalid-value' && severity === 'error'))
      .filter(({ file }) => file === 'package.yaml')
      .map(({ rule, line, message, severity, field }) => ({ rule, line, message, severity, ...(field && { field }) }));
  } finally {
    removeRepo(folder);
  }
}

const verdictOf =
  (subject: Subject, said: (subject: Subject, values: JsonObject) => string | undefined): Verdict =>
  (values) =>
    said(subject, over(subject.below, values) as JsonObject);

function saidByHelm({ archive, name, namespace, apiVersions }: Subject, values: JsonObject): string | undefined {
  const templated = helmTemplate(archive, { name, namespace, values, kubeVersion, apiVersions });
  return 'failed' in templated ? templated.failed : undefined;
}

function saidByController({ archive, name, namespace }: Subject, values: JsonObject): string | undefined {
  const [answer] = renderedByController([{ archive, name, namespace, values, kubeVersion }]);
  return answer && 'failed' in answer ? answer.failed : undefined;
}

/** As Flux lays values over each other. */
function over(base: object, values: object): object {
  const isMap = (value: unknown): value is object =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const merged: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(values)) {
    const before = merged[key];
    merged[key] = isMap(before) && isMap(value) ? over(before, value) : value;
  }
  return merged;
}

/** Looks at failing values until there are enough. */
async function judge(wanted: number, draw: () => Promise<{ subject: Subject; text: string }>) {
  const outcomes: Outcome[] = [];
  for (let tries = 0; outcomes.length < wanted && tries < wanted * 40 + 40; tries++) {
    const { subject, text } = await draw();
    const outcome = await outcomeOf(subject, text);
    if (outcome) outcomes.push(outcome);
  }
  const right = outcomes.filter(({ isRight }) => isRight).length;
  const alone = outcomes.filter(({ isAlone }) => isAlone).length;
  const wrong = outcomes.flatMap(({ about }) => about ?? []);
  const words = `${right} of ${outcomes.length} right; one leaf alone heals ${alone}`;
  process.stderr.write(`culprits: ${words}\n${wrong.map((about) => `${JSON.stringify(about)}\n`).join('')}`);
  expect(outcomes.length).toBe(wanted);
  expect({ wrong: right / wanted < share ? wrong : [] }).toEqual({ wrong: [] });
}

(why ? describe.skip : describe)('small charts', () => {
  const subjects: Subject[] = [];
  const removals: (() => void)[] = [];
  let engine: Helm;
  beforeAll(async () => {
    helmCommand();
    helmController();
    engine = await HelmEngine.open(join(root, 'dist/engine'));
    for (const [name, texts] of Object.entries(failingCharts)) {
      const files = Object.entries(texts).map(([path, text]) => ({ path, bytes: Buffer.from(text) }));
      const loaded = await engine.load(name, { files, libraries: [], valuesFiles: [] });
      if ('failed' in loaded) throw new Error(loaded.failed.message);
      const { archive, remove } = packChart(files);
      removals.push(remove);
      const fails = async (values: JsonObject) => {
        const about = { release: { name, namespace: 'acme', isUpgrade: true, revision: 2 }, values, kubeVersion };
        const more = { apiVersions: [], objects: [], chance: 0, postRender: true };
        return 'failed' in (await engine.render(name, { ...about, ...more }));
      };
      subjects.push({
        ...{ package: `acme.${name}`, component: name, name, namespace: 'acme', defaults: loaded.values, archive },
        below: { _cluster: { 'root-host': 'example.org' } },
        files: repositoryOf(name, texts),
        charts: join(root, '__tests__/charts/packages'),
        apiVersions: [],
        fails,
      });
    }
  }, 600_000);
  afterAll(async () => {
    await engine?.close();
    for (const remove of removals) remove();
  });

  test('the linter names what a second method finds', async () => {
    const random = randomOf(seedOr(3));
    await judge(amount(1.5, 150), async () => {
      const subject: Subject = random.pick(subjects);
      return { subject, text: failingPackage(subject.package, subject.component, subject.defaults, random) };
    });
  }, 1_800_000);
});

/** A PackageSource with its chart. */
function repositoryOf(name: string, chart: Record<string, string>): Files {
  const install = { namespace: 'acme', releaseName: name };
  const source = {
    ...{ apiVersion: 'cozystack.io/v1alpha1', kind: 'PackageSource' },
    metadata: { name: `acme.${name}`, annotations: { 'kustomize.toolkit.fluxcd.io/prune': 'disabled' } },
    spec: {
      sourceRef: { kind: 'GitRepository', name: 'cozystack-customizer', namespace: 'cozy-system', path: '/' },
      variants: [{ name: 'default', components: [{ name, path: `charts/${name}`, install }] }],
    },
  };
  return {
    'source.yaml': JSON.stringify(source),
    ...Object.fromEntries(Object.entries(chart).map(([path, text]) => [`charts/${name}/${path}`, text])),
  };
}

(whyNoRelease ? describe.skip : describe)(`the charts of ${release}`, () => {
  let home: string;
  let renderer: ChartRenderer;
  let all: ComponentRelease[];
  let strict: ComponentRelease[];
  let world: ChartWorld;
  const archives = new Map<string, { archive: string; remove: () => void }>();

  beforeAll(async () => {
    helmCommand();
    helmController();
    home = mkdtempSync(join(tmpdir(), 'charts-'));
    execFileSync('tar', ['-xJf', packages, '-C', home]);
    const store = openChartFolder(join(home, `packages-${release}`));
    renderer = new ChartRenderer(store, () => HelmEngine.open(join(root, 'dist/engine')));
    world = { kubeVersion, apiVersions: loadSchemas(join(root, 'schemas'), release).served(), objects: [] };
    const platform = await renderPlatform(renderer, { variant: 'isp-full', values: {} }, world);
    if ('failed' in platform) throw new Error(platform.failed.message);
    // Those of which the platform sets nothing itself.
    all = [...platform.packages].flatMap(([name, value]) => {
      const source = platform.sources.get(name);
      if (!source || lookUp(value, ['spec', 'components']) !== undefined) return [];
      return releasesOf({ package: name, value, source }, platform.clusterValues);
    });
    strict = all.filter(({ chart }) =>
      renderer.templatesOf(chart).some((text) => /\{\{-? *(?:fail|required) |validateValues/.test(text)),
    );
  }, 600_000);
  afterAll(async () => {
    await renderer?.close();
    for (const { remove } of archives.values()) remove();
    rmSync(home, { recursive: true, force: true });
  });

  test('the linter names what a second method finds', async () => {
    const random = randomOf(seedOr(17));
    await judge(amount(0.5, 120), async () => {
      const one: ComponentRelease = random.pick(random.chance(0.5) ? strict : all);
      const subject = await subjectOf(one);
      return { subject, text: failingPackage(one.package, one.component, subject.defaults, random) };
    });
  }, 3_600_000);

  async function subjectOf(one: ComponentRelease): Promise<Subject> {
    const loaded = await renderer.load(one.chart);
    if ('failed' in loaded) throw new Error(loaded.failed.message);
    return {
      ...{ package: one.package, component: one.component, name: one.name, namespace: one.namespace },
      defaults: loaded.values,
      below: one.values,
      archive: archiveOf(one),
      files: {},
      charts: join(home, `packages-${release}`),
      apiVersions: world.apiVersions,
      fails: async (values) => 'failed' in (await renderer.render({ ...one, values }, world, 0, { keeps: false })),
    };
  }

  function archiveOf({ chart }: ComponentRelease): string {
    const key = renderer.keyOf(chart);
    const packed = archives.get(key) ?? packChart(packedFiles(renderer.store, chart));
    archives.set(key, packed);
    return packed.archive;
  }
});
