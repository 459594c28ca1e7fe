/** What is known of one cluster, each fact with its source. The first source that names it is believed. */

import type { ClusterConfig, Config } from '../config/config.js';
import { defined } from '../core/defined.js';
import type { Fact, FactName, FieldPath, Json, JsonObject } from '../core/model.js';
import { isObject, lookUp } from '../core/object.js';
import { platformName } from '../cozystack/catalog.js';
import type { Contract } from '../cozystack/contract.js';
import { fluxMinor } from '../cozystack/kubernetes.js';
import { isPackage, platformValuesPath } from '../cozystack/package.js';
import { lineName, newestOf } from '../cozystack/releases.js';
import type { Applied } from '../flux/applied.js';
import type { Snapshot } from './snapshot.js';

export type Facts = {
  get(name: FactName): Fact;
  /** A value of the platform chart (`['publishing', 'host']`) where something says it; undefined says nothing of it. */
  platformValue(path: FieldPath): Json | undefined;
  /** Those that a rule or a stage asked for, and the release: what a report has to name. */
  used(): Fact[];
  all: ReadonlyMap<FactName, Fact>;
};

/**
 * A release that there is data for, a variant of its platform that has Packages, and a minor version of Kubernetes: what a cluster may
 * be.
 */
export type World = { release: string; variant: string; kubernetes: string };

/** What a repository shows of the release that its cluster has. */
export type Evidence = {
  /** The releases that fit, in the order given: all, where nothing tells or one thing contradicts another. */
  releases(): readonly string[];
  /** What leaves these and no others; undefined where all are left. */
  because(): Pick<Fact, 'file' | 'because'> | undefined;
  /** What a manifest of the platform's source names, if there is data for it and nothing else contradicts it. */
  stated?: Pick<Fact, 'value' | 'file' | 'because'> | undefined;
};

export type FactSources = {
  config: Config;
  cluster: ClusterConfig;
  /** How a fact of the cluster is set in the configuration: `cluster.release`, `clusters[0].release`. */
  prefix: string;
  /** The objects that Flux applies to the cluster. */
  objects: readonly Applied[];
  snapshot?: Snapshot;
  /** What the command line says. */
  release?: string;
  /** The release that is assumed where nothing says it. */
  newest: string;
  /** What the repository shows of the release. */
  evidence?: Evidence;
  /** Whether there is data for a release. Of one that there is none for, nothing more is known than of a guess. */
  isKnownRelease: (release: string) => boolean;
  /** The same of a version of Kubernetes. */
  isKnownKubernetes: (version: string) => boolean;
  /** What is assumed instead of the likeliest. */
  world?: World;
};

export function gatherFacts(sources: FactSources): Facts {
  const facts = new Map(Object.entries(gather).map(([name, find]) => [name as FactName, find(sources)]));
  const asked = new Set<FactName>(['release', 'variant']);
  const manifests = platformManifests(sources.objects);
  return {
    all: facts,
    get(name) {
      asked.add(name);
      return facts.get(name) as Fact;
    },
    platformValue(path) {
      asked.add('platformValues');
      const written = manifests.map(({ value }) => lookUp(value, [...platformValuesPath, ...path]));
      const known = lookUp(sources.cluster.platformValues ?? {}, path);
      return written.find((value) => value !== undefined) ?? known;
    },
    used: () => [...facts.values()].filter(({ name }) => asked.has(name)),
  };
}

/** A fact as it is told: a release that there is no data for with the one that stands for it. */
export function toldFact(
  fact: Fact,
  { release, sameLine, meant }: Pick<Contract, 'release' | 'sameLine' | 'meant'>,
): Fact {
  return fact.name !== 'release' || sameLine ? fact : { ...fact, dataOf: release, ...defined({ meant }) };
}

function platformManifests(objects: readonly Applied[]): Applied[] {
  return objects.filter((object) => isPackage(object) && object.ref.name === platformName);
}

/** What the customizer's documentation promises every repository. */
const documented = { ownedNamespaces: ['cozy-customizer'], decryption: false, substitution: false };

