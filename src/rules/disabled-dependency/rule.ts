import { packagesNamed, texts } from '../../cluster/package-sources.js';
import { chartsVariant, isEmittedByPlatform, isPlatform } from '../../cluster/platform.js';
import type { RenderedObject } from '../../core/model.js';
import { lookUp } from '../../core/object.js';
import { inWords } from '../../core/text.js';
import { isPackage, platformValuePath } from '../../cozystack/package.js';
import { isApplied } from '../../flux/applied.js';
import type { Rule, RuleContext } from '../rule.js';
import { disabledComponents } from '../support/disabled-components.js';

const list = platformValuePath('bundles.disabledPackages');

const messages = {
  packageDisabled: (name: string, waiting: readonly string[]) =>
    `Package "${name}" is disabled, but ${waiting.length > 1 ? 'Packages' : 'Package'} ${listed(waiting)} ${waiting.length > 1 ? 'depend on it and wait' : 'depends on it and waits'} indefinitely if it does not exist yet`,
  componentDisabled: (component: string, name: string, waiting: readonly string[]) =>
    `Package "${name}" disables and uninstalls component "${component}", for which ${listed(waiting)} ${waiting.length > 1 ? 'wait' : 'waits'} indefinitely`,
};

export default {
  id: 'disabled-dependency',
  group: 'packages',
  severity: 'error',
  summary: 'a Package or a component is disabled that others depend on, so those wait for it indefinitely',
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
    applied,
    report,
    known: { contract, snapshot },
  } = context;
  const entries = lookUp(object.value, list);
  for (const [index, name] of (Array.isArray(entries) ? entries : []).entries()) {
    if (typeof name !== 'string' || !contract.catalog.source(name)) continue;
    // Whoever disables a Package to write it whole keeps it, and what the chart no longer emits stays where it is.
    if (packagesNamed(name, applied).length > 0 || (snapshot && Object.hasOwn(snapshot.packages, name))) continue;
    if (!isEmitted(name, context)) continue;
    const waiting = contract.catalog.names().filter((other) => waitsFor(name, other, context));
    if (waiting.length === 0) continue;
    report({
      message: messages.packageDisabled(name, waiting),
      help: `disable ${waiting.length > 1 ? 'those' : 'that'} as well, or add "${name}" to spec.ignoreDependencies there`,
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
    applied,
    known: { contract, facts },
  } = context;
  const chart = contract.catalog.platformVariant(String(facts.get('variant').value));
  const emitted = chart && Object.hasOwn(chart.packages, other) ? chart.packages[other] : undefined;
  const isThere = isEmittedByPlatform(other, context.known) ?? (emitted !== undefined && !isDisabled(other, context));
  if (other === name || !isThere) return false;
  const variant = chartsVariant(other, context.known) ?? emitted?.variant ?? 'default';
  if (!contract.catalog.source(other)?.variant(variant)?.dependsOn.includes(name)) return false;
  return !packagesNamed(other, applied).some(({ value }) =>
    texts(lookUp(value, ['spec', 'ignoreDependencies'])).includes(name),
  );
}

function isDisabled(name: string, { applied }: RuleContext): boolean {
  return applied.filter(isPlatform).some(({ value }) => texts(lookUp(value, list)).includes(name));
}

function judgeComponents(object: RenderedObject, context: RuleContext) {
  for (const { component, path, waiting, assumes } of disabledComponents(object, context)) {
    if (waiting.length === 0) continue;
    context.report({
      message: messages.componentDisabled(component, object.ref.name, waiting),
      help: `remove "enabled: false"; to uninstall all of it, disable ${waiting.length > 1 ? 'those components' : 'that component'} as well`,
      at: { object, path },
      assumes,
    });
  }
}

/** `"a"`, `"a" and "b"`, of many the first few. */
function listed(names: readonly string[]): string {
  const shown = names.slice(0, 3).map((name) => `"${name}"`);
  const more = names.length - shown.length;
  return inWords(more > 0 ? [...shown, `${more} more`] : shown);
}
