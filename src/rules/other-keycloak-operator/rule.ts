import { describeBlocked } from '../../cluster/blocked.js';
import { isBrought } from '../../cluster/definitions.js';
import type { RenderedObject } from '../../core/model.js';
import { groupOf, label } from '../../core/object.js';
import { isApplied } from '../../flux/applied.js';
import type { Built } from '../../flux/prune.js';
import type { Rule, RuleContext } from '../rule.js';
import { foreignGroups, insteadOfKind, keycloakGroup } from './keycloak.js';

const messages = {
  notServed: (object: string, group: string, applied: string) =>
    `${object} is of ${group}, which no release of Cozystack serves, so Flux applies ${applied}`,
};

export default {
  id: 'other-keycloak-operator',
  group: 'schema',
  severity: 'error',
  summary: 'an object is of a Keycloak operator that the platform does not have, so nothing is applied',
  messages,
  check(context) {
    for (const rendered of context.entrypoints) {
      for (const object of rendered.ok ? rendered.objects.filter(isApplied) : []) {
        const isForeign = foreignGroups.includes(groupOf(object.ref.apiVersion));
        if (rendered.ok && isForeign && !isBrought(object.ref, context.known)) tell(object, rendered, context);
      }
    }
  },
} satisfies Rule;

function tell(
  object: RenderedObject,
  rendered: Built,
  { report, known: { snapshot, permissions } }: RuleContext,
): void {
  const { apiVersion, kind, name, namespace } = object.ref;
  const realm = { apiVersion: `${keycloakGroup}/v1`, kind: 'KeycloakRealm', name, ...(namespace && { namespace }) };
  const isRefused = permissions.access(rendered.entrypoint, 'patch', realm).allowed === false;

  const applied = describeBlocked(object.ref, rendered, permissions);
  report({
    message: messages.notServed(label(object.ref), groupOf(apiVersion), applied),
    help: `use ${keycloakGroup} (needs authentication.oidc.enabled): ${insteadOfKind[kind] ?? 'the kind that fits'}${isRefused ? ', in an owned namespace or by an administrator' : ''}`,
    at: { object, path: ['apiVersion'] },
    // Somebody may have brought that operator as well, unless the cluster was looked at.
    ...(!snapshot?.kinds && { severity: 'warning' as const }),
    insteadOf: [{ rules: ['unknown-kind', 'forbidden-object'], path: [] }],
  });
}
