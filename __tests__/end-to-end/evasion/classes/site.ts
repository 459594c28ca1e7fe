/**
 * The repository in which the newer classes of evasions stand: a root that applies `apps/` by a Flux Kustomization without an account,
 * so that nothing there is forbidden, and the folder `apps/` itself.
 */
import { isDeepStrictEqual } from 'node:util';
import { stringify } from 'yaml';
import type { Json, JsonObject } from '../../../../src/core/model.js';
import { lookUp } from '../../../../src/core/object.js';
import { randomOf } from '../../../support/random.mjs';
import { Folder } from '../folder.js';
import type { Evasion, Tree } from '../generate.js';
import type { Harm } from '../harms.js';
import type { Random } from '../writing.js';

/** An evasion without its number. */
export type Draft = Omit<Evasion, 'n'>;
export type Draw = (random: Random) => Draft;

export const home = 'cozy-customizer';
export const platformSource = { kind: 'GitRepository', name: 'cozystack-customizer', namespace: 'cozy-system' };

export function object(apiVersion: string, kind: string, name: string, more: JsonObject = {}): JsonObject {
  return { apiVersion, kind, metadata: { name, namespace: home }, ...more };
}

export function clusterWide(apiVersion: string, kind: string, name: string, more: JsonObject = {}): JsonObject {
  return { apiVersion, kind, metadata: { name }, ...more };
}

export const note = (name = 'note', data: JsonObject = { a: 'b' }) => object('v1', 'ConfigMap', name, { data });

export function flux(name: string, path: string, spec: JsonObject = {}): JsonObject {
  return object('kustomize.toolkit.fluxcd.io/v1', 'Kustomization', name, {
    spec: { interval: '5m', prune: true, path, sourceRef: platformSource, ...spec },
  });
}

export const gitRepository = (name: string, url: string, spec: JsonObject = {}) =>
  object('source.toolkit.fluxcd.io/v1', 'GitRepository', name, {
    spec: { interval: '5m', url, ref: { branch: 'main' }, ...spec },
  });

/** Facts of the cluster, so that no verdict depends on an assumption. */
const configuration = { cluster: { release: 'v1.6.2', variant: 'isp-full' } };
export const configFiles: Tree = { '.customizer-lint.yaml': stringify(configuration) };

/** A kustomization of these resources, and whatever else it has. */
export const listing = (resources: string[], more: JsonObject = {}) => stringify({ resources, ...more });

/** Files of a folder with one object each, and the kustomization that lists them. */
export function folderOf(path: string, objects: Record<string, JsonObject>, more: JsonObject = {}): Tree {
  const at = (name: string) => (path === '.' ? name : `${path}/${name}`);
  const files = Object.entries(objects).map(([name, value]) => [at(`${name}.yaml`), stringify(value)] as const);
  const names = Object.keys(objects).map((name) => `${name}.yaml`);
  return { ...Object.fromEntries(files), [at('kustomization.yaml')]: listing(names, more) };
}

/** The root, with further objects; `apps` is the Flux Kustomization of `apps/`. */
export function rootOf(objects: Record<string, JsonObject> = {}, apps: JsonObject = {}): Tree {
  return { ...configFiles, ...folderOf('.', { note: note(), apps: flux('apps', './apps', apps), ...objects }) };
}

/** Layout of a site. Both revisions use the same seed, so that they differ only by `fill`. */
export type Layout = { seed: number; odd: number; steps: ('base' | 'component')[] };

const nestings: Layout['steps'][] = [[], [], [], ['base'], ['component'], ['base', 'base']];

export function layoutOf(random: Random, oddities: readonly number[] = [0, 0, 0, 0.1, 0.3]): Layout {
  return {
    seed: random.below(2 ** 31),
    odd: random.pick(oddities),
    steps: random.pick(nestings),
  };
}

export type Site = { tree: Tree; labels: string[] };

/** Builds a site; `fill` writes its innermost folder. */
export function site(layout: Layout, fill: (folder: Folder) => void, beside: Record<string, JsonObject> = {}): Site {
  const random = randomOf(layout.seed);
  const fork = () => randomOf(random.below(2 ** 31));
  const depth = layout.steps.length;
  const nameAt = (level: number) => `apps${'/inner'.repeat(depth - level)}`;
  const labels = new Set<string>();
  const tree: Tree = {};
  let folder = new Folder(nameAt(0), fork(), layout.odd);
  fill(folder);
  const { spec, variables } = folder.flux;
  const close = (kind: 'Kustomization' | 'Component') => {
    Object.assign(tree, folder.finish(kind));
    for (const label of folder.labels) labels.add(label);
  };
  layout.steps.forEach((step, level) => {
    const outer = new Folder(nameAt(level + 1), fork(), 0);
    close(step === 'component' ? 'Component' : 'Kustomization');
    outer.add(step === 'component' ? 'components' : 'resources', 'inner');
    folder = outer;
  });
  folder.add('resources', folder.named('beside.yaml', stringify(note('beside'))));
  for (const [name, value] of Object.entries(beside))
    folder.add('resources', folder.named(`${name}.yaml`, stringify(value)));
  close('Kustomization');
  const postBuild = Object.keys(variables).length > 0 ? { postBuild: { substitute: variables } } : {};
  return { tree: { ...rootOf({}, { ...spec, ...postBuild }), ...tree }, labels: [...labels] };
}

const metadata = (value: JsonObject, key: string) => lookUp(value, ['metadata', key]);
export const nameOf = (value: JsonObject) => String(metadata(value, 'name'));

/** Group, kind, namespace and name. */
export function idOf(value: JsonObject): string {
  const [group = ''] = String(value.apiVersion).includes('/') ? String(value.apiVersion).split('/') : [''];
  return [group, value.kind, metadata(value, 'namespace') ?? '', metadata(value, 'name')].join('/');
}

/** Harm of an object that is bad now and was not before. */
export function becoming(rules: readonly string[], value: JsonObject, isBad: (object: JsonObject) => boolean): Harm {
  const id = idOf(value);
  const isIn = (one: JsonObject) => idOf(one) === id && isBad(one);
  return {
    object: value,
    field: [],
    value: null,
    rules,
    isIn,
    happens: (now, then) => now.some(isIn) && !then.some(isIn),
  };
}

const pruneKey = 'kustomize.toolkit.fluxcd.io/prune';

/** Harm of an object that Flux applied before and deletes now. */
export function deleting(rules: readonly string[], value: JsonObject): Harm {
  const id = idOf(value);
  const isThere = (one: JsonObject) => idOf(one) === id;
  const isKept = (one: JsonObject) =>
    ['annotations', 'labels'].some((key) => lookUp(one, ['metadata', key, pruneKey]) === 'disabled');
  return {
    object: value,
    field: [],
    value: null,
    rules,
    isIn: () => false,
    happens: (now, then) => then.some((one) => isThere(one) && !isKept(one)) && !now.some(isThere),
  };
}

export const isSame = (one: Json | undefined, other: Json | undefined) => isDeepStrictEqual(one ?? null, other ?? null);
