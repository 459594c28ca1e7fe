/** Whose rules a run goes by: a change must not be able to switch off its own check (trust.md in the design). */
import type { FieldPath } from '../model.js';
import { type Config, configFile, defaults } from './config.js';

/** Where the change comes from: somebody who may push to the repository, or anybody. */
export type Trust = 'same-repository' | 'fork';

export type Policy = {
  config: Config;
  /** The revision that the configuration is of, and with it the contract data it names. */
  from: 'head' | 'base';
  /** The revision whose files the facts of the cluster are read from. */
  facts: 'head' | 'base';
  /** Whether an ignore that the change brings along counts. */
  newIgnores: boolean;
  /** What the change would alter, and what stands instead of the head's configuration; for the report. */
  notes: string[];
};

export type Compared = {
  head: Config | undefined;
  base: Config | undefined;
  /** `nothing`: the files are what somebody has before him. `unknown`: there is a base, but it could not be had. */
  with: 'base' | 'nothing' | 'unknown';
  trust: Trust;
};

export function decidePolicy({ head, base, with: compared, trust }: Compared): Policy {
  const asTheyAre = { config: head ?? defaults(), from: 'head', facts: 'head', newIgnores: true } as const;
  if (compared === 'nothing') return { ...asTheyAre, notes: [] };
  if (trust === 'fork') {
    const config = base ?? defaults(head?.file);
    const notes = changes(base, head, 'are not used: the change is a fork’s');
    return { config, from: 'base', facts: 'base', newIgnores: false, notes };
  }
  if (!base) {
    const why = compared === 'base' ? 'is new in this change' : 'is this change’s own';
    return { ...asTheyAre, notes: head ? [`${head.file} ${why}; it is used, as no other can be had`] : [] };
  }
  const { cluster, clusters } = head ?? defaults(base.file);
  return {
    config: { ...base, cluster, clusters },
    from: 'base',
    facts: 'head',
    newIgnores: true,
    notes: changes(base, head, 'count after the merge, but those of the cluster already do'),
  };
}

/** One line that names every setting which differs. */
function changes(base: Config | undefined, head: Config | undefined, what: string): string[] {
  const different = differences(base ?? defaults(), head ?? defaults(), []).map((path) => path.join('.'));
  const settings = different.filter((path) => path !== 'file').sort();
  if (settings.length === 0) return [];
  return [`the changes of ${head?.file ?? base?.file ?? configFile} ${what}: ${settings.join(', ')}`];
}

/** Down to the second level, which names a rule; a list differs as a whole. */
function differences(a: unknown, b: unknown, path: FieldPath): FieldPath[] {
  if (JSON.stringify(a) === JSON.stringify(b)) return [];
  if (!isMap(a) || !isMap(b) || path.length === 2) return [path];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((key) =>
    differences(a[key], b[key], [...path, key]),
  );
}

function isMap(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
