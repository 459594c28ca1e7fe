import { isMap, isScalar } from 'yaml';
import { groupBy } from '../../core/group.js';
import { isKustomizationFile } from '../../core/kustomization.js';
import type { Tree } from '../../core/model.js';
import { lenientFile, sourceOf } from '../../yaml/documents.js';
import type { Rule } from '../rule.js';

const messages = {
  duplicate: (field: string) =>
    `duplicate key "${field}": only the last one counts; what only the first one has is not applied, and pruned if it was before`,
};

export default {
  id: 'repeated-kustomization-field',
  group: 'kustomize',
  severity: 'error',
  summary: 'a kustomization.yaml has a duplicate key: only the last one counts, and what only the first had is deleted',
  messages,
  check({ entrypoints, tree, report }) {
    const seen = new Set<string>();
    for (const { entrypoint, files, ok } of entrypoints) {
      for (const file of ok ? files.filter((one) => isKustomizationFile(one) && !seen.has(one)) : []) {
        seen.add(file);
        for (const { field, first, last } of repeatedIn(file, tree)) {
          report({
            message: messages.duplicate(field),
            help: 'merge them into one',
            at: { file, range: last },
            related: [{ message: 'the first one, which is ignored', at: { file, range: first } }],
            entrypoint: entrypoint.path,
          });
        }
      }
    }
  },
} satisfies Rule;

function repeatedIn(file: string, tree: Tree) {
  const root = lenientFile(file, tree);
  if (!isMap(root)) return [];
  const source = sourceOf(file, tree);
  const keys = root.items.flatMap(({ key }) => {
    if (!isScalar(key) || typeof key.value !== 'string' || !key.range) return [];
    const [start, end] = key.range;
    return [{ field: key.value, at: source.firstLine(start, end) }];
  });
  return [...groupBy(keys, ({ field }) => field)].flatMap(([field, places]) => {
    const [first, last] = [places[0]?.at, places.at(-1)?.at];
    return places.length > 1 && first && last ? [{ field, first, last }] : [];
  });
}