const gather: Record<FactName, (sources: FactSources) => Fact> = {
  release: (sources) => {
    const said: Fact | undefined = sources.release
      ? { name: 'release', value: sources.release, source: 'config' }
      : (configured('release', sources) ??
        fromSnapshot('release', sources, ({ release }) => release) ??
        stated(sources));
    if (!said) return shown(sources);
    if (sources.isKnownRelease(String(said.value))) return said;
    const setBy = `cozystack.data in ${sources.config.file}, to data of that release`;
    return { name: 'release', value: sources.world?.release ?? said.value, source: 'assumed', setBy };
  },
  variant: (sources) =>
    configured('variant', sources) ??
    fromSnapshot('variant', sources, ({ packages }) => packages[platformName]?.variant) ??
    fromPlatform('variant', sources, ['spec', 'variant'], (value) => typeof value === 'string') ??
    assumed('variant', sources.world?.variant ?? 'isp-full', sources),
  kubernetes: (sources) => {
    const said = configured('kubernetes', sources);
    if (!said) return assumed('kubernetes', sources.world?.kubernetes ?? fluxMinor, sources);
    if (sources.isKnownKubernetes(String(said.value))) return { ...said, value: lineName(String(said.value)) };
    return { name: 'kubernetes', value: sources.world?.kubernetes ?? said.value, source: 'assumed' };
  },
  optionalPackages: (sources) =>
    configured('optionalPackages', sources) ??
    fromPlatform('optionalPackages', sources, [...platformValuesPath, 'bundles', 'enabledPackages'], isTexts) ??
    assumed('optionalPackages', [], sources),
  packages: (sources) =>
    fromSnapshot('packages', sources, ({ packages }) => Object.keys(packages)) ?? {
      ...assumed('packages', 'as in the variant of the platform', sources),
      setBy: `${sources.prefix}snapshot in ${sources.config.file}`,
    },
  ownedNamespaces: (sources) =>
    configured('ownedNamespaces', sources) ??
    fromSnapshot('ownedNamespaces', sources, ({ ownedNamespaces }) => ownedNamespaces) ??
    fromPlatform(
      'ownedNamespaces',
      sources,
      [...platformValuesPath, 'customizer', 'rbac', 'ownedNamespaces'],
      isTexts,
    ) ?? {
      name: 'ownedNamespaces',
      value: documented.ownedNamespaces,
      source: 'contract',
    },
  roles: (sources) =>
    configured('roles', sources) ??
    fromSnapshot('roles', sources, ({ roles }) => (roles ? [] : undefined)) ??
    assumed('roles', [], sources),
  decryption: (sources) =>
    configured('decryption', sources) ??
    fromPlatform(
      'decryption',
      sources,
      [...platformValuesPath, 'customizer', 'kustomization', 'decryption'],
      isSet,
    ) ?? {
      name: 'decryption',
      value: documented.decryption,
      source: 'contract',
    },
  substitution: (sources) =>
    configured('substitution', sources) ?? {
      name: 'substitution',
      value: documented.substitution,
      source: 'contract',
    },
  platformValues: (sources) =>
    configured('platformValues', sources) ?? assumed('platformValues', 'the chart’s own', sources),
};

function configured(name: Exclude<FactName, 'packages'>, { cluster, config }: FactSources): Fact | undefined {
  const value = cluster[name];
  return value === undefined ? undefined : { name, value: value as Json, source: 'config', file: config.file };
}

function fromSnapshot(
  name: FactName,
  { snapshot }: FactSources,
  find: (snapshot: Snapshot) => Json | undefined,
): Fact | undefined {
  const value = snapshot && find(snapshot);
  return value === undefined ? undefined : { name, value, source: 'snapshot', file: snapshot?.file as string };
}

function stated({ evidence }: FactSources): Fact | undefined {
  const said = evidence?.stated;
  return said && { name: 'release', ...said, source: 'manifest' };
}

/** The one release that the repository fits, or the newest of several. */
function shown(sources: FactSources): Fact {
  const { evidence, world, newest } = sources;
  const because = evidence?.because();
  const guess = (value: Json) => assumed('release', value, sources, ', or --release');
  if (!evidence || !because) return guess(world?.release ?? newest);
  const possible = [...new Set(evidence.releases().map(lineName))];
  const fact = { ...guess(world?.release ?? newestOf(possible)), ...because };
  return possible.length > 1 ? { ...fact, possible } : { ...fact, source: 'evidence' };
}

/** What the platform's Package in the repository says. A part of it says nothing of the rest. */
function fromPlatform(
  name: FactName,
  { objects }: FactSources,
  path: FieldPath,
  fits: (value: Json) => boolean,
): Fact | undefined {
  for (const { value, source } of platformManifests(objects)) {
    const found = lookUp(value, path);
    if (found === undefined || !fits(found)) continue;
    return { name, value: found, source: 'manifest', ...(source && { file: source.file }) };
  }
  return undefined;
}

function assumed(name: FactName, value: Json, { prefix, config }: FactSources, otherwise = ''): Fact {
  return { name, value, source: 'assumed', setBy: `${prefix}${name} in ${config.file}${otherwise}` };
}

function isTexts(value: Json): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isSet(value: Json): boolean {
  return isObject(value) && Object.keys(value as JsonObject).length > 0;
}
