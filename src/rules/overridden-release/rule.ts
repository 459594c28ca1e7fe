import { isApplied } from '../../flux/applied.js';
import type { Rule } from '../rule.js';
import { chartReleases, type MadeRelease } from '../support/made-releases.js';

const messages = {
  madeFrom: (source: string, release: string) =>
    `HelmRelease "${release}" is made from Package "${source}", and Cozystack writes it anew whenever it differs, so what is set here does not last`,
};

export default {
  id: 'overridden-release',
  compares: 'value',
  severity: 'error',
  summary: 'a HelmRelease is one that the platform makes from a Package, which writes it anew',
  messages,
  check(context) {
    const {
      entrypoints,
      report,
      known: { permissions },
    } = context;
    let made: Map<string, MadeRelease> | undefined;
    for (const rendered of entrypoints) {
      for (const object of rendered.ok ? rendered.objects.filter(isApplied) : []) {
        const { apiVersion, kind, namespace, name } = object.ref;
        if (kind !== 'HelmRelease' || !apiVersion.startsWith('helm.toolkit.fluxcd.io/')) continue;
        made ??= chartReleases(context.known);
        const found = made.get(`${namespace}/${name}`);
        // What the account may not write is `forbidden-object`.
        if (!found || permissions.access(rendered.entrypoint, 'patch', object.ref).allowed === false) continue;
        report({
          message: messages.madeFrom(found.source, `${namespace}/${name}`),
          help: `set the values in Package "${found.source}", under spec.components.${found.component}.values`,
          at: { object, path: ['metadata', 'name'] },
          ...(!found.isSure && { severity: 'warning' as const }),
          assumes: found.assumes,
        });
      }
    }
  },
} satisfies Rule;
