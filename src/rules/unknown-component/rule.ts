import type { RenderedObject } from '../../core/model.js';
import { isObject, lookUp } from '../../core/object.js';
import { renamed } from '../../core/remedies.js';
import { nearest } from '../../core/suggest.js';
import { isPackage, isPackageSource } from '../../cozystack/package.js';
import type { Rule } from '../rule.js';

const messages = {
  noSuchComponent: (name: string, component: string) =>
    `Package "${name}" has no component "${component}", so its values are ignored silently`,
};

export default {
  id: 'unknown-component',
  group: 'packages',
  severity: 'warning',
  summary: 'a Package sets values for a component that does not exist; they are dropped and the Package stays Ready',
  messages,
  check({ objects, report, known: { contract } }) {
    const own = new Map(objects.filter(isPackageSource).map((object) => [object.ref.name, componentsOf(object)]));
    for (const object of objects) {
      const { name } = object.ref;
      if (!isPackage(object)) continue;
      const known = own.get(name) ?? contract.catalog.source(name)?.componentNames();
      const components = lookUp(object.value, ['spec', 'components']);
      if (!known || !isObject(components)) continue;
      for (const component of Object.keys(components)) {
        if (known.includes(component)) continue;
        const spelt = nearest(component, known);
        const meant = spelt ?? (known.length === 1 ? known[0] : undefined);
        const path = ['spec', 'components', component];
        report({
          message: messages.noSuchComponent(name, component),
          help: meant ? `did you mean "${meant}"?` : `its components are ${known.join(', ')}`,
          at: { object, path, part: 'key' },
          ...(meant && { remedy: { ...renamed({ object, path }, meant), safe: spelt !== undefined } }),
          assumes: !own.has(name) && contract.catalog.knowsComponent(name, component) ? ['release'] : [],
        });
      }
    }
  },
} satisfies Rule;

/** The component names of all variants of a PackageSource in the repository. */
function componentsOf(object: RenderedObject): string[] {
  const variants = lookUp(object.value, ['spec', 'variants']);
  const names = (Array.isArray(variants) ? variants : []).flatMap((variant) => {
    const components = isObject(variant) ? variant.components : undefined;
    return (Array.isArray(components) ? components : []).map((component) =>
      isObject(component) ? component.name : undefined,
    );
  });
  return [...new Set(names.filter((name): name is string => typeof name === 'string'))];
}
