/** Which changes of an object make its pods restart. */
import type { FieldPath, JsonObject } from './model.js';
import { formatPath, getString, lookUp } from './object.js';

const kinds = new Set(['Deployment', 'StatefulSet', 'DaemonSet']);

/** Whether Kubernetes keeps pods of such an object, and replaces them when their template changes. */
export function isWorkload(kind: string): boolean {
  return kinds.has(kind);
}

/**
 * Which field of the template of its pods makes a workload restart them: the first that is no checksum, or else a checksum. None does where
 * it is paused, or replaces only what somebody deletes.
 */
export function restartsBy(object: JsonObject, paths: readonly FieldPath[]): string | undefined {
  if (!isWorkload(String(object.kind)) || lookUp(object, ['spec', 'paused']) === true) return undefined;
  if (getString(object, ['spec', 'updateStrategy', 'type']) === 'OnDelete') return undefined;
  const inTemplate = paths.filter(([first, second]) => first === 'spec' && second === 'template');
  const found = inTemplate.find((path) => !isChecksum(path)) ?? inTemplate[0];
  return found && formatPath(found);
}

/** A chart writes one so that pods restart when what they read changes; its value says nothing to anybody. */
export function isChecksum(path: FieldPath): boolean {
  return /checksum|hash/i.test(String(path.at(-1)));
}
