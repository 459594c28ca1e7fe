import { isDeepStrictEqual } from 'node:util';
import type { RenderedObject } from '../../core/model.js';
import { inventoryId, label } from '../../core/object.js';
import type { Schemas } from '../../cozystack/schemas.js';
import { isApplied } from '../../flux/applied.js';
import { toApplyRequest } from '../../flux/request.js';
import type { Rule, RuleContext } from '../rule.js';

const messages = {
  // The fields of each version have an owner of their own, so only what both set changes.
  inTwoVersions: (object: string) =>
    `duplicate ${object}, in two API versions of one object, so Flux overwrites one with the other at every reconcile`,
  inTwoNamespaces: (object: string) =>
    `duplicate ${object}: its kind is cluster-scoped and ignores the namespace, so the two overwrite each other at every reconcile`,
};

/**
 * Two that kustomize takes for the same are reported by the render stage, as the build is refused. To it the version is part of
 * the identity, and the namespace of a kind that is in none.
 */
export default {
  id: 'duplicate-object',
  group: 'kustomize',
  severity: 'error',
  summary: 'duplicate object: kustomize refuses it, or the two overwrite each other at every reconcile',
  messages,
  check(context) {
    const { schemas } = context.known.contract;
    for (const rendered of context.entrypoints) {
      if (!rendered.ok) continue;
      const known = new Map<string, RenderedObject>();
      const sent = (object: RenderedObject) => toApplyRequest(object, rendered.entrypoint, schemas);
      for (const object of rendered.objects.filter((one) => isApplied(one) && isServed(one, schemas))) {
        const id = inventoryId(object.ref);
        const first = known.get(id);
        if (!first) known.set(id, object);
        else if (!isDeepStrictEqual(sent(first), sent(object))) tell(first, object, context);
      }
    }
  },
} satisfies Rule;

/** One that is not is refused, and a finding of another rule. */
function isServed({ ref }: RenderedObject, schemas: Schemas): boolean {
  const schema = schemas.find(ref.apiVersion, ref.kind);
  return schema.known || schema.why !== 'unserved-version';
}

function tell(first: RenderedObject, second: RenderedObject, { report }: RuleContext): void {
  const isVersion = first.ref.apiVersion !== second.ref.apiVersion;
  report({
    message: (isVersion ? messages.inTwoVersions : messages.inTwoNamespaces)(label(second.ref)),
    help: 'merge the two into one',
    at: { object: second, path: ['metadata', 'name'] },
    related: [{ message: 'the first one', at: { object: first, path: ['metadata', 'name'] } }],
    ...(isVersion && { severity: 'warning' as const }),
  });
}
