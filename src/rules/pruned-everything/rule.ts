import { isSetTo } from '../../contract/flux.js';
import { kustomizationOf } from '../../contract/kustomize.js';
import { sameEntrypoint } from '../../facts/pruned.js';
import { isApplied } from '../../facts/refusal.js';
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
      const had = before?.ok ? before.objects.filter(isApplied) : [];
      if (before?.ok && had.length === 0) continue;
      const where = entrypoint.path === '.' ? 'The repository' : `"${entrypoint.path}"`;
      const prunes = entrypoint.prunes !== false;
      const doomed = had.filter(({ value }) => prunes && !isSetTo(value, 'prune', 'disabled')).length;
      const objects =
        had.length === 1 ? 'the object' : `${doomed < had.length ? `${doomed} of the` : 'all'} ${had.length} objects`;
      report({
        message: !prunes
          ? `${where} has nothing left to apply`
          : doomed > 0
            ? `${where} has nothing left to apply, so Flux deletes ${objects} that it has applied from there, as far as it may, and stays Ready`
            : had.length > 0
              ? `${where} has nothing left to apply; what Flux has applied from there is not pruned, so all that it has set stays`
              : `${where} has nothing to apply; whatever Flux has applied from there before, it deletes, and stays Ready`,
        help: 'list in "resources" what is to be applied; to stop applying it for good, have the Flux Kustomization deleted',
        at: placeOf(entrypoint.path, tree),
        entrypoint: entrypoint.path,
        ...(doomed === 0 && { severity: 'warning' as const }),
      });
    }
  },
} satisfies Rule;

/** What says that there is nothing: `resources` of the kustomization, or the directory where it has none. */
function placeOf(path: string, tree: Tree): Place {
  const file = kustomizationOf(path, tree);
  return file ? { file, document: 0, path: ['resources'], part: 'key' } : { file: path };
}
