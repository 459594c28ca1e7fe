/** The schema of a kind, read when an object of that kind turns up: one file of a few kilobytes each. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defined } from '../core/defined.js';
import { nearest } from '../core/suggest.js';
import type { KnownSchema, Schema } from '../schema/types.js';
import { applicationGroup } from './application.js';
import { applicationIndex, type CustomIndex, definitionIndex } from './indexes.js';
import { fluxMinor, minorOf, minors } from './kubernetes.js';
import { releases } from './releases.js';

export type SchemaLookup =
  | KnownSchema
  /** `meant` is a kind of the same group that is spelled much like it. */
  | { known: false; why: 'unknown-kind'; meant?: string }
  /** The kind exists; `served` lists its versions, newest first. */
  | { known: false; why: 'unserved-version'; served: string[] };

/** A custom resource with all of its versions, as its definition in a cluster has them. */
export type Definition = {
  group: string;
  kind: string;
  plural: string;
  scope: KnownSchema['scope'];
  versions: { name: string; served: boolean; storage: boolean; deprecated: boolean; schema: Schema }[];
};

export type Schemas = {
  find(apiVersion: string, kind: string): SchemaLookup;
  /** Undefined for what no definition of the release brings. */
  definition(group: string, kind: string): Definition | undefined;
  /** Whether the schema is the same in every known release, so that a verdict does not rest on which one it is. */
  isTheSameEverywhere(apiVersion: string, kind: string): boolean;
  /** Whether the group is one of Kubernetes itself, in which no definition can bring another kind. */
  isBuiltInGroup(group: string): boolean;
  /** What a cluster with all definitions of the release serves, as `.Capabilities.APIVersions` of Helm has it: `apps/v1`, `apps/v1/Deployment`. */
  served(): string[];
  /** Whether what `find` says rests on the minor version of Kubernetes. */
  changesWithKubernetes(apiVersion: string, kind: string): boolean;
};

/**
 * `data` is the directory `schemas/` of this package. Throws if there is no data for the release; a minor version of Kubernetes that
 * there is none for gets the nearest.
 */
export function loadSchemas(data: string, release: string, kubernetes = fluxMinor): Schemas {
  const custom = (group: string) => customIndex(data, release, group);
  const builtIn = lazily(() => builtInIndex(data, minorOf(data, kubernetes)));
  return {
    find: perKind(
      (group, version, kind): SchemaLookup =>
        findBuiltIn(data, builtIn(), group, version, kind) ??
        findCustom(data, custom(group), group, version, kind) ??
        unknownKind(custom(group), builtIn(), group, kind),
    ),
    definition: perGroup((group, kind) => {
      const key = `${group}/${kind}`;
      const { kinds } = custom(group);
      const entry = Object.hasOwn(kinds, key) ? kinds[key] : undefined;
      if (!entry) return undefined;
      const versions = Object.entries(entry.versions).map(([name, one]) => ({
        name,
        served: !one.unserved,
        storage: one.storage === true,
        deprecated: one.deprecated === true,
        schema: readSchema(data, 'cozystack', 'crds', one.schema),
      }));
      return { group, kind, plural: entry.plural, scope: entry.scope, versions };
    }),
    served: () => servedBy(builtIn(), definitionIndex(data, release)),
    isBuiltInGroup(group) {
      const prefix = `${group || 'core'}/`;
      return Object.keys(builtIn().kinds).some((key) => key.startsWith(prefix));
    },
    changesWithKubernetes: perKind((group, version, kind) => {
      const all = minors(data).map((minor) => builtInIndex(data, minor));
      return new Set(all.map((index) => knownOf(index, group, version, kind))).size > 1;
    }),
    isTheSameEverywhere: perKind((group, version, kind) => {
      const files = releases(data).map((other) => fileOf(customIndex(data, other, group), group, version, kind));
      return new Set(files).size === 1;
    }),
  };
}

