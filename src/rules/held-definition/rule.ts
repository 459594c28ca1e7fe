import { label } from '../../core/object.js';
import { isApplied } from '../../flux/applied.js';
import { settingIn, stageOf } from '../../flux/settings.js';
import type { Rule } from '../rule.js';

const messages = {
  waits: (object: string, account: string) =>
    `Flux waits for ${object}, which it does not apply and ${account} may not read, until it gives up and applies nothing that comes after it`,
};

export default {
  id: 'held-definition',
  severity: 'error',
  summary: 'Flux waits in vain for a definition, namespace or class that it does not apply and may not read',
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
        message: messages.waits(label(object.ref), permissions.accountName(rendered.entrypoint)),
        help: 'take the object out of the repository, as Flux does nothing with it',
        at: { object, path: setting.path, part: 'key' },
      });
    }
  },
} satisfies Rule;
