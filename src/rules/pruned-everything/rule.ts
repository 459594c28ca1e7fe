import { kustomizationOf } from '../../contract/kustomize.js';
import { sameEntrypoint } from '../../facts/pruned.js';
import type { Place } from '../../model.js';
import type { Tree } from '../../tree.js';
import type { Rule } from '../rule.js';

export default {
  id: 'pruned-everything',
  severity: 'error',
  summary: 'a directory that Flux applies renders no object at all, so Flux deletes what it applied from there',
  check({ entrypoints, base, tree, report }) {
    for (const { entrypoint, ...rendered } of entrypoints) {
      // A field of the kustomization that Flux drops is a problem of its own, which says what it leads to.
      if (!('objects' in rendered) || rendered.objects.length > 0 || rendered.dropped.length > 0) continue;
      const before = base?.entrypoints.find((other) => sameEntrypoint(other.entrypoint, entrypoint));
      const had = before?.ok ? before.objects.length : 0;
      if (before?.ok && had === 0) continue;
      const where = entrypoint.path === '.' ? 'The repository' : `"${entrypoint.path}"`;
      const prunes = entrypoint.prunes !== false;
      const objects = had === 1 ? 'the object' : `all ${had} objects`;
      report({
        message: !prunes
          ? `${where} has nothing left to apply`
          : had > 0
            ? `${where} has nothing left to apply, so Flux deletes ${objects} that it has applied from there, as far as it may, and stays Ready`
            : `${where} has nothing to apply; whatever Flux has applied from there before, it deletes, and stays Ready`,
        help: 'list in "resources" what is to be applied; to stop applying it for good, have the Flux Kustomization deleted',
        at: placeOf(entrypoint.path, tree),
        entrypoint: entrypoint.path,
        ...((had === 0 || !prunes) && { severity: 'warning' as const }),
      });
    }
  },
} satisfies Rule;

/** What says that there is nothing: `resources` of the kustomization, or the directory where it has none. */
function placeOf(path: string, tree: Tree): Place {
  const file = kustomizationOf(path, tree);
  return file ? { file, document: 0, path: ['resources'], part: 'key' } : { file: path };
}
