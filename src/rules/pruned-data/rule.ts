import { defined } from '../../core/defined.js';
import type { RenderedObject } from '../../core/model.js';
import { groupOf, label } from '../../core/object.js';
import { isReleaseWithData } from '../../effects/data.js';
import type { Rule, RuleContext } from '../rule.js';
import {
  broughtBack,
  type Deleted,
  deletedIn,
  helpToKeep,
  type notPruned,
  severityOfLoss,
} from '../support/deleted.js';
import { isRelease, isSuspended, releaseOf } from '../support/helm-release.js';
import { isKeptInKeycloak, keptInKeycloak, lostInKeycloak } from './keycloak.js';
import { releaseChanges } from './release.js';

const messages = {
  removed: (object: string, provided: string, lost: string) =>
    `${object} is no longer applied, so Flux deletes it${provided}, and ${lost}`,
  removedWith: (object: string, kustomization: string, provided: string, lost: string) =>
    `${object} is deleted with Flux Kustomization "${kustomization}"${provided}, and ${lost}`,
  moved: (object: string, path: string, lost: string) =>
    `${object} moves to "${path}"; if Flux prunes the old one first, ${lost}`,
  /** Where its rights are not known. */
  provided: ' if allowed to',
  onVolume: 'its data is lost unless the StorageClass retains volumes',
  inKeycloak: (what: string) => `Keycloak loses ${what}`,
  inRelease: (release: string) => `release "${release}" is uninstalled with all that its chart does not keep`,
  otherRelease: (object: string, field: string, release: string) =>
    `${object} gets another ${field}, so Flux first uninstalls release "${release}" with all that its chart does not keep`,
};

export default {
  id: 'pruned-data',
  group: 'pruning',
  severity: 'error',
  summary: 'an object is removed from the repository or renamed, and its data is deleted',
  messages,
  needsBase: true,
  check(context) {
    for (const deleted of deletedIn(context)) {
      const loss = lossWith(deleted.object);
      if (loss) judge(deleted, loss, context);
    }
    for (const { object, field, path, release, help } of releaseChanges(context))
      context.report({
        ...defined({ severity: severityOfLoss('warning', context) }),
        message: messages.otherRelease(label(object.ref), field, release),
        help,
        at: { object, path },
      });
  },
} satisfies Rule;

type Loss = {
  /** What is lost, as a clause. */
  lost: string;
  /** The annotation that keeps it. */
  keptBy?: typeof notPruned;
  /** What the help says of where it is kept. */
  place?: string;
  /** Where it may be made anew, at least in part. */
  severity?: 'warning';
};

function lossWith(object: RenderedObject): Loss | undefined {
  const { kind, apiVersion } = object.ref;
  if (kind === 'PersistentVolumeClaim' && groupOf(apiVersion) === '') return { lost: messages.onVolume };
  if (isRelease(object))
    return isSuspended(object)
      ? undefined
      : { lost: messages.inRelease(releaseOf(object)), ...(!isReleaseWithData(object) && { severity: 'warning' }) };
  const inKeycloak = lostInKeycloak(object);
  if (!inKeycloak || isKeptInKeycloak(object)) return undefined;
  const { what, ...others } = inKeycloak;
  return { lost: messages.inKeycloak(what), keptBy: keptInKeycloak, place: ' in Keycloak', ...others };
}

function judge(deleted: Deleted, { lost, keptBy, place, severity }: Loss, context: RuleContext): void {
  const { object, movedTo, deletedWith, ifMay, isDoubtful } = deleted;
  const { report } = context;
  const said = label(object.ref);
  const at = { object, path: ['metadata', 'name'] };
  if (movedTo) {
    const weight = severityOfLoss('warning', context);
    report({
      ...defined({ severity: weight }),
      message: messages.moved(said, movedTo.path, lost),
      help: helpToKeep(),
      at,
    });
    return;
  }
  const provided = ifMay === undefined ? '' : messages.provided;
  const isSure = severity === undefined && !provided && !isDoubtful;
  report({
    message: deletedWith
      ? messages.removedWith(said, deletedWith, provided, lost)
      : messages.removed(said, provided, lost),
    help: helpToKeep(keptBy, place),
    at,
    remedy: broughtBack(object, keptBy),
    ...defined({ severity: severityOfLoss(isSure ? undefined : 'warning', context) }),
  });
}
