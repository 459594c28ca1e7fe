import { settingPrefix } from '../../core/flux-api.js';
import type { Problem, Severity } from '../../core/model.js';
import { lookUp } from '../../core/object.js';
import { isPackage } from '../../cozystack/package.js';
import { type Pruned, prunedObjects, setsAnything } from '../../flux/prune.js';
import type { Rule } from '../rule.js';

const revert =
  'to undo it, first commit the manifest without its values, let Flux apply that, then remove the manifest';
const spare = 'with kustomize.toolkit.fluxcd.io/prune: disabled on it, applied before, Flux would not try';
const setting = ['metadata', 'annotations', `${settingPrefix}prune`];

const protect =
  'to keep it, annotate it with kustomize.toolkit.fluxcd.io/prune: disabled, let Flux apply that, then remove it';

export default {
  id: 'pruned-package',
  severity: 'error',
  summary:
    'a Package is taken out of the repository, which uninstalls it or leaves its values behind, never undoes them',
  needsBase: true,
  check({ entrypoints, base, report, known: { contract, permissions } }) {
    for (const pruned of prunedObjects(base?.entrypoints ?? [], entrypoints)) {
      if (isPackage(pruned.object)) judge(pruned);
    }

    function judge(pruned: Pruned) {
      const { object, by, movedTo } = pruned;
      const { name } = object.ref;
      const account = permissions.accountName(by);
      const ofPlatform = contract.catalog.source(name) !== undefined;
      const { allowed } = permissions.access(by, 'delete', object.ref);
      const leaves = setsAnything(lookUp(object.value, ['spec']));
      const gone = `Package "${name}" is no longer applied from here`;
      const say = (severity: Severity, message: string, help: string) =>
        report({ severity, message, help, at: { object, path: ['metadata', 'name'] }, ...remedy(pruned, help) });

      if (pruned.stays) {
        if (leaves && !movedTo) say('warning', `${gone}, and as it is not pruned, what was set in it stays`, revert);
      } else if (movedTo) {
        if (allowed !== false)
          say(
            'warning',
            `Package "${name}" moves to "${movedTo.path}": if Flux prunes it here first, all that it installed is uninstalled`,
            protect,
          );
      } else if (allowed === true) {
        say(
          ofPlatform ? 'error' : 'warning',
          `${gone}, so Flux deletes it, and the platform uninstalls all that it has installed`,
          protect,
        );
      } else if (allowed === 'unknown') {
        say(
          'warning',
          `${gone}: if ${account} may delete it, all that it has installed is uninstalled, else what was set in it stays`,
          protect,
        );
      } else if (!ofPlatform) {
        say(
          'warning',
          `${gone}, but ${account} may not delete it, so it stays with all that it has installed`,
          'have an administrator delete it',
        );
      } else if (leaves) {
        say(
          'error',
          `${gone}, but ${account} may not delete it: Flux fails once and forgets it, and what was set in it stays`,
          revert,
        );
      } else {
        say('notice', `${gone}, but ${account} may not delete it, so Flux fails once before it forgets it`, spare);
      }
    }
  },
} satisfies Rule;

/** The first of the two commits; the second one takes it out again. */
function remedy({ object, stays, movedTo }: Pruned, help: string): Pick<Problem, 'remedy'> {
  if (movedTo || ![revert, protect, spare].includes(help)) return {};
  const without = help === revert ? [['spec']] : [];
  const add = stays ? [] : [{ path: setting, value: 'disabled' }];
  const parts = [...(stays ? [] : ['with prune: disabled']), ...(help === revert ? ['without its values'] : [])];
  const title = `for now, bring Package "${object.ref.name}" back ${parts.join(' and ')}`;
  return { remedy: { title, safe: false, changes: [{ do: 'restore', object, without, add }] } };
}
