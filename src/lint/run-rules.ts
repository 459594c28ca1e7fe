/** Runs the rules, one after the other, over what one revision renders for every cluster, and asks what they find in every world. */

import type { Cluster, ClusterKnowledge, RevisionObjects } from '../cluster/cluster.js';
import type { Facts, World } from '../cluster/facts.js';
import { axes, isAxis, isSame } from '../cluster/worlds.js';
import type { Config } from '../config/config.js';
import type { Trust } from '../config/policy.js';
import { defined } from '../core/defined.js';
import type { AskedWorld, Fact, FactName, NotChecked, Place, Problem, Revision, Tree } from '../core/model.js';
import { once } from '../core/once.js';
import type { Contract } from '../cozystack/contract.js';
import type { Schemas } from '../cozystack/schemas.js';
import type { Budget } from '../engine/host/budget.js';
import { appliedByAll } from '../flux/applied.js';
import type { ReportDescriptor, Rule, RuleContext, RuleKnowledge } from '../rules/rule.js';
import { compareWorlds } from './worlds.js';

export type Subject = {
  config: Config;
  clusters: readonly Cluster[];
  trees: { head: Tree; base?: Tree };
  /** As 2026-12-31. */
  today: string;
  /** Whose change it is. */
  trust: Trust;
  /** URLs under which the repository is known. */
  remotes: readonly string[];
  /** The revision to judge. What was there before is known to the rules only when that is the head. */
  revision: Revision;
  /** The time that the run has left; without one the rules take what they need. */
  budget?: Budget | undefined;
};

export type Checked = {
  problems: Problem[];
  notChecked: NotChecked[];
  /** Of each cluster the likeliest first, then those that something was asked in. */
  worlds: AskedWorld[];
};

export function runRules(rules: readonly Rule[], subject: Subject): Checked {
  const { clusters, revision } = subject;
  const problems: Problem[] = [];
  const worlds: AskedWorld[] = [];
  const skipped = new Map<string, NotChecked>();
  const notChecked: RuleContext['notChecked'] = (what, why, { count = 1, object } = {}) => {
    const key = `${what}\n${why}`;
    const known = skipped.get(key);
    const file = known ? known.file : object?.source?.file;
    skipped.set(key, { what, why, count: count + (known?.count ?? 0), ...defined({ file }) });
  };
  const everywhere = clusters.flatMap((cluster) => cluster[revision]?.entrypoints ?? []);
  const clock = new Clock(subject.budget);
  for (const cluster of clusters) {
    const asked = inCluster(cluster, everywhere, subject);
    if (!asked) continue;
    const judged = rules.map((rule) =>
      clock.run(rule.id, () => judge(rule, { ...asked, notChecked, clock }, revision)),
    );
    problems.push(...judged.flatMap((one) => one.problems));
    worlds.push(...askedWorlds(asked, new Set(judged.flatMap((one) => one.restsOn))));
  }
  problems.push(...clock.problems(subject.config.file));
  return { problems, notChecked: [...skipped.values()], worlds };
}

/** Thrown where a rule looks at what is known, once the time of the run is up. */
class TimeIsUp extends Error {}

/** Rules share the time of the run with the engines: a rule that takes too long ends, and so do those after it. */
class Clock {
  #end = Number.POSITIVE_INFINITY;
  readonly #ended = new Set<string>();

  constructor(private readonly budget: Budget | undefined) {}

  run(rule: string, work: () => Judged): Judged {
    const start = performance.now();
    if (this.budget) this.#end = start + this.budget.left * 1000;
    try {
      return work();
    } catch (error) {
      if (!(error instanceof TimeIsUp)) throw error;
      this.#ended.add(rule);
      return { problems: [], restsOn: [] };
    } finally {
      this.budget?.spend((performance.now() - start) / 1000);
    }
  }

