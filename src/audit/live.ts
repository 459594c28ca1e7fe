/** What the objects of a cluster say of it: the facts that the ownership of their fields depends on. */

import { type Facts, gatherFacts } from '../cluster/facts.js';
import { takeSnapshot } from '../cluster/snapshot.js';
import { defaults } from '../config/config.js';
import { defined } from '../core/defined.js';
import type { Fact, FactName, FactSource, JsonObject, RenderedObject } from '../core/model.js';
import { refOf } from '../core/object.js';
import { platformName } from '../cozystack/catalog.js';
import { type Contract, isKnownRelease, loadContract } from '../cozystack/contract.js';
import { isKnownKubernetes } from '../cozystack/kubernetes.js';
import { isPackage } from '../cozystack/package.js';
import { newestLine, releases } from '../cozystack/releases.js';
import { presentObjects } from '../flux/applied.js';

/** A Package as the cluster has it. */
export type LivePackage = { name: string; value: JsonObject };

export type Live = {
  /** Where the objects come from, for a person: a file, or `the cluster`. */
  from: string;
  packages: readonly LivePackage[];
  /** The platform's own, in the form in which the facts are read from manifests. */
  platform: RenderedObject | undefined;
  facts: Facts;
  contract: Contract;
  /** What else may be, where the release or the platform's variant is only assumed. */
  others: readonly Possible[];
};

/** What the cluster is in one case; `because` the fact is not known. */
export type Possible = Pick<Live, 'facts' | 'contract'> & { because: 'release' | 'variant' };

export type LiveOptions = {
  from: string;
  /** The directory `schemas/` of this package. */
  data: string;
  release?: string;
  /** What the repository's configuration makes known of the cluster. */
  known?: { facts: Facts; contract: Contract };
};

export function liveOf(objects: readonly JsonObject[], { from, data, release, known }: LiveOptions): Live {
  const packages = objects.filter((value) => isPackage({ ref: refOf(value) }));
  const platform = packages.map(asRendered).find(({ ref }) => ref.name === platformName);
  const seen = gatherFacts({
    config: defaults(),
    cluster: {},
    prefix: 'cluster.',
    objects: presentObjects(platform ? [platform] : []),
    newest: newestLine(data),
    isKnownRelease: (name) => isKnownRelease(data, name),
    isKnownKubernetes: (version) => isKnownKubernetes(data, version),
    snapshot: { ...takeSnapshot(objects, ''), file: from },
    ...defined({ release }),
  });
  const facts = known ? overlaid(known.facts, seen) : seen;
  const isSame = known && known.facts.get('release').value === facts.get('release').value;
  const contract = isSame ? known.contract : loadContract(data, facts.all);
  return {
    from,
    platform,
    facts,
    contract,
    packages: packages.map((value) => ({ name: refOf(value).name, value })).sort((a, b) => (a.name < b.name ? -1 : 1)),
    others: [...otherReleases(facts, contract, data), ...otherVariants(facts, contract)],
  };
}

function otherReleases(facts: Facts, contract: Contract, data: string): Possible[] {
  if (facts.get('release').source !== 'assumed') return [];
  const others = releases(data).filter((name) => name !== contract.release);
  return others.map((name) => {
    const changed = withFact(facts, 'release', name);
    return { because: 'release', facts: changed, contract: loadContract(data, changed.all) };
  });
}

function otherVariants(facts: Facts, contract: Contract): Possible[] {
  const { value, source } = facts.get('variant');
  if (source !== 'assumed') return [];
  // A platform without any bundle makes no Package, so there would be nothing to audit.
  const others = contract.catalog.variantsWithPackages().filter((name) => name !== value);
  return others.map((name) => ({ because: 'variant', facts: withFact(facts, 'variant', name), contract }));
}

/** What is in force counts more than what anybody thinks of it, but for what the configuration says outright. */
const sources: readonly FactSource[] = ['config', 'snapshot', 'manifest', 'evidence', 'contract', 'world', 'assumed'];
const rank = (source: FactSource) => sources.indexOf(source);

function overlaid(known: Facts, seen: Facts): Facts {
  const all = new Map<FactName, Fact>();
  for (const [name, fact] of known.all) {
    const other = seen.all.get(name) as Fact;
    const isSeen = other.source === 'snapshot' || other.source === 'manifest';
    const isBetter = isSeen ? fact.source !== 'config' : rank(other.source) < rank(fact.source);
    all.set(name, isBetter ? other : fact);
  }
  return {
    all,
    get: (name) => all.get(name) as Fact,
    platformValue: (path) => seen.platformValue(path) ?? known.platformValue(path),
    used: () => [...all.values()].filter(({ name }) => name === 'release' || name === 'variant'),
  };
}

/** As if it were known. */
export function withFact(facts: Facts, name: FactName, value: string): Facts {
  const all = new Map<FactName, Fact>([...facts.all, [name, { name, value, source: 'config' }]]);
  return { ...facts, all, get: (one) => all.get(one) as Fact };
}

/** Nobody wrote it in a file. */
function asRendered(value: JsonObject): RenderedObject {
  return {
    ref: refOf(value),
    value,
    revision: 'head',
    entrypoint: '',
    index: 0,
    writers: () => [],
    children: () => undefined,
    removed: () => [],
  };
}
