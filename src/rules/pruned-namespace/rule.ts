import { settingPrefix } from '../../contract/flux.js';
import { prunedObjects } from '../../facts/pruned.js';
import type { Rule } from '../rule.js';

const setting = ['metadata', 'annotations', `${settingPrefix}prune`];

export default {
  id: 'pruned-namespace',
  severity: 'error',
  summary: 'a Namespace is taken out of the repository, which deletes it with everything in it',
  needsBase: true,
  check({ entrypoints, base, permissions, report }) {
    for (const { object, now, stays, movedTo } of prunedObjects(base?.entrypoints ?? [], entrypoints)) {
      const { kind, name, apiVersion } = object.ref;
      if (kind !== 'Namespace' || apiVersion !== 'v1' || stays || movedTo) continue;
      const { allowed } = permissions.access(now.entrypoint, 'delete', object.ref);
      if (allowed === false) continue;
      const account = permissions.accountName(now.entrypoint);
      const provided = allowed === 'unknown' ? `, if ${account} may` : '';
      report({
        message: `Namespace "${name}" is no longer applied from here, so Flux deletes it${provided}, and everything in it with it`,
        help: 'to keep it, annotate it with kustomize.toolkit.fluxcd.io/prune: disabled, let Flux apply that, then remove it',
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
