import { settingPrefix } from '../../core/flux-api.js';
import type { Problem, Severity } from '../../core/model.js';
import { lookUp } from '../../core/object.js';
import { isPackage } from '../../cozystack/package.js';
import { type Pruned, prunedObjects, setsAnything } from '../../flux/prune.js';
import type { Rule, RuleContext } from '../rule.js';
import { helpToKeep, severityOfLoss } from '../support/deleted.js';

const revert =
  'to reset the values, first commit the manifest without them, let Flux apply that, then remove the manifest';
const spare = 'to avoid that, first set kustomize.toolkit.fluxcd.io/prune: disabled, let Flux apply it, then remove it';
const setting = ['metadata', 'annotations', `${settingPrefix}prune`];

const protect = helpToKeep();

const messages = {
  moved: (name: string, path: string) =>
    `Package "${name}" moves to "${path}"; if Flux prunes the old one first, all that it installed is uninstalled`,
  notPruned: (name: string) => `Package "${name}" is no longer applied, and as it is not pruned, its values stay set`,
  uninstalled: (name: string) =>
    `Package "${name}" is no longer applied, so Flux deletes it, and the platform uninstalls all that it installed`,
  mayBeUninstalled: (name: string) =>
    `Package "${name}" is no longer applied; if Flux is allowed to delete it, all that it installed is uninstalled, otherwise its values stay set`,
  staysInstalled: (name: string) =>
    `Package "${name}" is no longer applied, but Flux is not allowed to delete it, so it stays with all that it installed`,
  staysSet: (name: string) =>
    `Package "${name}" is no longer applied, but Flux is not allowed to delete it: it fails once, then forgets it, and the values stay set`,
  failsOnce: (name: string) =>
    `Package "${name}" is no longer applied, but Flux is not allowed to delete it: it fails once, then forgets it`,
};

export default {
  id: 'pruned-package',
  group: 'pruning',
  severity: 'error',
  summary:
    'a Package is removed from the repository, which uninstalls it or leaves its values set, but never resets them',
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

function verdict(pruned: Pruned, context: RuleContext): Verdict | undefined {
  const found = verdictOfBranch(pruned, context);
  if (!found || pruned.stays || found.severity === 'notice') return found;
  return { ...found, severity: severityOfLoss(found.severity, context) ?? found.severity };
}

/** The verdict on a change of the repository itself. */
function verdictOfBranch(pruned: Pruned, { known: { contract, permissions } }: RuleContext): Verdict | undefined {
  const { object, by, stays, movedTo } = pruned;
  const { name } = object.ref;
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
  if (allowed === 'unknown') return { severity: 'warning', message: messages.mayBeUninstalled(name), help: protect };
  if (!ofPlatform)
    return {
      severity: 'warning',
      message: messages.staysInstalled(name),
      help: 'have an administrator delete it',
    };
  return leaves
    ? { severity: 'error', message: messages.staysSet(name), help: revert }
    : { severity: 'notice', message: messages.failsOnce(name), help: spare };
}

/** The first of the two commits; the second one takes it out again. */
function remedy({ object, stays, movedTo }: Pruned, help: string): Pick<Problem, 'remedy'> {
  if (movedTo || ![revert, protect, spare].includes(help)) return {};
  const without = help === revert ? [['spec']] : [];
  const add = stays ? [] : [{ path: setting, value: 'disabled' }];
  const parts = [...(stays ? [] : ['with prune: disabled']), ...(help === revert ? ['without its values'] : [])];
  const title = `restore Package "${object.ref.name}" for now, ${parts.join(' and ')}`;
  return { remedy: { title, safe: false, changes: [{ do: 'restore', object, without, add }] } };
}
