import { describeBlocked } from '../../cluster/blocked.js';
import { enabledPackagesPath, newlyListed } from '../../cluster/pending.js';
import { isEmittedByPlatform } from '../../cluster/platform.js';
import type { FactName, RenderedObject } from '../../core/model.js';
import { formatPath } from '../../core/object.js';
import { oncePer } from '../../core/once.js';
import { platformName, settingOf } from '../../cozystack/catalog.js';
import { customizerName, reservedPrefix } from '../../cozystack/customizer.js';
import { isPackage, isPackageSource, platformValuesPath } from '../../cozystack/package.js';
import { isApplied } from '../../flux/applied.js';
import type { Built } from '../../flux/prune.js';
import type { Rule, RuleContext } from '../rule.js';

const messages = {
  /** The others are the reason; of a Package that is known to be missing it is another. */
  needed: (name: string, blocked: string, why: string) =>
    `Package "${name}" must already exist, or Flux applies ${blocked}: ${why}`,
  missing: (name: string, why: string, blocked: string) =>
    `Package "${name}" ${why}, and Flux is not allowed to create it, so it applies ${blocked}`,
  notInCluster: (taken: string) => `did not exist in the cluster on ${taken}`,
  newSource: 'cannot exist yet, as its PackageSource is new',
  ownSource: 'Flux is not allowed to create it, and the platform does not',
  otherSource: 'no Cozystack release has it, and Flux is not allowed to create it',
  neverMade: (variant: string) => `variant ${variant} does not create it, and Flux is not allowed to`,
  madeIfEnabled: 'the platform creates it only if bundles.enabledPackages lists it',
  madeIfSet: (setting: string) => `the platform creates it only with ${setting}`,
};

export default {
  id: 'package-not-created-here',
  group: 'permissions',
  severity: 'error',
  summary:
    'a Package that may be missing is applied by a service account that is not allowed to create it, so nothing is applied',
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

const once = 'have an administrator create it once, then merge this';

function judge(object: RenderedObject, rendered: Built, context: RuleContext): void {
  const {
    objects,
    base,
    report,
    known: { contract, permissions, snapshot },
  } = context;
  const { name } = object.ref;
  const own = packageSourcesIn(objects).has(name);
  const ofPlatform = contract.catalog.source(name) !== undefined;
  const blocked = describeBlocked(object.ref, rendered, permissions);
  const needed = (why: string) => messages.needed(name, blocked, why);
  const say = (said: Said) => report({ help: once, at: { object, path: ['metadata', 'name'] }, ...said });

  if (snapshot) {
    const isKnown = Object.hasOwn(snapshot.packages, name) || isOnlyEnabled(name, context);
    if (isKnown || (!own && !ofPlatform && isMisspelt(name, context))) return;
    say({ message: messages.missing(name, messages.notInCluster(snapshot.taken), blocked) });
  } else if (base && packagesIn(base.objects).has(name)) return;
  else if (own && base && !packageSourcesIn(base.objects).has(name)) {
    say({
      message: messages.missing(name, messages.newSource, blocked),
      help: 'merge the PackageSource first, have an administrator create the Package once, then merge this',
    });
  } else if (own) {
    say({
      severity: 'warning',
      message: needed(messages.ownSource),
      assumes: ['packages'],
    });
  } else if (ofPlatform) {
    const said = isEmittedByPlatform(name, context.known) ? undefined : emissionOf(name, context);
    if (said) say({ ...said, message: needed(said.message) });
  } else if (
    contract.catalog.releasesWith(name).length === 0 &&
    !isMisspelt(name, context) &&
    name !== customizerName
  ) {
    say({
      severity: 'warning',
      message: needed(messages.otherSource),
      assumes: ['packages'],
    });
  }
}

/** What is to be said of a Package of the platform's by when the platform makes it; undefined where it may well be there. */
function emissionOf(name: string, { known: { contract, facts } }: RuleContext): Said | undefined {
  const variant = String(facts.get('variant').value);
  const emission = contract.catalog.emitted(name, variant);
  // A platform without bundles leaves every Package to be made by hand.
  if (variant === 'default' || emission === 'always' || emission === 'unknown') return undefined;
  if (emission === 'never')
    return {
      severity: 'warning',
      message: messages.neverMade(variant),
      assumes: ['packages'],
    };
  if (emission === 'optional') {
    const enabled = facts.get('optionalPackages').value as string[];
    if (contract.catalog.enabledBy(name, variant).some((one) => enabled.includes(one))) return undefined;
    return {
      severity: 'warning',
      message: messages.madeIfEnabled,
      help: `in an earlier change, list it in ${formatPath(enabledPackagesPath)} of Package "${platformName}"`,
      assumes: ['optionalPackages'],
    };
  }
  const { path, value, text } = settingOf(emission);
  if (JSON.stringify(facts.platformValue(path)) === value) return undefined;
  return {
    severity: 'warning',
    message: messages.madeIfSet(text),
    help: `in an earlier change, set ${formatPath(platformValuesPath)}.${text} of Package "${platformName}"`,
    assumes: ['platformValues'],
  };
}

const packagesIn = oncePer((objects: readonly RenderedObject[]) => namesOf(objects.filter(isPackage)));
const packageSourcesIn = oncePer((objects: readonly RenderedObject[]) => namesOf(objects.filter(isPackageSource)));

function namesOf(objects: readonly RenderedObject[]): ReadonlySet<string> {
  return new Set(objects.map(({ ref }) => ref.name));
}

/** Then it has been reported by its name. */
function isMisspelt(name: string, { known: { contract } }: RuleContext): boolean {
  return name.startsWith(reservedPrefix) || contract.catalog.meant(name) !== undefined;
}

function isOnlyEnabled(name: string, { applied, base, known: { contract, facts } }: RuleContext): boolean {
  const enabling = base ? newlyListed(enabledPackagesPath, applied, base.applied) : [];
  const by = contract.catalog.enabledBy(name, String(facts.get('variant').value));
  return enabling.some((entry) => by.includes(entry.name));
}
