import type { RenderedObject } from '../../core/model.js';
import { getString, groupOf, label, lookUp } from '../../core/object.js';
import { removed } from '../../core/remedies.js';
import { isApplied } from '../../flux/applied.js';
import { isSetTo } from '../../flux/settings.js';
import type { Rule } from '../rule.js';

const replicas = ['spec', 'replicas'];

const messages = {
  bothSet: (object: string, autoscaler: string) =>
    `${object} has spec.replicas, which ${autoscaler} sets too: Flux puts it back at every run`,
};

export default {
  id: 'replicas-beside-autoscaler',
  group: 'flux',
  severity: 'warning',
  summary: 'a workload has spec.replicas although an autoscaler sets them, so Flux and the autoscaler undo each other',
  messages,
  check({ entrypoints, report }) {
    for (const { objects } of entrypoints.filter((one) => one.ok)) {
      const scaled = new Map(objects.filter(isAutoscaler).map((one) => [targetOf(one), one]));
      for (const object of objects) {
        const autoscaler = scaled.get(keyOf(groupOf(object.ref.apiVersion), object.ref));
        if (!autoscaler || lookUp(object.value, replicas) === undefined || !isKeptUp(object)) continue;
        const at = { object, path: replicas };
        report({
          message: messages.bothSet(label(object.ref), label(autoscaler.ref)),
          help: 'remove spec.replicas; the first time, when the load is low: a single replica is left until the autoscaler acts',
          at,
          related: [{ message: 'the autoscaler', at: { object: autoscaler, path: ['spec', 'scaleTargetRef'] } }],
          remedy: removed(at, false),
        });
      }
    }
  },
} satisfies Rule;

function isAutoscaler(object: RenderedObject): boolean {
  const { kind, apiVersion } = object.ref;
  return kind === 'HorizontalPodAutoscaler' && groupOf(apiVersion) === 'autoscaling' && isApplied(object);
}

function targetOf({ ref, value }: RenderedObject): string {
  const of = (field: string) => getString(value, ['spec', 'scaleTargetRef', field]) ?? '';
  return keyOf(groupOf(of('apiVersion')), { kind: of('kind'), name: of('name'), namespace: ref.namespace });
}

function keyOf(
  group: string,
  { kind, namespace, name }: { kind: string; namespace?: string | undefined; name: string },
) {
  return JSON.stringify([group, kind, namespace ?? '', name]);
}

/** Whether Flux writes it again where it differs (rules/FACTS.md: flux-corrects-drift). */
function isKeptUp(object: RenderedObject): boolean {
  return isApplied(object) && !isSetTo(object.value, 'ssa', 'IfNotPresent');
}
