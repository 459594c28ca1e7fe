/**
 * Folders without a kustomization: Flux makes one that lists every YAML file below, hidden ones too (flux/FACTS.md, Generated
 * kustomization).
 */
import { dirname } from 'node:path/posix';
import { kustomizationsIn } from '../core/kustomization.js';
import type { Rendered, Tree } from '../core/model.js';

/** Whether Flux makes the kustomization, as it sees none in the folder. */
export function isGenerated({ entrypoint: { path }, lost }: Rendered, tree: Tree): boolean {
  return !kustomizationsIn(path).some((file) => tree.has(file) && !lost.some((one) => one.path === file));
}

/** Whether Flux lists the file: below the folder, and not in one further down that has a kustomization of its own. */
export function isListed(file: string, { entrypoint: { path } }: Rendered, tree: Tree): boolean {
  if (!/\.ya?ml$/.test(file) || !isBelow(file, path)) return false;
  for (let folder = dirname(file); folder !== path && folder !== '.'; folder = dirname(folder)) {
    if (kustomizationsIn(folder).some(tree.has)) return false;
  }
  return true;
}

export function isBelow(file: string, folder: string): boolean {
  return folder === '.' || file.startsWith(`${folder}/`);
}
