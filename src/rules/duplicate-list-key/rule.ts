import { describeBlocked } from '../../cluster/blocked.js';
import { formatPath, label } from '../../core/object.js';
import { isApplied } from '../../flux/applied.js';
import { duplicatesIn } from '../../schema/duplicates.js';
import type { Rule } from '../rule.js';

const messages = {
  sameKey: (object: string, list: string, key: string, applied: string) =>
    `${object}: duplicate ${key.replace(/^the /, '')} in ${list}, so the API server refuses it and Flux applies ${applied}`,
};

export default {
  id: 'duplicate-list-key',
  group: 'schema',
  severity: 'error',
  summary: 'two items of a list have the same key, so the API server refuses the object and Flux applies nothing',
  messages,
  check({ entrypoints, report, known: { contract, permissions } }) {
    for (const rendered of entrypoints) {
      for (const object of rendered.ok ? rendered.objects.filter(isApplied) : []) {
        const { apiVersion, kind } = object.ref;
        const schema = contract.schemas.find(apiVersion, kind);
        if (!rendered.ok || !schema.known) continue;
        for (const { first, path, key } of duplicatesIn(object.value, schema)) {
          report({
            message: messages.sameKey(
              label(object.ref),
              formatPath(path.slice(0, -1)),
              key,
              describeBlocked(object.ref, rendered, permissions),
            ),
            help: 'remove one of them',
            at: { object, path },
            related: [{ message: 'the first one', at: { object, path: first } }],
          });
        }
      }
    }
  },
} satisfies Rule;
