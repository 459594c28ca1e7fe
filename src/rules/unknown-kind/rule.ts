import { describeBlocked } from '../../cluster/blocked.js';
import { isClosedGroup, isDefinedHere } from '../../cluster/definitions.js';
import type { RenderedObject } from '../../core/model.js';
import { groupOf, label } from '../../core/object.js';
import { rewritten } from '../../core/remedies.js';
import { isApplied } from '../../flux/applied.js';
import { type Built, isBuilt } from '../../flux/prune.js';
import type { Rule, RuleContext } from '../rule.js';

const messages = {
  noSuchKind: (object: string, kind: string, where: string, blocked: string) =>
    `${object}: there is no kind "${kind}" in ${where}, so Flux applies ${blocked}`,
};

/** A kind that nothing at all is known of is counted by schema-violation as not checked. */
export default {
  id: 'unknown-kind',
  severity: 'error',
  summary: 'a kind that its API group does not have, which keeps Flux from applying anything',
  messages,
  check(context) {
    for (const rendered of context.entrypoints.filter(isBuilt))
      for (const object of rendered.objects.filter(isApplied)) judge(object, rendered, context);
  },
} satisfies Rule;

function judge(object: RenderedObject, rendered: Built, { objects, report, known }: RuleContext): void {
  const { contract, snapshot, permissions } = known;
  const { apiVersion, kind } = object.ref;
  const group = groupOf(apiVersion);
  const found = contract.schemas.find(apiVersion, kind);
  if (found.known || found.why !== 'unknown-kind' || isDefinedHere(object.ref, objects)) return;
  const { meant } = found;
  // Of other groups an operator may bring more at run time: only what looks like a typing error is sure to be none of theirs.
  if (meant === undefined && !isClosedGroup(group)) return;
  if (snapshot?.kinds && Object.hasOwn(snapshot.kinds, `${group}/${kind}`)) return;
  const where = group === '' ? 'Kubernetes itself' : `"${group}"`;
  const blocked = describeBlocked(object.ref, rendered, permissions);
  const otherwise = 'if the cluster does have it, a snapshot of the cluster or cozystack.data says so';
  report({
    message: messages.noSuchKind(label(object.ref), kind, where, blocked),
    help:
      meant === undefined ? otherwise : `did you mean "${meant}"? ${otherwise[0]?.toUpperCase()}${otherwise.slice(1)}`,
    at: { object, path: ['kind'] },
    ...(meant !== undefined && { remedy: { ...rewritten({ object, path: ['kind'] }, meant), safe: false } }),
  });
}
