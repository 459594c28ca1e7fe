import { describeBlocked } from '../../cluster/blocked.js';
import type { Place, Problem, Rendered, RenderedObject } from '../../core/model.js';
import { label } from '../../core/object.js';
import { isApplied } from '../../flux/applied.js';
import type { Rule, RuleKnowledge } from '../rule.js';

const field = ['metadata', 'namespace'];

const messages = {
  inNone: (object: string, applied: string) =>
    `${object} has no metadata.namespace, so the API server refuses it and Flux applies ${applied}`,
};

export default {
  id: 'missing-namespace',
  group: 'schema',
  severity: 'error',
  summary: 'a namespaced object has no namespace, so the API server refuses it and Flux applies nothing',
  messages,
  check({ entrypoints, report, known }) {
    const { permissions } = known;
    for (const rendered of entrypoints) {
      if (!rendered.ok) continue;
      for (const object of rendered.objects) {
        const { ref } = object;
        if (ref.namespace !== undefined || !permissions.resourceOf(ref)?.namespaced || !isApplied(object)) continue;
        report({
          message: messages.inNone(label(ref), describeBlocked(ref, rendered, permissions)),
          help: `set metadata.namespace${example(rendered, known)}, or set namespace in the kustomization.yaml`,
          at: placeOf(object),
          ...remedy(object, rendered, known),
        });
      }
    }
  },
} satisfies Rule;

function example({ entrypoint }: Rendered, { facts, permissions }: RuleKnowledge): string {
  if (!permissions.isCustomizer(entrypoint)) return '';
  const [first] = facts.get('ownedNamespaces').value as string[];
  return first === undefined ? '' : `, such as ${first}`;
}

/** Only where it can be one alone. */
function remedy(
  object: RenderedObject,
  { entrypoint }: Rendered,
  { facts, permissions }: RuleKnowledge,
): Pick<Problem, 'remedy'> {
  const [value, another] = facts.get('ownedNamespaces').value as string[];
  if (!permissions.isCustomizer(entrypoint) || value === undefined || another !== undefined) return {};
  const title = `set metadata.namespace: ${value}`;
  return {
    remedy: {
      title,
      safe: true,
      changes: [{ do: 'add', at: { object, path: field }, value, after: 'name' }],
    },
  };
}

/** Where a patch took it away, that; else where it would be written. */
function placeOf(object: RenderedObject): Place {
  const lost = object.removed().find(({ path }) => path.join('.') === field.join('.'));
  return lost ? { object, path: field, removedBy: lost.by } : { object, path: ['metadata'], part: 'key' };
}
