import { settingPrefix } from '../../core/flux-api.js';
import type { FieldPath, RenderedObject } from '../../core/model.js';
import { isObject, label, lookUp } from '../../core/object.js';
import { renamed, rewritten } from '../../core/remedies.js';
import { nearest } from '../../core/suggest.js';
import { isPackage } from '../../cozystack/package.js';
import { type Setting, settingIn, settings } from '../../flux/settings.js';
import type { Rule, RuleContext } from '../rule.js';
import { saidOfEach } from '../support/said-of-each.js';

const names = Object.keys(settings) as Setting[];

/** Those that take nothing away when they come to count: a manifest is applied as before, or kept. */
const safest: readonly Setting[] = ['prune', 'ssa', 'substitute', 'decrypt'];

const messages = {
  unknownKey: (object: string, key: string) => `${object}: unknown setting "${key}", which Flux ignores silently`,
  unknownValue: (object: string, value: string, name: Setting) =>
    `${object}: unknown value "${value}" of ${settingPrefix}${name}, which Flux ignores silently`,
  ofItselfAlone: (object: string) =>
    `${object}: ${settingPrefix}ssa is only for this object, so it has no effect on what it applies`,
  nothingApplied: (object: string, value: string) =>
    `${object} has ${settingPrefix}ssa: ${value}, so Flux does not apply this manifest to an existing Package`,
};

export default {
  id: 'misplaced-flux-annotation',
  group: 'flux',
  severity: 'warning',
  summary: 'an annotation for Flux is where Flux does not read it, or has a value that Flux does not know',
  messages,
  check({ objects, report }) {
    for (const object of objects) judge(object, report);
  },
} satisfies Rule;

type Report = RuleContext['report'];

const judge = saidOfEach((object, report) => {
  for (const place of ['annotations', 'labels']) {
    const map = lookUp(object.value, ['metadata', place]);
    for (const key of isObject(map) ? Object.keys(map) : [])
      judgeKey(key, { object, path: ['metadata', place, key] }, report);
  }
  for (const name of names)
    for (const { path, value } of settingIn(object.value, name)) judgeValue(name, value, { object, path }, report);
});

type At = { object: RenderedObject; path: FieldPath };

function judgeKey(key: string, at: At, report: Report): void {
  const meant = meantBy(key);
  if (!meant) return;
  report({
    message: messages.unknownKey(label(at.object.ref), key),
    help: `did you mean "${settingPrefix}${meant}"?`,
    at: { ...at, part: 'key' },
    ...(safest.includes(meant) && { remedy: renamed(at, settingPrefix + meant) }),
  });
}

function judgeValue(name: Setting, value: string, at: At, report: Report): void {
  const { object } = at;
  const known = settings[name].find((one) => one.toLowerCase() === value.toLowerCase());
  if (!known && !isOpposite(name, value)) {
    const meant = nearest(value, settings[name]) ?? (settings[name].length === 1 ? settings[name][0] : undefined);
    report({
      message: messages.unknownValue(label(object.ref), value, name),
      help: meant ? `did you mean "${meant}"?` : `use one of ${settings[name].join(', ')}`,
      at,
      ...(meant && safest.includes(name) && { remedy: rewritten(at, meant) }),
    });
  } else if (name === 'ssa' && known && isFluxKustomization(object)) {
    report({
      message: messages.ofItselfAlone(label(object.ref)),
      help: 'add it to every manifest below its path, or to spec.commonMetadata.annotations',
      at: { ...at, part: 'key' },
    });
  } else if (isPackage(object) && (known === 'IfNotPresent' || known === 'Ignore')) {
    report({
      message: messages.nothingApplied(label(object.ref), known),
      help: 'use Merge',
      at,
      remedy: { ...rewritten(at, 'Merge'), safe: false },
    });
  }
}

/** A setting in another group of Flux, or one that is misspelt. */
function meantBy(key: string): Setting | undefined {
  const slash = key.lastIndexOf('/');
  const [group, name] = [key.slice(0, slash + 1), key.slice(slash + 1)];
  if (group !== settingPrefix)
    return `.${group}`.endsWith('.fluxcd.io/') ? names.find((known) => known === name) : undefined;
  if (names.some((known) => known === name)) return undefined;
  return nearest(name, names) as Setting | undefined;
}

/** What is written to turn the setting off; so it is. */
function isOpposite(name: Setting, value: string): boolean {
  const words = name === 'force' ? ['disabled', 'false', 'no', 'off'] : ['enabled', 'true', 'yes', 'on'];
  return name !== 'ssa' && words.includes(value.toLowerCase());
}

function isFluxKustomization({ ref }: RenderedObject): boolean {
  return ref.kind === 'Kustomization' && ref.apiVersion.startsWith('kustomize.toolkit.fluxcd.io/');
}
