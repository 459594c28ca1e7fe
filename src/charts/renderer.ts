/** Charts of a store, loaded once each and rendered with the values of releases. */
import { type JsonObject, UsageError } from '../core/model.js';
import { trimEnd } from '../core/text.js';
import { Budget } from '../engine/host/budget.js';
import type { HelmEngine } from '../engine/host/helm-engine.js';
import type { ChartFailure, ChartResponse, LoadedChart, RenderRequest } from '../engine/host/helm-protocol.js';
import { Stopped } from '../engine/host/stopped.js';
import { type ChartReads, type ChartText, readsOf } from './reads.js';
import type { ChartStore } from './store.js';
import { TooLarge } from './taken.js';

/** Which files make the chart of a component, as its PackageSource says; folders are those of the store. */
export type ChartPlace = {
  /** Of the repository; absent for the charts of the release. */
  store?: ChartStore;
  path: string;
  libraries: readonly { name: string; path: string }[];
  valuesFiles: readonly string[];
};

/** What a cluster would answer. */
export type ChartWorld = {
  /** As `v1.35.0`. */
  kubeVersion: string;
  apiVersions: readonly string[];
  objects: readonly JsonObject[];
};

/** What Helm installs: a chart under a name, in a namespace, with values. */
export type ChartRelease = { name: string; namespace: string; chart: ChartPlace; values: JsonObject };

type Failed = { failed: ChartFailure };
type Loaded = LoadedChart | Failed;

/** Engines of one run: starting one takes a second. */
const maxStarts = 5;

export class ChartRenderer {
  readonly #loaded = new Map<string, Promise<Loaded>>();
  readonly #rendered = new Map<string, Promise<ChartResponse>>();
  /** Charts that ended an engine. */
  readonly #ended = new Map<string, Failed>();
  readonly #texts = new Map<string, readonly string[]>();
  readonly #reads = new Map<string, ChartReads>();

  #engine: Promise<HelmEngine> | undefined;
  #starts = 0;

  /** `open` starts an engine: another one where a chart has ended the one before. `onRender` is told what is rendered, as `NAMESPACE/NAME`. */
  constructor(
    readonly store: ChartStore,
    private readonly open: () => Promise<HelmEngine>,
    private readonly budget = new Budget(),
    private readonly onRender?: (release: string) => void,
  ) {}

  /** The chart, or why Helm does not load it. */
  load(place: ChartPlace): Promise<Loaded> {
    const key = this.keyOf(place);
    const loading = this.#loaded.get(key) ?? this.#load(key, place);
    this.#loaded.set(key, loading);
    return loading;
  }

