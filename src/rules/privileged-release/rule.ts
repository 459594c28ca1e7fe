import type { RenderedObject } from '../../core/model.js';
import { distinctLabel, inventoryId, lookUp } from '../../core/object.js';
import type { Rule, RuleContext } from '../rule.js';

const groups: { [kind: string]: string } = {
  HelmRelease: 'helm.toolkit.fluxcd.io/',
  Kustomization: 'kustomize.toolkit.fluxcd.io/',
};

const messages = {
  allRights: (object: string) =>
    `${object} has no spec.serviceAccountName, so what it installs is applied with all rights of Flux in the whole cluster`,
  counted: (object: string, others: number) =>
    `${object} and ${others} more have no spec.serviceAccountName, so what they install is applied with all rights of Flux`,
  lost: (object: string) =>
    `${object} no longer has spec.serviceAccountName, so what it installs is applied with all rights of Flux in the whole cluster`,
};

export default {
  id: 'privileged-release',
  group: 'permissions',
  compares: 'value',
  severity: 'warning',
  summary: 'a HelmRelease or Flux Kustomization has no service account, so it has all rights of Flux',
  messages,
  options: {
    enabled: {
      type: 'boolean',
      description: 'true reports each such object as a warning, false none; by default one notice counts them',
    },
  },
  check(context) {
    const { applied, options, report, known, base } = context;
    if (options.enabled === false) return;
    const owned = known.facts.get('ownedNamespaces').value as string[];
    const found = applied.filter((object) => isPrivileged(object, owned));
    const limited = new Set(base?.applied.filter(hasAccount).map(({ ref }) => inventoryId(ref)));
    const lost = found.filter(({ ref }) => limited.has(inventoryId(ref)));
    for (const object of lost)
      report({ ...described(object, messages.lost(distinctLabel(object.ref))), ...severityFor(context) });
    const rest = found.filter((object) => !lost.includes(object));
    if (options.enabled === true)
      for (const object of rest) report(described(object, messages.allRights(distinctLabel(object.ref))));
    const [first, ...others] = options.enabled === true ? [] : rest;
    if (!first) return;
    const name = distinctLabel(first.ref);
    const message = others.length > 0 ? messages.counted(name, others.length) : messages.allRights(name);
    report({ ...described(first, message), severity: 'notice' });
  },
} satisfies Rule;

function severityFor({ trust }: RuleContext) {
  return trust === 'fork' ? { severity: 'error' as const } : {};
}

function isActing({ ref: { kind, apiVersion } }: RenderedObject): boolean {
  return Object.hasOwn(groups, kind) && apiVersion.startsWith(groups[kind] ?? '');
}

function hasAccount(object: RenderedObject): boolean {
  return isActing(object) && Boolean(lookUp(object.value, ['spec', 'serviceAccountName']));
}

function isPrivileged(object: RenderedObject, owned: readonly string[]): boolean {
  const isOwned = owned.includes(object.ref.namespace ?? '');
  return isActing(object) && isOwned && !hasAccount(object) && !lookUp(object.value, ['spec', 'kubeConfig']);
}

function described(object: RenderedObject, message: string) {
  return {
    message,
    help: `create a ServiceAccount in namespace "${object.ref.namespace}" with the rights that it needs, and set spec.serviceAccountName`,
    at: { object, path: ['spec', 'serviceAccountName'] },
  };
}
