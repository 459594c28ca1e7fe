/** What kustomize calls the file that says what to build (`konfig.RecognizedKustomizationFileNames`), in the order in which it looks. */
import { basename } from 'node:path/posix';
import type { Tree } from './model.js';

export const kustomizationNames: readonly string[] = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

export function isKustomizationFile(file: string): boolean {
  return kustomizationNames.includes(basename(file));
}

/** The kustomization files that a folder may have. */
export function kustomizationsIn(folder: string): string[] {
  return kustomizationNames.map((name) => (folder === '.' ? name : `${folder}/${name}`));
}

/** The one that a folder has; undefined where it has none. */
export function kustomizationOf(folder: string, tree: Pick<Tree, 'has'>): string | undefined {
  return kustomizationsIn(folder).find((file) => tree.has(file));
}
