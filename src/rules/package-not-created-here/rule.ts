import { describeBlocked } from '../../cluster/blocked.js';
import { enabledPackagesPath, newlyListed } from '../../cluster/pending.js';
import { isEmittedByPlatform } from '../../cluster/platform.js';
import type { FactName, RenderedObject } from '../../core/model.js';
import { settingOf } from '../../cozystack/catalog.js';
import { customizerName, reservedPrefix } from '../../cozystack/customizer.js';
import { isPackage, isPackageSource } from '../../cozystack/package.js';
import { isApplied } from '../../flux/applied.js';
import type { Built } from '../../flux/prune.js';
import type { Rule, RuleContext } from '../rule.js';
import { meantPackage } from '../support/meant-package.js';

const messages = {
  mayNotCreate: (account: string, blocked: string) => `and ${account} may not create it, so Flux applies ${blocked}`,
  notInCluster: (name: string, taken: string, otherwise: string) =>
    `Package "${name}" was not in the cluster on ${taken}, ${otherwise}`,
  newSource: (name: string, otherwise: string) =>
    `Package "${name}" cannot be there yet, as its PackageSource is new as well, ${otherwise}`,
  ownSource: (name: string, otherwise: string) =>
    `Package "${name}" has to be there before this is merged: the platform does not make it, ${otherwise} unless it is there`,
  otherSource: (name: string, otherwise: string) =>
    `Package "${name}" has to be there before this is merged: it is in no release of Cozystack, ${otherwise} unless it is there`,
  neverMade: (name: string, otherwise: string) =>
    `Package "${name}" is never made by the platform, ${otherwise} unless it is there`,
  madeIfEnabled: (name: string, otherwise: string) =>
    `Package "${name}" is made by the platform only if bundles.enabledPackages has it, ${otherwise} unless it is there`,
  madeIfSet: (name: string, setting: string, otherwise: string) =>
    `Package "${name}" is made by the platform only with ${setting}, ${otherwise} unless it is there`,
};

export default {
  id: 'package-not-created-here',
  severity: 'error',
  summary:
    'a Package that may not exist is written by an account that may not create one, so nothing at all is applied',
  messages,
  check(context) {
    for (const rendered of context.entrypoints) {
      if (!rendered.ok) continue;
      for (const object of rendered.objects) {
        if (!isPackage(object) || !isApplied(object)) continue;
        if (context.known.permissions.access(rendered.entrypoint, 'create', object.ref).allowed === false)
          judge(object, rendered, context);
      }
    }
  },
} satisfies Rule;

type Said = { message: string; help?: string; severity?: 'warning'; assumes?: FactName[] };

const once = 'have an administrator create it once, and merge this after that';

function judge(object: RenderedObject, rendered: Built, context: RuleContext): void {
  const {
    objects,
    base,
    report,
    known: { contract, permissions, snapshot },
  } = context;
  const { name } = object.ref;
  const own = isThere(isPackageSource, name, objects);
  const ofPlatform = contract.catalog.source(name) !== undefined;
  const otherwise = messages.mayNotCreate(
    permissions.accountName(rendered.entrypoint),
    describeBlocked(object.ref, rendered, permissions),
  );
  const say = (said: Said) => report({ help: once, at: { object, path: ['metadata', 'name'] }, ...said });

  if (snapshot) {
    const isKnown = Object.hasOwn(snapshot.packages, name) || isOnlyEnabled(name, context);
    if (isKnown || (!own && !ofPlatform && isMisspelt(name, context))) return;
    say({ message: messages.notInCluster(name, snapshot.taken, otherwise) });
  } else if (isThere(isPackage, name, base?.objects)) return;
  else if (own && base && !isThere(isPackageSource, name, base.objects)) {
    say({
      message: messages.newSource(name, otherwise),
      help: `first merge the PackageSource, then ${once}; that the documentation ships both together does not work`,
    });
  } else if (own) {
    say({
      severity: 'warning',
      message: messages.ownSource(name, otherwise),
      assumes: ['packages'],
    });
  } else if (ofPlatform) {
    const said = isEmittedByPlatform(name, context.known) ? undefined : emissionOf(name, otherwise, context);
    if (said) say(said);
  } else if (
    contract.catalog.releasesWith(name).length === 0 &&
    !isMisspelt(name, context) &&
    name !== customizerName
  ) {
    say({
      severity: 'warning',
      message: messages.otherSource(name, otherwise),
      assumes: ['packages'],
    });
  }
}

/** What is to be said of a Package of the platform's by when the platform makes it; undefined where it may well be there. */
function emissionOf(name: string, otherwise: string, { known: { contract, facts } }: RuleContext): Said | undefined {
  const variant = String(facts.get('variant').value);
  const emission = contract.catalog.emitted(name, variant);
  // A platform without bundles leaves every Package to be made by hand.
  if (variant === 'default' || emission === 'always' || emission === 'unknown') return undefined;
  if (emission === 'never')
    return {
      severity: 'warning',
      message: messages.neverMade(name, otherwise),
      assumes: ['packages'],
    };
  if (emission === 'optional') {
    const enabled = facts.get('optionalPackages').value as string[];
    if (contract.catalog.enabledBy(name, variant).some((one) => enabled.includes(one))) return undefined;
    return {
      severity: 'warning',
      message: messages.madeIfEnabled(name, otherwise),
      help: 'list it there, in a change before this one',
      assumes: ['optionalPackages'],
    };
  }
  const { path, value, text } = settingOf(emission);
  if (JSON.stringify(facts.platformValue(path)) === value) return undefined;
  return {
    severity: 'warning',
    message: messages.madeIfSet(name, text, otherwise),
    help: 'set that, in a change before this one',
    assumes: ['platformValues'],
  };
}

function isThere(is: typeof isPackage, name: string, among: readonly RenderedObject[] = []): boolean {
  return among.some((object) => is(object) && object.ref.name === name);
}

/** Then it has been reported by its name. */
function isMisspelt(name: string, { known: { contract } }: RuleContext): boolean {
  return name.startsWith(reservedPrefix) || meantPackage(name, contract.catalog) !== undefined;
}

function isOnlyEnabled(name: string, { objects, base, known: { contract, facts } }: RuleContext): boolean {
  const enabling = base ? newlyListed(enabledPackagesPath, objects, base.objects) : [];
  const by = contract.catalog.enabledBy(name, String(facts.get('variant').value));
  return enabling.some((entry) => by.includes(entry.name));
}
