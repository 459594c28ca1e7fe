/**
 * A small file made from a cluster, to be committed: which Packages there are, who manages which fields, what is served.
 * It holds no values (`customizer-lint snapshot` writes it).
 */
import { parse } from 'yaml';
import { type JsonObject, UsageError } from '../model.js';
import type { Tree } from '../tree.js';

export type Snapshot = {
  /** Where it lies in the repository. */
  file: string;
  /** The day on which it was made, as 2026-12-31. */
  taken: string;
  release?: string;
  packages: { [name: string]: { variant?: string; components?: string[]; managers?: SnapshotManager[] } };
  ownedNamespaces?: string[];
  /** Roles and bindings of service accounts, as they are. */
  roles?: JsonObject[];
};

export type SnapshotManager = { manager: string; operation: 'Apply' | 'Update'; fields: string[] };

/** Throws a `UsageError` where there is no such file, or where it is no snapshot. */
export function readSnapshot(tree: Tree, file: string): Snapshot {
  const text = tree.text(file);
  if (text === undefined) throw new UsageError(`the snapshot ${file} is not in ${tree.description}`);
  const value = parse(text, { maxAliasCount: 0 }) as Omit<Snapshot, 'file'> | null;
  if (typeof value?.packages !== 'object') throw new UsageError(`${file} is no snapshot of a cluster`);
  return { ...value, file };
}
