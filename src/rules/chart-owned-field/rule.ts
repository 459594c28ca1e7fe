import { minimatch } from 'minimatch';
import { chartsVariant, isLeftToRepository, isPlatform } from '../../cluster/platform.js';
import { defined } from '../../core/defined.js';
import type { FieldPath, Json, RenderedObject } from '../../core/model.js';
import { formatPath, isObject, lookUp, parsePath } from '../../core/object.js';
import { removed } from '../../core/remedies.js';
import type { FieldRow } from '../../cozystack/ownership.js';
import { isPackage } from '../../cozystack/package.js';
import { isApplied } from '../../flux/applied.js';
import type { Rule, RuleContext } from '../rule.js';
import { wasThere } from '../support/before.js';

const messages = {
  belongsToAnother: (name: string, field: string, owner: string) =>
    `Package "${name}" sets ${field}, which ${owner} owns`,
  owned: (name: string, field: string, why: string, effect: string | undefined) =>
    `Package "${name}" sets ${field}, ${why}${effect === undefined ? '' : `; ${effect}`}`,
  sameIsKept: 'the value is unchanged, but later changes by the owner are overwritten',
  variantReplaced: (value: string, there: string) =>
    `"${there}" becomes "${value}"; what only "${there}" has is uninstalled`,
  variantReplacedByNone: (value: string, there: string) =>
    `"${there}" becomes "${value}", a variant that does not exist`,
};

export default {
  id: 'chart-owned-field',
  group: 'ownership',
  compares: 'value',
  severity: 'error',
  summary: 'a Package of the platform sets a field that the platform chart owns',
  messages,
  check(context) {
    const {
      objects,
      known: { contract },
    } = context;
    for (const object of objects.filter(isPackage).filter(isApplied)) {
      const isManaged = contract.catalog.isManaged(object.ref.name);
      judgeByConfiguration(object, isManaged, context);
      // What the chart does not make in this cluster is the repository's to write whole, variant included.
      if (isManaged && !isLeftToRepository(object.ref.name, context)) judgeByContract(object, context);
    }
  },
} satisfies Rule;

/** By the owners that the configuration names. */
function judgeByConfiguration(object: RenderedObject, isManaged: boolean, context: RuleContext): void {
  const { name } = object.ref;
  for (const { packages, field, owner, help } of context.owners) {
    if (!(packages ? packages.some((glob) => minimatch(name, glob)) : isManaged)) continue;
    for (const path of matches(object.value, parsePath(field).map(String))) {
      const at = { object, path, part: 'key' as const };
      context.report({
        message: messages.belongsToAnother(name, formatPath(path), owner),
        help: help ?? `leave it to ${owner}`,
        at,
        ...remedy(at, false, context),
      });
    }
  }
}

function judgeByContract(object: RenderedObject, context: RuleContext): void {
  const { name } = object.ref;
  for (const row of context.known.contract.ownership.rowsOf(name)) {
    if (row.message === undefined) continue;
    for (const path of matches(object.value, row.field)) {
      const value = lookUp(object.value, path) as Json;
      if (isAllowed(row, value)) continue;
      const at = { object, path, part: 'key' as const };
      const message = messages.owned(name, formatPath(path), row.message, effect(object, row, value, context));
      if (isAdopted(object, row, value, context)) {
        context.report({ message, help: adoptedHelp, at, severity: 'notice' });
        continue;
      }
      const isSafe = isNothingTaken(object, row, value, context);
      const { help } = row;
      context.report({
        message,
        ...defined({ help }),
        at,
        ...severity(row),
        ...remedy({ object, path }, isSafe, context),
      });
    }
  }
}

const adoptedHelp =
  'ignore this if the repository is to own the whole Package; then change the variant only here, and never remove the line';

/** The platform's own Package as it is in the cluster: no chart makes that one, so nothing else wants to write the variant. */
function isAdopted(object: RenderedObject, row: FieldRow, value: Json, context: RuleContext): boolean {
  return isPlatform(object) && typeof value === 'string' && variantThere(object, row, context) === value;
}

/** The paths that a pattern stands for; `*` is one key. */
function matches(value: Json, [step, ...rest]: readonly string[], path: FieldPath = []): FieldPath[] {
  if (step === undefined) return [path];
  if (!isObject(value)) return [];
  const keys = step === '*' ? Object.keys(value) : Object.hasOwn(value, step) ? [step] : [];
  return keys.flatMap((key) => matches(value[key] as Json, rest, [...path, key]));
}

function isAllowed({ customizer, only }: FieldRow, value: Json): boolean {
  if (customizer !== 'only') return customizer === 'set';
  // What the row says in words is another rule's to judge (a name that no Package has), and so is a value of another type.
  return !Array.isArray(only) || only.includes(value) || only.every((allowed) => typeof allowed !== typeof value);
}

/** Flux writes its own labels over those of a manifest, and a component is enabled anyway. */
function severity({ owner, customizer }: FieldRow): { severity?: 'warning' | 'notice' } {
  if (customizer === 'only') return { severity: 'notice' };
  return owner === 'Flux' ? { severity: 'warning' } : {};
}

/** What Flux has applied is not undone by taking it out: the owner does not write it again. */
function remedy(at: { object: RenderedObject; path: FieldPath }, safe: boolean, { base }: RuleContext) {
  return wasThere(at.object, at.path, base) ? {} : { remedy: removed(at, safe) };
}

function isNothingTaken(object: RenderedObject, row: FieldRow, value: Json, context: RuleContext): boolean {
  return row.owner === 'Flux' || row.customizer === 'only' || variantThere(object, row, context) === value;
}

/** What the value would change, where it is known what is there. */
function effect(object: RenderedObject, row: FieldRow, value: Json, context: RuleContext): string | undefined {
  const there = variantThere(object, row, context);
  if (there === undefined || typeof value !== 'string') return undefined;
  const { name } = object.ref;
  if (there === value) return messages.sameIsKept;
  const source = context.known.contract.catalog.source(name);
  const known = source === undefined || source.variant(value) !== undefined;
  return known ? messages.variantReplaced(value, there) : messages.variantReplacedByNone(value, there);
}

function variantThere(object: RenderedObject, { field }: FieldRow, context: RuleContext): string | undefined {
  if (formatPath(field) !== 'spec.variant') return undefined;
  return isPlatform(object) ? platformVariant(context) : chartsVariant(object.ref.name, context.known);
}

/** What the repository itself says is what is judged here, so it is no evidence. */
function platformVariant({ known: { facts } }: RuleContext): string | undefined {
  const { value, source } = facts.get('variant');
  return source === 'config' || source === 'snapshot' ? String(value) : undefined;
}
