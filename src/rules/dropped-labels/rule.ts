import { isObject, label, lookUp } from '../../core/object.js';
import { quoted } from '../../core/remedies.js';
import type { Rule } from '../rule.js';

const messages = {
  notAString: (object: string, name: string, value: string, others: readonly string[]) =>
    `${object}: label "${name}" is ${value}, not a string, so Flux drops all labels silently${others.length > 0 ? `, also ${others.join(', ')}` : ''}`,
};

export default {
  id: 'dropped-labels',
  group: 'schema',
  severity: 'error',
  summary: 'a label that is not a string makes Flux drop all labels of the object silently',
  messages,
  check({ objects, report }) {
    for (const object of objects) {
      const labels = lookUp(object.value, ['metadata', 'labels']);
      if (!isObject(labels)) continue;
      const names = Object.keys(labels);
      for (const [name, value] of Object.entries(labels)) {
        if (typeof value === 'string') continue;
        const isScalar = typeof value === 'number' || typeof value === 'boolean';
        const others = names.filter((other) => other !== name).map((other) => `"${other}"`);
        const path = ['metadata', 'labels', name];
        report({
          message: messages.notAString(label(object.ref), name, tell(value), others.slice(0, 3)),
          ...(isScalar ? { quotes: value } : { help: 'write a string' }),
          at: { object, path, part: 'value' },
          ...(isScalar && { remedy: quoted({ object, path }, String(value)) }),
        });
      }
    }
  },
} satisfies Rule;

function tell(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'a map' : `${value}`;
}
