import { packagesNamed } from '../../cluster/package-sources.js';
import { defined } from '../../core/defined.js';
import type { FactName, RenderedObject } from '../../core/model.js';
import { groupOf, label } from '../../core/object.js';
import { customizer, customizerName } from '../../cozystack/customizer.js';
import { isPackage, isPackageSource } from '../../cozystack/package.js';
import { sourceKey, sourceRefAt } from '../../flux/flux-objects.js';
import { prunedObjects } from '../../flux/prune.js';
import type { Rule, RuleContext } from '../rule.js';
import { type Deleted, deletedIn, helpToKeep, notPruned, severityOfLoss } from '../support/deleted.js';

const messages = {
  whileThere: (object: string, provided: string, name: string) =>
    `${object} is no longer applied, so Flux deletes it${provided}, and Package "${name}", which stays, has no charts left`,
  ifThere: (object: string, provided: string, name: string) =>
    `${object} is no longer applied, so Flux deletes it${provided}, and Package "${name}", if it exists, has no charts left`,
  ofPlatform: (object: string, provided: string) =>
    `${object} is no longer applied, so Flux deletes that of the platform${provided}, and its Package has no charts until an upgrade restores it`,
  ofCustomizer: (object: string, provided: string) =>
    `${object} is no longer applied, so Flux deletes it${provided}, and Flux can no longer fetch this repository, not even a repair`,
  ofSource: (object: string, provided: string, source: string) =>
    `${object} is no longer applied, so Flux deletes it${provided}, and PackageSource "${source}" gets no new charts from it`,
  /** Where its rights are not known. */
  provided: ' if allowed to',
};

export default {
  id: 'pruned-source',
  group: 'pruning',
  severity: 'error',
  summary: 'a PackageSource, or a source of Flux, is removed from the repository while something still needs it',
  messages,
  needsBase: true,
  check(context) {
    for (const deleted of deletedIn(context)) {
      const { object, movedTo, ifMay } = deleted;
      // Where another applies it, it is back with that one's next reconcile.
      const said = movedTo ? undefined : whatNeeds(deleted, context);
      if (!said) continue;
      const isSure = ifMay === undefined && !said.assumes;
      context.report({
        ...said,
        at: { object, path: ['metadata', 'name'] },
        ...defined({ severity: severityOfLoss(isSure ? undefined : 'warning', context) }),
        insteadOf: [{ rules: ['deleted-object'], path: ['metadata', 'name'] }],
      });
    }
  },
} satisfies Rule;

type Said = { message: string; help: string; assumes?: FactName[] };

function whatNeeds(deleted: Deleted, context: RuleContext): Said | undefined {
  const { object, ifMay } = deleted;
  const provided = ifMay === undefined ? '' : messages.provided;
  if (isPackageSource(object)) return ofPackageSource(object, provided, context);
  const isSource = groupOf(object.ref.apiVersion) === 'source.toolkit.fluxcd.io';
  return isSource ? ofSource(object, provided, context) : undefined;
}

function ofPackageSource({ ref }: RenderedObject, provided: string, context: RuleContext): Said | undefined {
  const { name } = ref;
  if (context.known.contract.catalog.source(name) || name === customizerName)
    return {
      message: messages.ofPlatform(label(ref), provided),
      help: `first commit it as it is in the release, with ${notPruned.name}: ${notPruned.value}, let Flux apply that, then remove it`,
    };
  const help = 'keep it while its Package exists; to uninstall, have an administrator delete the Package first';
  const isThere = isPackageThere(name, context);
  if (isThere) return { message: messages.whileThere(label(ref), provided, name), help };
  if (isThere === false) return undefined;
  return { message: messages.ifThere(label(ref), provided, name), help, assumes: ['packages'] };
}

/** Whether there is a Package of the name once the change is applied; undefined where that is not known. */
function isPackageThere(name: string, context: RuleContext): boolean | undefined {
  const {
    base,
    entrypoints,
    applied,
    known: { permissions, snapshot },
  } = context;
  if (packagesNamed(name, applied).length > 0) return true;
  const isIt = ({ object }: { object: RenderedObject }) => isPackage(object) && object.ref.name === name;
  const pruned = prunedObjects(base?.entrypoints ?? [], entrypoints).find(isIt);
  if (pruned) {
    const { allowed } = permissions.access(pruned.by, 'delete', pruned.object.ref);
    return pruned.stays || allowed === false || (allowed === true ? false : undefined);
  }
  return snapshot && Object.hasOwn(snapshot.packages, name);
}

/** What other objects of Flux take from it is `unknown-source`. */
function ofSource({ ref }: RenderedObject, provided: string, { objects }: RuleContext): Said | undefined {
  const { kind, name, namespace = '' } = ref;
  if (namespace === customizer.namespace && customizer.objects[kind]?.includes(name))
    return { message: messages.ofCustomizer(label(ref), provided), help: helpToKeep() };
  const key = sourceKey({ kind, name, namespace });
  const needing = objects.find((object) => {
    const wanted = isPackageSource(object) && sourceRefAt(object.value, ['spec', 'sourceRef']);
    return wanted && sourceKey(wanted) === key;
  });
  if (!needing) return undefined;
  return {
    message: messages.ofSource(label(ref), provided, needing.ref.name),
    help: `keep it while ${label(needing.ref)} refers to it`,
  };
}
