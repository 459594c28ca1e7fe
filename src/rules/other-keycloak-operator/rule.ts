import { describeBlocked } from '../../cluster/blocked.js';
import { groupOf, label } from '../../core/object.js';
import { isApplied } from '../../flux/applied.js';
import type { Rule } from '../rule.js';
import { isBrought } from '../support/defined.js';
import { foreignGroups, insteadOfKind, keycloakGroup } from './keycloak.js';

const messages = {
  notServed: (object: string, group: string, applied: string) =>
    `${object} is of ${group}, which no release of the platform serves, so Flux applies ${applied}`,
};

export default {
  id: 'other-keycloak-operator',
  severity: 'error',
  summary: 'an object is of Keycloak’s own operator, which the platform does not have, so nothing at all is applied',
  messages,
  check(context) {
    const {
      entrypoints,
      report,
      known: { snapshot, permissions },
    } = context;
    for (const rendered of entrypoints) {
      for (const object of rendered.ok ? rendered.objects.filter(isApplied) : []) {
        const { apiVersion, kind, name, namespace } = object.ref;
        const group = groupOf(apiVersion);
        if (!rendered.ok || !foreignGroups.includes(group) || isBrought(object.ref, context.known)) continue;
        const realm = {
          apiVersion: `${keycloakGroup}/v1`,
          kind: 'KeycloakRealm',
          name,
          ...(namespace && { namespace }),
        };
        const isRefused = permissions.access(rendered.entrypoint, 'patch', realm).allowed === false;
        const where = `${permissions.accountName(rendered.entrypoint)} may not write ${namespace ? `in namespace "${namespace}"` : 'here'}`;
        report({
          message: messages.notServed(label(object.ref), group, describeBlocked(object.ref, rendered, permissions)),
          help: `the platform's operator has the kinds of ${keycloakGroup}${isRefused ? `, which ${where}` : ''}: ${insteadOfKind[kind] ?? 'see which of them fits'}${isRefused ? ', in an owned namespace, or have an administrator apply it' : ''}`,
          at: { object, path: ['apiVersion'] },
          // Somebody may have brought that operator as well, unless the cluster was looked at.
          ...(!snapshot?.kinds && { severity: 'warning' as const }),
          insteadOf: [{ rules: ['unknown-kind', 'forbidden-object'], path: [] }],
        });
      }
    }
  },
} satisfies Rule;
