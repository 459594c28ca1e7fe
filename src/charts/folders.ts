/** The folders of the repository that its own charts are read from. */
import type { Cluster, RevisionObjects } from '../cluster/cluster.js';
import type { Tree } from '../core/model.js';
import { isPackageSource } from '../cozystack/package.js';
import { chartFolderOf, isHelmRelease } from './helm-releases.js';
import { ownCharts } from './own.js';
import { chartFolders } from './releases.js';

/** With those of libraries, in either revision; each once. */
export function ownChartFolders(
  clusters: readonly Cluster[],
  trees: { head: Tree; base?: Tree | undefined },
): string[] {
  const folders = clusters.flatMap(({ head, base }) => [
    ...foldersOf(head, trees.head),
    ...(base && trees.base ? foldersOf(base, trees.base) : []),
  ]);
  return [...new Set(folders)];
}

function foldersOf(revision: RevisionObjects, tree: Tree): string[] {
  const charts = ownCharts(revision, tree);
  return revision.objects.flatMap((object) => {
    if (isHelmRelease(object)) return chartFolderOf(object.value, charts) ?? [];
    if (!isPackageSource(object)) return [];
    const home = charts.originOf(object.value);
    return 'elsewhere' in home ? [] : chartFolders(object.value, home);
  });
}
