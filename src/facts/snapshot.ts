/**
 * A small file made from a cluster, to be committed: which Packages there are, who manages which fields, what is served.
 * It holds no values (`customizer-lint snapshot` writes it).
 */
export type Snapshot = {
  /** Where it lies in the repository. */
  file: string;
  /** The day on which it was made, as 2026-12-31. */
  taken: string;
  release?: string;
  packages: { [name: string]: { variant?: string; components?: string[]; managers?: SnapshotManager[] } };
  ownedNamespaces?: string[];
  roles?: unknown;
};

export type SnapshotManager = { manager: string; operation: 'Apply' | 'Update'; fields: string[] };
