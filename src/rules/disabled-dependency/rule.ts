import { type PackageSource, packagesNamed, possibleVariants, sourceOf, texts } from '../../cluster/package-sources.js';
import { chartsVariant, isEmittedByPlatform, isPlatform } from '../../cluster/platform.js';
import type { FactName, RenderedObject } from '../../core/model.js';
import { isObject, lookUp } from '../../core/object.js';
import type { Variant } from '../../cozystack/catalog.js';
import { isPackage, platformValuePath } from '../../cozystack/package.js';
import { isApplied } from '../../flux/applied.js';
import type { Rule, RuleContext } from '../rule.js';

const list = platformValuePath('bundles.disabledPackages');

const messages = {
  packageDisabled: (name: string, waiting: readonly string[]) =>
    `Package "${name}" is disabled, but ${listed(waiting, 'Package')} on it, so where it is not there yet ${waiting.length > 1 ? 'those are' : 'that is'} never installed or changed`,
  componentDisabled: (component: string, name: string, waiting: readonly string[]) =>
    `Component "${component}" of Package "${name}" is disabled, but ${listed(waiting, 'component')} on it: it is uninstalled, and what depends on it is not changed any more`,
};

export default {
  id: 'disabled-dependency',
  severity: 'error',
  summary: 'a Package or a component is disabled that others depend on, so those wait for it for ever',
  messages,
  check(context) {
    for (const object of context.objects.filter(isPackage).filter(isApplied)) {
      if (isPlatform(object)) judgePackages(object, context);
      judgeComponents(object, context);
    }
  },
} satisfies Rule;

function judgePackages(object: RenderedObject, context: RuleContext) {
  const {
    objects,
    report,
    known: { contract, snapshot },
  } = context;
  const entries = lookUp(object.value, list);
  for (const [index, name] of (Array.isArray(entries) ? entries : []).entries()) {
    if (typeof name !== 'string' || !contract.catalog.source(name)) continue;
    // Whoever disables a Package to write it whole keeps it, and what the chart no longer emits stays where it is.
    if (packagesNamed(name, objects).length > 0 || (snapshot && Object.hasOwn(snapshot.packages, name))) continue;
    if (!isEmitted(name, context)) continue;
    const waiting = contract.catalog.names().filter((other) => waitsFor(name, other, context));
    if (waiting.length === 0) continue;
    report({
      message: messages.packageDisabled(name, waiting),
      help: `disable ${waiting.length > 1 ? 'those' : 'that'} as well, or name "${name}" in spec.ignoreDependencies there`,
      at: { object, path: [...list, index] },
      assumes: ['packages'],
    });
  }
}

/** What the chart would not make anyway is not missing because of the entry. */
function isEmitted(name: string, { known: { contract, facts } }: RuleContext): boolean {
  const emission = contract.catalog.emitted(name, String(facts.get('variant').value));
  return emission !== 'never' && emission !== 'unknown';
}

/** Whether the platform makes the other Package, in a variant that depends on the one. */
function waitsFor(name: string, other: string, context: RuleContext): boolean {
  const {
    objects,
    known: { contract, facts },
  } = context;
  const chart = contract.catalog.platformVariant(String(facts.get('variant').value));
  const emitted = chart && Object.hasOwn(chart.packages, other) ? chart.packages[other] : undefined;
  const isThere = isEmittedByPlatform(other, context.known) ?? (emitted !== undefined && !isDisabled(other, context));
  if (other === name || !isThere) return false;
  const variant = chartsVariant(other, context.known) ?? emitted?.variant ?? 'default';
  if (!contract.catalog.source(other)?.variant(variant)?.dependsOn.includes(name)) return false;
  return !packagesNamed(other, objects).some(({ value }) =>
    texts(lookUp(value, ['spec', 'ignoreDependencies'])).includes(name),
  );
}

function isDisabled(name: string, { objects }: RuleContext): boolean {
  return objects.filter(isPlatform).some(({ value }) => texts(lookUp(value, list)).includes(name));
}

function judgeComponents(object: RenderedObject, context: RuleContext) {
  const components = lookUp(object.value, ['spec', 'components']);
  const source = sourceOf(object.ref.name, context.known);
  if (!source || !isObject(components)) return;
  const { variants, isGuess } = variantsOf(object, source, context);
  const isOff = (name: string) => lookUp(components, [name, 'enabled']) === false;
  for (const name of Object.keys(components).filter(isOff)) {
    const having = variants.filter((variant) => variant.components.some((one) => one.name === name && one.install));
    const waiting = having.map((variant) => dependants(variant, name).filter((other) => !isOff(other)));
    const all = [...new Set(waiting.flat())];
    if (all.length === 0) continue;
    const assumes: FactName[] = [...(source.own ? [] : ['release' as const]), ...(isGuess ? ['variant' as const] : [])];
    context.report({
      message: messages.componentDisabled(name, object.ref.name, all),
      help: `remove "enabled: false"; only where all of it is to be uninstalled, disable ${all.length > 1 ? 'those components' : 'that component'} as well`,
      at: { object, path: ['spec', 'components', name, 'enabled'] },
      assumes,
    });
  }
}

/** Of several, the one that the platform chart chooses in the variant that is assumed. */
function variantsOf(object: RenderedObject, source: PackageSource, context: RuleContext) {
  const variants = possibleVariants(object, source, context.known);
  if (variants.length < 2) return { variants, isGuess: false };
  const { packages = {} } =
    context.known.contract.catalog.platformVariant(String(context.known.facts.get('variant').value)) ?? {};
  const chosen = Object.hasOwn(packages, object.ref.name) ? packages[object.ref.name]?.variant : undefined;
  return { variants: variants.filter(({ name }) => name === (chosen ?? name)), isGuess: true };
}

function dependants({ components }: Variant, name: string): string[] {
  return components.filter(({ install }) => install?.dependsOn.includes(name)).map((component) => component.name);
}

/** `component "a" depends`, `components "a" and "b" depend`, of many the first few. */
function listed(names: readonly string[], noun: string): string {
  const shown = names.slice(0, 3).map((name) => `"${name}"`);
  const more = names.length - shown.length;
  const parts = more > 0 ? [...shown, `${more} more`] : shown;
  if (parts.length < 2) return `${noun} ${parts[0]} depends`;
  return `${noun}s ${parts.slice(0, -1).join(', ')} and ${parts.at(-1)} depend`;
}
