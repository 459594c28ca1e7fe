/** Whether a change alters anything that is rendered, or that decides how it is judged. */
import { basename } from 'node:path/posix';
import type { Tree } from '../core/model.js';
import { chartPathsOf } from '../discover/chart-paths.js';
import { isSameFile } from '../tree/tree.js';
import type { Workspace } from './load.js';

/** The files that differ, sorted; links, submodules and what was refused count as files. */
export function changedFiles(head: Tree, base: Tree): string[] {
  const names = new Set([head, base].flatMap((tree) => [...tree.files, ...others(tree)]));
  const [ofHead, ofBase] = [new Set(others(head)), new Set(others(base))];
  const differs = (name: string) => ofHead.has(name) || ofBase.has(name) || !isSameFile(name, head, base);
  return [...names].filter(differs).sort();
}

/**
 * The changed files, where no build and no stage of either revision has read one of them; else undefined. A build that was
 * refused may not have come to a file, and a link or a submodule may lead anywhere. Charts of the repository are read by Flux.
 */
export function untouchedFiles({ trees, rendered, inputs, policy }: Workspace): string[] | undefined {
  const { head, base } = trees;
  if (!base || !rendered.base) return undefined;
  const builds = [...rendered.head, ...rendered.base];
  if (builds.length === 0 || builds.some(({ ok }) => !ok)) return undefined;
  const changed = changedFiles(head, base);
  const read = new Set([...inputs, ...builds.flatMap(({ files }) => files)]);
  const objects = builds.flatMap((build) => (build.ok ? build.objects : []));
  const charts = new Set(
    objects.flatMap(({ value, revision }) => chartPathsOf(value, revision === 'head' ? head : base)?.paths ?? []),
  );
  const special = new Set([head, base].flatMap(others));
  const data = [policy.config, policy.before].flatMap(({ cozystack }) => cozystack.data ?? []);
  const counts = (file: string) =>
    read.has(file) ||
    special.has(file) ||
    ['.sourceignore', '.gitmodules'].includes(basename(file)) ||
    [...charts].some((path) => path === '.' || file === path || file.startsWith(`${path}/`)) ||
    data.some((folder) => file.startsWith(folder.replace(/^\.\//, '')));
  return changed.some(counts) ? undefined : changed;
}

function others({ links, submodules, refused }: Tree): string[] {
  return [...links, ...submodules, ...refused.keys()];
}
