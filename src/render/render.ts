/** Every entrypoint as Flux would build it. A refusal is a problem of its entrypoint alone; the next one is still rendered. */

import { settingPrefix } from '../core/flux-api.js';
import type { Entrypoint, FieldPath, Json, Rendered, RenderedObject, Revision, Tree, Writer } from '../core/model.js';
import { isObject, refOf } from '../core/object.js';
import type { Engine } from '../engine/host/engine.js';
import type { BuildResponse, EngineError, EngineObject } from '../engine/host/protocol.js';
import { redact } from '../secrets/redact.js';
import { Again, noteSaid, type Places } from './again.js';
import { type Build, refusal } from './build-failure.js';
import { chain, readWriters } from './provenance.js';

export type Progress = (done: number, total: number, path: string) => void;

type Refused = Build & { ok: false; error: EngineError };

/** What came of a build; why it is refused is told of all refusals together. */
export type Outcome = Rendered | Refused;

/** Builds entrypoints of one revision, each once. */
export class Builder {
  readonly #built = new Map<string, Promise<Outcome>>();
  /** What is said of refusals that were told before. */
  readonly #told = new Map<EngineError, string>();

  /** `known` answers for a build whose inputs are the same as those of another revision. */
  constructor(
    readonly tree: Tree,
    private readonly engine: Engine,
    private readonly known: (entrypoint: Entrypoint) => Rendered | undefined = () => undefined,
    private readonly progress?: Progress,
    /** What an earlier run rendered, whose objects are given again where they are the same. */
    private readonly earlier: readonly Rendered[] = [],
  ) {}

  async build(entrypoint: Entrypoint): Promise<Outcome> {
    const key = buildKey(entrypoint);
    const built = this.#built.get(key) ?? this.#build(entrypoint);
    this.#built.set(key, built);
    return { ...(await built), entrypoint };
  }

