/** Every entrypoint as Flux would build it. A refusal is a problem of its entrypoint alone; the next one is still rendered. */
import type { Engine } from '../engine/engine.js';
import type { BuildResponse, EngineError, EngineObject, Lost } from '../engine/protocol.js';
import type {
  Entrypoint,
  FieldPath,
  JsonObject,
  ObjectRef,
  Problem,
  RenderedObject,
  Revision,
  Step,
} from '../model.js';
import { redact } from '../secrets/redact.js';
import type { Tree } from '../tree.js';
import { type Build, refusal } from './refusal.js';
import { chain, readWriters } from './writers.js';

export type Rendered = {
  entrypoint: Entrypoint;
  /** What the build read, sorted; of one that is refused, before it stopped. */
  files: readonly string[];
  /** What of the repository Flux does not get to see, sorted by path. */
  lost: readonly Lost[];
} & (
  | {
      ok: true;
      objects: RenderedObject[];
      steps: Step[];
      /** Keys of the root kustomization that Flux drops without a word. */
      dropped: { file: string; path: FieldPath }[];
      undefinedVariables: string[];
    }
  | { ok: false; problem: Problem }
);

export type Progress = (done: number, total: number, path: string) => void;

export async function render(
  tree: Tree,
  engine: Engine,
  entrypoints: readonly Entrypoint[],
  progress?: Progress,
): Promise<Rendered[]> {
  const built: { what: Build; outcome: ReturnType<typeof success> | Refused }[] = [];
  for (const entrypoint of entrypoints) {
    progress?.(built.length, entrypoints.length, entrypoint.path);
    const response = await engine.build(entrypoint, 'objects');
    const what = { entrypoint, files: response.files, lost: engine.lost };
    built.push({ what, outcome: response.ok ? success(tree.revision, entrypoint, response) : response });
  }
  const refused = built.flatMap(({ what, outcome }) => (outcome.ok ? [] : [{ what, error: outcome.error }]));
  const told = toldOf(tree, refused);
  return built.map(({ what, outcome }) => ({
    ...what,
    ...(outcome.ok ? outcome : failure(tree, what, outcome, told.get(what) ?? '')),
  }));
}

type Refused = BuildResponse & { ok: false };

/** What is said of each refusal, without the secrets of the tree. */
function toldOf(tree: Tree, refused: readonly { what: Build; error: EngineError }[]): Map<Build, string> {
  const files = refused.flatMap(({ what }) => [...what.files, ...declaredIn(what.entrypoint)]);
  const texts = redact(
    tree,
    refused.map(({ error }) => error.message),
    files,
  );
  return new Map(refused.map(({ what }, index) => [what, texts[index] ?? '']));
}

export function declaredIn({ declaredAt }: Entrypoint): string[] {
  return declaredAt ? [declaredAt.file] : [];
}

function success(revision: Revision, entrypoint: Entrypoint, response: BuildResponse & { ok: true }) {
  const { steps, dropped, undefinedVariables } = response;
  const objects = toRendered(entrypoint, response, revision);
  return { ok: true as const, objects, steps, dropped, undefinedVariables };
}

/** The objects that the controller would apply. */
export function toRendered(
  { path }: Entrypoint,
  response: BuildResponse & { ok: true },
  revision: Revision = 'head',
): RenderedObject[] {
  return (response.objects ?? []).flatMap((object, index) =>
    object.dropped === undefined ? [{ ...toObject(path, object, index, response), revision }] : [],
  );
}

function failure(tree: Tree, what: Build, { error }: Refused, told: string) {
  return { ok: false as const, problem: { ...refusal(tree, what, error, told), entrypoint: what.entrypoint.path } };
}

function toObject(entrypoint: string, object: EngineObject, index: number, built: BuildResponse & { ok: true }) {
  const source = built.sources[object.source];
  const writers = readWriters(object.origin, built);
  return {
    ref: refOf(object.value),
    value: object.value,
    entrypoint,
    index,
    ...(source?.file && !source.inside && { source: { file: source.file, document: source.document } }),
    writers: writers.of,
    children: writers.children,
    removed: () => (object.removed ?? []).map(([path, head]) => ({ path, by: chain(head, built) })),
  } satisfies Omit<RenderedObject, 'revision'>;
}

function refOf(value: JsonObject): ObjectRef {
  const metadata = (value.metadata ?? {}) as JsonObject;
  return {
    apiVersion: String(value.apiVersion),
    kind: String(value.kind),
    ...(typeof metadata.namespace === 'string' && metadata.namespace !== '' && { namespace: metadata.namespace }),
    name: String(metadata.name ?? ''),
  };
}
