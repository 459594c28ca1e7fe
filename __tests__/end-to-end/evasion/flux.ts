/** Flux objects that apply a folder of the repository, and what says that they do so, or not. */
import type { Json, JsonObject } from '../../../src/core/model.js';
import { deliveries } from './deliveries.js';
import type { Folder } from './folder.js';
import { type Target, withField } from './harms.js';
import { spellPath } from './names.js';

/** URLs that lead to the repository `o/r`, and some that lead elsewhere. */
export const ownUrls: Record<string, string> = {
  plain: 'https://github.com/o/r',
  git: 'https://github.com/o/r.git',
  www: 'https://www.github.com/o/r',
  'upper case': 'https://GitHub.com/O/R',
  ssh: 'ssh://git@github.com/o/r.git',
  'ssh over 443': 'ssh://git@ssh.github.com:443/o/r.git',
  'double slash': 'https://github.com/o//r',
  'dot after the host': 'https://github.com./o/r',
  query: 'https://github.com/o/r?x',
  fragment: 'https://github.com/o/r.git#x',
  'slash at the end': 'https://github.com/o/r/',
  port: 'https://github.com:443/o/r',
  user: 'https://x-access-token:y@github.com/o/r',
  'slash and query': 'https://github.com/o/r/?x=y',
  'ssh with a user': 'ssh://o@github.com:22/o/r',
  percent: 'https://github.com/%6f/r',
  dots: 'https://github.com/o/./r',
  'over another': 'https://github.com/o/x/../r',
};
export const otherUrls = ['https://github.com/o/other', 'https://example.org/o/r', 'oci://ghcr.io/o/r'];

export type FluxPlan = {
  /** Which field of the object makes it apply the folder. */
  toggle: keyof typeof toggles;
  delivery: string;
  source: string;
  isOtherRepository: boolean;
  isSuspended: boolean;
};

/** What makes the object, which applies nothing harmful before, apply the folder: its field, with the value before and after. */
export const toggles = {
  path: (object: JsonObject, path: string): Target => ({
    object,
    field: ['spec', 'path'],
    value: path,
    decoy: './calm',
  }),
  suspend: (object: JsonObject): Target => ({ object, field: ['spec', 'suspend'], value: false, decoy: true }),
  kind: (object: JsonObject): Target => ({ object, field: ['kind'], value: 'Kustomization', decoy: 'Nothing' }),
  source: (object: JsonObject): Target => ({
    object,
    field: ['spec', 'sourceRef', 'name'],
    value: (object.spec as { sourceRef: { name: string } }).sourceRef.name,
    decoy: 'other-repository',
  }),
  reconcile: (object: JsonObject): Target => ({
    object,
    field: ['metadata', 'annotations', 'kustomize.toolkit.fluxcd.io/reconcile'],
    value: 'enabled',
    decoy: 'disabled',
  }),
  nothing: (object: JsonObject, path: string): Target => ({
    object,
    field: ['spec', 'path'],
    value: path,
    decoy: path,
  }),
} satisfies Record<string, (object: JsonObject, path: string) => Target>;

/** The namespace in which the customizer may have objects of its own; its source lies where the platform puts it. */
const home = 'cozy-customizer';

/** Lets `outer` render a Flux Kustomization that applies `inner`. */
export function applyByFlux(outer: Folder, inner: Folder, n: number, plan: FluxPlan, active: boolean) {
  const random = outer.fork();
  const spelled = spellPath(inner.path, random);
  outer.label('spec.path', spelled.label);
  const { spec, variables } = inner.flux;
  const postBuild = { ...((spec.postBuild as JsonObject | undefined) ?? {}), ...substitution(outer, variables) };
  const sourceRef: JsonObject = { kind: 'GitRepository', ...sourceOf(outer, plan, n) };
  const object: JsonObject = {
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { name: `apps-${n}`, namespace: home },
    spec: {
      interval: '5m',
      path: spelled.text,
      prune: true,
      ...(plan.isSuspended && { suspend: true }),
      sourceRef,
      ...spec,
      ...(Object.keys(postBuild).length > 0 && { postBuild }),
    },
  };
  const target = toggles[plan.toggle](object, spelled.text);
  if (plan.toggle === 'source')
    outer.add('resources', outer.file(repository('other-repository', otherUrls[0] as string)));
  const way = deliveries[plan.delivery];
  if (!way || way.needsFlux || (way.fits && !way.fits(target))) deliveries.manifest?.deliver(outer, target, active);
  else way.deliver(outer, target, active);
}

/** Variables are given in place, or by a ConfigMap or a Secret that the same folder renders. */
function substitution(outer: Folder, variables: { [name: string]: string }): JsonObject {
  if (Object.keys(variables).length === 0) return {};
  const random = outer.fork();
  const way = random.pick(['inline', 'inline', 'ConfigMap', 'Secret', 'both']);
  if (way === 'inline') return { substitute: variables };
  outer.label('variables from', way);
  const kind = way === 'both' ? 'ConfigMap' : way;
  const name = `variables-${random.below(1000)}`;
  const data: Json = kind === 'Secret' ? { stringData: variables } : { data: variables };
  outer.add('resources', outer.file({ apiVersion: 'v1', kind, metadata: { name, namespace: home }, ...data }));
  return { substituteFrom: [{ kind, name }], ...(way === 'both' && { substitute: { UNUSED: 'x' } }) };
}

function repository(name: string, url: string): JsonObject {
  return {
    apiVersion: 'source.toolkit.fluxcd.io/v1',
    kind: 'GitRepository',
    metadata: { name, namespace: home },
    spec: { interval: '5m', url, ref: { branch: 'main' } },
  };
}

/** The source that the platform has made, or one that the change brings along under some spelling of the URL. */
function sourceOf(outer: Folder, plan: FluxPlan, n: number): JsonObject {
  if (plan.isOtherRepository) {
    outer.add('resources', outer.file(repository(`source-${n}`, outer.fork().pick(otherUrls.slice(0, 2)))));
    return { name: `source-${n}` };
  }
  if (plan.source === 'the platform’s') return { name: 'cozystack-customizer', namespace: 'cozy-system' };
  outer.label('URL', plan.source);
  outer.add('resources', outer.file(repository(`source-${n}`, ownUrls[plan.source] ?? '')));
  return { name: `source-${n}` };
}

/** What Flux and kustomize take for a sign to leave an object alone. */
export const leftAlone: Record<string, (object: JsonObject) => JsonObject> = {
  'local-config': (object) =>
    withField(object, ['metadata', 'annotations', 'config.kubernetes.io/local-config'], 'true'),
  'reconcile: disabled': (object) =>
    withField(object, ['metadata', 'annotations', 'kustomize.toolkit.fluxcd.io/reconcile'], 'disabled'),
  'ssa: Ignore': (object) =>
    withField(object, ['metadata', 'annotations', 'kustomize.toolkit.fluxcd.io/ssa'], 'Ignore'),
  'reconcile: Disabled as a label': (object) =>
    withField(object, ['metadata', 'labels', 'kustomize.toolkit.fluxcd.io/reconcile'], 'Disabled'),
};
