import { describeBlocked } from '../../cluster/blocked.js';
import { isAggregated, isBrought, isOpenGroup } from '../../cluster/definitions.js';
import { isEmittedByPlatform, isSwitchedOff } from '../../cluster/platform.js';
import type { FactName, Json, JsonObject, RenderedObject } from '../../core/model.js';
import { groupOf, isObject, label } from '../../core/object.js';
import { oncePer } from '../../core/once.js';
import { type Emission, platformName, settingOf } from '../../cozystack/catalog.js';
import { isPackage, isPackageSource, platformValuesText } from '../../cozystack/package.js';
import { isApplied } from '../../flux/applied.js';
import { objectsNamed } from '../../flux/index-of.js';
import type { Built } from '../../flux/prune.js';
import type { Rule, RuleContext } from '../rule.js';
import { appliedIn } from '../support/applied.js';

const messages = {
  notInstalled: (object: string, comesWith: string, blocked: string) =>
    `${object}: its kind ${comesWith}, so Flux applies ${blocked}`,
  notInCluster: (name: string, taken: string) => `needs Package "${name}", which the snapshot of ${taken} lacks`,
  neverMade: (name: string) => `needs Package "${name}", which this platform does not create`,
  onlyIfEnabled: (name: string) => `needs Package "${name}", which is not in bundles.enabledPackages`,
  onlyIfSet: (setting: string) => `needs ${setting}`,
  nobodys: () => 'is installed by no Package of the platform',
  notDefined: (taken: string) => `was not defined in the cluster on ${taken}`,
};

export default {
  id: 'kind-not-installed',
  group: 'schema',
  severity: 'error',
  summary: 'the kind of an object comes with a Package that is not installed, so Flux applies nothing',
  messages,
  check(context) {
    for (const [object, rendered] of appliedIn(context)) judge(object, rendered, context);
  },
} satisfies Rule;

/** Why the kind is not there, and what that rests on. */
type Absence = { comesWith: string; help: string; assumes: FactName[] };

function judge(object: RenderedObject, rendered: Built, context: RuleContext): void {
  const { report, known } = context;
  const { contract, permissions } = known;
  const { apiVersion, kind } = object.ref;
  const found = contract.schemas.find(apiVersion, kind);
  if (!found.known) {
    if (found.why === 'unknown-kind' && found.meant === undefined) judgeUnknown(object, rendered, context);
    return;
  }
  if (found.builtIn || found.installedBy.includes('operator')) return;
  const packages = [...new Set(found.installedBy.map((by) => by.split('/')[0] ?? ''))];
  const absences = packages.map((name) => absenceOf(name, context));
  // Any of them brings it.
  if (absences.includes(undefined)) return;
  if (isBrought(object.ref, known)) return;
  const absence = absences.find((one) => one !== undefined) ?? nobodys();
  const isNamed = isInstalledHere(apiVersion, packages, known.objects);
  // What the base branch has is most likely applied, unless the facts say that it cannot be.
  if (absence.assumes.length > 0 && (isNamed || isInBase(object, context))) return;
  report({
    message: messages.notInstalled(
      label(object.ref),
      absence.comesWith,
      describeBlocked(object.ref, rendered, permissions),
    ),
    help: absence.help,
    at: { object, path: ['kind'] },
    assumes: absence.assumes,
    // A name alone does not tell what a chart installs.
    ...(isNamed && { severity: 'warning' as const }),
  });
}

/** Of a kind that no release has only a snapshot with all definitions can tell that it is not there. */
function judgeUnknown(object: RenderedObject, rendered: Built, context: RuleContext): void {
  const { report, known } = context;
  const { contract, permissions, snapshot } = known;
  const group = groupOf(object.ref.apiVersion);
  if (!snapshot?.kinds || !isOpenGroup(group, contract.schemas) || isAggregated(group)) return;
  if (isBrought(object.ref, known) || isInBase(object, context)) return;
  const blocked = describeBlocked(object.ref, rendered, permissions);
  report({
    message: messages.notInstalled(label(object.ref), messages.notDefined(snapshot.taken), blocked),
    help: 'correct the kind, or install its definition in an earlier change and take the snapshot again',
    at: { object, path: ['kind'] },
    // Any chart may bring it, whatever its name.
    ...(installing(known.objects).length > 0 && { severity: 'warning' as const }),
  });
}

