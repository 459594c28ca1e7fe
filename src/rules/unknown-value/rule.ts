import { defined } from '../../core/defined.js';
import type { FieldPath, JsonObject, Problem, RenderedObject } from '../../core/model.js';
import { formatPath, isObject, label } from '../../core/object.js';
import { moved } from '../../core/remedies.js';
import { inWords } from '../../core/text.js';
import type { Contract } from '../../cozystack/contract.js';
import { type Misplaced, misplaced } from '../../cozystack/misplaced.js';
import { misshapen } from '../../cozystack/misshapen.js';
import { undeclared } from '../../cozystack/undeclared.js';
import type { ChartValues } from '../../cozystack/values.js';
import type { Rule, RuleContext } from '../rule.js';
import { placeOf, type WrittenValues, writtenValues } from '../support/chart-values.js';

const messages = {
  notThere: (object: string, value: string, chart: string) =>
    `${object} sets ${value}, which is not a value of ${chart}, so it most likely has no effect`,
};

export default {
  id: 'unknown-value',
  group: 'values',
  compares: 'value',
  severity: 'warning',
  summary:
    'a Package sets a value that its chart has only with a similar name or in another place, or an application one that its chart does not have',
  messages,
  check(context) {
    for (const written of writtenValues(context)) {
      if (isObject(written.values)) judge(written, written.values, context);
    }
  },
} satisfies Rule;

function judge(written: WrittenValues, values: JsonObject, context: RuleContext) {
  const { object, component, path, charts } = written;
  const [first = [], ...others] = charts.map((chart) => doubtful(values, chart, written, context.known.contract));
  const chart = component === undefined ? 'its chart' : `component "${component}"`;
  // Where the variant is not known, what one of the charts has is not wrong.
  const everywhere = first.filter((one) => others.every((found) => found.some((other) => isSame(one, other))));
  for (const one of everywhere) {
    if (isOwned(one.path, written, context)) continue;
    context.report({
      message: messages.notThere(label(object.ref), placeOf(one.path, written), chart),
      help: helpFor(one, written),
      at: { object, path: [...path, ...one.path], part: 'key' },
      ...remedy(object, path, one),
    });
  }
}

function doubtful(
  values: JsonObject,
  chart: ChartValues,
  written: WrittenValues,
  { values: known }: Contract,
): Misplaced[] {
  const refused = misshapen(values, chart).filter(({ kind }) => kind === 'schema');
  const { component, names } = written;
  const found: Misplaced[] = misplaced(values, { ...known, chart, names });
  const said = new Set([...found, ...refused].map(({ path }) => formatPath(path)));
  const others = component === undefined ? undeclared(values, chart) : [];
  return [
    ...found.filter((one) => !refused.some((other) => isSame(one, other))),
    ...others.filter(({ path }) => !said.has(formatPath(path))),
  ];
}

function isSame(one: Pick<Misplaced, 'path'>, other: { path: FieldPath }): boolean {
  return formatPath(one.path) === formatPath(other.path);
}

/** The platform chart sets values that only templates read. */
function isOwned(
  path: readonly string[],
  { object, component }: WrittenValues,
  { known: { contract, facts } }: RuleContext,
): boolean {
  if (component === undefined) return false;
  const variants = new Set([String(facts.get('variant').value), 'isp-full']);
  return [...variants].some((variant) =>
    contract.catalog
      .ownedValues(object.ref.name, { variant })
      .some((owned) => owned.component === component && path.every((key, depth) => owned.path[depth] === key)),
  );
}

/** Only where one place can be meant. */
function remedy(
  object: RenderedObject,
  root: FieldPath,
  { path, meant, tooDeep, isPart }: Misplaced,
): Pick<Problem, 'remedy'> {
  const [place, another] = meant;
  const from = [...root, ...path];
  if (!tooDeep) {
    const remedy = place && !another ? moved(object, from, [...root, ...place]) : undefined;
    return defined({ remedy: remedy && isPart ? { ...remedy, safe: false } : remedy });
  }
  const { changes } = moved(object, from, from.slice(0, -1));
  return { remedy: { title: `remove the level ${JSON.stringify(path.at(-1))}`, safe: false, changes } };
}

function helpFor({ path, meant, tooDeep }: Misplaced, written: WrittenValues): string {
  const places = meant.map((place) => placeOf(place, written));
  if (places.length === 0) return 'remove it, or correct its name or place';
  if (tooDeep) return `remove the level "${path.at(-1)}" and set ${inWords(places)}`;
  return `did you mean ${inWords(places, 'or')}?`;
}
