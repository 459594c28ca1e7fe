import { settingPrefix } from '../../core/flux-api.js';
import type { Problem, Severity } from '../../core/model.js';
import { lookUp } from '../../core/object.js';
import { isPackage } from '../../cozystack/package.js';
import { type Pruned, prunedObjects, setsAnything } from '../../flux/prune.js';
import type { Rule, RuleContext } from '../rule.js';
import { helpToKeep } from '../support/deleted.js';

const revert =
  'to undo it, first commit the manifest without its values, let Flux apply that, then remove the manifest';
const spare = 'with kustomize.toolkit.fluxcd.io/prune: disabled on it, applied before, Flux would not try';
const setting = ['metadata', 'annotations', `${settingPrefix}prune`];

const protect = helpToKeep();

const messages = {
  moved: (name: string, path: string) =>
    `Package "${name}" moves to "${path}": if Flux prunes it here first, all that it installed is uninstalled`,
  notPruned: (name: string) =>
    `Package "${name}" is no longer applied from here, and as it is not pruned, what was set in it stays`,
  uninstalled: (name: string) =>
    `Package "${name}" is no longer applied from here, so Flux deletes it, and the platform uninstalls all that it has installed`,
  mayBeUninstalled: (name: string, account: string) =>
    `Package "${name}" is no longer applied from here: if ${account} may delete it, all that it has installed is uninstalled, else what was set in it stays`,
  staysInstalled: (name: string, account: string) =>
    `Package "${name}" is no longer applied from here, but ${account} may not delete it, so it stays with all that it has installed`,
  staysSet: (name: string, account: string) =>
    `Package "${name}" is no longer applied from here, but ${account} may not delete it: Flux fails once and forgets it, and what was set in it stays`,
  failsOnce: (name: string, account: string) =>
    `Package "${name}" is no longer applied from here, but ${account} may not delete it, so Flux fails once before it forgets it`,
};

export default {
  id: 'pruned-package',
  severity: 'error',
  summary:
    'a Package is taken out of the repository, which uninstalls it or leaves its values behind, never undoes them',
  messages,
  needsBase: true,
  check(context) {
    for (const pruned of prunedObjects(context.base?.entrypoints ?? [], context.entrypoints)) {
      const { object } = pruned;
      const said = isPackage(object) && verdict(pruned, context);
      if (said) context.report({ ...said, at: { object, path: ['metadata', 'name'] }, ...remedy(pruned, said.help) });
    }
  },
} satisfies Rule;

type Verdict = { severity: Severity; message: string; help: string };

function verdict(pruned: Pruned, { known: { contract, permissions } }: RuleContext): Verdict | undefined {
  const { object, by, stays, movedTo } = pruned;
  const { name } = object.ref;
  const account = permissions.accountName(by);
  const ofPlatform = contract.catalog.source(name) !== undefined;
  const { allowed } = permissions.access(by, 'delete', object.ref);
  const leaves = setsAnything(lookUp(object.value, ['spec']));
  if (stays)
    return leaves && !movedTo ? { severity: 'warning', message: messages.notPruned(name), help: revert } : undefined;
  if (movedTo)
    return allowed === false
      ? undefined
      : { severity: 'warning', message: messages.moved(name, movedTo.path), help: protect };
  if (allowed === true)
    return { severity: ofPlatform ? 'error' : 'warning', message: messages.uninstalled(name), help: protect };
  if (allowed === 'unknown')
    return { severity: 'warning', message: messages.mayBeUninstalled(name, account), help: protect };
  if (!ofPlatform)
    return {
      severity: 'warning',
      message: messages.staysInstalled(name, account),
      help: 'have an administrator delete it',
    };
  return leaves
    ? { severity: 'error', message: messages.staysSet(name, account), help: revert }
    : { severity: 'notice', message: messages.failsOnce(name, account), help: spare };
}

/** The first of the two commits; the second one takes it out again. */
function remedy({ object, stays, movedTo }: Pruned, help: string): Pick<Problem, 'remedy'> {
  if (movedTo || ![revert, protect, spare].includes(help)) return {};
  const without = help === revert ? [['spec']] : [];
  const add = stays ? [] : [{ path: setting, value: 'disabled' }];
  const parts = [...(stays ? [] : ['with prune: disabled']), ...(help === revert ? ['without its values'] : [])];
  const title = `for now, bring Package "${object.ref.name}" back ${parts.join(' and ')}`;
  return { remedy: { title, safe: false, changes: [{ do: 'restore', object, without, add }] } };
}
