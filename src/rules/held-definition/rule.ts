import { label } from '../../core/object.js';
import { isApplied } from '../../flux/applied.js';
import { settingIn, stageOf } from '../../flux/settings.js';
import type { Rule } from '../rule.js';

const messages = {
  waits: (object: string) =>
    `${object} is not applied, but Flux waits for it without the right to read it, so nothing after it is applied`,
};

export default {
  id: 'held-definition',
  group: 'permissions',
  severity: 'error',
  summary:
    'Flux waits for a definition, namespace or class that it does not apply and is not allowed to read, and fails',
  messages,
  check({ objects, entrypoints, known, report }) {
    const { permissions } = known;
    for (const object of objects) {
      if (isApplied(object) || stageOf(object.ref) === 3) continue;
      const rendered = entrypoints.find(({ entrypoint }) => entrypoint.path === object.entrypoint);
      const [setting] = (['reconcile', 'ssa'] as const).flatMap((name) => settingIn(object.value, name));
      if (!rendered || !setting) continue;
      if (permissions.access(rendered.entrypoint, 'get', object.ref).allowed !== false) continue;
      report({
        message: messages.waits(label(object.ref)),
        help: `remove the object from the repository, or allow "${permissions.accountName(rendered.entrypoint)}" to read it`,
        at: { object, path: setting.path, part: 'key' },
      });
    }
  },
} satisfies Rule;
