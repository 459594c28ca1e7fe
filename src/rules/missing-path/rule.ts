import { platformsIn } from '../../cluster/platform.js';
import type { Place, RenderedObject, Tree } from '../../core/model.js';
import { getString, groupOf, isObject, lookUp } from '../../core/object.js';
import { rewritten } from '../../core/remedies.js';
import { nearest } from '../../core/suggest.js';
import { isCustomizersSource } from '../../cozystack/customizer.js';
import { platformValuePath } from '../../cozystack/package.js';
import { normalize } from '../../discover/flux.js';
import {
  type Beside,
  declaredOne,
  documentsBeside,
  type FluxObject,
  fluxObjects,
  labelOf,
  type SourceRef,
  sourceKey,
  sourceRefAt,
} from '../../flux/flux-objects.js';
import type { Rule, RuleContext } from '../rule.js';
import { customizersPlatforms } from '../support/customizers-platform.js';

const [field, source] = [
  ['spec', 'path'],
  ['spec', 'sourceRef'],
];

const messages = {
  isFile: (object: string, path: string) =>
    `${object} applies "${path}", which is a file, not a directory, so Flux applies nothing of it`,
  isBehindLink: (object: string, path: string) =>
    `${object} applies "${path}" behind a symbolic link, which Flux ignores, so it applies nothing of it`,
  isMissing: (object: string, path: string) =>
    `${object} applies "${path}", which does not exist in this repository, so Flux applies nothing of it`,
};

export default {
  id: 'missing-path',
  group: 'flux',
  severity: 'error',
  summary: 'a Flux Kustomization applies a directory that does not exist in the repository',
  messages,
  check(context) {
    const beside = documentsBeside(context.entrypoints, context.tree);
    for (const one of [...fluxObjects(context.entrypoints, context.tree), ...beside.flatMap(asFluxObject)]) {
      const ref = one.kind === 'Kustomization' && sourceRefAt(one.value, source);
      const written = getString(one.value, field);
      if (!ref || !written || written.includes('${')) continue;
      const path = normalize(written);
      if (isThere(path, context)) continue;
      const ours = isOurs(ref, one, context, beside);
      // What is not here is counted where the directories to check are looked for.
      if (ours === 'sure' || ours === 'likely') tell(labelOf(one), one.at(field), path, ours === 'sure', context);
    }
    judgeCustomizer(context);
  },
} satisfies Rule;

const customizerPath = platformValuePath('customizer.kustomization.path');
const customizerUrl = platformValuePath('customizer.source.url');

/** The platform makes the customizer's own Flux Kustomization of values; after that a change of them no longer arrives. */
function judgeCustomizer(context: RuleContext): void {
  const before = context.base && platformsIn(context.base.applied).map(urlOf);
  for (const object of customizersPlatforms(context)) {
    const written = getString(object.value, customizerPath);
    if (!written || isThere(normalize(written), context)) continue;
    const url = urlOf(object);
    const isSame = url === undefined || !before || before.includes(url);
    // Of another repository nothing is known; one that is named for the first time is most likely this one.
    if (isSame || before.every((one) => one === undefined))
      tell(
        'the Flux Kustomization of the customizer',
        { object, path: customizerPath },
        normalize(written),
        isSame,
        context,
      );
  }
}

function urlOf({ value }: RenderedObject): string | undefined {
  return getString(value, customizerUrl);
}

function isThere(path: string, { tree, base }: RuleContext): boolean {
  if (tree.isDirectory(path) || tree.submodules.some((module) => `${path}/`.startsWith(`${module}/`))) return true;
  // A directory that the change removes is `missing-entrypoint`.
  return base?.entrypoints.some(({ entrypoint }) => entrypoint.path === path) ?? false;
}

function tell(who: string, at: Place, path: string, isSure: boolean, { tree, report }: RuleContext): void {
  const meant = nearest(path, directoriesOf(tree));
  report({
    message: messageFor(path, tree)(who, path),
    help: tree.has(path)
      ? 'set the path to its directory'
      : meant
        ? `did you mean "${meant}"?`
        : 'correct the path, or commit the directory',
    at,
    ...(meant && !tree.has(path) && { remedy: { ...rewritten(at, meant), safe: false } }),
    ...(!isSure && { severity: 'warning' as const }),
  });
}

function messageFor(path: string, tree: Tree) {
  if (tree.has(path)) return messages.isFile;
  return tree.links.some((link) => `${path}/`.startsWith(`${link}/`)) ? messages.isBehindLink : messages.isMissing;
}

/**
 * It is, where what renders the Flux Kustomization comes from the same source; it is likely to be, where another one of that
 * source has its directory here.
 */
function isOurs(
  ref: SourceRef,
  one: FluxObject,
  { entrypoints, objects, tree, known: { permissions } }: RuleContext,
  beside: readonly Beside[],
): 'sure' | 'likely' | 'unknown' | 'other' {
  const key = sourceKey(ref);
  const isIt = (value: FluxObject['value']) =>
    groupOf(getString(value, ['apiVersion']) ?? '') === 'source.toolkit.fluxcd.io' &&
    value.kind === ref.kind &&
    getString(value, ['metadata', 'name']) === ref.name &&
    (getString(value, ['metadata', 'namespace']) ?? ref.namespace) === ref.namespace;
  const defined = [...objects, ...beside].find(({ value }) => isIt(value));
  if (ref.kind === 'ExternalArtifact' || ref.kind === 'Bucket') return 'other';
  if (defined && (ref.kind !== 'GitRepository' || hasIncludes(defined.value))) return 'other';
  const keyOf = (value: FluxObject['value'] | undefined) => {
    const found = value && sourceRefAt(value, source);
    return found && sourceKey(found);
  };
  const home = entrypoints.find(({ entrypoint }) => 'object' in one.at([]) && entrypoint.path === one.group);
  const isOwn =
    home &&
    (home.entrypoint.kustomization.name === undefined
      ? permissions.isCustomizer(home.entrypoint) && isCustomizersSource(ref)
      : keyOf(declaredOne(home.entrypoint, tree)?.value) === key);
  if (isOwn) return ref.kind === 'GitRepository' ? 'sure' : 'likely';
  const others = entrypoints.filter(({ entrypoint }) => entrypoint.path !== '.');
  return others.some(({ entrypoint }) => keyOf(declaredOne(entrypoint, tree)?.value) === key) ? 'likely' : 'unknown';
}

/** Other repositories are copied into it. */
function hasIncludes(value: FluxObject['value']): boolean {
  const include = lookUp(value, ['spec', 'include']);
  return Array.isArray(include) && include.length > 0;
}

/** One that no other rule sees, as its directory is not there. */
function asFluxObject({ value, group, at }: Beside): FluxObject[] {
  const [namespace, name] = [getString(value, ['metadata', 'namespace']), getString(value, ['metadata', 'name'])];
  const isFlux =
    groupOf(getString(value, ['apiVersion']) ?? '') === 'kustomize.toolkit.fluxcd.io' && value.kind === 'Kustomization';
  if (!isFlux || name === undefined || !isObject(lookUp(value, source))) return [];
  return [{ kind: 'Kustomization', id: `${namespace}/${name}`, value, group, at }];
}

function directoriesOf({ files }: Tree): Set<string> {
  const found = new Set<string>();
  for (const file of files) {
    const parts = file.split('/');
    for (let depth = 1; depth < parts.length; depth++) found.add(parts.slice(0, depth).join('/'));
  }
  return found;
}
