import type { EngineError } from '../engine/protocol.js';
import type { Entrypoint, Place, Problem } from '../model.js';
import type { Tree } from '../tree.js';

/** What Flux would refuse, in words that name the file to edit. Flux's own text stands in the help. */
export function refusal(tree: Tree, entrypoint: Entrypoint, error: EngineError): Problem {
  return {
    rule: 'unbuildable-kustomization',
    message: error.message,
    at: place(tree, entrypoint, error),
  };
}

function place(_tree: Tree, entrypoint: Entrypoint, error: EngineError): Place {
  if (error.kustomization && error.field)
    return {
      file: error.kustomization,
      document: 0,
      path: error.field,
      part: 'value',
    };
  return { file: error.file ?? error.kustomization ?? entrypoint.path };
}
