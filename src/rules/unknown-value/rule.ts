import type { FieldPath, JsonObject, Problem, RenderedObject } from '../../core/model.js';
import { formatPath, isObject } from '../../core/object.js';
import { moved } from '../../core/remedies.js';
import type { Contract } from '../../cozystack/contract.js';
import { type Misplaced, misplaced } from '../../cozystack/misplaced.js';
import { misshapen } from '../../cozystack/misshapen.js';
import type { ChartValues } from '../../cozystack/values.js';
import type { Rule, RuleContext } from '../rule.js';
import { type PackageValues, writtenValues } from '../support/chart-values.js';

const messages = {
  notThere: (name: string, value: string, component: string) =>
    `Package "${name}" sets ${value}, which the chart of component "${component}" does not have there, so it most likely does nothing`,
};

export default {
  id: 'unknown-value',
  compares: 'value',
  severity: 'warning',
  summary:
    'a Package sets a value that its chart does not have under that name or in that place, but under one much like it',
  messages,
  check(context) {
    for (const written of writtenValues(context)) {
      if (isObject(written.values)) judge(written, written.values, context);
    }
  },
} satisfies Rule;

function judge(written: PackageValues, values: JsonObject, context: RuleContext) {
  const { object, component, path, charts } = written;
  const [first = [], ...others] = charts.map((chart) => doubtful(values, chart, written, context.known.contract));
  // Where the variant is not known, what one of the charts has is not wrong.
  const everywhere = first.filter((one) => others.every((found) => found.some((other) => isSame(one, other))));
  for (const one of everywhere) {
    if (isOwned(one.path, written, context)) continue;
    context.report({
      message: messages.notThere(object.ref.name, formatPath(one.path), component),
      help: helpFor(one),
      at: { object, path: [...path, ...one.path], part: 'key' },
      ...remedy(object, path, one),
    });
  }
}

function doubtful(
  values: JsonObject,
  chart: ChartValues,
  written: PackageValues,
  { values: known }: Contract,
): Misplaced[] {
  const refused = misshapen(values, chart).filter(({ kind }) => kind === 'schema');
  const { component, folders, object } = written;
  const names = [
    component,
    object.ref.name.split('.').at(-1) ?? '',
    ...folders.map((one) => one.split('/').at(-1) ?? ''),
  ];
  return misplaced(values, { ...known, chart, names }).filter(
    (one) => !refused.some((other) => formatPath(other.path) === formatPath(one.path)),
  );
}

function isSame(one: Misplaced, other: Misplaced): boolean {
  return formatPath(one.path) === formatPath(other.path);
}

/** The platform chart sets values that only templates read. */
function isOwned(
  path: readonly string[],
  { object, component }: PackageValues,
  { known: { contract, facts } }: RuleContext,
): boolean {
  const variants = new Set([String(facts.get('variant').value), 'isp-full']);
  return [...variants].some((variant) =>
    contract.catalog
      .ownedValues(object.ref.name, { variant })
      .some((owned) => owned.component === component && path.every((key, depth) => owned.path[depth] === key)),
  );
}

/** Only where one place can be meant. */
function remedy(object: RenderedObject, root: FieldPath, { path, meant, tooDeep }: Misplaced): Pick<Problem, 'remedy'> {
  const [place, another] = meant;
  const from = [...root, ...path];
  if (!tooDeep) return place && !another ? { remedy: moved(object, from, [...root, ...place]) } : {};
  const { changes } = moved(object, from, from.slice(0, -1));
  return { remedy: { title: `leave out the level ${JSON.stringify(path.at(-1))}`, safe: false, changes } };
}

function helpFor({ path, meant, tooDeep }: Misplaced): string {
  const places = meant.map((place) => formatPath(place as FieldPath));
  if (tooDeep) return `leave out the level "${path.at(-1)}" and set ${list(places, 'and')}`;
  return `did you mean ${list(places, 'or')}?`;
}

function list(words: readonly string[], last: string): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}