  /** In the order given. */
  async all(entrypoints: readonly Entrypoint[]): Promise<Rendered[]> {
    const outcomes: Outcome[] = [];
    for (const entrypoint of entrypoints) outcomes.push(await this.build(entrypoint));
    const untold = outcomes.filter(isRefused).filter(({ error }) => !this.#told.has(error));
    for (const [error, text] of toldOf(this.tree, untold)) this.#told.set(error, text);
    return outcomes.map((outcome) => {
      if (!isRefused(outcome)) return outcome;
      const { error, ...what } = outcome;
      const { path } = outcome.entrypoint;
      return {
        ...what,
        problem: { ...refusal(this.tree, what, error, this.#told.get(error) ?? ''), entrypoint: path },
      };
    });
  }

  async #build(entrypoint: Entrypoint): Promise<Outcome> {
    const known = this.known(entrypoint);
    if (known) return ofRevision(known, this.tree.revision);
    this.progress?.(this.#built.size, this.#built.size + 1, entrypoint.path);
    const response = await this.engine.build(entrypoint, 'objects');
    const what = { entrypoint, files: response.files, lost: this.engine.lostOf(entrypoint) };
    return response.ok
      ? { ...what, ...success(this.tree.revision, entrypoint, response, this.#earlierOf(entrypoint)) }
      : { ...what, ok: false, error: response.error };
  }

  #earlierOf(entrypoint: Entrypoint): readonly RenderedObject[] {
    const key = buildKey(entrypoint);
    const found = this.earlier.find((one) => one.ok && buildKey(one.entrypoint) === key);
    return found?.ok ? found.objects : [];
  }
}

function isRefused(outcome: Outcome): outcome is Refused {
  return !outcome.ok && 'error' in outcome;
}

/** The same result of another revision whose inputs are equal, so that its places are too. */
function ofRevision(result: Rendered, revision: Revision): Rendered {
  if (result.ok && result.objects.every((object) => object.revision === revision)) return result;
  return result.ok ? { ...result, objects: result.objects.map((object) => ({ ...object, revision })) } : result;
}

/** What decides the objects that a build gives, and their origins, but for the files. */
export function buildKey({ path, kustomization, ignore, declaredAt }: Entrypoint): string {
  return JSON.stringify([path, kustomization, ignore, declaredAt]);
}

/** What is said of each refusal, without the secrets of the tree. */
function toldOf(tree: Tree, refused: readonly Refused[]): Map<EngineError, string> {
  const files = refused.flatMap((one) => [...one.files, ...declaredIn(one.entrypoint)]);
  const texts = redact(
    tree,
    refused.map(({ error }) => error.message),
    files,
  );
  return new Map(refused.map(({ error }, index) => [error, texts[index] ?? '']));
}

export function declaredIn({ declaredAt }: Entrypoint): string[] {
  return declaredAt ? [declaredAt.file] : [];
}

function success(
  revision: Revision,
  entrypoint: Entrypoint,
  response: BuildResponse & { ok: true },
  earlier: readonly RenderedObject[],
) {
  const { steps, dropped, undefinedVariables } = response;
  const objects = toRendered(entrypoint, response, revision, earlier);
  return { ok: true as const, objects, steps, dropped, undefinedVariables };
}

/** The objects that the controller would apply. */
export function toRendered(
  entrypoint: Entrypoint,
  response: BuildResponse & { ok: true },
  revision: Revision = 'head',
  earlier: readonly RenderedObject[] = [],
): RenderedObject[] {
  const again = new Again(earlier, response);
  const made = (object: EngineObject, index: number) => {
    const { object: known, said } = again.of(object, index);
    if (known?.revision === revision) return known;
    const one = { ...toObject(entrypoint, said, index, again.places), revision };
    noteSaid(one, said, again.places);
    return one;
  };
  const objects = (response.objects ?? []).flatMap((object, index) =>
    object.dropped === undefined ? [made(object, index)] : [],
  );
  return entrypoint.kustomization.commonMetadata
    ? objects.map((object) => withCommonMetadata(object, entrypoint))
    : objects;
}

function toObject({ path }: Entrypoint, object: EngineObject, index: number, built: Places) {
  const source = built.sources[object.source];
  const writers = readWriters(object.origin, built);
  return {
    ref: refOf(object.value),
    value: object.value,
    entrypoint: path,
    index,
    ...(source?.file && !source.inside && { source: { file: source.file, document: source.document } }),
    writers: writers.of,
    children: writers.children,
    removed: () => (object.removed ?? []).map(([path, head]) => ({ path, by: chain(head, built) })),
  } satisfies Omit<RenderedObject, 'revision'>;
}

/**
 * The object with the annotations for Flux itself that the controller sets on all of them before it applies any (`commonMetadata`;
 * fluxcd/pkg/ssa, `SetCommonMetadata`): they decide how Flux treats it.
 */
function withCommonMetadata(object: RenderedObject, { kustomization, declaredAt }: Entrypoint): RenderedObject {
  const common = kustomization.commonMetadata?.annotations as Json | undefined;
  const all = isObject(common) ? Object.entries(common) : [];
  const ofFlux = all.filter(([key, value]) => key.startsWith(settingPrefix) && typeof value === 'string');
  if (ofFlux.length === 0) return object;
  const metadata = isObject(object.value.metadata) ? object.value.metadata : {};
  const annotations = {
    ...(isObject(metadata.annotations) ? metadata.annotations : {}),
    ...Object.fromEntries(ofFlux),
  };
  const isSet = (path: FieldPath) =>
    path.length === 3 && path[1] === 'annotations' && ofFlux.some(([key]) => key === path[2]);
  const origin = (path: FieldPath): Writer => ({
    by: 'controller',
    from: declaredAt ? [{ ...declaredAt, path: ['spec', 'commonMetadata', ...path.slice(1)] }] : [],
  });
  return {
    ...object,
    value: { ...object.value, metadata: { ...metadata, annotations } },
    writers: (path, part) => (isSet(path) ? [origin(path), ...object.writers(path, part)] : object.writers(path, part)),
  };
}