  /** To be called wherever a rule may come by often. */
  check(): void {
    if (performance.now() >= this.#end) throw new TimeIsUp();
  }

  /** A rule that ended early has not judged, so what it did not report is not clean. */
  problems(file: string): Problem[] {
    if (this.#ended.size === 0) return [];
    const message = `${this.#ended.size} rules did not finish: ${this.budget?.timeIsUp}`;
    const help = `raise --max-seconds, or split the change; these are ${[...this.#ended].slice(0, 5).join(', ')}`;
    return [{ rule: 'skipped-stage', message, help, at: { file } }];
  }
}

type Judged = { problems: Problem[]; restsOn: (keyof World)[] };

/** The likeliest, and all others as far as they differ in what a finding might have rested on. */
function askedWorlds({ cluster, known }: Asked, restsOn: ReadonlySet<keyof World>): AskedWorld[] {
  const { world: likeliest, others, facts } = known;
  const told = (world: World): AskedWorld => {
    const { kubernetes, ...one } = world;
    const isOf = restsOn.has('kubernetes') || facts.all.get('kubernetes')?.source !== 'assumed';
    return { ...defined({ cluster }), ...one, ...(isOf && { kubernetes }), likeliest: world === likeliest };
  };
  const differing = (restsOn.size > 0 ? others() : []).filter(
    ({ kubernetes }) => restsOn.has('kubernetes') || kubernetes === likeliest.kubernetes,
  );
  return [likeliest, ...differing].map(told);
}

/** All that a rule is told, but for what is known. */
type Asked = Omit<RuleContext, 'known' | 'options' | 'report' | 'notChecked' | 'base'> & {
  config: Config;
  known: ClusterKnowledge;
  base: (RevisionObjects & { tree: Tree }) | undefined;
};

/** Undefined for a cluster that the revision does not have. */
function inCluster(cluster: Cluster, everywhere: RuleContext['everywhere'], subject: Subject): Asked | undefined {
  const { config, trees, today, revision, trust, remotes } = subject;
  const tree = trees[revision];
  const [side, earlier] = revision === 'head' ? [cluster.head, cluster.base] : [cluster.base, undefined];
  if (!side || !tree) return undefined;
  const { entrypoints, objects, applied, known } = withUnrendered(side);
  return {
    config,
    tree,
    cluster: cluster.name,
    entrypoints,
    objects,
    applied,
    everywhere,
    known,
    today,
    trust,
    remotes,
    base: earlier && trees.base ? { ...withUnrendered(earlier), tree: trees.base } : undefined,
    owners: config.ownership,
    require: config.require,
  };
}

/** What a rule finds in the likeliest world, and, as far as that rests on which world it is, what becomes of it in the others. */
function judge(
  rule: Rule,
  asked: Asked & Pick<RuleContext, 'notChecked'> & { clock: Clock },
  revision: Revision,
): Judged {
  if (rule.needsBase && !asked.base) return { problems: [], restsOn: [] };
  const { world, others, facts } = asked.known;
  const first = ask(rule, asked, world);
  const { said } = first;
  const quiet = { ...asked, notChecked: () => undefined };
  const answers = [first];
  // What looks at the same and sees the same says the same.
  const elsewhere = (first.looked.size > 0 && said.length > 0 ? others() : []).map((world) => {
    const known = answers.find((one) => axes.every((axis) => !one.looked.has(axis) || one.world[axis] === world[axis]));
    const answer = known ?? ask(rule, quiet, world);
    if (!known) answers.push(answer);
    return { world, said: answer.said };
  });
  const problems = compareWorlds({ world, said }, elsewhere, rule.severity).map(
    ({ said: { assumes = [], ...problem }, rests }) => {
      const guesses = (name: FactName) => facts.all.get(name)?.source === 'assumed';
      // Which world it is matters as far as it was found to.
      const rest = assumes.filter((name) => guesses(name) && !isAxis(name));
      const deciding = Object.entries(rests).map(([name, which]) => ({ ...facts.get(name as keyof World), ...which }));
      const assumed = [...deciding, ...rest.map((name) => facts.get(name))];
      return {
        rule: rule.id,
        ...problem,
        at: inRevision(problem.at, revision),
        assumes: assumed.map((fact) => ({ ...fact, ...defined({ cluster: asked.cluster }) })),
      };
    },
  );
  return { problems, restsOn: elsewhere.length > 0 ? [...new Set(answers.flatMap(({ looked }) => [...looked]))] : [] };
}

/** What a rule says in a world, and which of its facts it looked at. */
type Answer = { world: World; said: ReportDescriptor[]; looked: ReadonlySet<keyof World> };

function ask(rule: Rule, asked: Asked & Pick<RuleContext, 'notChecked'> & { clock: Clock }, world: World): Answer {
  const { config, known: ofCluster, base, clock, ...context } = asked;
  clock.check();
  const { severity: _, paths: __, ...options } = config.rules[rule.id] ?? {};
  const said: ReportDescriptor[] = [];
  const looked = new Set<FactName>();
  const { facts, contract, permissions, snapshot } = inWorld(ofCluster, world);
  const known = watched({ facts, contract, permissions, snapshot, objects: asked.applied }, looked, clock);
  const before = base && { ...base, known: watched(inWorld(base.known, world), looked, clock) };
  rule.check?.({
    ...context,
    base: before,
    known,
    options,
    report: (problem) => {
      clock.check();
      said.push(problem);
    },
  });
  const names = [...looked, ...said.flatMap(({ assumes = [] }) => assumes)];
  return { world, said, looked: new Set(names.filter(isAxis)) };
}

function inWorld(known: ClusterKnowledge, world: World): ClusterKnowledge {
  const isPossible = !isSame(known.world, world) && known.others().some((one) => isSame(one, world));
  return isPossible ? { ...known, ...known.inWorld(world) } : known;
}

/** The same; `looked` gets the facts that a rule looks at, be it by what follows from them. */
function watched<Of extends Pick<RuleKnowledge, 'facts' | 'contract' | 'permissions'>>(
  known: Of,
  looked: Set<FactName>,
  clock: Clock,
): Of {
  const { contract, permissions } = known;
  const watchedContract = once(() => ofKubernetes(contract, looked));
  return {
    ...known,
    facts: watchedFacts(known.facts, looked),
    get contract() {
      clock.check();
      looked.add('release');
      return watchedContract();
    },
    get permissions() {
      clock.check();
      looked.add('release');
      return permissions;
    },
  };
}

/** Most kinds are the same in every Kubernetes: which one it is matters only to who asks for another. */
function ofKubernetes(contract: Contract, looked: Set<FactName>): Contract {
  const { schemas } = contract;
  const find: Schemas['find'] = (apiVersion, kind) => {
    if (schemas.changesWithKubernetes(apiVersion, kind)) looked.add('kubernetes');
    return schemas.find(apiVersion, kind);
  };
  return Object.create(contract, { schemas: { value: { ...schemas, find }, enumerable: true } });
}

/** Notes the keys that somebody asks for. */
class WatchedMap<Key, Value> extends Map<Key, Value> {
  readonly #looked: Set<Key>;

  constructor(entries: Iterable<readonly [Key, Value]>, looked: Set<Key>) {
    super(entries);
    this.#looked = looked;
  }

  override get(key: Key): Value | undefined {
    this.#looked.add(key);
    return super.get(key);
  }

  override has(key: Key): boolean {
    this.#looked.add(key);
    return super.has(key);
  }

  #each(): void {
    for (const key of super.keys()) this.#looked.add(key);
  }

  override entries() {
    this.#each();
    return super.entries();
  }

  override values() {
    this.#each();
    return super.values();
  }

  override forEach(call: (value: Value, key: Key, map: Map<Key, Value>) => void): void {
    this.#each();
    super.forEach(call);
  }

  override [Symbol.iterator]() {
    return this.entries();
  }
}

/** In a world its release and its variant are given: what would be otherwise in another one is found by asking there. */
function watchedFacts(facts: Facts, looked: Set<FactName>): Facts {
  const given = (fact: Fact): Fact =>
    isAxis(fact.name) && fact.source === 'assumed' ? { ...fact, source: 'world' } : fact;
  const all = once(
    () =>
      new WatchedMap(
        [...facts.all].map(([name, fact]) => [name, given(fact)] as const),
        looked,
      ),
  );
  return {
    ...facts,
    get all() {
      return all();
    },
    get(name) {
      looked.add(name);
      return given(facts.get(name));
    },
  };
}

/** Flux objects that no build reads are validated like all others. */
function withUnrendered<Of extends RevisionObjects>(side: Of): Of {
  if (side.unrendered.length === 0) return side;
  const written = side.unrendered.flatMap((result) => (result.ok ? result.objects : []));
  return {
    ...side,
    objects: [...side.objects, ...written],
    applied: [...side.applied, ...appliedByAll(side.unrendered)],
  };
}

/** A place in a file is one of the revision at hand, unless the rule says otherwise. */
export function inRevision(place: Place, revision: Revision): Place {
  return 'object' in place || place.revision ? place : { ...place, revision };
}
