import type { RenderedObject } from '../../core/model.js';
import { rewritten } from '../../core/remedies.js';
import { nearest } from '../../core/suggest.js';
import { customizerName, reservedPrefix } from '../../cozystack/customizer.js';
import { isPackage, isPackageSource } from '../../cozystack/package.js';
import type { Rule, RuleContext } from '../rule.js';
import { meantPackage } from '../support/meant-package.js';

const messages = {
  noSuchPackage: (name: string) => `There is no package "${name}" in any known release of Cozystack`,
  notInRelease: (name: string, release: string) => `Package "${name}" is not part of release ${release}`,
};

export default {
  id: 'unknown-package',
  severity: 'error',
  summary:
    'a Package has the name of no PackageSource, so the whole repository is refused or the Package never installs',
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
  else if (meantPackage(name, catalog)) reportUnknown(object, context, 'warning');
  else
    context.notChecked(
      `Package "${name}"`,
      'its PackageSource is not in this repository, so its components are not known',
    );
}

function reportUnknown(object: RenderedObject, { report, known: { contract } }: RuleContext, severity?: 'warning') {
  const { name } = object.ref;
  const { catalog } = contract;
  const meant = meantPackage(name, catalog);
  const spelt = nearest(name, catalog.names());
  const owner = catalog.sourceWithComponent(name.replace(/^cozystack\./, ''));
  const at = { object, path: ['metadata', 'name'] };
  report({
    message: messages.noSuchPackage(name),
    help: owner
      ? `it is a component: write it under spec.components of Package "${owner}"`
      : meant
        ? `did you mean "${meant}"?`
        : 'correct the name; the customizer may not create Packages, so Flux would refuse the whole repository',
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
    help: `it is in ${releases.join(', ')}; the customizer may not create Packages, so Flux would refuse the whole repository`,
    at: { object, path: ['metadata', 'name'] },
  });
}