  async #load(key: string, { store = this.store, path, libraries, valuesFiles }: ChartPlace): Promise<Loaded> {
    try {
      const source = {
        files: store.files(path),
        libraries: libraries.map((library) => ({ name: library.name, files: store.files(library.path) })),
        valuesFiles,
      };
      return await this.#ask(key, (engine) => engine.load(key, source));
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error;
      return { failed: { stage: 'limit', message: error.message } };
    }
  }

  /**
   * What an engine says of a chart. A chart that ends it, or takes too long, is a failure, and never asked for again; the others are loaded
   * into a new engine.
   */
  async #ask<Answer>(chart: string, call: (engine: HelmEngine) => Promise<Answer>): Promise<Answer | Failed> {
    const known = this.#ended.get(chart);
    if (known) return known;
    try {
      this.#engine ??= this.#start();
      return await call(await this.#engine);
    } catch (error) {
      if (!(error instanceof Stopped) || this.budget.left <= 0) throw error;
      const failed: Failed = { failed: { stage: 'limit', message: error.message } };
      this.#ended.set(chart, failed);
      await this.close();
      this.#loaded.clear();
      return failed;
    }
  }

  #start(): Promise<HelmEngine> {
    this.#starts += 1;
    if (this.#starts > maxStarts)
      throw new UsageError(`${maxStarts - 1} charts have ended the engine that renders them`);
    return this.open();
  }

  /** The same for charts that are the same, wherever they are. */
  keyOf({ store, path, libraries, valuesFiles }: ChartPlace): string {
    const version = (folder: string) => store?.version?.(folder) ?? '';
    const folders = [path, ...libraries.map((library) => library.path)];
    return JSON.stringify([path, libraries, valuesFiles, ...(store ? folders.map(version) : [])]);
  }

  /** Whether a template can read what Secret `cozystack-values` says: one that does names it. */
  readsCluster(place: ChartPlace): boolean {
    return this.templatesOf(place).some((text) => text.includes('_cluster'));
  }

  /** All that templates may read from: those of the chart and its libraries, and the files beside them, but for values and documents. */
  templatesOf({ store = this.store, path, libraries }: ChartPlace): readonly string[] {
    return [path, ...libraries.map((library) => library.path)].flatMap((folder) => {
      const key = JSON.stringify([folder, store.version?.(folder)]);
      const known = this.#texts.get(key) ?? textsBelow(store, folder);
      this.#texts.set(key, known);
      return known;
    });
  }

  /** Of the chart and its libraries, by the sub-chart that they are of: what their templates read of the values. */
  readsOf(place: ChartPlace): ChartReads {
    const { store = this.store, path, libraries } = place;
    const key = this.keyOf(place);
    const textsIn = (folder: string, chart: readonly string[]) =>
      store.files(folder).map((file): ChartText => {
        const inner = subchart.exec(file.path)?.[0] ?? '';
        const names = inner.split('charts/').slice(1);
        const text = Buffer.from(file.bytes).toString('utf8');
        return {
          chart: [...chart, ...names.map((name) => trimEnd(name, '/'))],
          name: file.path.slice(inner.length),
          text,
        };
      });
    const isRead = ({ name }: ChartText) => !/\.md$|^values\.schema\.json$/.test(name);
    if (!this.#reads.has(key)) {
      const all = [textsIn(path, []), ...libraries.map((one) => textsIn(one.path, [one.name]))].flat();
      this.#reads.set(key, readsOf(all.filter(isRead)));
    }
    return this.#reads.get(key);
  }

  /**
   * As an upgrade, the second revision. The same is not rendered twice, unless nothing is kept of it: what is tried out is many times that.
   * `definitions`: those of `crds/` in full.
   */
  async render(
    { chart, name, namespace, values }: ChartRelease,
    world: ChartWorld,
    chance = 0,
    { keeps = true, definitions = false } = {},
  ): Promise<ChartResponse> {
    const request = {
      release: { name, namespace, isUpgrade: true, revision: 2 },
      values,
      ...world,
      chance,
      postRender: true,
      definitions,
    };
    const loadedAs = this.keyOf(chart);
    const key = JSON.stringify([loadedAs, request]);
    this.onRender?.(`${namespace}/${name}`);
    const rendering = this.#rendered.get(key) ?? this.#render(loadedAs, chart, request);
    if (keeps) this.#rendered.set(key, rendering);
    return rendering;
  }

  async #render(key: string, chart: ChartPlace, request: RenderRequest): Promise<ChartResponse> {
    const loaded = await this.load(chart);
    if ('failed' in loaded) return { failed: loaded.failed, consulted: {} };
    const response = await this.#ask(key, (engine) => engine.render(key, request));
    return 'consulted' in response ? response : { ...response, consulted: {} };
  }

  async close(): Promise<void> {
    const engine = this.#engine;
    this.#engine = undefined;
    await (await engine?.catch(() => undefined))?.close();
  }
}

const subchart = /^(?:charts\/[^/]+\/)+/;

const withoutTemplates = /(?:^|\/)(?:values[^/]*\.(?:ya?ml|json)|Chart\.(?:yaml|lock)|[^/]*\.md)$/;

function textsBelow(store: ChartStore, folder: string): string[] {
  return store
    .files(folder)
    .filter(({ path }) => !withoutTemplates.test(path))
    .map(({ bytes }) => Buffer.from(bytes).toString('utf8'));
}
