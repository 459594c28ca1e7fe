import type { RenderedObject } from '../../core/model.js';
import { label, lookUp } from '../../core/object.js';
import { removed } from '../../core/remedies.js';
import { isApplied } from '../../flux/applied.js';
import { type FluxObject, fluxObjects, labelOf } from '../../flux/flux-objects.js';
import { isBuilt } from '../../flux/prune.js';
import { isSetTo, settingIn } from '../../flux/settings.js';
import type { Rule, RuleContext } from '../rule.js';

/** What goes with an object of that kind; where there are several, the first is named. */
const takesAlong: { [kind: string]: string } = {
  Namespace: 'everything in it',
  CustomResourceDefinition: 'every object of its kind',
  PackageSource: 'the charts of its Packages',
  Package: 'all that it has installed',
  Kustomization: 'all that it has applied',
  HelmRelease: 'all that the release has installed',
  PersistentVolumeClaim: 'perhaps the data on its volume',
  PersistentVolume: 'perhaps the data on it',
};

/** What somebody may have meant by it, or may take for the better one. */
const meant: { [kind: string]: string } = {
  HelmRelease: '; to force an upgrade of the release, set spec.upgrade.force',
  Kustomization: '; spec.force has the same effect on all that it applies',
};

const messages = {
  deleted: (object: string) => `${object}: the first change that the API server refuses deletes it`,
  deletedWith: (object: string, along: string) =>
    `${object}: the first change that the API server refuses deletes it and ${along}`,
  forcesAll: (kustomization: string, object: string, along: string) =>
    `${kustomization} forces changes: one that the API server refuses deletes ${object} and ${along}`,
};

export default {
  id: 'forced-recreate',
  group: 'pruning',
  severity: 'error',
  summary: 'Flux deletes and recreates an object where the API server refuses a change, even for a misspelt value',
  messages,
  check(context) {
    const { objects, entrypoints, tree, report } = context;
    for (const object of objects) {
      const { kind } = object.ref;
      const [setting] = settingIn(object.value, 'force').filter(({ value }) => value.toLowerCase() === 'enabled');
      // A Job cannot be changed, and is what this is for.
      if (!setting || !isSetTo(object.value, 'force', 'enabled') || kind === 'Job') continue;
      const along = Object.hasOwn(takesAlong, kind) ? takesAlong[kind] : undefined;
      report({
        message: along ? messages.deletedWith(label(object.ref), along) : messages.deleted(label(object.ref)),
        help: `remove it, and set it only for a change that needs it${Object.hasOwn(meant, kind) ? meant[kind] : ''}`,
        at: { object, path: setting.path, part: 'key' },
        remedy: removed({ object, path: setting.path }, false),
        ...(!along && { severity: 'warning' as const }),
      });
    }
    for (const one of fluxObjects(entrypoints, tree)) {
      if (one.kind === 'Kustomization' && lookUp(one.value, forceOfAll) === true) judgeAll(one, context);
    }
  },
} satisfies Rule;

/** The same for every object that a Flux Kustomization applies. */
const forceOfAll = ['spec', 'force'];

/** Where nothing hangs on any of them it may well be meant, for Jobs or for what cannot be changed. */
function judgeAll(one: FluxObject, { entrypoints, report }: RuleContext): void {
  const [worst] = appliedBy(one, entrypoints)
    .filter(({ ref }) => Object.hasOwn(takesAlong, ref.kind))
    .sort((a, b) => rank(a) - rank(b));
  if (!worst) return;
  const at = one.at(forceOfAll);
  report({
    message: messages.forcesAll(labelOf(one), label(worst.ref), takesAlong[worst.ref.kind] as string),
    help: 'remove it, and annotate only objects to recreate, such as a Job, with kustomize.toolkit.fluxcd.io/force: enabled',
    at,
    related: [{ message: 'this one', at: { object: worst, path: ['metadata', 'name'] } }],
    entrypoint: worst.entrypoint,
    ...('path' in at && { remedy: removed(at, false) }),
  });
}

function appliedBy({ id }: FluxObject, entrypoints: RuleContext['entrypoints']): RenderedObject[] {
  return entrypoints.filter(isBuilt).flatMap(({ entrypoint, objects }) => {
    const { namespace, name } = entrypoint.kustomization;
    // Those of several clusters may have one name.
    return entrypoint.forces && `${namespace}/${name}` === id ? objects.filter(isApplied) : [];
  });
}

function rank({ ref }: RenderedObject): number {
  return Object.keys(takesAlong).indexOf(ref.kind);
}
