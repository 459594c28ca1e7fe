import { ownedIn, reached } from '../../cluster/owned-values.js';
import { chartsVariant, isLeftToRepository, isPlatform } from '../../cluster/platform.js';
import { defined } from '../../core/defined.js';
import type { FactName, FieldPath, Json, Problem, RenderedObject } from '../../core/model.js';
import { formatPath, isObject, lookUp } from '../../core/object.js';
import { isPackage } from '../../cozystack/package.js';
import { isSetTo } from '../../flux/settings.js';
import type { Rule, RuleContext } from '../rule.js';
import { hasOtherOwner } from '../support/other-owner.js';

const messages = {
  dropped: (name: string, field: string, outcome: string) => `Package "${name}" no longer sets ${field}${outcome}`,
  owned: (owner: string, outcome: string) => `, owned by ${owner}: ${outcome}`,
  defaultsLost: 'its map becomes null and the defaults there are lost',
  refused: (map: string) => `${map} becomes null, so Flux applies nothing of the repository`,
  refusedInNewerClusters: ': clusters installed from v1.5 on refuse the null left there, and the whole repository',
  goneUntilUpgrade: 'it is gone until the chart is upgraded',
  variantGone: 'the Package changes to variant "default"',
};

export default {
  id: 'claimed-field-dropped',
  group: 'ownership',
  severity: 'error',
  summary: 'a field that Flux took from another owner is removed, and does not return to that owner',
  messages,
  needsBase: true,
  check(context) {
    const { objects, base, report } = context;
    for (const before of (base?.objects ?? []).filter(isPackage)) {
      const { name } = before.ref;
      const after = objects.filter((object) => isPackage(object) && object.ref.name === name);
      // What is not applied any more stays as it is: removing the whole manifest is another matter.
      if (after.length === 0 || !after.every(isApplied) || isLeftToRepository(name, context)) continue;
      const claims = claimsIn(before, context);
      const dropped = claims.filter(({ path }) => after.every(({ value }) => lookUp(value, path) === undefined));
      for (const claim of dropped.filter(({ path }) => !hasOtherOwner(name, path, context.known.snapshot))) {
        const outcome = outcomeOf(claim, { dropped, owners: ownersFields(name, context), after });
        if (!outcome) continue;
        report({
          message: messages.dropped(name, formatPath(claim.path), outcome),
          help: claim.help,
          at: { object: before, path: claim.path, part: 'key' },
          ...(!claim.isSure && { severity: 'warning' as const }),
          assumes: claim.assumes,
          ...remedy(claim, after),
        });
      }
    }
  },
} satisfies Rule;

/** What the chart sets as well has two owners, and stays with the other. */
function remedy({ path, set, isSure }: Claim, after: readonly RenderedObject[]): Pick<Problem, 'remedy'> {
  const isValue = path[1] === 'components' && set !== undefined && (set === null || typeof set !== 'object');
  if (!isValue) return {};
  const title = `set ${formatPath(path)} to ${JSON.stringify(set)}, as the chart does`;
  const changes = after.map((object) => ({ do: 'add' as const, at: { object, path }, value: set }));
  return { remedy: { title, safe: isSure, changes } };
}

const chart = 'the platform chart';

/** A field that git set to something else than its owner did. */
type Claim = { path: FieldPath; owner: string; set?: Json; isSure: boolean; assumes: FactName[]; help: string };

const labels: [path: FieldPath, value: string][] = [
  [['metadata', 'annotations', 'helm.sh/resource-policy'], 'keep'],
  [['metadata', 'annotations', 'meta.helm.sh/release-name'], 'cozystack-platform'],
  [['metadata', 'annotations', 'meta.helm.sh/release-namespace'], 'cozy-system'],
  [['metadata', 'labels', 'app.kubernetes.io/managed-by'], 'Helm'],
];

