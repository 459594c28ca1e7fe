import type { Known } from '../../cluster/known.js';
import { packagesNamed } from '../../cluster/package-sources.js';
import { knownPlatformValues, platformsIn } from '../../cluster/platform.js';
import type { Json, RenderedObject } from '../../core/model.js';
import { getString, lookUp } from '../../core/object.js';
import { platformName, type Variant } from '../../cozystack/catalog.js';
import { platformValuePath } from '../../cozystack/package.js';
import type { Applied } from '../../flux/applied.js';
import type { Rule, RuleContext } from '../rule.js';
import { hasOtherOwner } from '../support/other-owner.js';

const setting = 'authentication.oidc.enabled';
const path = platformValuePath(setting);

const messages = {
  off: (platform: string, removed: string) =>
    `Package "${platform}" turns off OIDC, which uninstalls ${removed} with its ClusterKeycloakRealm and may lose users`,
  dropped: (platform: string, removed: string, isGuess: boolean) =>
    `Package "${platform}" no longer sets ${setting}; this uninstalls ${removed} and may lose users${isGuess ? ', unless set elsewhere' : ''}`,
};

const help =
  'to keep the users, first annotate ClusterKeycloakRealm keycloakrealm-cozy with edp.epam.com/preserve-resources-on-deletion: "true"';

export default {
  id: 'identity-provider-removed',
  group: 'pruning',
  severity: 'error',
  summary: 'OIDC is turned off, which uninstalls the realm with which users log in',
  messages,
  needsBase: true,
  check(context) {
    const { base, known, applied, report } = context;
    if (!base || !valueIn({ facts: base.known.facts, objects: base.applied }) || valueIn(known)) return;
    const removed = removedComponents(context)
      .map((name) => `"${name}"`)
      .join(', ');
    // Of a manifest that is gone the values stay: that is another matter.
    const [after] = platformsIn(applied);
    if (removed === '' || !after) return;
    const off = platformsIn(applied).find(sets);
    if (off) {
      report({ message: messages.off(off.ref.name, removed), help, at: { object: off, path } });
      return;
    }
    const object = platformsIn(base.applied).find(sets);
    const isShared = hasOtherOwner(platformName, path, known.snapshot);
    if (!object || isShared) return;
    report({
      ...(isShared === undefined && { severity: 'warning' as const }),
      message: messages.dropped(object.ref.name, removed, isShared === undefined),
      help,
      at: { object, path, part: 'key' },
    });
  },
} satisfies Rule;

function valueIn(known: Pick<Known, 'facts' | 'objects'>): Json | undefined {
  return lookUp(knownPlatformValues(known), setting.split('.'));
}

function sets({ value }: RenderedObject): boolean {
  return lookUp(value, path) !== undefined;
}

/** What only those variants of Packages have that the chart chooses with OIDC. */
function removedComponents({ known, applied }: RuleContext): string[] {
  const { catalog } = known.contract;
  const { packages = {}, switches = {} } = catalog.platformVariant(String(known.facts.get('variant').value)) ?? {};
  return Object.entries(switches[`${setting}=true`] ?? {}).flatMap(([name, emitted]) => {
    const without = Object.hasOwn(packages, name) ? packages[name] : undefined;
    const source = catalog.source(name);
    // A Package that comes with OIDC alone stays in the cluster, as do variants that the repository holds on to.
    if (!source || !emitted || !without || isHeld(name, emitted.variant, applied)) return [];
    const stays = installed(source.variant(without.variant));
    return installed(source.variant(emitted.variant)).filter((one) => !stays.includes(one));
  });
}

function installed(variant: Variant | undefined): string[] {
  return (variant?.components ?? []).filter(({ install }) => install).map(({ name }) => name);
}

function isHeld(name: string, variant: string, objects: readonly Applied[]): boolean {
  return packagesNamed(name, objects).some(({ value }) => getString(value, ['spec', 'variant']) === variant);
}
