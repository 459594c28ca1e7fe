import { describeBlocked } from '../../cluster/blocked.js';
import { isBrought, isOpenGroup } from '../../cluster/definitions.js';
import type { RenderedObject } from '../../core/model.js';
import { groupOf, label } from '../../core/object.js';
import { rewritten } from '../../core/remedies.js';
import { isApplication } from '../../cozystack/application.js';
import type { Built } from '../../flux/prune.js';
import type { Rule, RuleContext } from '../rule.js';
import { appliedIn } from '../support/applied.js';

const messages = {
  noSuchKind: (object: string, kind: string, where: string, blocked: string) =>
    `${object}: unknown kind "${kind}" in ${where}, so Flux applies ${blocked}`,
};

/** A kind that nothing at all is known of is counted by schema-violation as not checked. */
export default {
  id: 'unknown-kind',
  group: 'schema',
  severity: 'error',
  summary: 'a kind that does not exist in its API group, so Flux applies nothing',
  messages,
  check(context) {
    for (const [object, rendered] of appliedIn(context)) judge(object, rendered, context);
  },
} satisfies Rule;

function judge(object: RenderedObject, rendered: Built, { report, known }: RuleContext): void {
  const { contract, permissions } = known;
  const { apiVersion, kind } = object.ref;
  const group = groupOf(apiVersion);
  const found = contract.schemas.find(apiVersion, kind);
  if (found.known || found.why !== 'unknown-kind' || isBrought(object.ref, known)) return;
  const { meant } = found;
  // Of other groups an operator may bring more at run time: only what looks like a typing error is sure to be none of theirs.
  if (meant === undefined && isOpenGroup(group, contract.schemas)) return;
  const where = group === '' ? 'the core API group' : group;
  const blocked = describeBlocked(object.ref, rendered, permissions);
  // A snapshot lists what definitions of custom resources bring.
  const data = isApplication(object) ? 'cozystack.data' : 'cluster.snapshot or cozystack.data';
  const otherwise = `if the cluster has it, set ${data}`;
  report({
    message: messages.noSuchKind(label(object.ref), kind, where, blocked),
    help:
      meant === undefined ? otherwise : `did you mean "${meant}"? ${otherwise[0]?.toUpperCase()}${otherwise.slice(1)}`,
    at: { object, path: ['kind'] },
    ...(meant !== undefined && { remedy: { ...rewritten({ object, path: ['kind'] }, meant), safe: false } }),
  });
}
