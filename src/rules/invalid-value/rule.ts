import { ownedIn, reached } from '../../cluster/owned-values.js';
import type { FieldPath, Json, JsonObject } from '../../core/model.js';
import { formatPath, isObject, label, lookUp } from '../../core/object.js';
import { moved, quoted, rewritten } from '../../core/remedies.js';
import { misplaced } from '../../cozystack/misplaced.js';
import { type Misshapen, misshapen } from '../../cozystack/misshapen.js';
import { adviceOn, faultOf, typeNouns, type ValueAdvice } from '../../schema/helm-words.js';
import type { Rule, RuleContext } from '../rule.js';
import { placeOf, type WrittenValues, writtenValues } from '../support/chart-values.js';

const messages = {
  valuesNoMap: (object: string, component: string, noun: string) =>
    `${object} sets the values of component "${component}" to ${noun}, so Helm gets no values for it`,
  subchart: (object: string, field: string, noun: string) =>
    `${object} sets ${field} to ${noun}, but a sub-chart needs a map, so Helm refuses the release`,
  otherShape: (object: string, field: string, noun: string, expected: string) =>
    `${object} sets ${field} to ${noun} where the chart has ${expected}, so templates fail or ignore it`,
  refused: (object: string, field: string, fault: string, schema: string) =>
    `${object}: ${field} ${fault} (${schema}), so the upgrade fails`,
};

export default {
  id: 'invalid-value',
  group: 'values',
  compares: 'value',
  severity: 'error',
  summary: 'a Package or an application sets a value that its chart cannot use or that the schema of the chart refuses',
  messages,
  check(context) {
    for (const written of writtenValues(context)) {
      if (isObject(written.values)) judge(written, written.values, context);
      else if (written.values !== null) judgeWhole(written, context);
    }
  },
} satisfies Rule;

/** What helm-controller cannot read as a map it takes for no values. */
function judgeWhole({ object, component = '', values, path }: WrittenValues, context: RuleContext) {
  if (isSaid(object.ref.name, object.value, path, context)) return;
  context.report({
    message: messages.valuesNoMap(label(object.ref), component, nounOf(values)),
    help: typeof values === 'string' ? 'write them as a map, without the | or the quotes' : 'write them as a map',
    at: { object, path, part: 'value' },
  });
}

function judge(written: WrittenValues, values: JsonObject, context: RuleContext) {
  const { object, path, charts } = written;
  const [first = [], ...others] = charts.map((chart) => misshapen(values, chart));
  for (const one of first) {
    // Where the variant is not known, what one of the charts takes is not wrong.
    if (!others.every((found) => found.some((other) => formatPath(other.path) === formatPath(one.path)))) continue;
    const field = [...path, ...one.path];
    if (written.component !== undefined && isSaid(object.ref.name, object.value, field, context)) continue;
    const value = lookUp(values, one.path) as Json;
    context.report({
      message: messageOf(one, written, value),
      ...adviceFor(one, values, written, context),
      at: { object, path: field, part: isUnknown(one) || typeof value === 'object' ? 'key' : 'value' },
      ...((one.kind === 'shape' || (one.kind === 'schema' && one.optional)) && { severity: 'warning' as const }),
    });
  }
}

function messageOf(one: Misshapen, written: WrittenValues, value: Json): string {
  const name = label(written.object.ref);
  const field = placeOf(one.path, written);
  if (one.kind === 'subchart') return messages.subchart(name, field, nounOf(value));
  if (one.kind === 'shape') return messages.otherShape(name, field, nounOf(value), nouns[one.expected]);
  const chart = one.chart.at(-1);
  const schema = chart === undefined ? 'schema of its chart' : `schema of chart "${chart}"`;
  return messages.refused(name, field, faultOf(one.refusal), schema);
}

const nouns = { map: 'a map', list: 'a list', scalar: 'a single value' };

function nounOf(value: Json): string {
  if (Array.isArray(value)) return 'a list';
  if (isObject(value)) return 'a map';
  return typeNouns[typeof value] ?? 'null';
}

function isUnknown(one: Misshapen): boolean {
  return one.kind === 'schema' && one.refusal.unknownKey === true;
}

/** With what can be done about it, where that is one thing. */
function adviceFor(one: Misshapen, values: JsonObject, written: WrittenValues, context: RuleContext) {
  const { instead, ...help } = helpFor(one, values, written, context);
  const { object, path } = written;
  const at = { object, path: [...path, ...one.path] };
  if (!instead) return help;
  if ('place' in instead) return { ...help, remedy: moved(object, at.path, [...path, ...instead.place]) };
  if ('quotes' in instead) return { ...instead, remedy: quoted(at, String(instead.quotes)) };
  return { ...help, remedy: rewritten(at, instead.value) };
}

function helpFor(
  one: Misshapen,
  values: JsonObject,
  written: WrittenValues,
  { known: { contract } }: RuleContext,
): ValueAdvice {
  const { charts, component } = written;
  if (one.kind === 'subchart') return { help: 'write a map' };
  if (one.kind === 'shape') return { help: `write ${nouns[one.expected]}` };
  if (!isUnknown(one)) return adviceOn(lookUp(values, one.path) as Json, one.refusal);
  const [chart] = charts;
  const guess =
    chart &&
    misplaced(values, { ...contract.values, chart, names: component === undefined ? written.names : [component] });
  const { meant, isPart } = guess?.find(({ path }) => formatPath(path) === formatPath(one.path)) ?? {};
  const places = meant?.map((place) => placeOf(place, written)).join(' or ');
  const [place, another] = meant ?? [];
  return {
    help: places ? `did you mean ${places}?` : 'remove it, or correct its path',
    ...(place && !another && !isPart && { instead: { place } }),
  };
}

/** That the chart's own values are taken from it is said by `chart-owned-value`. */
function isSaid(name: string, value: Json, field: FieldPath, context: RuleContext): boolean {
  return ownedIn(name, context.known).some((owned) => {
    const written = reached(value, owned.field);
    return written !== undefined && formatPath(written.path) === formatPath(field);
  });
}