function nobodys(): Absence {
  return {
    comesWith: messages.nobodys(),
    help: 'install its definition first, and take a snapshot of the cluster',
    assumes: ['packages'],
  };
}

/** Undefined where the Package may well be there. */
function absenceOf(name: string, context: RuleContext): Absence | undefined {
  const { facts, contract, snapshot, objects } = context.known;
  if (objectsNamed(objects, 'Package', name).some(isPackage)) return undefined;
  const isEmitted = isEmittedByPlatform(name, context.known);
  if (isEmitted || (snapshot && Object.hasOwn(snapshot.packages, name))) return undefined;
  const variant = String(facts.get('variant').value);
  const emission = contract.catalog.emitted(name, variant);
  // A platform without bundles leaves every Package to be made by hand.
  if (variant === 'default' || emission === 'always' || emission === 'unknown') return undefined;
  if (snapshot) {
    const comesWith = messages.notInCluster(name, snapshot.taken);
    return { comesWith, help: `install Package "${name}" in an earlier change`, assumes: [] };
  }
  const isKnown = isEmitted === false && (emission !== 'never' || isSwitchedOff(name, context.known));
  return { ...wordsOf(name, emission), assumes: isKnown ? [] : decidedBy(emission) };
}

function wordsOf(name: string, emission: Exclude<Emission, 'always' | 'unknown'>): Omit<Absence, 'assumes'> {
  if (emission === 'never') return { comesWith: messages.neverMade(name), help: `install Package "${name}" first` };
  if (emission === 'optional')
    return {
      comesWith: messages.onlyIfEnabled(name),
      help: `add it to ${platformValuesText}.bundles.enabledPackages of Package "${platformName}", in an earlier change`,
    };
  return {
    comesWith: messages.onlyIfSet(settingOf(emission).text),
    help: `set it in ${platformValuesText} of Package "${platformName}", in an earlier change`,
  };
}

/** Somebody may have made by hand what the platform never makes. */
function decidedBy(emission: Emission): FactName[] {
  if (emission === 'never') return ['packages'];
  return emission === 'optional' ? ['optionalPackages'] : ['platformValues'];
}

function isInBase({ ref }: RenderedObject, { base }: RuleContext): boolean {
  return base !== undefined && kindsOf(base.objects).has(`${groupOf(ref.apiVersion)}/${ref.kind}`);
}

const kindsOf = oncePer(
  (objects: readonly RenderedObject[]) =>
    new Set(objects.map(({ ref: { apiVersion, kind } }) => `${groupOf(apiVersion)}/${kind}`)),
);

/** Whether a HelmRelease or a PackageSource of the repository looks as if it installed the operator itself. */
function isInstalledHere(apiVersion: string, packages: readonly string[], objects: readonly RenderedObject[]): boolean {
  const names = [groupOf(apiVersion).split('.')[0] ?? '', ...packages.map((name) => name.slice(name.indexOf('.') + 1))];
  const words = names.flatMap((name) => name.split('-')).filter((word) => word.length > 3 && !general.has(word));
  return words.some((word) => installedWords(objects).has(word));
}

/** What installs charts. */
const installing = oncePer((objects: readonly RenderedObject[]) =>
  objects.filter((object) => (object.ref.kind === 'HelmRelease' || isPackageSource(object)) && isApplied(object)),
);

/** All words that stand in it. */
const installedWords = oncePer((objects: readonly RenderedObject[]) => {
  const names = installing(objects).flatMap(({ ref, value }) => [ref.name, ...textsIn(chartsOf(value))]);
  return new Set(names.flatMap((name) => name.split(/[^a-z0-9]/)));
});

/** Where charts are named: what stands in values installs nothing. */
function chartsOf({ spec = null }: JsonObject): Json {
  if (!isObject(spec)) return null;
  const { chart = null, chartRef = null, variants = null } = spec;
  return [chart, chartRef, variants];
}

const general = new Set(['operator', 'controller', 'provider', 'core']);

function textsIn(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isObject(value) ? Object.values(value).flatMap(textsIn) : [];
}
