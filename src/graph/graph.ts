/**
 * What waits for what: the PackageSources of a release and of a repository, as `cozypkg dot` draws those of a cluster. An arrow
 * goes from what waits to what it waits for.
 */

import type { Cluster } from '../cluster/cluster.js';
import { packagesNamed, sourceOf, texts } from '../cluster/package-sources.js';
import { chartsVariant, isEmittedByPlatform } from '../cluster/platform.js';
import type { Snapshot } from '../cluster/snapshot.js';
import type { RenderedObject } from '../core/model.js';
import { getString, lookUp } from '../core/object.js';
import type { Variant } from '../cozystack/catalog.js';
import { customizerName } from '../cozystack/customizer.js';
import { isPackage, isPackageSource } from '../cozystack/package.js';
import type { Applied } from '../flux/applied.js';

export type Graph = {
  release: string;
  nodes: GraphNode[];
  edges: GraphEdge[];
};
export type GraphNode = {
  /** The Package's name; for a component, `PACKAGE.COMPONENT`. */
  name: string;
  kind: 'package' | 'component';
  /** Something waits for it, but it is not there. */
  missing: boolean;
  /** The repository has its Package or its PackageSource. */
  touched: boolean;
};
export type GraphEdge = {
  from: string;
  to: string;
  /** The variants that wait; absent where all do. */
  variants?: string[];
  /** A Package's `ignoreDependencies` says not to wait. */
  ignored?: true;
};

export type GraphOptions = {
  /** Only the Packages that are in the cluster, each in the variant that it has there. */
  installed: boolean;
  /** Also the components that make a HelmRelease, below their Package. */
  components: boolean;
};

type Known = Pick<Cluster, 'contract' | 'facts'> & {
  snapshot: Snapshot | undefined;
  objects: readonly Applied[];
};

/** Sorted by name, so that the same input gives the same picture. */
export function dependencyGraph(cluster: Cluster, options: GraphOptions): Graph {
  const { contract, facts, snapshot, head } = cluster;
  const known: Known = { contract, facts, snapshot, objects: head.applied };
  const drawing = new Drawing(touchedBy(known.objects));
  const all = sourceNames(known);
  const shown = options.installed ? installedPackages(known) : new Set(all);
  for (const name of all.filter((name) => shown.has(name))) drawPackage(name, known, { ...options, shown, drawing });
  return { release: known.contract.release, ...drawing.result() };
}

function drawPackage(
  name: string,
  known: Known,
  { installed, components, shown, drawing }: GraphOptions & { shown: ReadonlySet<string>; drawing: Drawing },
): void {
  const variants = installed ? installedVariants(name, known) : (sourceOf(name, known)?.variants ?? []);
  const ignored = new Set(
    packagesNamed(name, known.objects).flatMap(({ value }) => texts(lookUp(value, ['spec', 'ignoreDependencies']))),
  );
  drawing.node(name, 'package');
  for (const [wanted, by] of waiting(variants, ({ dependsOn }) => dependsOn)) {
    if (wanted === customizerName) drawing.node(wanted, 'package');
    else if (!shown.has(wanted)) drawing.missing(wanted, 'package');
    drawing.edge(name, wanted, { by, of: variants, ignored: ignored.has(wanted) });
  }
  if (!components) return;
  const installing = (variant: Variant) => variant.components.filter(({ install }) => install);
  for (const [component, by] of waiting(variants, (variant) => installing(variant).map(({ name }) => name))) {
    const id = `${name}.${component}`;
    const having = variants.filter((variant) => by.includes(variant.name));
    const wants = waiting(having, (variant) => installing(variant).find(isNamed(component))?.install?.dependsOn ?? []);
    drawing.node(id, 'component', name);
    if (wants.size === 0) drawing.edge(id, name, { by, of: variants });
    for (const [wanted, by] of wants) {
      // One that is installed in any variant is drawn by itself.
      drawing.missing(`${name}.${wanted}`, 'component');
      drawing.edge(id, `${name}.${wanted}`, { by, of: having });
    }
  }
}

