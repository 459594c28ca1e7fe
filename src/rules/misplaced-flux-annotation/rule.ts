import { settingPrefix } from '../../core/flux-api.js';
import type { FieldPath, RenderedObject } from '../../core/model.js';
import { isObject, lookUp } from '../../core/object.js';
import { renamed, rewritten } from '../../core/remedies.js';
import { nearest } from '../../core/suggest.js';
import { isPackage } from '../../cozystack/package.js';
import { type Setting, settingIn, settings } from '../../flux/settings.js';
import type { Rule } from '../rule.js';

const names = Object.keys(settings) as Setting[];

/** Those that take nothing away when they come to count: a manifest is applied as before, or kept. */
const safest: readonly Setting[] = ['prune', 'ssa', 'substitute', 'decrypt'];

export default {
  id: 'misplaced-flux-annotation',
  severity: 'warning',
  summary: 'an annotation for Flux is where Flux does not look for it, or says what Flux does not know',
  check({ objects, report }) {
    for (const object of objects) {
      for (const place of ['annotations', 'labels']) {
        const map = lookUp(object.value, ['metadata', place]);
        for (const key of isObject(map) ? Object.keys(map) : []) judgeKey(object, key, ['metadata', place, key]);
      }
      for (const name of names) {
        for (const { path, value } of settingIn(object.value, name)) judgeValue(object, name, value, path);
      }
    }

    function judgeKey(object: RenderedObject, key: string, path: FieldPath) {
      const meant = meantBy(key);
      if (!meant) return;
      report({
        message: `${object.ref.kind} "${object.ref.name}": Flux does not know "${key}", so it has no effect`,
        help: `did you mean "${settingPrefix}${meant}"?`,
        at: { object, path, part: 'key' },
        ...(safest.includes(meant) && { remedy: renamed({ object, path }, settingPrefix + meant) }),
      });
    }

    function judgeValue(object: RenderedObject, name: Setting, value: string, path: FieldPath) {
      const { kind } = object.ref;
      const who = `${kind} "${object.ref.name}"`;
      const known = settings[name].find((one) => one.toLowerCase() === value.toLowerCase());
      if (!known && !isOpposite(name, value)) {
        const meant = nearest(value, settings[name]) ?? (settings[name].length === 1 ? settings[name][0] : undefined);
        report({
          message: `${who}: Flux does not know "${value}" for ${settingPrefix}${name}, so it has no effect`,
          help: meant ? `did you mean "${meant}"?` : `it knows ${settings[name].join(', ')}`,
          at: { object, path },
          ...(meant && safest.includes(name) && { remedy: rewritten({ object, path }, meant) }),
        });
      } else if (name === 'ssa' && known && isFluxKustomization(object)) {
        report({
          message: `${who}: ${settingPrefix}ssa says how this object itself is applied, and nothing of what it applies`,
          help: 'write it on every manifest below its path, or in spec.commonMetadata.annotations',
          at: { object, path, part: 'key' },
        });
      } else if (isPackage(object) && (known === 'IfNotPresent' || known === 'Ignore')) {
        report({
          message: `${who} has ${settingPrefix}ssa: ${known}, so nothing of this manifest is applied to a Package that is there`,
          help: 'write Merge',
          at: { object, path },
          remedy: { ...rewritten({ object, path }, 'Merge'), safe: false },
        });
      }
    }
  },
} satisfies Rule;

/** A setting in another group of Flux, or one that is misspelt. */
function meantBy(key: string): Setting | undefined {
  const slash = key.lastIndexOf('/');
  const [group, name] = [key.slice(0, slash + 1), key.slice(slash + 1)];
  if (group !== settingPrefix)
    return /(^|\.)fluxcd\.io\/$/.test(group) ? names.find((known) => known === name) : undefined;
  if (names.some((known) => known === name)) return undefined;
  return nearest(name, names) as Setting | undefined;
}

/** What somebody writes to say that the setting is not on; so it is. */
function isOpposite(name: Setting, value: string): boolean {
  const words = name === 'force' ? ['disabled', 'false', 'no', 'off'] : ['enabled', 'true', 'yes', 'on'];
  return name !== 'ssa' && words.includes(value.toLowerCase());
}

function isFluxKustomization({ ref }: RenderedObject): boolean {
  return ref.kind === 'Kustomization' && ref.apiVersion.startsWith('kustomize.toolkit.fluxcd.io/');
}
