import { kustomizationOf } from '../../core/kustomization.js';
import type { Entrypoint, Place, Problem, RenderedObject, Tree } from '../../core/model.js';
import { isPackage } from '../../cozystack/package.js';
import { isApplied } from '../../flux/applied.js';
import { isLeft, sameEntrypoint, setsAnything } from '../../flux/prune.js';
import type { Rule } from '../rule.js';

const messages = {
  notPruned: (where: string) => `${where} has nothing left to apply`,
  unknownBefore: (where: string) =>
    `${where} has nothing to apply; Flux deletes all that it has applied from there before, and stays Ready`,
  nothingSet: (where: string) => `${where} has nothing left to apply; Flux deletes nothing, and no values stay set`,
  allStays: (where: string) =>
    `${where} has nothing left to apply; Flux deletes nothing, and all values set from there stay`,
  deleted: (where: string, objects: string) =>
    `${where} has nothing left to apply, so Flux deletes ${objects} applied from there, if it is allowed to, and stays Ready`,
};

export default {
  id: 'pruned-everything',
  group: 'pruning',
  severity: 'error',
  summary: 'a directory that Flux applies renders no objects, so Flux deletes all that it applied from there',
  messages,
  check({ entrypoints, base, tree, report }) {
    for (const { entrypoint, ...rendered } of entrypoints) {
      // A field of the kustomization that Flux drops is a problem of its own, which says what it leads to.
      if (!('objects' in rendered) || rendered.objects.length > 0 || rendered.dropped.length > 0) continue;
      const before =
        base?.entrypoints.find((other) => sameEntrypoint(other.entrypoint, entrypoint)) ??
        base?.entrypoints.find((other) => isNamesake(other.entrypoint, entrypoint));
      const had = before?.ok ? before.objects.filter(isApplied) : [];
      // What had nothing, or was not there, has nothing to lose.
      if (base && (!before || before.ok) && had.length === 0) continue;
      report({
        ...judge(entrypoint, had),
        help: 'list what is to be applied in "resources", or have the Flux Kustomization deleted',
        at: placeOf(entrypoint.path, tree),
        entrypoint: entrypoint.path,
      });
    }
  },
} satisfies Rule;

/** The same Flux Kustomization with another directory: it prunes what it applied from the old one. */
function isNamesake({ kustomization: one }: Entrypoint, { kustomization: other }: Entrypoint): boolean {
  return one.name !== undefined && one.name === other.name && one.namespace === other.namespace;
}

/** `had` is what Flux applied before; empty where nobody knows. */
function judge(entrypoint: Entrypoint, had: readonly RenderedObject[]): Pick<Problem, 'message' | 'severity'> {
  const { path, prunes } = entrypoint;
  const where = path === '.' ? 'The repository' : `"${path}"`;
  if (prunes === false) return { message: messages.notPruned(where), severity: 'warning' };
  if (had.length === 0)
    return {
      message: messages.unknownBefore(where),
      severity: 'warning',
    };
  const doomed = had.filter((object) => !isLeft(object, entrypoint));
  if (doomed.length === 0 && had.every((object) => isPackage(object) && !setsAnything(object.value.spec)))
    return {
      message: messages.nothingSet(where),
      severity: 'warning',
    };
  if (doomed.length === 0)
    return {
      message: messages.allStays(where),
    };
  const all = had.length === 1 ? 'the object' : `all ${had.length} objects`;
  const objects = doomed.length < had.length ? `${doomed.length} of the ${had.length} objects` : all;
  return {
    message: messages.deleted(where, objects),
  };
}

/** What says that there is nothing: `resources` of the kustomization, or the directory where it has none. */
function placeOf(path: string, tree: Tree): Place {
  const file = kustomizationOf(path, tree);
  return file ? { file, document: 0, path: ['resources'], part: 'key' } : { file: path };
}
