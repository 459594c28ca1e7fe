/** Directories that a path with a variable at its beginning may name: any whose name begins as the path does. */
import { dirname } from 'node:path/posix';
import { kustomizationOf } from '../../core/kustomization.js';
import type { Tree } from '../../core/model.js';
import { normalize } from '../../discover/flux.js';
import { changedFiles } from '../../render/readable-files.js';
import type { RuleContext } from '../rule.js';

/** The begin of the path up to its variable, if that is no folder of its own: `x` of `./x${NAME}`. */
export function openPrefix(path: string, at: number): string | undefined {
  if (at < 0 || normalize(path.slice(0, path.lastIndexOf('/', at) + 1)) !== '.') return undefined;
  return path.slice(path.lastIndexOf('/', at) + 1, at);
}

/** True if a file differs that such a directory may hold, and that no build which is checked reads. */
export function mayHoldOther(prefix: string, { tree, base, everywhere }: RuleContext): boolean {
  if (!base) return true;
  const read = new Set(everywhere.flatMap(({ ok, files }) => (ok ? files : [])));
  return changedFiles(tree)(base.tree).some(
    (file) =>
      file.startsWith(prefix) &&
      file.includes('/') &&
      !file.startsWith('.github/') &&
      !read.has(file) &&
      [tree, base.tree].some((one) => isOfBuild(file, one)),
  );
}

/** True for a manifest, and for any file below a kustomization other than that of the root, which may name it. */
function isOfBuild(file: string, tree: Tree): boolean {
  if (/\.(?:ya?ml|json)$/i.test(file)) return true;
  for (let folder = dirname(file); folder !== '.'; folder = dirname(folder))
    if (kustomizationOf(folder, tree) !== undefined) return true;
  return false;
}
