/** Variables, sources and directories of which a decoy says something else than what Flux takes. */
import type { JsonObject } from '../../../src/core/model.js';
import { kustomization } from '../../support/trees.js';
import { type Attack, type Attacks, flux, harmless, note, object, taken, tree } from './shapes.js';

/** A path of a variable, as Flux substitutes it. */
const variable = (text: string) => `./$\{${text}}`;

const rules = ['chart-owned-field', 'unverifiable-change', 'sensitive-change'];
const directories = {
  'calm/kustomization.yaml': kustomization({ resources: ['a.yaml'] }),
  'calm/a.yaml': JSON.stringify(harmless),
  'evil/kustomization.yaml': kustomization({ resources: ['a.yaml'] }),
};
const evil = { 'evil/a.yaml': JSON.stringify(taken) };
const settings = (K: string, metadata: JsonObject = {}, name = 'vars') =>
  object('ConfigMap', name, { metadata, data: { K } });
const secret = (K: string, name = 'vars2') => object('Secret', name, { stringData: { K } });
const from = (...names: [kind: string, name: string, more?: JsonObject][]) => ({
  postBuild: { substituteFrom: names.map(([kind, name, more]) => ({ kind, name, ...more })) },
});

/** The outer Flux Kustomization substitutes, the inner one gets its path by that. */
const nested = (
  outer: JsonObject,
  head: readonly JsonObject[],
  base: readonly JsonObject[],
  inner = variable('K'),
): Attack => {
  const outside = flux('outside', './outside', outer);
  const files = (objects: readonly JsonObject[], more: Record<string, string>) =>
    tree([note, outside, ...objects], {
      'outside/kustomization.yaml': kustomization({ resources: ['a.yaml'] }),
      'outside/a.yaml': JSON.stringify(flux('inside', inner)),
      ...directories,
      ...more,
    });
  return { base: files(base, {}), head: files(head, evil), rules };
};
const off = { annotations: { 'kustomize.toolkit.fluxcd.io/reconcile': 'disabled' } };
const once = { annotations: { 'kustomize.toolkit.fluxcd.io/ssa': 'IfNotPresent' } };
const calm = settings('calm');

export const variables: Attacks = {
  'a later Secret wins': nested(
    from(['ConfigMap', 'vars'], ['Secret', 'vars2', { optional: true }]),
    [calm, secret('evil')],
    [calm],
  ),
  'a later ConfigMap wins': nested(
    from(['ConfigMap', 'vars'], ['ConfigMap', 'later', { optional: true }]),
    [calm, settings('evil', {}, 'later')],
    [calm],
  ),
  'the only value is in a ConfigMap that is not reconciled': nested(
    from(['ConfigMap', 'vars', { optional: true }]),
    [settings('calm', off)],
    [calm],
    variable('K:=evil'),
  ),
  'the only value is in a ConfigMap that is applied only if it is absent': nested(
    from(['ConfigMap', 'vars', { optional: true }]),
    [settings('evil', once)],
    [calm],
  ),
  'the value is in a Secret and the default is harmless': nested(
    from(['Secret', 'vars2', { optional: true }]),
    [secret('evil')],
    [],
    variable('K:=calm'),
  ),
  'a Secret changes': nested(from(['Secret', 'vars2']), [secret('evil')], [secret('calm')]),
};

const repository = (name: string, url: string, metadata: JsonObject = {}) =>
  object('GitRepository', name, { metadata, spec: { interval: '5m', url, ref: { branch: 'main' } } });
const ours = 'https://github.com/acme/platform';
const ofSource = (name: string) => ({ sourceRef: { kind: 'GitRepository', name } });

/** The source that is applied is another repository: its content is judged by nobody. */
export const sources: Attacks = {
  'another URL': {
    base: tree([note, flux('apps', './calm', ofSource('us')), repository('us', ours)], directories),
    head: tree([note, flux('apps', './calm', ofSource('us')), repository('us', 'https://evil.example/x')], directories),
    rules,
  },
  'another source': {
    base: tree([note, flux('apps', './calm'), repository('us', ours)], directories),
    head: tree([note, flux('apps', './calm', ofSource('them')), repository('us', ours)], directories),
    rules,
  },
  'a source that is not reconciled any more': {
    base: tree([note, flux('apps', './calm', ofSource('us')), repository('us', ours)], directories),
    head: tree(
      [note, flux('apps', './calm', ofSource('them')), repository('us', ours), repository('them', ours, off)],
      directories,
    ),
    rules,
  },
  'another branch': {
    base: tree([note, repository('us', ours)]),
    head: tree([note, object('GitRepository', 'us', { spec: { interval: '5m', url: ours, ref: { branch: 'x' } } })]),
    rules,
  },
  'other credentials': {
    base: tree([note, repository('us', ours)]),
    head: tree([
      note,
      object('GitRepository', 'us', {
        spec: { interval: '5m', url: ours, ref: { branch: 'main' }, secretRef: { name: 'theirs' } },
      }),
    ]),
    rules,
  },
};

export const paths: Attacks = {
  'another directory': {
    base: tree([note, flux('apps', './calm')], { ...directories, ...evil }),
    head: tree([note, flux('apps', './evil')], { ...directories, ...evil }),
    rules,
  },
  'a directory that is in no revision': {
    base: tree([note, flux('apps', './calm')], directories),
    head: tree([note, flux('apps', './clam')], directories),
    rules: [...rules, 'missing-entrypoint', 'missing-path', 'unbuildable-kustomization'],
  },
  'a directory by a variable of nobody': {
    base: tree([note, flux('apps', './calm')], directories),
    head: tree([note, flux('apps', variable('NOBODY'))], directories),
    rules,
  },
  'the whole repository': {
    base: tree([note, flux('apps', './calm')], { ...directories, ...evil }),
    head: tree([note, flux('apps', './')], { ...directories, ...evil }),
    rules,
  },
  'a second Flux Kustomization': {
    base: tree([note, flux('apps', './calm')], { ...directories, ...evil }),
    head: tree([note, flux('apps', './calm'), flux('more', './evil')], { ...directories, ...evil }),
    rules,
  },
};
