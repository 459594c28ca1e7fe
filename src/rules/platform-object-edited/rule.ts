import { isPlatform } from '../../cluster/platform.js';
import type { Entrypoint, FieldPath, RenderedObject, Severity } from '../../core/model.js';
import { label, lookUp } from '../../core/object.js';
import { customizer, customizerName, platformSources, reservedPrefix } from '../../cozystack/customizer.js';
import { isPackage, isPackageSource, platformValuesText } from '../../cozystack/package.js';
import { isApplied } from '../../flux/applied.js';
import type { Rule, RuleContext } from '../rule.js';

const messages = {
  customizerOff: (name: string) =>
    `Package "${name}" disables the customizer, so Flux no longer applies this repository, and what was applied stays`,
  partOfCustomizer: (object: string) =>
    `${object} is part of the customizer; after a mistake in it, or its removal, Flux no longer applies this repository`,
  chartsOfPlatform: (object: string) =>
    `${object} is the source of all charts of the platform; an edit replaces them all, and removing the manifest does not restore it`,
  sourceOfPlatform: (name: string) =>
    `PackageSource "${name}" is owned by the platform; this manifest replaces all its variants, and Flux deletes it when the manifest is removed`,
  prefixOfPlatform: (name: string) =>
    `PackageSource "${name}" has the prefix of the platform, so a release with a PackageSource of that name replaces it`,
};

export default {
  id: 'platform-object-edited',
  group: 'ownership',
  compares: 'object',
  severity: 'error',
  summary: 'the repository edits an object that the platform or the customizer itself needs',
  messages,
  check(context) {
    const {
      entrypoints,
      report,
      known: { permissions },
    } = context;
    for (const rendered of entrypoints) {
      for (const object of rendered.ok ? rendered.objects.filter(isApplied) : []) {
        const edit = editOf(object, context);
        // What the account may not write is `forbidden-object`.
        if (!edit || permissions.access(rendered.entrypoint, 'patch', object.ref).allowed === false) continue;
        const { message, help, path = ['metadata', 'name'] } = edit;
        // Somebody with other rights may be the one who looks after the platform.
        const isTheirs = !permissions.isCustomizer(rendered.entrypoint) && !isBrought(rendered.entrypoint, context);
        const severity = edit.severity ?? (isTheirs ? 'warning' : undefined);
        report({ message, help, at: { object, path }, ...(severity && { severity }) });
      }
    }
  },
} satisfies Rule;

/** Whether a stranger's change itself says who applies the directory. */
function isBrought({ path, account }: Entrypoint, { base, trust }: RuleContext): boolean {
  const isSame = (other: Entrypoint) =>
    other.path === path && JSON.stringify(other.account) === JSON.stringify(account);
  return trust === 'fork' && !base?.entrypoints.some(({ entrypoint }) => isSame(entrypoint));
}

type Edit = { message: string; help: string; path?: FieldPath; severity?: Severity };

const settings = `set customizer.* in ${platformValuesText} of Package "${customizer.platform}" instead`;

function editOf(object: RenderedObject, context: RuleContext): Edit | undefined {
  const { kind, name, namespace, apiVersion } = object.ref;
  const group = apiVersion.split('/')[0] ?? '';
  const off = isPlatform(object) && offBy(object);
  if (off)
    return {
      message: messages.customizerOff(name),
      help: 'remove it; to disable the customizer, have an administrator set it with kubectl',
      path: off,
    };
  const isCustomizer = namespace === customizer.namespace && customizer.objects[kind]?.includes(name);
  if ((isPackage(object) && name === customizerName) || (isCustomizer && isOwnKind(kind, group)))
    return {
      message: messages.partOfCustomizer(label(object.ref)),
      help: `remove it; ${settings}`,
    };
  const isSource = namespace === platformSources.namespace && platformSources.names.includes(name);
  if (group === 'source.toolkit.fluxcd.io' && isSource)
    return {
      message: messages.chartsOfPlatform(label(object.ref)),
      help: 'remove it; the platform is upgraded by its installer',
    };
  if (isPackageSource(object) && name.startsWith(reservedPrefix)) return reserved(name, context);
  return undefined;
}

/**
 * The field that disables the customizer: Helm takes each of these values for false, and a null removes the key, so that the chart's own
 * value counts.
 */
function offBy({ value }: RenderedObject): FieldPath | undefined {
  const settings = customizer.enabled.slice(0, -1);
  if (lookUp(value, settings) === null) return settings;
  const enabled = lookUp(value, customizer.enabled);
  return [false, null, 0, ''].some((one) => one === enabled) ? customizer.enabled : undefined;
}

function isOwnKind(kind: string, group: string): boolean {
  return kind === 'ServiceAccount' ? group === 'v1' : group.endsWith('.toolkit.fluxcd.io');
}

function reserved(name: string, { known: { contract } }: RuleContext): Edit {
  if (contract.catalog.source(name) !== undefined || name === customizerName)
    return {
      message: messages.sourceOfPlatform(name),
      help: `remove it; set values in Package "${name}", or give your own PackageSource a name without the prefix "${reservedPrefix}"`,
    };
  return {
    message: messages.prefixOfPlatform(name),
    help: `give it a name without the prefix "${reservedPrefix}"`,
    severity: 'warning',
  };
}
