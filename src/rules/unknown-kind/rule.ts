import type { RenderedObject } from '../../core/model.js';
import { getString, groupOf, label } from '../../core/object.js';
import { rewritten } from '../../core/remedies.js';
import { isApplied } from '../../flux/applied.js';
import type { Rule } from '../rule.js';

const messages = {
  noSuchKind: (object: string, kind: string, where: string) =>
    `${object}: there is no kind "${kind}" in ${where}, as far as is known; where the cluster has none either, Flux applies nothing`,
};

/** A kind that nothing at all is known of is counted by schema-violation as not checked. */
export default {
  id: 'unknown-kind',
  severity: 'warning',
  summary: 'a kind that its API group does not seem to have, which keeps Flux from applying anything',
  messages,
  check({ objects, report, known: { contract, snapshot } }) {
    const defined = new Set(objects.flatMap(definedBy));
    for (const object of objects.filter(isApplied)) {
      const { apiVersion, kind } = object.ref;
      const group = groupOf(apiVersion);
      const key = `${group}/${kind}`;
      const found = contract.schemas.find(apiVersion, kind);
      if (found.known || found.why !== 'unknown-kind' || found.meant === undefined || defined.has(key)) continue;
      if (snapshot?.kinds && Object.hasOwn(snapshot.kinds, key)) continue;
      const where = group === '' ? 'Kubernetes itself' : `"${group}"`;
      report({
        message: messages.noSuchKind(label(object.ref), kind, where),
        help: `did you mean "${found.meant}"? If the cluster does have it, a snapshot of the cluster or cozystack.data says so`,
        at: { object, path: ['kind'] },
        remedy: { ...rewritten({ object, path: ['kind'] }, found.meant), safe: false },
      });
    }
  },
} satisfies Rule;

/** What a definition in the repository brings. */
function definedBy({ ref, value }: RenderedObject): string[] {
  if (ref.kind !== 'CustomResourceDefinition') return [];
  return [`${getString(value, ['spec', 'group'])}/${getString(value, ['spec', 'names', 'kind'])}`];
}
