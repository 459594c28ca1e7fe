import { describeBlocked } from '../../cluster/blocked.js';
import { enabledPackagesPath, newlyListed } from '../../cluster/pending.js';
import { isEmittedByPlatform, isPackage } from '../../cluster/platform.js';
import type { FactName, RenderedObject } from '../../core/model.js';
import { nearest } from '../../core/suggest.js';
import { isApplied } from '../../flux/applied.js';
import type { Built } from '../../flux/prune.js';
import type { Rule } from '../rule.js';

export default {
  id: 'package-not-created-here',
  severity: 'error',
  summary:
    'a Package that may not exist is written by an account that may not create one, so nothing at all is applied',
  check({ entrypoints, objects, base, contract, facts, permissions, snapshot, report }) {
    const { catalog } = contract;
    const isThere = (kind: string, name: string, among: readonly RenderedObject[] = []) =>
      among.some(({ ref }) => ref.kind === kind && ref.name === name);
    for (const rendered of entrypoints) {
      if (!rendered.ok) continue;
      for (const object of rendered.objects) {
        if (!isPackage(object) || !isApplied(object)) continue;
        if (permissions.access(rendered.entrypoint, 'create', object.ref).allowed === false) judge(object, rendered);
      }
    }

    function judge(object: RenderedObject, rendered: Built) {
      const { name } = object.ref;
      const own = isThere('PackageSource', name, objects);
      const ofPlatform = catalog.source(name) !== undefined;
      const otherwise = `and ${permissions.accountName(rendered.entrypoint)} may not create it, so Flux applies ${describeBlocked(object.ref, rendered, permissions)}`;
      const once = 'have an administrator create it once, and merge this after that';
      const say = (said: { message: string; help?: string; severity?: 'warning'; assumes?: FactName[] }) =>
        report({ help: once, at: { object, path: ['metadata', 'name'] }, ...said });

      if (snapshot) {
        const { packages, taken } = snapshot;
        if (Object.hasOwn(packages, name) || (!own && !ofPlatform && isMisspelt(name)) || isOnlyEnabled(name)) return;
        say({ message: `Package "${name}" was not in the cluster on ${taken}, ${otherwise}` });
      } else if (isThere('Package', name, base?.objects)) return;
      else if (own && base && !isThere('PackageSource', name, base.objects)) {
        say({
          message: `Package "${name}" cannot be there yet, as its PackageSource is new as well, ${otherwise}`,
          help: `first merge the PackageSource, then ${once}; that the documentation ships both together does not work`,
        });
      } else if (own) {
        say({
          severity: 'warning',
          message: `Package "${name}" has to be there before this is merged: the platform does not make it, ${otherwise} unless it is there`,
          assumes: ['packages'],
        });
      } else if (ofPlatform && !isEmittedByPlatform(name, { contract, facts, objects, snapshot }))
        judgeEmission(name, otherwise, say);
    }

    function judgeEmission(
      name: string,
      otherwise: string,
      say: (said: { message: string; help?: string; severity: 'warning'; assumes: FactName[] }) => void,
    ) {
      const variant = String(facts.get('variant').value);
      const emission = catalog.emitted(name, variant);
      // A platform without bundles leaves every Package to be made by hand.
      if (variant === 'default' || emission === 'always' || emission === 'unknown') return;
      const severity = 'warning';
      if (emission === 'optional') {
        const enabled = facts.get('optionalPackages').value as string[];
        if (catalog.enabledBy(name, variant).some((one) => enabled.includes(one))) return;
        const message = `Package "${name}" is made by the platform only if bundles.enabledPackages has it, ${otherwise} unless it is there`;
        const help = 'list it there, in a change before this one';
        say({ severity, message, help, assumes: ['variant', 'optionalPackages'] });
      } else if (emission === 'never') {
        const message = `Package "${name}" is never made by the platform, ${otherwise} unless it is there`;
        say({ severity, message, assumes: ['release', 'variant', 'packages'] });
      } else {
        const [change = ''] = emission.switch.split(',');
        const [path = '', wanted = ''] = change.split('=');
        if (JSON.stringify(facts.platformValue(path.split('.'))) === wanted) return;
        const message = `Package "${name}" is made by the platform only with ${path}: ${wanted}, ${otherwise} unless it is there`;
        say({
          severity,
          message,
          help: 'set that, in a change before this one',
          assumes: ['variant', 'platformValues'],
        });
      }
    }

    /** Then it has been reported by its name. */
    function isMisspelt(name: string): boolean {
      return name.startsWith('cozystack.') || nearest(name, catalog.names()) !== undefined;
    }

    function isOnlyEnabled(name: string): boolean {
      const enabling = base ? newlyListed(enabledPackagesPath, objects, base.objects) : [];
      const by = catalog.enabledBy(name, String(facts.get('variant').value));
      return enabling.some((entry) => by.includes(entry.name));
    }
  },
} satisfies Rule;
