import type { Change } from '../model.js';
import type { Rendered } from '../render/render.js';
import type { Tree } from '../tree.js';

type Sides = { tree: Tree; rendered: readonly Rendered[]; base: { tree: Tree; rendered: readonly Rendered[] } };

/** The files with the object back in them; undefined where it is not certain how. */
export function restored(_change: Extract<Change, { do: 'restore' }>, _sides: Sides): Map<string, string> | undefined {
  return undefined;
}
