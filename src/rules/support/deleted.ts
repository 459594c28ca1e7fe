/** What Flux deletes with a change, and how it is kept: what rules ask that say what goes with it. */

import { defined } from '../../core/defined.js';
import { settingPrefix } from '../../core/flux-api.js';
import type { FieldPath, FixProposal, ObjectRef, RenderedObject, Severity } from '../../core/model.js';
import { groupOf, label } from '../../core/object.js';
import { isGuarded } from '../../cozystack/customizer.js';
import { type Pruned, prunedObjects } from '../../flux/prune.js';
import type { RuleContext } from '../rule.js';

export type Deleted = Pruned & {
  /** The account that deletes it, where it is not known whether it may. */
  ifMay?: string;
};

/** Without what is in no cluster, what Flux leaves, what its account may not delete, and what the platform's policy keeps from being deleted. */
export function deletedIn({
  base,
  entrypoints,
  known: { permissions },
}: Pick<RuleContext, 'base' | 'entrypoints' | 'known'>): Deleted[] {
  return prunedObjects(base?.entrypoints ?? [], entrypoints).flatMap((pruned) => {
    if (pruned.stays || isGuarded(pruned.object.value) || !canExist(pruned.object.ref)) return [];
    const { allowed } = permissions.access(pruned.by, 'delete', pruned.object.ref);
    if (allowed === false) return [];
    return [{ ...pruned, ...defined({ ifMay: allowed === true ? undefined : permissions.accountName(pruned.by) }) }];
  });
}

/** False for a name that no server accepts, as templates have it. Ciphertext and variables may stand for any name. */
function canExist({ apiVersion, name }: ObjectRef): boolean {
  if (/[$[]/.test(name) || groupOf(apiVersion) === 'rbac.authorization.k8s.io') return true;
  return /^[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?$/.test(name);
}

/** On a fork's pull request what may be deleted counts as deleted, as no maintainer has vouched for the change. */
export function severityOfLoss(
  severity: Severity | undefined,
  { trust }: Pick<RuleContext, 'trust'>,
): Severity | undefined {
  return trust === 'fork' ? 'error' : severity;
}

export const notPruned = { name: `${settingPrefix}prune`, value: 'disabled' };

/** The two steps in which an object goes from the repository without being lost. */
export function helpToKeep({ name, value } = notPruned, place = ''): string {
  const quoted = value === 'true' ? '"true"' : value;
  return `to keep it${place}, annotate it with ${name}: ${quoted}, let Flux apply that, then remove it`;
}

/** The first of the two steps; the second one takes it out again. */
export function broughtBack(object: RenderedObject, { name, value } = notPruned): FixProposal {
  const path: FieldPath = ['metadata', 'annotations', name];
  const title = `restore ${label(object.ref)} for now, with ${name.split('/').at(-1)}: ${value}`;
  return { title, safe: false, changes: [{ do: 'restore', object, without: [], add: [{ path, value }] }] };
}
