import { chartsVariant, isMade } from '../../facts/platform.js';
import { isApplied } from '../../facts/refusal.js';
import type { FactName } from '../../model.js';
import type { Rule, RuleContext } from '../rule.js';

export default {
  id: 'overridden-release',
  severity: 'error',
  summary: 'a HelmRelease is one that the platform makes from a Package, which writes it anew',
  check(context) {
    const { entrypoints, permissions, report } = context;
    let made: Map<string, Made> | undefined;
    for (const rendered of entrypoints) {
      for (const object of rendered.ok ? rendered.objects.filter(isApplied) : []) {
        const { apiVersion, kind, namespace, name } = object.ref;
        if (kind !== 'HelmRelease' || !apiVersion.startsWith('helm.toolkit.fluxcd.io/')) continue;
        made ??= releasesOf(context);
        const found = made.get(`${namespace}/${name}`);
        // What the account may not write is `forbidden-object`.
        if (!found || permissions.access(rendered.entrypoint, 'patch', object.ref).allowed === false) continue;
        report({
          message: `HelmRelease "${namespace}/${name}" is made from Package "${found.source}", and Cozystack writes it anew whenever it differs, so what is set here does not last`,
          help: `set the values in Package "${found.source}", under spec.components.${found.component}.values`,
          at: { object, path: ['metadata', 'name'] },
          ...(!found.isSure && { severity: 'warning' as const }),
          assumes: found.assumes,
        });
      }
    }
  },
} satisfies Rule;

type Made = { source: string; component: string; isSure: boolean; assumes: FactName[] };

/** By namespace and name, those that the platform makes in this cluster, or may make. */
function releasesOf(context: RuleContext): Map<string, Made> {
  const { contract, facts } = context;
  const found = new Map<string, Made>();
  for (const name of contract.catalog.names()) {
    const isThere = isMade(name, context);
    const emission = contract.catalog.emitted(name, String(facts.get('variant').value));
    // A Package that only an administrator can have made is that administrator's business.
    if (isThere === false || (!isThere && (emission === 'never' || emission === 'unknown'))) continue;
    const assumes: FactName[] = [
      'variant',
      ...(emission === 'optional' ? ['optionalPackages' as const] : []),
      ...(typeof emission === 'object' ? ['platformValues' as const] : []),
    ];
    const variant = chartsVariant(name, context);
    const variants = contract.catalog.source(name)?.variants.filter((one) => (variant ?? one.name) === one.name) ?? [];
    for (const { name: component, install } of variants.flatMap(({ components }) => components)) {
      const made = { source: name, component, isSure: isThere === true, assumes: isThere ? [] : assumes };
      if (install) found.set(`${install.namespace}/${install.releaseName}`, made);
    }
  }
  return found;
}
