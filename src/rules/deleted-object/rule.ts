import { configFile } from '../../config/config.js';
import type { ObjectRef, RenderedObject } from '../../core/model.js';
import { distinctLabel } from '../../core/object.js';
import { isPackage } from '../../cozystack/package.js';
import { holdsData, isHarmlessToDelete } from '../../effects/data.js';
import { type Effect, effectsBetween, severityOf } from '../../effects/table.js';
import { lostInKeycloak } from '../pruned-data/keycloak.js';
import type { Rule, RuleContext } from '../rule.js';
import { broughtBack, type Deleted, deletedIn } from '../support/deleted.js';
import { isRelease, isSuspended } from '../support/helm-release.js';

const messages = {
  data: (object: string, provided: string) =>
    `${object} is no longer applied, so Flux deletes it${provided}, and its data with it`,
  removed: (object: string, provided: string) => `${object} is no longer applied, so Flux deletes it${provided}`,
  moved: (object: string, path: string) =>
    `${object} moves to "${path}"; if Flux prunes the old one first, it is deleted`,
  doubtful: (object: string) =>
    `${object} may be deleted: several Flux Kustomizations have the name of the one that applied it, and not all apply it`,
  part: (object: string, part: string) => `${object} no longer has "${part}", so it is deleted with its data`,
  collectable: (object: string) =>
    `${object} sets metadata.ownerReferences, so Kubernetes deletes it once that owner does not exist`,
  action: (object: string, field: string) =>
    `${object} changes ${field}, by which Helm replaces, takes over or uninstalls objects`,
  restored: (object: string, field: string) => `${object} sets ${field}, by which data is overwritten or deleted`,
  /** If its rights are not known. */
  provided: ' if allowed to',
};

export default {
  id: 'deleted-object',
  group: 'pruning',
  severity: 'error',
  summary: 'an object with data is deleted; from a fork, any object that holds data or access',
  messages,
  needsBase: true,
  check(context) {
    const { base, applied } = context;
    if (!base) return;
    for (const deleted of deletedIn(context)) judge(deleted, context);
    for (const effect of effectsBetween(base.applied, applied)) judgeEffect(effect, context);
  },
} satisfies Rule;

function judge(deleted: Deleted, context: RuleContext): void {
  const { object, movedTo, ifMay, isDoubtful } = deleted;
  const { trust, applied, report } = context;
  const isOfFork = trust === 'fork';
  if (hasRuleOfItsOwn(object)) return;
  if (isOfFork ? isHarmlessToDelete(object, applied) : !holdsData(object)) return;
  const isSure = !movedTo && !isDoubtful && ifMay === undefined;
  report({
    message: messageOf(deleted),
    help: helpFor(object.ref, isOfFork),
    at: { object, path: ['metadata', 'name'] },
    ...(!isSure && !isOfFork && { severity: 'warning' as const }),
    ...(isSure && { remedy: broughtBack(object) }),
  });
}

/** True for kinds that `pruned-namespace`, `pruned-data` and `pruned-package` report. */
function hasRuleOfItsOwn(object: RenderedObject): boolean {
  const isOfCore = object.ref.apiVersion === 'v1' && ['Namespace', 'PersistentVolumeClaim'].includes(object.ref.kind);
  return (
    isOfCore || isPackage(object) || (isRelease(object) && !isSuspended(object)) || lostInKeycloak(object) !== undefined
  );
}

function messageOf({ object, movedTo, ifMay, isDoubtful }: Deleted): string {
  const said = distinctLabel(object.ref);
  if (isDoubtful) return messages.doubtful(said);
  if (movedTo) return messages.moved(said, movedTo.path);
  const provided = ifMay === undefined ? '' : messages.provided;
  return holdsData(object) ? messages.data(said, provided) : messages.removed(said, provided);
}

const byRow: { readonly [id: string]: (object: string, what: string) => string } = {
  'removed-part': (object, what) => messages.part(object, what),
  'release-action': (object, what) => messages.action(object, what),
  'restored-data': (object, what) => messages.restored(object, what),
};

function judgeEffect(effect: Effect, { trust, report }: RuleContext): void {
  const severity = severityOf(effect, trust);
  if (severity === undefined || effect.row.effect !== 'deletes') return;
  const { change, path, what, row } = effect;
  const object = distinctLabel(change.object.ref);
  report({
    severity,
    message: byRow[row.id]?.(object, what ?? '') ?? messages.collectable(object),
    help: helpFor(change.object.ref, trust === 'fork'),
    at: { object: change.object, path },
  });
}

/** A deletion has no line for a comment, so it is accepted in the configuration. */
function helpFor({ kind, namespace, name }: ObjectRef, isOfFork: boolean): string {
  const object = namespace === undefined ? `${kind}/${name}` : `${kind}/${namespace}/${name}`;
  const entry = `{ rule: deleted-object, object: ${object}, reason: … }`;
  return `to accept it, add to "ignores" in ${configFile}${isOfFork ? ' of the base branch' : ''}: ${entry}`;
}
