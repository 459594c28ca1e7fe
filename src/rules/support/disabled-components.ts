/** Components that a Package switches off, and what of the same Package depends on them and stays on. */

import { type PackageSource, possibleVariants, sourceOf } from '../../cluster/package-sources.js';
import type { FactName, FieldPath, RenderedObject } from '../../core/model.js';
import { isObject, lookUp } from '../../core/object.js';
import type { Variant } from '../../cozystack/catalog.js';
import type { RuleContext } from '../rule.js';

export type DisabledComponent = {
  component: string;
  /** Of the switch. */
  path: FieldPath;
  source: PackageSource;
  /** Components that depend on it and are not switched off. */
  waiting: string[];
  /** What it rests on that the component is there at all. */
  assumes: FactName[];
};

/** Only those that install something: the others are never there. */
export function disabledComponents(object: RenderedObject, { known }: Pick<RuleContext, 'known'>): DisabledComponent[] {
  const components = lookUp(object.value, ['spec', 'components']);
  const source = sourceOf(object.ref.name, known);
  if (!source || !isObject(components)) return [];
  const { variants, isGuess } = variantsOf(object, source, known);
  const isOff = (name: string) => lookUp(components, [name, 'enabled']) === false;
  const assumes: FactName[] = [...(source.own ? [] : ['release' as const]), ...(isGuess ? ['variant' as const] : [])];
  return Object.keys(components)
    .filter(isOff)
    .flatMap((component) => {
      const having = variants.filter((variant) =>
        variant.components.some((one) => one.name === component && one.install),
      );
      const waiting = having.flatMap((variant) => dependants(variant, component).filter((other) => !isOff(other)));
      const path = ['spec', 'components', component, 'enabled'];
      return having.length === 0 ? [] : [{ component, path, source, waiting: [...new Set(waiting)], assumes }];
    });
}

/** Of several, the one that the platform chart chooses in the variant that is assumed. */
function variantsOf(object: RenderedObject, source: PackageSource, known: RuleContext['known']) {
  const variants = possibleVariants(object, source, known);
  if (variants.length < 2) return { variants, isGuess: false };
  const { packages = {} } = known.contract.catalog.platformVariant(String(known.facts.get('variant').value)) ?? {};
  const chosen = Object.hasOwn(packages, object.ref.name) ? packages[object.ref.name]?.variant : undefined;
  return { variants: variants.filter(({ name }) => name === (chosen ?? name)), isGuess: true };
}

function dependants({ components }: Variant, name: string): string[] {
  return components.filter(({ install }) => install?.dependsOn.includes(name)).map((component) => component.name);
}
