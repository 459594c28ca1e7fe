import { label, lookUp } from '../../core/object.js';
import { isSetTo, settingIn } from '../../flux/settings.js';
import type { Rule } from '../rule.js';

const suspend = ['spec', 'suspend'];

const messages = {
  notReconciled: (object: string) => `${object} is not reconciled, so Flux silently applies nothing of this manifest`,
  suspended: (object: string) => `${object} is suspended, so Flux does not act on it`,
};

export default {
  id: 'suspended-object',
  group: 'flux',
  severity: 'notice',
  summary: 'an object is suspended or not reconciled, so Flux silently ignores its changes',
  messages,
  check({ objects, report }) {
    for (const object of objects) {
      const [setting] = settingIn(object.value, 'reconcile');
      if (setting && isSetTo(object.value, 'reconcile', 'disabled')) {
        report({
          message: messages.notReconciled(label(object.ref)),
          help: 'remove this setting once the object is to be applied again',
          at: { object, path: setting.path, part: 'key' },
        });
      }
      if (/\.fluxcd\.io\//.test(object.ref.apiVersion) && lookUp(object.value, suspend) === true) {
        report({
          message: messages.suspended(label(object.ref)),
          help: 'remove spec.suspend once Flux is to act on it again',
          at: { object, path: suspend },
        });
      }
    }
  },
} satisfies Rule;
