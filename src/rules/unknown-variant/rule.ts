import { type PackageSource, sourceOf } from '../../cluster/package-sources.js';
import { isLeftToRepository, isPlatform } from '../../cluster/platform.js';
import type { RenderedObject } from '../../core/model.js';
import { lookUp } from '../../core/object.js';
import { rewritten } from '../../core/remedies.js';
import { nearest } from '../../core/suggest.js';
import { inWords } from '../../core/text.js';
import { isPackage } from '../../cozystack/package.js';
import { isApplied } from '../../flux/applied.js';
import type { Rule, RuleContext } from '../rule.js';

const field = ['spec', 'variant'];

const messages = {
  notOfSource: (name: string, variant: string) =>
    `Package "${name}" has variant "${variant}", which its PackageSource does not have, so it is neither installed nor updated`,
  noDefault: (name: string) =>
    `Package "${name}" has no variant, and its PackageSource has no "default", so unless the cluster sets one, it is neither installed nor updated`,
};

export default {
  id: 'unknown-variant',
  group: 'packages',
  severity: 'error',
  summary: 'a Package has a variant that its PackageSource does not have, so it is neither installed nor updated',
  messages,
  check(context) {
    for (const object of context.objects.filter(isPackage).filter(isApplied)) {
      const source = sourceOf(object.ref.name, context.known);
      // A Package that the chart makes has its variant from the chart: setting it is `chart-owned-field`.
      if (source && (isPlatform(object) || isOwn(object, source, context))) judge(object, source, context);
    }
  },
} satisfies Rule;

function isOwn({ ref }: RenderedObject, source: PackageSource, context: RuleContext): boolean {
  return (
    source.own !== undefined ||
    !context.known.contract.catalog.isManaged(ref.name) ||
    isLeftToRepository(ref.name, context)
  );
}

function judge(object: RenderedObject, source: PackageSource, context: RuleContext) {
  const { name } = object.ref;
  const names = source.variants.map((variant) => variant.name);
  const variant = lookUp(object.value, field);
  const related = source.own
    ? {
        related: [
          { message: 'its variants', at: { object: source.own, path: ['spec', 'variants'], part: 'key' as const } },
        ],
      }
    : {};
  if (typeof variant === 'string' && variant !== '') {
    if (names.includes(variant) || variant.includes('${')) return;
    const meant = nearest(variant, names);
    context.report({
      message: messages.notOfSource(name, variant),
      help: meant ? `did you mean "${meant}"?` : `write ${anyOf(names)}`,
      at: { object, path: field },
      ...related,
      ...(meant && { remedy: rewritten({ object, path: field }, meant) }),
    });
  } else if (source.own && !names.includes('default') && variantThere(name, context) === undefined) {
    context.report({
      // The Package may be there, and have a variant from somebody else.
      severity: 'warning',
      message: messages.noDefault(name),
      help: `set spec.variant to ${anyOf(names)}`,
      at: { object, path: field },
      ...related,
      assumes: ['packages'],
    });
  }
}

function variantThere(name: string, { known: { snapshot } }: RuleContext): string | undefined {
  return snapshot && Object.hasOwn(snapshot.packages, name) ? snapshot.packages[name]?.variant : undefined;
}

/** `"a", "b" or "c"`. */
function anyOf(names: readonly string[]): string {
  const quoted = names.map((name) => `"${name}"`);
  return inWords(quoted, 'or') || 'none';
}
