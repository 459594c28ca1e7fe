/** helm-controller's render as a second opinion: Helm's own action with the post-renderer that every release has (helm-controller/main.go). */
import { hasGo } from '../../src/build/go.mjs';
import type { JsonObject } from '../../src/core/model.js';
import { isObject } from '../../src/core/object.js';
import { GoProgram } from './go-program.js';
import { isLong } from './sample.js';

export type ControllerRequest = {
  /** The file of a packed chart. */
  archive: string;
  name: string;
  namespace: string;
  values: JsonObject;
  kubeVersion: string;
};

type ControllerAnswer = { objects: JsonObject[]; hooks: JsonObject[] | null; failed?: string };

/** The objects in the order of Helm, hooks last, without the labels that tell of the release; or why it fails. */
export function renderedByController(requests: readonly ControllerRequest[]): (JsonObject[] | { failed: string })[] {
  return program
    .ask<ControllerAnswer>(requests)
    .map(({ objects, hooks, failed }) =>
      failed === undefined ? [...objects, ...(hooks ?? [])].flatMap(itemsOf).map(withoutLabels) : { failed },
    );
}

const program = new GoProgram('helm-controller');

/** Why it is not asked, where that is so. The short run does not wait for a build. */
export const whyNoController = !hasGo()
  ? 'Go is not installed'
  : program.isBuilt || isLong()
    ? undefined
    : 'it is not built yet, which npm test -- --samples=5 does';

export const helmController = () => program.build();

/** Helm's client takes all for a list that has items. */
function itemsOf(object: JsonObject): JsonObject[] {
  if (!Array.isArray(object.items)) return [object];
  const kind = String(object.kind).replace(/List$/, '');
  const like = { kind, apiVersion: object.apiVersion ?? null };
  return object.items
    .filter(isObject)
    .map((item) => ('kind' in item || 'apiVersion' in item ? item : { ...like, ...item }));
}

function withoutLabels(object: JsonObject): JsonObject {
  const { metadata } = object;
  if (!isObject(metadata) || !('labels' in metadata)) return object;
  const { labels, ...rest } = metadata;
  const others = isObject(labels)
    ? Object.entries(labels).filter(([name]) => !/^helm\.toolkit\.fluxcd\.io\/(?:name|namespace)$/.test(name))
    : [];
  return { ...object, metadata: { ...rest, ...(others.length > 0 && { labels: Object.fromEntries(others) }) } };
}
