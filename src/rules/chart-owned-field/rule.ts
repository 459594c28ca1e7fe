import { platformName } from '../../contract/catalog.js';
import type { RenderedObject } from '../../model.js';
import { lookUp, spell } from '../../object.js';
import type { Rule } from '../rule.js';

export default {
  id: 'chart-owned-field',
  severity: 'error',
  summary: 'a Package of the platform sets a field that the platform chart owns',
  check({ objects, contract, report }) {
    const disabled = disabledPackages(objects);
    for (const object of objects) {
      const { kind, name } = object.ref;
      if (kind !== 'Package' || !contract.catalog.isManaged(name) || disabled.has(name)) continue;
      for (const { field, message, help } of contract.ownedFields) {
        if (lookUp(object.value, field) === undefined) continue;
        report({
          message: `Package "${name}" sets ${spell(field)}, ${message}`,
          help,
          at: { object, path: field, part: 'key' },
        });
      }
    }
  },
} satisfies Rule;

/**
 * A Package that the platform is told not to emit is the repository's to write whole, variant included: this is the
 * documented way to take one over.
 */
function disabledPackages(objects: readonly RenderedObject[]): Set<unknown> {
  const list = ['spec', 'components', 'platform', 'values', 'bundles', 'disabledPackages'];
  const platform = objects.filter(({ ref }) => ref.kind === 'Package' && ref.name === platformName);
  return new Set(platform.flatMap(({ value }) => lookUp(value, list) ?? []));
}
