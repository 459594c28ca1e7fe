import { defined } from '../../core/defined.js';
import { type Pruned, prunedObjects } from '../../flux/prune.js';
import type { Rule, RuleContext } from '../rule.js';
import { broughtBack, helpToKeep, severityOfLoss } from '../support/deleted.js';

const messages = {
  moved: (name: string, path: string) =>
    `Namespace "${name}" moves to "${path}": if Flux prunes it here first, it is deleted with everything in it`,
  removed: (name: string, provided: string) =>
    `Namespace "${name}" is no longer applied from here, so Flux deletes it${provided}, and everything in it with it`,
  removedWith: (name: string, kustomization: string, provided: string) =>
    `Namespace "${name}" is applied by Flux Kustomization "${kustomization}", which is removed, so Flux deletes it${provided}, and everything in it with it`,
  /** Where it is not known whether it may. */
  provided: (account: string) => `, if ${account} may`,
};

export default {
  id: 'pruned-namespace',
  group: 'pruning',
  severity: 'error',
  summary: 'a Namespace is taken out of the repository, which deletes it with everything in it',
  messages,
  needsBase: true,
  check(context) {
    for (const pruned of prunedObjects(context.base?.entrypoints ?? [], context.entrypoints)) {
      const { kind, apiVersion } = pruned.object.ref;
      if (kind === 'Namespace' && apiVersion === 'v1' && !pruned.stays) judge(pruned, context);
    }
  },
} satisfies Rule;

function judge(pruned: Pruned, context: RuleContext): void {
  const {
    report,
    known: { permissions },
  } = context;
  const { object, by, movedTo, deletedWith, isDoubtful } = pruned;
  const { name } = object.ref;
  const { allowed } = permissions.access(by, 'delete', object.ref);
  if (allowed === false) return;
  const at = { object, path: ['metadata', 'name'] };
  if (movedTo) {
    const severity = severityOfLoss('warning', context);
    report({ ...defined({ severity }), message: messages.moved(name, movedTo.path), help: helpToKeep(), at });
    return;
  }
  const provided = allowed === 'unknown' ? messages.provided(permissions.accountName(by)) : '';
  report({
    message: deletedWith ? messages.removedWith(name, deletedWith, provided) : messages.removed(name, provided),
    help: helpToKeep(),
    at,
    remedy: broughtBack(object),
    ...defined({ severity: severityOfLoss(provided || isDoubtful ? 'warning' : undefined, context) }),
  });
}
