/** Whether a change can alter what is rendered at all: where it cannot, there is no need to render anything. */
import { basename } from 'node:path/posix';
import type { Tree } from './tree.js';

/** The files that differ, sorted; links, submodules and what was refused count as files. */
export function changedFiles(head: Tree, base: Tree): string[] {
  const names = new Set([head, base].flatMap((tree) => [...tree.files, ...others(tree)]));
  return [...names].filter((name) => !isSame(name, head, base)).sort();
}

/**
 * Whether any of the files can be an input of a build or of the linter itself. A manifest always can; any other file only where
 * a kustomization or the configuration names it, as kustomize knows no globs.
 */
export function touchesInput(changed: readonly string[], config: string, ...trees: Tree[]): boolean {
  if (changed.some((file) => trees.some((tree) => others(tree).includes(file)))) return true;
  const naming = trees.flatMap((tree) =>
    tree.files
      .filter((file) => isKustomization(file) || file === config || basename(file) === '.sourceignore')
      .map((file) => tree.text(file) ?? ''),
  );
  const named = naming.join('\n');
  const settings = trees.map((tree) => tree.text(config) ?? '').join('\n');
  return changed.some((file) => {
    // Flux takes nothing of this folder, unless somebody says so (flux.md §1.1).
    const isGitHubs = file.startsWith('.github/') && !named.includes('.github');
    if (!isGitHubs && (isManifest(file) || isKustomization(file) || isSetting(file, config))) return true;
    return named.includes(basename(file)) || file.split('/').some((part) => settings.includes(part));
  });
}

function others({ links, submodules, refused }: Tree): string[] {
  return [...links, ...submodules, ...refused.keys()];
}

function isSame(file: string, head: Tree, base: Tree): boolean {
  if (others(head).includes(file) || others(base).includes(file)) return false;
  const [now, before] = [head.bytes(file), base.bytes(file)];
  return now !== undefined && before !== undefined && Buffer.compare(now, before) === 0;
}

function isManifest(file: string): boolean {
  return /\.(?:ya?ml|json)$/i.test(file);
}

function isKustomization(file: string): boolean {
  return /^kustomization(?:\.ya?ml)?$/i.test(basename(file));
}

/** What decides which files Flux gets, and the linter's own configuration. */
function isSetting(file: string, config: string): boolean {
  return file === config || ['.sourceignore', '.gitmodules', '.gitattributes'].includes(basename(file));
}
