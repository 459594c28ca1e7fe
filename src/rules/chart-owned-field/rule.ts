import { lookUp, spell } from '../../object.js';
import type { Rule } from '../rule.js';

export default {
  id: 'chart-owned-field',
  severity: 'error',
  summary: 'a Package of the platform sets a field that the platform chart owns',
  check({ objects, contract, report }) {
    for (const object of objects) {
      if (object.ref.kind !== 'Package' || !contract.catalog.isManaged(object.ref.name)) continue;
      for (const { field, message, help } of contract.ownedFields) {
        if (lookUp(object.value, field) === undefined) continue;
        report({
          message: `Package "${object.ref.name}" sets ${spell(field)}, ${message}`,
          help,
          at: { object, path: field, part: 'key' },
        });
      }
    }
  },
} satisfies Rule;
