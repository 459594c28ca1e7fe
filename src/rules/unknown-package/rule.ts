import type { RenderedObject } from '../../core/model.js';
import { rewritten } from '../../core/remedies.js';
import { customizerName, reservedPrefix } from '../../cozystack/customizer.js';
import { isPackage, isPackageSource } from '../../cozystack/package.js';
import type { Rule, RuleContext } from '../rule.js';

const messages = {
  noSuchPackage: (name: string) => `Package "${name}" does not exist in any known release of Cozystack`,
  notInRelease: (name: string, release: string) => `Package "${name}" is not part of release ${release}`,
};

export default {
  id: 'unknown-package',
  group: 'packages',
  severity: 'error',
  summary: 'a Package has no PackageSource of its name, so Flux applies nothing, or the Package is never installed',
  messages,
  check(context) {
    const { catalog } = context.known.contract;
    // The customizer is documented, but its Package is in no release so far.
    const own = new Set([customizerName, ...context.objects.filter(isPackageSource).map(({ ref }) => ref.name)]);
    for (const object of context.objects) {
      const { name } = object.ref;
      if (isPackage(object) && !own.has(name) && !catalog.source(name)) judge(object, context);
    }
  },
} satisfies Rule;

function judge(object: RenderedObject, context: RuleContext): void {
  const { name } = object.ref;
  const { catalog } = context.known.contract;
  const releases = catalog.releasesWith(name);
  if (releases.length > 0) reportOtherRelease(object, releases, context);
  else if (name.startsWith(reservedPrefix)) reportUnknown(object, context);
  else if (catalog.meant(name)) reportUnknown(object, context, 'warning');
  else
    context.notChecked(
      `Package "${name}"`,
      'its PackageSource is not in this repository, so its components are not known',
      { object },
    );
}

function reportUnknown(object: RenderedObject, { report, known: { contract } }: RuleContext, severity?: 'warning') {
  const { name } = object.ref;
  const { catalog } = contract;
  const meant = catalog.meant(name);
  const spelt = catalog.nearest(name);
  const owner = catalog.sourceWithComponent(name.replace(/^cozystack\./, ''));
  const at = { object, path: ['metadata', 'name'] };
  report({
    message: messages.noSuchPackage(name),
    help: owner
      ? `write it under spec.components of Package "${owner}", of which it is a component`
      : meant
        ? `did you mean "${meant}"?`
        : 'correct the name; Flux is not allowed to create Packages, and would apply nothing of the repository',
    at,
    ...(severity && { severity }),
    ...(spelt && !owner && { remedy: rewritten(at, spelt) }),
  });
}

function reportOtherRelease(
  object: RenderedObject,
  releases: readonly string[],
  { report, known: { contract } }: RuleContext,
) {
  report({
    message: messages.notInRelease(object.ref.name, contract.release),
    help: `remove it until the cluster has a release with it (${releases.join(', ')}); Flux is not allowed to create Packages`,
    at: { object, path: ['metadata', 'name'] },
  });
}