function isNamed(name: string) {
  return (one: { name: string }) => one.name === name;
}

/** What the variants name, with the names of those that do. */
function waiting(variants: readonly Variant[], named: (variant: Variant) => readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const variant of variants) {
    for (const name of new Set(named(variant))) found.set(name, [...(found.get(name) ?? []), variant.name]);
  }
  return found;
}

class Drawing {
  readonly #nodes = new Map<string, GraphNode>();
  readonly #edges: GraphEdge[] = [];

  constructor(private readonly touched: ReadonlySet<string>) {}

  node(name: string, kind: GraphNode['kind'], owner = name): void {
    this.#nodes.set(name, { name, kind, missing: false, touched: this.touched.has(owner) });
  }

  /** Unless it is there after all. */
  missing(name: string, kind: GraphNode['kind']): void {
    if (!this.#nodes.has(name)) this.#nodes.set(name, { name, kind, missing: true, touched: this.touched.has(name) });
  }

  edge(
    from: string,
    to: string,
    { by, of, ignored = false }: { by: string[]; of: readonly Variant[]; ignored?: boolean },
  ): void {
    const some = by.length < of.length && { variants: by };
    this.#edges.push({ from, to, ...some, ...(ignored && { ignored }) });
  }

  result(): Pick<Graph, 'nodes' | 'edges'> {
    const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
    return {
      nodes: [...this.#nodes.values()].sort((a, b) => compare(a.name, b.name)),
      edges: this.#edges.sort((a, b) => compare(a.from, b.from) || compare(a.to, b.to)),
    };
  }
}

function touchedBy(objects: readonly RenderedObject[]): Set<string> {
  return new Set(objects.filter((object) => isPackage(object) || isPackageSource(object)).map(({ ref }) => ref.name));
}

/** Of the release and of the repository; those that only a snapshot shows have a name, but nothing is known to wait. */
function sourceNames({ contract, objects, snapshot }: Known): string[] {
  const own = objects.filter(isPackageSource).map(({ ref }) => ref.name);
  const seen = [...(snapshot?.packageSources ?? []), ...Object.keys(snapshot?.packages ?? {})];
  return [...new Set([...contract.catalog.names(), ...own, ...seen])].sort();
}

/** Seen in the cluster; else those that the repository creates and that the platform makes, as far as that is known. */
function installedPackages(known: Known): Set<string> {
  const { contract, facts, objects, snapshot } = known;
  const variant = String(facts.get('variant').value);
  const made = contract.catalog.names().filter((name) => {
    const sure = isEmittedByPlatform(name, known);
    return sure ?? contract.catalog.emitted(name, variant) === 'always';
  });
  const own = objects.filter((object) => isPackage(object) && lookUp(object.value, ['spec', 'variant']) !== undefined);
  return new Set([
    ...Object.keys(snapshot?.packages ?? {}),
    ...(snapshot ? [] : made),
    ...own.map(({ ref }) => ref.name),
  ]);
}

/** The variant that is written, or was seen, or that the platform chart gives it as far as that is known or assumed. */
function installedVariants(name: string, known: Known): readonly Variant[] {
  const source = sourceOf(name, known);
  if (!source) return [];
  const [own] = packagesNamed(name, known.objects);
  const seen = entryOf(known.snapshot?.packages, name)?.variant;
  const sure = (own && getString(own.value, ['spec', 'variant'])) ?? seen ?? chartsVariant(name, known);
  const platform = known.contract.catalog.platformVariant(String(known.facts.get('variant').value));
  const variant = sure ?? entryOf(platform?.packages, name)?.variant;
  return source.variants.filter((one) => one.name === (variant ?? one.name));
}

/** Names come from an untrusted repository: `constructor` is not a package. */
function entryOf<T>(map: { [name: string]: T } | undefined, name: string): T | undefined {
  return map && Object.hasOwn(map, name) ? map[name] : undefined;
}
