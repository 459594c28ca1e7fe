/** Every entrypoint as Flux would build it. A refusal is a problem of its entrypoint alone; the next one is still rendered. */
import type { Engine } from '../engine/engine.js';
import type { BuildResponse, EngineObject, EngineSource, Origin } from '../engine/protocol.js';
import type { Entrypoint, FieldPath, JsonObject, ObjectRef, Problem, RenderedObject, Step, Written } from '../model.js';
import type { Tree } from '../tree.js';
import { refusal } from './refusal.js';

export type Rendered =
  | {
      ok: true;
      entrypoint: Entrypoint;
      objects: RenderedObject[];
      steps: Step[];
      /** Keys of the root kustomization that Flux drops without a word. */
      dropped: { file: string; path: FieldPath }[];
      undefinedVariables: string[];
      files: readonly string[];
    }
  | {
      ok: false;
      entrypoint: Entrypoint;
      problem: Problem;
      files: readonly string[];
    };

export type Progress = (done: number, total: number, path: string) => void;

export async function render(
  tree: Tree,
  engine: Engine,
  entrypoints: readonly Entrypoint[],
  progress?: Progress,
): Promise<Rendered[]> {
  const rendered: Rendered[] = [];
  for (const entrypoint of entrypoints) {
    progress?.(rendered.length, entrypoints.length, entrypoint.path);
    const response = await engine.build(entrypoint, 'objects');
    rendered.push(response.ok ? success(entrypoint, response) : failure(tree, entrypoint, response));
  }
  return rendered;
}

function success(entrypoint: Entrypoint, response: BuildResponse & { ok: true }): Rendered {
  const objects = (response.objects ?? []).flatMap((object, index) =>
    object.dropped === undefined ? [toObject(entrypoint.path, object, index, response.sources)] : [],
  );
  const { steps, dropped, undefinedVariables, files } = response;
  return {
    ok: true,
    entrypoint,
    objects,
    steps,
    dropped,
    undefinedVariables,
    files,
  };
}

function failure(tree: Tree, entrypoint: Entrypoint, response: BuildResponse & { ok: false }): Rendered {
  const problem = refusal(tree, entrypoint, response.error, response.files);
  return {
    ok: false,
    entrypoint,
    problem: { ...problem, entrypoint: entrypoint.path },
    files: response.files,
  };
}

function toObject(entrypoint: string, object: EngineObject, index: number, sources: EngineSource[]): RenderedObject {
  const source = sources[object.source];
  let origin: Origin | undefined;
  return {
    ref: refOf(object.value),
    value: object.value,
    entrypoint,
    index,
    ...(source?.file && !source.inside && { source: { file: source.file, document: source.document } }),
    written: (path, part) => {
      origin ??= JSON.parse(object.origin) as Origin;
      return follow(origin, path, part, sources);
    },
  };
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

function follow(root: Origin, path: FieldPath, part: 'key' | 'value', sources: EngineSource[]): Written | undefined {
  let node: Origin | undefined = root;
  let key: [number, number, number] | undefined;
  for (const step of path) {
    const children: Origin[] | [string, number, number, number, Origin][] = node?.[3] ?? [];
    key = undefined;
    if (typeof step === 'number') node = children[step] as Origin | undefined;
    else {
      const entry = (children as [string, number, number, number, Origin][]).find(([name]) => name === step);
      key = entry && [entry[1], entry[2], entry[3]];
      node = entry?.[4];
    }
  }
  const [source, line, column] = (part === 'key' ? key : node) ?? [-1, 0, 0];
  const document = sources[source];
  if (!document?.file) return undefined; // nobody knows, or a field of the Flux object
  const { file, inside } = document;
  return { file, document: document.document, line: document.line + line, column, ...(inside && { inside }) };
}
