import { lookUp } from '../../core/object.js';
import { isSetTo, settingIn } from '../../flux/settings.js';
import type { Rule } from '../rule.js';

const suspend = ['spec', 'suspend'];

export default {
  id: 'suspended-object',
  severity: 'notice',
  summary: 'an object is suspended or not reconciled, so changes of it are not applied, without a word',
  check({ objects, report }) {
    for (const object of objects) {
      const { kind, name, apiVersion } = object.ref;
      const [setting] = settingIn(object.value, 'reconcile');
      if (setting && isSetTo(object.value, 'reconcile', 'disabled')) {
        report({
          message: `${kind} "${name}" is not reconciled, so nothing of this manifest reaches the cluster, and Flux does not mention it`,
          help: 'remove that once the object is to be applied again',
          at: { object, path: setting.path, part: 'key' },
        });
      }
      if (/\.fluxcd\.io\//.test(apiVersion) && lookUp(object.value, suspend) === true) {
        report({
          message: `${kind} "${name}" is suspended, so Flux does not act on what it says`,
          help: 'remove spec.suspend once it is to run again',
          at: { object, path: suspend },
        });
      }
    }
  },
} satisfies Rule;
