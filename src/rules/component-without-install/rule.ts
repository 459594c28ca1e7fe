import { ownedIn, reached } from '../../cluster/owned-values.js';
import { possibleVariants, sourceOf } from '../../cluster/package-sources.js';
import type { JsonObject, RenderedObject } from '../../core/model.js';
import { isObject, lookUp } from '../../core/object.js';
import { removed } from '../../core/remedies.js';
import { isPackage } from '../../cozystack/package.js';
import { isApplied } from '../../flux/applied.js';
import type { Rule, RuleContext } from '../rule.js';

const messages = {
  installsNothing: (component: string, name: string) =>
    `component "${component}" of Package "${name}" installs nothing by itself, so its values are ignored silently`,
};

export default {
  id: 'component-without-install',
  group: 'packages',
  severity: 'warning',
  summary: 'a Package sets values for a component that installs nothing by itself, so they are ignored silently',
  messages,
  check(context) {
    for (const object of context.objects.filter(isPackage).filter(isApplied)) {
      const components = lookUp(object.value, ['spec', 'components']);
      if (isObject(components)) judge(object, components, context);
    }
  },
} satisfies Rule;

function judge(object: RenderedObject, components: JsonObject, context: RuleContext) {
  const source = sourceOf(object.ref.name, context.known);
  const variants = source ? possibleVariants(object, source, context.known) : [];
  for (const [name, written] of Object.entries(components)) {
    const known = variants.flatMap((variant) => variant.components.filter((component) => component.name === name));
    if (known.length === 0 || known.some(({ install }) => install) || isSaid(object, name, context)) continue;
    if (!isObject(written) || Object.keys(written).length === 0) continue;
    context.report({
      message: messages.installsNothing(name, object.ref.name),
      help: source?.own
        ? 'add an install to the component in the PackageSource, or remove it here'
        : 'remove it; set the values where the chart is installed, such as in the application of a tenant',
      at: { object, path: ['spec', 'components', name], part: 'key' },
      remedy: removed({ object, path: ['spec', 'components', name] }, true),
      ...(source?.own && {
        related: [{ message: 'its components', at: { object: source.own, path: ['spec', 'variants'], part: 'key' } }],
      }),
      assumes: source?.own ? [] : ['release'],
    });
  }
}

/** A value that the chart sets itself and that reaches nothing is reported as such. */
function isSaid(object: RenderedObject, component: string, context: RuleContext): boolean {
  return ownedIn(object.ref.name, context.known).some(
    (owned) => owned.dead !== undefined && owned.component === component && reached(object.value, owned.field),
  );
}
