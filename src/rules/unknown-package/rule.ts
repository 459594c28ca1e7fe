import type { RenderedObject } from '../../core/model.js';
import { rewritten } from '../../core/remedies.js';
import { nearest } from '../../cozystack/catalog.js';
import { customizerName } from '../../cozystack/customizer.js';
import type { Rule } from '../rule.js';

export default {
  id: 'unknown-package',
  severity: 'error',
  summary:
    'a Package has the name of no PackageSource, so the whole repository is refused or the Package never installs',
  check({ objects, report, notChecked, known: { contract } }) {
    // The customizer is documented, but its Package is in no release so far.
    const own = new Set([
      customizerName,
      ...objects.filter(({ ref }) => ref.kind === 'PackageSource').map(({ ref }) => ref.name),
    ]);
    for (const object of objects) {
      const { name, kind } = object.ref;
      if (kind !== 'Package' || own.has(name) || contract.catalog.source(name)) continue;
      const releases = contract.catalog.releasesWith(name);
      if (releases.length > 0) reportOtherRelease(object, releases);
      else if (name.startsWith('cozystack.')) reportUnknown(object);
      else if (meantBy(name)) reportUnknown(object, 'warning');
      else
        notChecked(`Package "${name}"`, 'its PackageSource is not in this repository, so its components are not known');
    }

    /** A misspelt name, or one that `namePrefix` or `nameSuffix` has changed. */
    function meantBy(name: string): string | undefined {
      const names = contract.catalog.names();
      return nearest(name, names) ?? names.findLast((known) => name.endsWith(known) || name.startsWith(known));
    }

    function reportUnknown(object: RenderedObject, severity?: 'warning') {
      const meant = meantBy(object.ref.name);
      const spelt = nearest(object.ref.name, contract.catalog.names());
      const owner = contract.catalog.sourceWithComponent(object.ref.name.replace(/^cozystack\./, ''));
      report({
        message: `There is no package "${object.ref.name}" in any known release of Cozystack`,
        help: owner
          ? `it is a component: write it under spec.components of Package "${owner}"`
          : meant
            ? `did you mean "${meant}"?`
            : 'correct the name; the customizer may not create Packages, so Flux would refuse the whole repository',
        at: { object, path: ['metadata', 'name'] },
        ...(severity && { severity }),
        ...(spelt && !owner && { remedy: rewritten({ object, path: ['metadata', 'name'] }, spelt) }),
      });
    }

    function reportOtherRelease(object: RenderedObject, releases: string[]) {
      report({
        message: `Package "${object.ref.name}" is not part of release ${contract.release}`,
        help: `it is in ${releases.join(', ')}; the customizer may not create Packages, so Flux would refuse the whole repository`,
        at: { object, path: ['metadata', 'name'] },
        assumes: ['release'],
      });
    }
  },
} satisfies Rule;
