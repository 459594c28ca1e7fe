import { ownSources } from '../../cluster/own-sources.js';
import type { ReportDescriptor, Rule, RuleContext } from '../rule.js';

/** Kubernetes' own, in every cluster. */
const kubernetes = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

const messages = {
  ofKubernetes: (one: Installing) =>
    `${installs(one)}, which is Kubernetes’ own: Cozystack labels it as a namespace of the platform and puts the cluster’s values into it as a Secret`,
  ofKubernetesOpened: (one: Installing) =>
    `${installs(one)}, which is Kubernetes’ own: Cozystack labels it as a namespace of the platform, opens it to privileged pods and puts the cluster’s values into it as a Secret`,
  ofTenant: (one: Installing) =>
    `${installs(one)}, the namespace of a tenant, so what is installed is in the hands of that tenant`,
  ofTenantOpened: (one: Installing) =>
    `${installs(one)}, the namespace of a tenant, and opens it to privileged pods, though what is installed is in the hands of that tenant`,
  ofPlatformOpened: (one: Installing) =>
    `${installs(one)}, where packages of the platform are that need no privileges, and opens it to privileged pods`,
};

export default {
  id: 'foreign-install-namespace',
  severity: 'error',
  summary: 'a PackageSource installs into a namespace of somebody else, which Cozystack then labels as the platform’s',
  messages,
  check(context) {
    const {
      objects,
      report,
      known: { contract, facts },
    } = context;
    const owned = facts.get('ownedNamespaces').value as string[];
    const platform = namespacesOf(context);
    for (const { object, name: source, variants } of ownSources(objects, contract)) {
      for (const { name: component, path, install } of variants.flatMap(({ components }) => components)) {
        const namespace = install?.namespace;
        if (!install || namespace === undefined || owned.includes(namespace)) continue;
        const problem = judge({ component, source, namespace }, install, platform);
        const at = { object, path: [...path, 'install', 'namespace'] };
        if (problem) report({ ...problem, help: 'give it a namespace of its own; Cozystack makes it', at });
      }
    }
  },
} satisfies Rule;

type Installing = { component: string; source: string; namespace: string };
type Judgement = Pick<ReportDescriptor, 'message' | 'severity' | 'assumes'>;

function judge(
  one: Installing,
  install: { privileged: boolean },
  platform: ReadonlyMap<string, boolean>,
): Judgement | undefined {
  const { namespace } = one;
  if (kubernetes.includes(namespace))
    return { message: (install.privileged ? messages.ofKubernetesOpened : messages.ofKubernetes)(one) };
  if (namespace.startsWith('tenant-'))
    return {
      message: (install.privileged ? messages.ofTenantOpened : messages.ofTenant)(one),
      ...(!install.privileged && { severity: 'warning' as const }),
    };
  if (!install.privileged || platform.get(namespace) !== false) return undefined;
  return { message: messages.ofPlatformOpened(one), severity: 'warning' };
}

function installs({ component, source, namespace }: Installing): string {
  return `Component "${component}" of PackageSource "${source}" installs into "${namespace}"`;
}

/** Those that packages of the release install into, and whether one of them is privileged there. */
function namespacesOf({ known: { contract } }: RuleContext): Map<string, boolean> {
  const found = new Map<string, boolean>();
  const variants = contract.catalog.names().flatMap((name) => contract.catalog.source(name)?.variants ?? []);
  for (const { install } of variants.flatMap(({ components }) => components)) {
    if (install) found.set(install.namespace, install.privileged || found.get(install.namespace) === true);
  }
  return found;
}
