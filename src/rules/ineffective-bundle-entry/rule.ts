import { packagesNamed, texts } from '../../cluster/package-sources.js';
import { isEmittedByPlatform, platformsIn } from '../../cluster/platform.js';
import type { FactName, RenderedObject, Severity } from '../../core/model.js';
import { lookUp } from '../../core/object.js';
import { removed, rewritten } from '../../core/remedies.js';
import { platformName } from '../../cozystack/catalog.js';
import { customizerName } from '../../cozystack/customizer.js';
import { platformValuePath, platformValuesText } from '../../cozystack/package.js';
import type { Rule, RuleContext } from '../rule.js';
import { isThereBefore } from '../support/there-before.js';

const bundles = platformValuePath('bundles');

const messages = {
  ineffective: (list: List, name: string, why: string) =>
    `bundles.${list} of the platform lists "${name}", ${why}, so the entry has no effect`,
  disabledAsWell: 'which is also in bundles.disabledPackages',
  notInRelease: (release: string) => `which is not part of release ${release}`,
  noPackage: 'which is not a Package of the platform',
  thereAnyway: 'which the platform creates anyway',
  comesWith: (others: readonly string[]) => `which comes with "${others.join('" or "')}"`,
  onlyWith: (setting: string) => `which needs ${setting}`,
  neverMade: (variant: string) => `which the platform never creates in variant ${variant}`,
  ofTheChart: 'which contains the platform chart itself',
  stays: (name: string) =>
    `Package "${name}" is in bundles.disabledPackages but exists already, so it stays with all that it has installed`,
};

export default {
  id: 'ineffective-bundle-entry',
  group: 'packages',
  severity: 'warning',
  summary: 'an entry of enabledPackages or disabledPackages that the platform chart ignores',
  messages,
  check(context) {
    for (const object of platformsIn(context.applied)) {
      for (const list of ['enabledPackages', 'disabledPackages'] as const) judge(list, object, context);
    }
  },
} satisfies Rule;

type List = 'enabledPackages' | 'disabledPackages';
type Why = {
  why: string;
  help: string;
  severity?: Severity;
  assumes?: FactName[];
  /** What to write instead, where that is one thing; else the entry may go. */
  instead?: string;
};

function judge(list: List, object: RenderedObject, context: RuleContext) {
  const disabled = texts(lookUp(object.value, [...bundles, 'disabledPackages']));
  const written = lookUp(object.value, [...bundles, list]);
  for (const [index, name] of (Array.isArray(written) ? written : []).entries()) {
    if (typeof name !== 'string' || name.includes('${')) continue;
    const isBoth = list === 'enabledPackages' && disabled.includes(name);
    const found = isBoth
      ? { why: messages.disabledAsWell, help: 'remove it from one of the two' }
      : (unknown(name, context) ?? (list === 'enabledPackages' ? notOptional : notMade)(name, context));
    if (!found) {
      if (list === 'disabledPackages' && isThere(name, context)) tellThatItStays(name, index, object, context);
      continue;
    }
    const { why, instead, ...said } = found;
    const at = { object, path: [...bundles, list, index] };
    const isListed = instead !== undefined && texts(written).includes(instead);
    // It would come to install something, or to take it away.
    const remedy = instead && !isListed ? { ...rewritten(at, instead), safe: false } : removed(at, true);
    const other = { object, path: [...bundles, 'disabledPackages', disabled.indexOf(name)] };
    context.report({
      ...said,
      message: messages.ineffective(list, name, why),
      at,
      remedy,
      ...(isBoth && { related: [{ message: 'disabled here', at: other }] }),
    });
  }
}

function unknown(name: string, { known: { contract } }: RuleContext): Why | undefined {
  // The customizer is documented, but its Package is in no release so far.
  if (contract.catalog.source(name) || name === customizerName) return undefined;
  const releases = contract.catalog.releasesWith(name);
  if (releases.length > 0)
    return {
      why: messages.notInRelease(contract.release),
      help: `remove it; it is only part of ${releases.join(', ')}`,
    };
  const owner = contract.catalog.sourceWithComponent(name.replace(/^cozystack\./, ''));
  const spelt = contract.catalog.nearest(name);
  const meant = spelt ?? owner;
  return {
    ...(spelt && { instead: spelt }),
    why: messages.noPackage,
    help: meant
      ? `did you mean "${meant}"?`
      : 'correct the name; for a Package of your own, add or remove its manifest instead',
  };
}

/** Listed, but made without that, or never made. */
function notOptional(name: string, context: RuleContext): Why | undefined {
  const {
    known: { facts, contract },
  } = context;
  const { catalog } = contract;
  const variant = String(facts.get('variant').value);
  const chart = catalog.platformVariant(variant);
  // Without bundles, which of them are switched on is not known.
  if (!chart || variant === 'default' || Object.hasOwn(chart.optional, name)) return undefined;
  const emission = catalog.emitted(name, variant);
  // A bundle that is switched off takes its Packages along.
  if (emission === 'unknown' || (emission === 'always' && isEmittedByPlatform(name, context.known) === false))
    return undefined;
  if (emission === 'always') return { why: messages.thereAnyway, help: 'remove it', severity: 'notice' };
  const by = catalog.enabledBy(name, variant);
  if (by.length > 0)
    return {
      why: messages.comesWith(by),
      help: `list "${by[0]}" instead`,
      ...(by.length === 1 && by[0] !== undefined && { instead: by[0] }),
    };
  if (typeof emission === 'object')
    return {
      why: messages.onlyWith(emission.switch.replace('=', ': ')),
      help: `set that in ${platformValuesText} of Package "${platformName}"`,
    };
  return {
    why: messages.neverMade(variant),
    help: 'have an administrator create the Package',
  };
}

function notMade(name: string, { known: { contract, facts } }: RuleContext): Why | undefined {
  const variant = String(facts.get('variant').value);
  if (name === platformName) return { why: messages.ofTheChart, help: 'remove it' };
  if (variant === 'default' || contract.catalog.emitted(name, variant) !== 'never') return undefined;
  return {
    why: messages.neverMade(variant),
    help: 'remove it',
    severity: 'notice',
  };
}

/** Whether the cluster has the Package when the chart stops to make it: it was seen, or the change itself is what disables it. */
function isThere(name: string, context: RuleContext): boolean {
  // What comes with the first commit may have been said at the installation.
  const isFirst = !context.known.snapshot && context.base?.objects.length === 0;
  return !isFirst && isThereBefore(name, context) === true;
}

/** Whoever writes the Package whole disables it to that end. */
function tellThatItStays(name: string, index: number, object: RenderedObject, { applied, report }: RuleContext) {
  const overrides = packagesNamed(name, applied);
  if (overrides.some(({ value }) => lookUp(value, ['spec', 'variant']) !== undefined)) return;
  report({
    message: messages.stays(name),
    help:
      overrides.length > 0
        ? 'remove the entry; to uninstall it, first remove the manifest here, then have an administrator delete the Package'
        : 'to uninstall it, have an administrator delete the Package after the platform is upgraded; the entry keeps it from being recreated',
    at: { object, path: [...bundles, 'disabledPackages', index] },
    related: overrides.map((override) => ({
      message: 'its values are set here',
      at: { object: override, path: ['metadata', 'name'] },
    })),
    assumes: ['packages'],
  });
}
