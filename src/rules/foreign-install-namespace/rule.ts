import { ownSources } from '../../cluster/own-sources.js';
import type { Rule, RuleContext } from '../rule.js';

/** Kubernetes' own, in every cluster. */
const kubernetes = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

export default {
  id: 'foreign-install-namespace',
  severity: 'error',
  summary: 'a PackageSource installs into a namespace of somebody else, which Cozystack then labels as the platform’s',
  check(context) {
    const {
      objects,
      report,
      known: { contract, facts },
    } = context;
    const owned = facts.get('ownedNamespaces').value as string[];
    const platform = namespacesOf(context);
    for (const { object, name, variants } of ownSources(objects, contract)) {
      for (const { name: component, path, install } of variants.flatMap(({ components }) => components)) {
        const namespace = install?.namespace;
        if (!install || namespace === undefined || owned.includes(namespace)) continue;
        const who = `Component "${component}" of PackageSource "${name}" installs into "${namespace}"`;
        const at = { object, path: [...path, 'install', 'namespace'] };
        const help = 'give it a namespace of its own; Cozystack makes it';
        const labels = install.privileged
          ? 'labels it as a namespace of the platform, opens it to privileged pods'
          : 'labels it as a namespace of the platform';
        if (kubernetes.includes(namespace)) {
          report({
            message: `${who}, which is Kubernetes’ own: Cozystack ${labels} and puts the cluster’s values into it as a Secret`,
            help,
            at,
          });
        } else if (namespace.startsWith('tenant-')) {
          const opened = install.privileged ? 'and opens it to privileged pods, though' : 'so';
          report({
            message: `${who}, the namespace of a tenant, ${opened} what is installed is in the hands of that tenant`,
            help,
            at,
            ...(!install.privileged && { severity: 'warning' as const }),
          });
        } else if (install.privileged && platform.get(namespace) === false) {
          report({
            message: `${who}, where packages of the platform are that need no privileges, and opens it to privileged pods`,
            help,
            at,
            severity: 'warning',
            assumes: ['release'],
          });
        }
      }
    }
  },
} satisfies Rule;

/** Those that packages of the release install into, and whether one of them is privileged there. */
function namespacesOf({
  known: {
    contract: { catalog },
  },
}: RuleContext): Map<string, boolean> {
  const found = new Map<string, boolean>();
  const variants = catalog.names().flatMap((name) => catalog.source(name)?.variants ?? []);
  for (const { install } of variants.flatMap(({ components }) => components)) {
    if (install) found.set(install.namespace, install.privileged || found.get(install.namespace) === true);
  }
  return found;
}