function servedBy(builtIn: BuiltInIndex, custom: CustomIndex): string[] {
  const kinds = [
    ...Object.entries(builtIn.kinds)
      .filter(([, { offByDefault }]) => !offByDefault)
      .map(([key]) => key.replace(/^core\//, '')),
    ...Object.entries(custom.kinds).flatMap(([key, { versions }]) => {
      const [group, kind] = key.split('/');
      const served = Object.keys(versions).filter((version) => !versions[version]?.unserved);
      return served.map((version) => `${group}/${version}/${kind}`);
    }),
  ];
  const versions = kinds.map((key) => key.slice(0, key.lastIndexOf('/')));
  return [...new Set([...versions, ...kinds])].sort();
}

/** Worked out once for each: it is asked for with every object. */
function perKind<Value>(
  work: (group: string, version: string, kind: string) => Value,
): (apiVersion: string, kind: string) => Value {
  return perGroup((apiVersion, kind) => work(...splitVersion(apiVersion), kind));
}

/** The same of a kind in any version. */
function perGroup<Value>(work: (group: string, kind: string) => Value): (group: string, kind: string) => Value {
  const known = new Map<string, { value: Value }>();
  return (group, kind) => {
    const key = `${group} ${kind}`;
    const found = known.get(key) ?? { value: work(group, kind) };
    known.set(key, found);
    return found.value;
  };
}

const builtInIndexes = new Map<string, BuiltIn>();

/** Applications have an index of their own, which is read for one of them. */
function customIndex(data: string, release: string, group: string): CustomIndex {
  return group === applicationGroup ? applicationIndex(data, release) : definitionIndex(data, release);
}

/** The name of a schema's file tells its content; undefined for a kind or version that is not served. */
function fileOf({ kinds }: CustomIndex, group: string, version: string, kind: string): string | undefined {
  const key = `${group}/${kind}`;
  const entry = Object.hasOwn(kinds, key) ? kinds[key] : undefined;
  const found = entry && Object.hasOwn(entry.versions, version) ? entry.versions[version] : undefined;
  return found?.unserved ? undefined : found?.schema;
}

type BuiltInEntry = { scope: KnownSchema['scope']; plural: string; schema: string; offByDefault?: true };
type BuiltInIndex = { kinds: { [groupVersionKind: string]: BuiltInEntry }; metadata: string };
type BuiltIn = BuiltInIndex & { minor: string };

/** Read once: it is asked for with every object. */
function builtInIndex(data: string, minor: string): BuiltIn {
  const key = join(data, 'kubernetes', `${minor}.json`);
  const known = builtInIndexes.get(key) ?? { ...read<BuiltInIndex>(key), minor };
  builtInIndexes.set(key, known);
  return known;
}

function entryOf({ kinds }: BuiltInIndex, key: string): BuiltInEntry | undefined {
  return Object.hasOwn(kinds, key) ? kinds[key] : undefined;
}

/** The core group has no name in an API version, and one here. */
function builtInKey(group: string, version: string, kind: string): string {
  return `${group || 'core'}/${version}/${kind}`;
}

/** What Flux converts to, and the metadata of every object. */
function fluxIndex(data: string): BuiltIn {
  return builtInIndex(data, minorOf(data, fluxMinor));
}

function builtInSchema(data: string, file: string): Schema {
  return readSchema(data, 'kubernetes', 'schemas', file);
}

function findBuiltIn(
  data: string,
  index: BuiltIn,
  group: string,
  version: string,
  kind: string,
): SchemaLookup | undefined {
  const key = builtInKey(group, version, kind);
  const entry = entryOf(index, key);
  if (!entry) return otherVersions(servedBuiltIn(index, group, kind));
  const ofFlux = fluxIndex(data);
  const converted = passesUntouched(group, kind) ? undefined : entryOf(ofFlux, key);
  const file = (converted ?? entry).schema;
  const root = builtInSchema(data, file);
  return {
    known: true,
    scope: entry.scope,
    plural: entry.plural,
    builtIn: true,
    schema: root,
    root,
    metadata: builtInSchema(data, ofFlux.metadata),
    unknownFields: converted ? 'dropped' : 'refused',
    ...(file !== entry.schema && { server: { schema: builtInSchema(data, entry.schema), kubernetes: index.minor } }),
    deprecated: false,
    offByDefault: entry.offByDefault ?? false,
    installedBy: [],
  };
}

/** Flux converts neither roles nor the kinds that its client library does not know (flux/FACTS.md, Request). */
function passesUntouched(group: string, kind: string): boolean {
  if (group === 'rbac.authorization.k8s.io') return kind === 'Role' || kind === 'ClusterRole';
  return group === 'apiextensions.k8s.io' || group === 'apiregistration.k8s.io';
}

/** What `find` may say of it in a minor version: its schema, else its other versions, else the kinds that may have been meant. */
function knownOf(index: BuiltInIndex, group: string, version: string, kind: string): string {
  const entry = entryOf(index, builtInKey(group, version, kind));
  if (entry) return JSON.stringify([entry.schema, entry.offByDefault]);
  const served = servedBuiltIn(index, group, kind);
  return JSON.stringify(served.length > 0 ? served : kindsIn(index, group));
}

/** Of a group, each once for every version. */
function kindsIn({ kinds }: BuiltInIndex | CustomIndex, group: string): string[] {
  const keys = Object.keys(kinds).filter((key) => key.startsWith(`${group || 'core'}/`));
  return keys.map((key) => key.split('/').at(-1) ?? '');
}

function servedBuiltIn(index: BuiltInIndex, group: string, kind: string): string[] {
  return Object.keys(index.kinds)
    .filter(
      (key) => key.startsWith(`${group || 'core'}/`) && key.endsWith(`/${kind}`) && !index.kinds[key]?.offByDefault,
    )
    .map((key) => key.split('/')[1] ?? '');
}

function findCustom(
  data: string,
  index: CustomIndex,
  group: string,
  version: string,
  kind: string,
): SchemaLookup | undefined {
  const key = `${group}/${kind}`;
  const entry = Object.hasOwn(index.kinds, key) ? index.kinds[key] : undefined;
  if (!entry) return undefined;
  const { versions } = entry;
  const found = Object.hasOwn(versions, version) ? versions[version] : undefined;
  if (!found || found.unserved) return otherVersions(Object.keys(versions).filter((name) => !versions[name]?.unserved));
  const root = readSchema(data, 'cozystack', 'crds', found.schema);
  return {
    known: true,
    scope: entry.scope,
    plural: entry.plural,
    builtIn: false,
    schema: root,
    root,
    metadata: builtInSchema(data, fluxIndex(data).metadata),
    unknownFields: 'refused',
    deprecated: found.deprecated ?? false,
    offByDefault: false,
    installedBy: entry.by ?? [],
  };
}

function unknownKind(custom: CustomIndex, builtIn: BuiltInIndex, group: string, kind: string): SchemaLookup {
  const meant = nearest(kind, [...kindsIn(builtIn, group), ...kindsIn(custom, group)]);
  return { known: false, why: 'unknown-kind', ...defined({ meant }) };
}

function otherVersions(served: string[]): SchemaLookup | undefined {
  if (served.length === 0) return undefined;
  return { known: false, why: 'unserved-version', served: served.sort(newestFirst) };
}

/** v2, v1, v1beta2, v1beta1, v1alpha1: as Kubernetes ranks them. */
function newestFirst(a: string, b: string): number {
  const [left, right] = [rank(a), rank(b)];
  return right[0] - left[0] || right[1] - left[1] || right[2] - left[2] || a.localeCompare(b);
}

function rank(version: string): [stability: number, major: number, minor: number] {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
  if (!match) return [-1, 0, 0];
  return [{ alpha: 0, beta: 1 }[match[2] ?? ''] ?? 2, Number(match[1]), Number(match[3] ?? 0)];
}

/** The core group has no name: `v1` is version v1 of group "". */
function splitVersion(apiVersion: string): [group: string, version: string] {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? ['', apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)];
}

function read<T>(...path: string[]): T {
  return JSON.parse(readFileSync(join(...path), 'utf8')) as T;
}

/** The same object for the same file, as releases and versions of Kubernetes share most schemas. */
const schemas = new Map<string, Schema>();

function readSchema(...path: string[]): Schema {
  const file = join(...path);
  const schema = schemas.get(file) ?? read<Schema>(file);
  schemas.set(file, schema);
  return schema;
}

function lazily<T>(load: () => T): () => T {
  let value: { loaded: T } | undefined;
  return () => {
    value ??= { loaded: load() };
    return value.loaded;
  };
}