/** An equal value has two owners, and stays when one of them no longer sets it. */
function claimsIn(object: RenderedObject, context: RuleContext): Claim[] {
  const { name } = object.ref;
  if (isPlatform(object)) return administratorsVariant(object);
  const first = (set: Json | undefined) =>
    set === undefined || typeof set === 'object'
      ? 'first set it to the value of the chart'
      : `first set it to ${JSON.stringify(set)}, as the chart does`;
  const claim = (path: FieldPath, set: Json | undefined, isSure: boolean, assumes: FactName[]): Claim => {
    const help = `${first(set)}, and remove it once Helm has upgraded the platform`;
    return { path, owner: chart, ...defined({ set }), isSure, assumes, help };
  };
  const values = ownedIn(name, context.known).flatMap((owned) => {
    const written = owned.dead ? undefined : reached(object.value, owned.field);
    if (!written) return [];
    // What stands in place of a map that leads there is none of the chart's values.
    const isInPlace = written.path.length < owned.field.length;
    if (!isInPlace && owned.isEqual(written.value)) return [];
    const assumes: FactName[] = ['variant', ...owned.assumes, ...(owned.isSure ? [] : ['platformValues' as const])];
    return [claim(written.path, isInPlace ? undefined : owned.set, !owned.when && owned.isSure, assumes)];
  });
  const variant = variantOf(name, context);
  const written = lookUp(object.value, ['spec', 'variant']);
  return [
    ...new Map(values.map((one) => [formatPath(one.path), one])).values(),
    ...labels
      .filter(([path, value]) => ![undefined, value].includes(lookUp(object.value, path) as string | undefined))
      .map(([path, value]) => claim(path, value, true, ['variant'])),
    ...(written === undefined || variant === undefined || written === variant
      ? []
      : [claim(['spec', 'variant'], variant, true, ['variant'])]),
  ];
}

/** Only the command that made the platform's Package has set its variant; with `ssa: Merge` it may still own an equal one. */
function administratorsVariant({ value }: RenderedObject): Claim[] {
  if (lookUp(value, ['spec', 'variant']) === undefined) return [];
  const help = 'have an administrator set the same variant with kubectl apply --server-side first, and keep ssa: Merge';
  const isSure = !isSetTo(value, 'ssa', 'Merge');
  return [{ path: ['spec', 'variant'], owner: 'the administrator', isSure, assumes: [], help }];
}

/** The variant that the chart gives the Package, as far as the platform's own is known or assumed. */
function variantOf(name: string, context: RuleContext): string | undefined {
  const {
    known: { facts, contract },
  } = context;
  if (facts.get('variant').source !== 'world') return chartsVariant(name, context.known);
  const packages = contract.catalog.platformVariant(String(facts.get('variant').value))?.packages ?? {};
  return Object.hasOwn(packages, name) ? packages[name]?.variant : undefined;
}

type Situation = { dropped: Claim[]; owners: FieldPath[]; after: RenderedObject[] };

/** What becomes of the field and of the map around it (simulate/FACTS.md); undefined where nothing is lost. */
function outcomeOf({ path, owner, set }: Claim, situation: Situation): string | undefined {
  const parent = path.slice(0, -1);
  if (owner === chart && path[0] === 'spec' && isEmptied(parent, situation)) {
    if (parent.length > 4) return messages.owned(owner, messages.defaultsLost);
    if (parent.length < 4) return messages.owned(owner, messages.refused(formatPath(parent)));
    // Managed fields have no entry of their own for `values`; where Helm applies client-side, the component stays as {}.
    return messages.refusedInNewerClusters;
  }
  if (formatPath(path) !== 'spec.variant') return messages.owned(owner, messages.goneUntilUpgrade);
  return set === 'default' ? undefined : messages.owned(owner, messages.variantGone);
}

/** Whether neither the owner nor git has anything left in the map. */
function isEmptied(map: FieldPath, { dropped, owners, after }: Situation): boolean {
  const isIn = (field: FieldPath, outer: FieldPath) => outer.every((step, index) => step === field[index]);
  const left = owners.filter((field) => isIn(field, map) && !dropped.some(({ path }) => isIn(field, path)));
  const beside = map.at(-1) === 'values' ? map.slice(0, -1) : map;
  return (
    left.length === 0 && after.every(({ value }) => !hasLeaves(lookUp(value, map)) && !hasLeaves(lookUp(value, beside)))
  );
}

/** Maps without anything in them hold nothing: they are taken away with the last key. */
function hasLeaves(value: Json | undefined): boolean {
  return isObject(value) ? Object.values(value).some(hasLeaves) : value !== undefined && value !== null;
}

/** What the owner has in the Package, by path. */
function ownersFields(name: string, context: RuleContext): FieldPath[] {
  const values = ownedIn(name, context.known).filter(({ when }) => !when);
  return [['spec', 'variant'], ...labels.map(([path]) => path), ...values.map(({ field }) => field)];
}

function isApplied({ value }: RenderedObject): boolean {
  const kept = isSetTo(value, 'ssa', 'Ignore') || isSetTo(value, 'ssa', 'IfNotPresent');
  return !kept && !isSetTo(value, 'reconcile', 'disabled');
}
