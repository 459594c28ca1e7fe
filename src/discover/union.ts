/** The entrypoints of both revisions: a change must not get rid of its check by not naming what was applied before. */

import { groupBy } from '../core/group.js';
import type { Entrypoint, Problem, Tree } from '../core/model.js';
import { clusterFolder, isDecoy } from '../flux/decoy.js';

export type Union = { entrypoints: Entrypoint[]; problems: Problem[] };

/**
 * Those of the head, and those that only the base had; these are a problem each, and still checked where they can be.
 * What the customizer applied before is judged with its rights as well: a change could else get others by a file that
 * names another account.
 */
export function union(head: readonly Entrypoint[], base: readonly Entrypoint[], tree: Tree): Union {
  // One path may be applied to several clusters.
  const key = (entrypoint: Entrypoint) => JSON.stringify([entrypoint.path, clusterFolder(entrypoint)]);
  const namedBy = groupBy(head, key);
  const isNamed = (entrypoint: Entrypoint) =>
    (namedBy.get(key(entrypoint)) ?? []).some(
      (one) => !isDecoy(one, entrypoint, head) && !isSuspendedCopy(one, entrypoint, head),
    );
  const gone = [...new Map(base.map((entrypoint) => [key(entrypoint), entrypoint])).values()].filter(
    (entrypoint) => !isNamed(entrypoint),
  );
  const itsOwn = new Set(head.filter(isCustomizers).map(key));
  const renamed = base.filter((entrypoint) => isCustomizers(entrypoint) && !itsOwn.has(key(entrypoint)));
  const kept = renamed.filter(isNamed);
  const left = gone.filter((entrypoint) => tree.isDirectory(entrypoint.path) && !namedBy.has(key(entrypoint)));
  return {
    entrypoints: [...head, ...[...kept, ...left].map(({ declaredAt: _, ...entrypoint }) => entrypoint)],
    problems: gone.map((entrypoint) => problem(entrypoint, tree)),
  };
}

/** True if the Flux Kustomization that still names the directory is suspended, and another of its name is not. */
function isSuspendedCopy(one: Entrypoint, before: Entrypoint, head: readonly Entrypoint[]): boolean {
  if (one.reach !== 'suspended' || before.reach === 'suspended') return false;
  const { name, namespace } = one.kustomization;
  const isNamesake = ({ kustomization, reach }: Entrypoint) =>
    kustomization.name === name && kustomization.namespace === namespace && reach !== 'suspended';
  return name !== undefined && head.some(isNamesake);
}

function isCustomizers({ account }: Entrypoint): boolean {
  return account === undefined;
}

function problem({ path, why, declaredAt }: Entrypoint, tree: Tree): Problem {
  const now = tree.isDirectory(path) ? 'nothing names it now' : 'it does not exist now';
  return {
    rule: 'missing-entrypoint',
    message: `"${path}" was applied before this change (${why}), but ${now}`,
    help: 'restore it; if Flux is to prune everything that it applied from there, ignore this in an earlier change',
    at: { revision: 'base', ...(declaredAt ?? { file: path }) },
    entrypoint: path,
  };
}
