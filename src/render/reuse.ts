/** Which entrypoints need no second build, because nothing that a build reads differs between two revisions. */

import type { Entrypoint, Rendered, Tree } from '../core/model.js';
import { isSameFile } from '../tree/tree.js';
import { buildKey } from './render.js';

/** Of what the head renders, that which the base renders too, as no input of the build differs. */
export function reusable(
  head: Tree,
  base: Tree,
  rendered: readonly Rendered[],
): (entrypoint: Entrypoint) => Rendered | undefined {
  const same = unchanged(head, base);
  const known = new Map(rendered.filter(same).map((result) => [buildKey(result.entrypoint), result]));
  return (entrypoint) => known.get(buildKey(entrypoint));
}

/** The result of the head's build stands for the base too where its inputs are byte-equal. */
export function unchanged(head: Tree, base: Tree): (result: Rendered) => boolean {
  const changes = differences(head, base);
  const added = changes.filter(({ modified }) => !modified).map(({ path }) => path);
  const modified = new Set(changes.flatMap((change) => (change.modified ? [change.path] : [])));
  // What decides which files Flux sees at all is read with every build.
  const everywhere = changes.some(({ path }) => /(^|\/)\.sourceignore$/.test(path)) || !sameLinks(head, base);
  return ({ ok, entrypoint: { path }, files }) => {
    // What a build that is refused has looked for in vain is in no list.
    if (everywhere || (!ok && added.length > 0)) return false;
    const folders = new Set(files.map(folderOf));
    // A file that comes or goes matters where a folder is listed, or where one name is preferred to another.
    const near = (file: string) => path === '.' || file.startsWith(`${path}/`) || folders.has(folderOf(file));
    return !files.some((file) => modified.has(file)) && !added.some(near);
  };
}

function differences(head: Tree, base: Tree): { path: string; modified: boolean }[] {
  const paths = new Set([...head.files, ...base.files]);
  return [...paths]
    .map((path) => ({ path, modified: head.has(path) && base.has(path) }))
    .filter(({ path, modified }) => !modified || !isSameFile(path, head, base));
}

function sameLinks(a: Tree, b: Tree): boolean {
  const names = ({ links, submodules }: Tree) => JSON.stringify([links, submodules]);
  return names(a) === names(b);
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}
