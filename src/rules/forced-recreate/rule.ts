import { label } from '../../core/object.js';
import { removed } from '../../core/remedies.js';
import { isSetTo, settingIn } from '../../flux/settings.js';
import type { Rule } from '../rule.js';

/** What goes with an object of that kind. */
const takesAlong: { [kind: string]: string } = {
  CustomResourceDefinition: 'every object of its kind',
  HelmRelease: 'all that the release has installed',
  Kustomization: 'all that it has applied',
  Namespace: 'everything in it',
  Package: 'all that it has installed',
  PackageSource: 'the charts of its Packages',
  PersistentVolume: 'perhaps the data on it',
  PersistentVolumeClaim: 'perhaps the data on its volume',
};

/** What somebody may have meant by it, or may take for the better one. */
const meant: { [kind: string]: string } = {
  HelmRelease: '; to force an upgrade of the release, set spec.upgrade.force',
  Kustomization: '; spec.force is no better, as it does the same to all that it applies',
};

const messages = {
  deleted: (object: string) => `${object}: the first change that the API server refuses deletes the object`,
  deletedWith: (object: string, along: string) =>
    `${object}: the first change that the API server refuses deletes the object, and with it ${along}`,
};

export default {
  id: 'forced-recreate',
  severity: 'error',
  summary: 'Flux deletes an object and makes it anew where the API server refuses a change, even over a misspelt value',
  messages,
  check({ objects, report }) {
    for (const object of objects) {
      const { kind } = object.ref;
      const [setting] = settingIn(object.value, 'force').filter(({ value }) => value.toLowerCase() === 'enabled');
      // A Job cannot be changed, and is what this is for.
      if (!setting || !isSetTo(object.value, 'force', 'enabled') || kind === 'Job') continue;
      const along = Object.hasOwn(takesAlong, kind) ? takesAlong[kind] : undefined;
      report({
        message: along ? messages.deletedWith(label(object.ref), along) : messages.deleted(label(object.ref)),
        help: `remove it, and set it for the one change that needs it${Object.hasOwn(meant, kind) ? meant[kind] : ''}`,
        at: { object, path: setting.path, part: 'key' },
        remedy: removed({ object, path: setting.path }, false),
        ...(!along && { severity: 'warning' as const }),
      });
    }
  },
} satisfies Rule;
