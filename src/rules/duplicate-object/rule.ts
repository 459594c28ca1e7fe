import { isDeepStrictEqual } from 'node:util';
import type { RenderedObject } from '../../core/model.js';
import { inventoryId } from '../../core/object.js';
import { isApplied } from '../../flux/applied.js';
import { toApplyRequest } from '../../flux/request.js';
import type { Rule } from '../rule.js';

/**
 * Two that kustomize takes for the same are reported by the render stage, as the build is refused. To it the version is part of
 * the identity, and the namespace of a kind that is in none.
 */
export default {
  id: 'duplicate-object',
  severity: 'error',
  summary: 'one object twice: kustomize refuses it, or they overwrite each other at every reconcile',
  check({ entrypoints, report, known: { contract } }) {
    for (const rendered of entrypoints) {
      if (!rendered.ok) continue;
      const known = new Map<string, RenderedObject>();
      const sent = (object: RenderedObject) => toApplyRequest(object, rendered.entrypoint, contract.schemas);
      for (const object of rendered.objects.filter((one) => isApplied(one) && isServed(one))) {
        const id = inventoryId(object.ref);
        const first = known.get(id);
        if (!first) known.set(id, object);
        else if (!isDeepStrictEqual(sent(first), sent(object))) reportPair(first, object);
      }
    }

    /** One that is not is refused, and a finding of another rule. */
    function isServed({ ref }: RenderedObject): boolean {
      const schema = contract.schemas.find(ref.apiVersion, ref.kind);
      return schema.known || schema.why !== 'unserved-version';
    }

    function reportPair(first: RenderedObject, second: RenderedObject) {
      const isVersion = first.ref.apiVersion !== second.ref.apiVersion;
      // The fields of each version have an owner of their own, so only what both set changes.
      const why = isVersion
        ? 'in two versions, which are one object to the API server, so what both set changes at every reconcile'
        : 'with different namespaces, which mean nothing to this kind, so each takes away what the other sets at every reconcile';
      report({
        message: `${second.ref.kind} "${second.ref.name}" is rendered twice, ${why}`,
        help: 'make one of the two',
        at: { object: second, path: ['metadata', 'name'] },
        related: [{ message: 'the first one', at: { object: first, path: ['metadata', 'name'] } }],
        ...(isVersion && { severity: 'warning' as const }),
      });
    }
  },
} satisfies Rule;
