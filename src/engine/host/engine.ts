/** The engine as the rest of the program sees it: a tree is loaded, then entrypoints are built, all within one budget. */

import { defined } from '../../core/defined.js';
import type { Entrypoint, ExcludedFile, Tree } from '../../core/model.js';
import { Budget } from './budget.js';
import { frameOf } from './exchange.js';
import { EngineHost, type HostOptions } from './host.js';
import type { BuildResponse, EngineRequest, LoadResponse, ReadResponse } from './protocol.js';
import type { EngineKind } from './start.js';
import { Stopped } from './stopped.js';

/**
 * The longest text of an error, in UTF-16 units: kustomize may print a whole object. The begin and the end are kept, as the
 * innermost of nested causes stands last, and patterns that look for one are never held against more than this.
 */
const maxErrorText = 8192;

/** More different artifacts of one repository than anybody needs; each takes memory of its own. */
const maxArtifacts = 4;

/** What a build depends on. */
export type Buildable = Pick<Entrypoint, 'path' | 'kustomization' | 'declaredAt' | 'ignore'>;

export type EngineOptions = HostOptions & {
  /** What it runs in: engines that share one take turns, and each lets it load its tree anew after another. */
  host?: EngineHost;
  /** Done by this thread while a path is built. */
  meanwhile?: (path: string) => void;
};

/** Below about so many files and bytes V8's optimizing compiler costs more than it gives (measured with 20 to 1,000 Packages). */
const [manyFiles, manyBytes] = [1000, 1 << 20];

/** Where the module crashes, or has to be stopped, the next call starts a fresh one. */
export class Engine {
  readonly host: EngineHost;
  #lost: readonly ExcludedFile[] = [];

  /** `home` is the directory of the module, `dist/engine`. Nothing is started before the first call. */
  constructor(
    private readonly home: string,
    private readonly tree: Tree,
    private readonly budget = new Budget(),
    private readonly options: EngineOptions & { ignore?: string } = {},
  ) {
    this.host = options.host ?? new EngineHost(home, budget, options);
  }

  /** Starts it early, while the caller still has other work to do. */
  warm(): void {
    this.host.warm(this.tree.files.length >= manyFiles);
  }

  /** Which one it is; known once something was built or read. */
  get kind(): EngineKind | undefined {
    return this.host.kind;
  }

  /** What Flux's artifact does not hold of the tree; known once something was built or read. */
  get lost(): readonly ExcludedFile[] {
    return this.#lost;
  }

  load(): Promise<void> {
    return this.host.inTurn(() => this.#load());
  }

  async #load(): Promise<void> {
    const request: EngineRequest = {
      op: 'load',
      refused: Object.fromEntries(this.tree.refused),
      links: [...this.tree.links],
      submodules: [...this.tree.submodules],
      ...defined({ ignore: this.options.ignore }),
    };
    const frame = encodeFrame(request, this.tree);
    const isMuch = this.tree.files.length >= manyFiles || frame.length >= manyBytes;
    const { lost } = await this.host.load<LoadResponse>(this, frame, isMuch);
    this.#lost = lost;
  }

  /** Engines of the same tree under another `spec.ignore`: each holds an artifact of its own. */
  readonly #others = new Map<string, Engine>();

  /** The engine whose artifact is that of the entrypoint's source. Throws a `Stopped` for one too many. */
  #of({ ignore }: Pick<Entrypoint, 'ignore'>): Engine {
    if (ignore === undefined || ignore === this.options.ignore) return this;
    const known = this.#others.get(ignore);
    if (known) return known;
    if (this.#others.size >= maxArtifacts)
      throw new Stopped(`sources with more than ${maxArtifacts} different spec.ignore`, true);
    const { host: _, ...options } = this.options;
    const other = new Engine(this.home, this.tree, this.budget, { ...options, ignore });
    this.#others.set(ignore, other);
    return other;
  }

  /** What Flux's artifact does not hold of the tree for this entrypoint; known once it was built. */
  lostOf(entrypoint: Pick<Entrypoint, 'ignore'>): readonly ExcludedFile[] {
    const { ignore } = entrypoint;
    return (ignore === undefined ? this : (this.#others.get(ignore) ?? this)).lost;
  }

  async build(entrypoint: Buildable, output: 'objects' | 'yaml' | 'digest'): Promise<BuildResponse> {
    try {
      const engine = this.#of(entrypoint);
      if (engine !== this) return await engine.build(entrypoint, output);
      const { path, kustomization, declaredAt } = entrypoint;
      const inFlux = declaredAt?.path[0] === 'spec' && { file: declaredAt.file, document: declaredAt.document };
      const response = await this.#call<BuildResponse>(
        { op: 'build', path, kustomization, output, ...(inFlux && { declaredAt: inFlux }) },
        () => this.options.meanwhile?.(path),
      );
      if (!response.ok) response.error.message = cutText(withoutAddresses(response.error.message));
      return response;
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      const stage = error.limit ? 'limit' : 'internal';
      return {
        ok: false,
        error: {
          message: error.message,
          stage,
          ...(error.limit && { class: 'limit' as const }),
        },
        files: [],
      };
    }
  }

  /** The documents of some files as the engine reads them, without a build. */
  async read(files: string[]): Promise<ReadResponse & { stopped?: Stopped }> {
    try {
      const response = await this.#call<ReadResponse>({ op: 'read', files });
      for (const failure of response.failures) failure.message = cutText(failure.message);
      return response;
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      return {
        ok: true,
        documents: [],
        sources: [],
        failures: files.map((file) => ({ file, message: error.message })),
        stopped: error,
      };
    }
  }

  /** The host too, with all that shares it. */
  async close(): Promise<void> {
    await Promise.all([this.host.close(), ...[...this.#others.values()].map((other) => other.close())]);
  }

  #call<Response>(request: EngineRequest, meanwhile?: () => void): Promise<Response> {
    return this.host.inTurn(async () => {
      if (!this.host.holds(this)) await this.#load();
      return this.host.ask<Response>(encodeFrame(request), meanwhile);
    });
  }
}

/** Upstream prints a pointer of a generator, which differs from run to run. */
function withoutAddresses(text: string): string {
  return text.replace(/ &\{0x\w+ (?:<nil>|0x\w+)\}/g, '');
}

/** An error's text without what is in the middle of a long one. */
export function cutText(text: string): string {
  if (text.length <= maxErrorText) return text;
  const half = maxErrorText / 2;
  return `${text.slice(0, half)}… (${text.length - maxErrorText} characters left out) …${text.slice(-half)}`;
}

/** See `Request` for the format. */
function encodeFrame(request: EngineRequest, tree?: Tree): Uint8Array<ArrayBuffer> {
  const chunks: Uint8Array[] = [Buffer.from(JSON.stringify(request))];
  for (const file of tree?.files ?? []) {
    const content = tree?.bytes(file);
    if (content) chunks.push(Buffer.from(file), content);
  }
  return frameOf(chunks);
}
