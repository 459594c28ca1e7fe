import { settingPrefix } from '../../core/flux-api.js';
import { prunedObjects } from '../../flux/prune.js';
import type { Rule } from '../rule.js';

const setting = ['metadata', 'annotations', `${settingPrefix}prune`];

const help =
  'to keep it, annotate it with kustomize.toolkit.fluxcd.io/prune: disabled, let Flux apply that, then remove it';

export default {
  id: 'pruned-namespace',
  severity: 'error',
  summary: 'a Namespace is taken out of the repository, which deletes it with everything in it',
  needsBase: true,
  check({ entrypoints, base, report, known: { permissions } }) {
    for (const { object, by, stays, movedTo, deletedWith } of prunedObjects(base?.entrypoints ?? [], entrypoints)) {
      const { kind, name, apiVersion } = object.ref;
      if (kind !== 'Namespace' || apiVersion !== 'v1' || stays) continue;
      const { allowed } = permissions.access(by, 'delete', object.ref);
      if (allowed === false) continue;
      if (movedTo) {
        report({
          severity: 'warning',
          message: `Namespace "${name}" moves to "${movedTo.path}": if Flux prunes it here first, it is deleted with everything in it`,
          help,
          at: { object, path: ['metadata', 'name'] },
        });
        continue;
      }
      const account = permissions.accountName(by);
      const provided = allowed === 'unknown' ? `, if ${account} may` : '';
      const cause = deletedWith
        ? `is applied by Flux Kustomization "${deletedWith}", which is removed`
        : 'is no longer applied from here';
      report({
        message: `Namespace "${name}" ${cause}, so Flux deletes it${provided}, and everything in it with it`,
        help,
        at: { object, path: ['metadata', 'name'] },
        remedy: {
          title: `for now, bring Namespace "${name}" back with prune: disabled`,
          safe: false,
          changes: [{ do: 'restore', object, without: [], add: [{ path: setting, value: 'disabled' }] }],
        },
        ...(provided && { severity: 'warning' as const }),
      });
    }
  },
} satisfies Rule;
