/** Whose rules a run goes by: a change must not be able to switch off its own check. */
import type { FieldPath } from '../core/model.js';
import { type Config, configFile, defaults } from './config.js';

/** Where the change comes from: somebody who may push to the repository, or anybody. */
export type Trust = 'same-repository' | 'fork';

/** A revision of the repository that policy can be taken from. */
export type PolicyRevision = 'head' | 'base' | 'tip';

export type Policy = {
  /** What the head is judged by. */
  config: Config;
  /** The revision that the configuration is of, and with it the contract data it names. */
  from: PolicyRevision;
  /** The revision whose files (snapshot, roles) say what is known of the clusters. */
  facts: PolicyRevision;
  /** What the base is discovered and judged by: the facts of the clusters are its own. */
  before: Config;
  /** Whether an ignore that the change brings along counts. */
  newIgnores: boolean;
  /** What the change would alter, and what stands instead of the head's configuration; for the report. */
  notes: string[];
};

export type PolicyInput = {
  head: Config | undefined;
  /** Of the last commit that the change shares with the base branch. */
  base: Config | undefined;
  /** Of the tip of the base branch, where that is another commit. */
  tip?: { config: Config | undefined };
  /** `nothing`: the files are what somebody has before him. `unknown`: there is a base, but it could not be had. */
  with: 'base' | 'nothing' | 'unknown';
  trust: Trust;
};

/**
 * What is stated outside of the manifests is the base branch's: its tip's, as the last shared commit is the author's choice.
 * Of a same-repository change the head's facts of the clusters count, and so does a first configuration; neither changes how
 * the base is seen.
 */
export function decidePolicy({ head, base: shared, tip, with: compared, trust }: PolicyInput): Policy {
  const base = tip ? tip.config : shared;
  const from = tip ? ('tip' as const) : ('base' as const);
  const own = { config: head ?? defaults(), from: 'head', facts: 'head', newIgnores: true } as const;
  if (compared === 'nothing') return { ...own, before: own.config, notes: [] };
  if (trust === 'fork') {
    const config = base ?? defaults(head?.file);
    const notes = changes(base, head, 'are not used: the change is a fork’s');
    return { config, from, facts: from, before: config, newIgnores: false, notes };
  }
  if (!base) {
    const why = compared === 'base' ? 'is new in this change' : 'is this change’s own';
    const notes = head ? [`${head.file} ${why}; it is used, as no other can be had`] : [];
    // The configuration says for the first time what the clusters are; what the base applied is for the base to say.
    const { file, cluster, clusters, rules, cozystack } = own.config;
    return { ...own, before: { ...defaults(file), cluster, clusters, rules, cozystack }, notes };
  }
  const { cluster, clusters } = head ?? defaults(base.file);
  return {
    // A new ignore of the repository's own change counts, and is listed; a deletion has no line for a comment.
    config: { ...base, cluster, clusters, ignores: (head ?? base).ignores },
    from,
    facts: 'head',
    before: withFacts(base, shared ?? base, { cluster, clusters }),
    newIgnores: true,
    notes: changes(
      base,
      head && { ...head, ignores: base.ignores },
      'count after the merge, but those of the cluster already do',
    ),
  };
}

/** The base's own word on its clusters; where it says nothing of a fact, what the head says holds for it too. */
function withFacts(config: Config, shared: Config, head: Pick<Config, 'cluster' | 'clusters'>): Config {
  const clusters = head.clusters.map((one) => ({
    ...one,
    ...shared.clusters.find(({ name }) => name === one.name),
    paths: one.paths,
  }));
  return { ...config, cluster: { ...head.cluster, ...shared.cluster }, clusters };
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
