import { ownSources } from '../../cluster/own-sources.js';
import type { ReportDescriptor, Rule, RuleContext } from '../rule.js';

/** Kubernetes' own, in every cluster. */
const kubernetes = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

const messages = {
  ofKubernetes: (one: Installing) =>
    `${installs(one)}: Cozystack labels it as its own and copies the cluster's values into it`,
  ofKubernetesOpened: (one: Installing) =>
    `${installs(one)}: Cozystack labels it, opens it to privileged pods and copies the cluster's values into it`,
  ofTenant: (one: Installing) => `${installs(one)}, so that tenant controls what is installed`,
  ofTenantOpened: (one: Installing) =>
    `${installs(one)} and opens it to privileged pods, although that tenant controls what is installed`,
  ofPlatformOpened: (one: Installing) =>
    `${installs(one)} and opens it to privileged pods, which the platform's Packages there do not need`,
};

export default {
  id: 'foreign-install-namespace',
  group: 'ownership',
  severity: 'error',
  summary: 'a PackageSource installs into a namespace of another owner, which Cozystack then labels as its own',
  messages,
  check(context) {
    const {
      applied,
      report,
      known: { contract, facts },
    } = context;
    const owned = facts.get('ownedNamespaces').value as string[];
    const platform = namespacesOf(context);
    for (const { object, name: source, variants } of ownSources(applied, contract)) {
      for (const { name: component, path, install } of variants.flatMap(({ components }) => components)) {
        const namespace = install?.namespace;
        if (!install || namespace === undefined || owned.includes(namespace)) continue;
        const problem = judge({ component, source, namespace }, install, platform);
        const at = { object, path: [...path, 'install', 'namespace'] };
        if (problem) report({ ...problem, help: 'use a namespace of its own; Cozystack creates it', at });
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
  return `PackageSource "${source}" installs "${component}" into "${namespace}"`;
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
