import { describeBlocked } from '../../cluster/blocked.js';
import type { Place, Problem, Rendered, RenderedObject } from '../../core/model.js';
import { isApplied } from '../../flux/applied.js';
import type { Rule } from '../rule.js';

const field = ['metadata', 'namespace'];

export default {
  id: 'missing-namespace',
  severity: 'error',
  summary: 'an object that belongs in a namespace names none, so nothing at all is applied',
  check({ entrypoints, report, known: { facts, permissions } }) {
    for (const rendered of entrypoints) {
      if (!rendered.ok) continue;
      const example = () => (permissions.isCustomizer(rendered.entrypoint) ? owned() : '');
      for (const object of rendered.objects) {
        const { ref } = object;
        if (ref.namespace !== undefined || !permissions.resourceOf(ref)?.namespaced || !isApplied(object)) continue;
        report({
          message: `${ref.kind} "${ref.name}" is in no namespace, so the API server refuses it and Flux applies ${describeBlocked(ref, rendered, permissions)}`,
          help: `write metadata.namespace${example()}, or set "namespace" in the kustomization`,
          at: placeOf(object),
          ...remedy(object, rendered),
        });
      }
    }

    /** Only where it can be one alone. */
    function remedy(object: RenderedObject, { entrypoint }: Rendered): Pick<Problem, 'remedy'> {
      const [value, another] = facts.get('ownedNamespaces').value as string[];
      if (!permissions.isCustomizer(entrypoint) || value === undefined || another !== undefined) return {};
      const title = `write metadata.namespace: ${value}`;
      return {
        remedy: {
          title,
          safe: true,
          changes: [{ do: 'add', at: { object, path: field }, value, after: 'name' }],
        },
      };
    }

    function owned(): string {
      const [first] = facts.get('ownedNamespaces').value as string[];
      return first === undefined ? '' : `, such as ${first}`;
    }
  },
} satisfies Rule;

/** Where a patch took it away, that; else where it would be written. */
function placeOf(object: RenderedObject): Place {
  const lost = object.removed().find(({ path }) => path.join('.') === field.join('.'));
  return lost ? { object, path: field, removedBy: lost.by } : { object, path: ['metadata'], part: 'key' };
}
