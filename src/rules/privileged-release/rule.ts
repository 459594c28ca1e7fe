import { label, lookUp } from '../../core/object.js';
import type { Rule } from '../rule.js';

const groups: { [kind: string]: string } = {
  HelmRelease: 'helm.toolkit.fluxcd.io/',
  Kustomization: 'kustomize.toolkit.fluxcd.io/',
};

const messages = {
  allRights: (object: string) =>
    `${object} has no spec.serviceAccountName, so what it installs is applied with all rights of Flux in the whole cluster`,
};

export default {
  id: 'privileged-release',
  group: 'permissions',
  compares: 'value',
  severity: 'warning',
  summary: 'a HelmRelease or Flux Kustomization has no service account, so it has all rights of Flux (if enabled)',
  messages,
  options: {
    enabled: { type: 'boolean', description: 'Whether the rule runs; by default it does not' },
  },
  check({ objects, options, report, known: { facts } }) {
    if (options.enabled !== true) return;
    const owned = facts.get('ownedNamespaces').value as string[];
    for (const object of objects) {
      const { kind, namespace = '', apiVersion } = object.ref;
      if (!Object.hasOwn(groups, kind) || !apiVersion.startsWith(groups[kind] ?? '') || !owned.includes(namespace))
        continue;
      if (lookUp(object.value, ['spec', 'serviceAccountName']) || lookUp(object.value, ['spec', 'kubeConfig']))
        continue;
      report({
        message: messages.allRights(label(object.ref)),
        help: `create a ServiceAccount in namespace "${namespace}" with the rights that it needs, and set spec.serviceAccountName`,
        at: { object, path: ['spec', 'serviceAccountName'] },
      });
    }
  },
} satisfies Rule;
