/** The helm module as the rest of the program sees it: charts that are loaded, then rendered, in a thread or a process of its own. */
import { Budget, type Limits } from './budget.js';
import { EngineCalls } from './calls.js';
import { frameOf } from './exchange.js';
import type {
  ChartFailure,
  ChartLoadResponse,
  ChartResponse,
  HelmRequest,
  LoadedChart,
  RenderRequest,
} from './helm-protocol.js';
import type { EngineChoice } from './installed.js';
import { allowModule, type EngineKind, startEngine } from './start.js';

/** No chart of a release takes as long; one that would takes nothing from the others. */
const quarter = 0.25;

/** Where it is nobody's run: an hour, and all that a module can address. */
const alone: Limits = { seconds: 3600, bytes: 2 ** 32 };

/** A file of a chart, relative to it. */
export type ChartFile = { path: string; bytes: Uint8Array };

/** What Flux packs as a chart: the files of a component, libraries below `charts/`, and what becomes its values.yaml; or an archive. */
export type ChartSource =
  | {
      files: readonly ChartFile[];
      libraries: readonly { name: string; files: readonly ChartFile[] }[];
      valuesFiles: readonly string[];
    }
  | { archive: Uint8Array };

export class HelmEngine {
  private constructor(
    readonly kind: EngineKind,
    private readonly calls: EngineCalls,
  ) {}

  /** Starts the module; `home` is its directory, `dist/engine`. Throws where it is not there. */
  static async open(home: string, budget = new Budget(alone), choice: EngineChoice = 'wasm'): Promise<HelmEngine> {
    const started = await startEngine(home, 'helm', choice, budget);
    allowModule(started, budget, true);
    const { kind, answerer } = started;
    return new HelmEngine(
      kind,
      new EngineCalls(answerer, budget, { name: 'the helm engine', work: 'rendering a chart' }, quarter),
    );
  }

  /** Loads a chart under a name of the caller's, or says why Helm does not. */
  async load(chart: string, source: ChartSource): Promise<LoadedChart | { failed: ChartFailure }> {
    const response = await this.#call<ChartLoadResponse>(...encode(chart, source));
    return 'failed' in response ? { failed: response.failed } : response.chart;
  }

  /** Throws only for a bug, and when time or memory is used up. */
  async render(chart: string, request: RenderRequest): Promise<ChartResponse> {
    const response = await this.#call<ChartResponse & { ok: true }>({ op: 'render', chart, ...request });
    return 'failed' in response ? { ...response, failed: asHelmSays(response.failed) } : response;
  }

  async forget(chart: string): Promise<void> {
    await this.#call<{ ok: true }>({ op: 'forget', chart });
  }

  close(): Promise<void> {
    return this.calls.close();
  }

  #call<Response extends { ok: true }>(request: HelmRequest, chunks: readonly Uint8Array[] = []): Promise<Response> {
    return this.calls.call(() => frameOf([Buffer.from(JSON.stringify(request)), ...chunks]));
  }
}

/** See helm-protocol.ts for the format. */
function encode(chart: string, source: ChartSource): [HelmRequest, Uint8Array[]] {
  if ('archive' in source) return [{ op: 'load', chart, archive: 1 }, [source.archive]];
  const chunks: Uint8Array[] = [];
  const numbered = (files: readonly ChartFile[]) =>
    files.map(({ path, bytes }) => ({ path, chunk: chunks.push(bytes) }));
  const files = numbered(source.files);
  const libraries = source.libraries.map(({ name, files }) => ({ name, files: numbered(files) }));
  return [{ op: 'load', chart, files, libraries, valuesFiles: source.valuesFiles }, chunks];
}

/** How deep templates may call each other: Go's library allows less in WebAssembly (maxExecDepth in text/template), and says the number. */
const depth = 'exceeded maximum template depth';

function asHelmSays(failed: ChartFailure): ChartFailure {
  return { ...failed, message: failed.message.replace(`${depth} (1000)`, `${depth} (100000)`) };
}
