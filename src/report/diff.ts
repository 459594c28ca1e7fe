/** What a merge does in the cluster, for people: objects, their fields with values and owners, and the lines they come from. */
import type { FieldPath, Json, Location } from '../model.js';
import { inventoryId, spell } from '../object.js';
import { type FieldChange, isOfFlux } from '../simulate/changes.js';
import type { ObjectOutcome, Simulation } from '../simulate/simulate.js';
import { printable, shorten } from './escape.js';
import { plural } from './summary.js';
import { maskedValue } from './values.js';

export type DiffOptions = {
  color: boolean;
  /** The line of a field of a rendered object. */
  locate(outcome: ObjectOutcome, path: FieldPath): Location | undefined;
};

type Paint = (code: number, text: string) => string;

const signs: Record<ObjectOutcome['action'], [sign: string, color: number, words: string]> = {
  created: ['+', 32, 'is created'],
  changed: ['~', 33, 'is changed'],
  deleted: ['-', 31, 'is deleted'],
  left: ['·', 36, 'is left behind, as it is'],
  refused: ['!', 31, 'is refused'],
};

/** Longer values are cut: a difference is read, not copied. */
const longest = 80;

export function diffText(simulations: readonly Simulation[], options: DiffOptions): string {
  const paint: Paint = (code, text) => (options.color ? `\u001b[${code}m${text}\u001b[0m` : text);
  return simulations.map((one) => oneCluster(one, options, paint)).join('\n');
}

function oneCluster(simulation: Simulation, options: DiffOptions, paint: Paint): string {
  const { cluster, outcomes, unknown, reconciles } = simulation;
  const title = cluster === undefined ? [] : [paint(1, `cluster ${printable(cluster)}`), ''];
  const blocks = outcomes.map((outcome) => objectLines(outcome, options, paint));
  const stopped = reconciles
    .filter(({ first, second }) => second.reason !== 'ReconciliationSucceeded' || first.reason !== second.reason)
    .map(({ path, first, second }) => stoppedWords(path, first.reason, second.reason));
  return [
    ...[...title, ...blocks.flat(), ...(blocks.length > 0 ? [''] : [])],
    paint(1, totals(outcomes)),
    ...stopped.map((line) => `  ${line}`),
    ...unknown.map(({ what, why }) => `  not simulated: ${printable(what)}: ${why}`),
    '',
  ].join('\n');
}

function objectLines(outcome: ObjectOutcome, options: DiffOptions, paint: Paint): string[] {
  const [sign, color, words] = signs[outcome.action];
  const { kind, namespace, name } = outcome.ref;
  const label = printable([kind, namespace && `${namespace}/${name}`, !namespace && name].filter(Boolean).join(' '));
  const at = options.locate(outcome, ['metadata', 'name']);
  const head = `${paint(color, sign)} ${paint(1, label)} ${words}${placeOf(at)}`;
  if (outcome.action === 'refused') return [head, `    ${printable(outcome.why ?? '')}`];
  if (outcome.action !== 'changed') return [head];
  const shown = outcome.fields.filter(({ path }) => !isOfFlux(path));
  const lines = shown.map((field) => `    ${fieldLine(field, outcome, options, paint)}`);
  return [head, ...(lines.length > 0 ? lines : ['    only the labels of Flux'])];
}

function fieldLine(field: FieldChange, outcome: ObjectOutcome, options: DiffOptions, paint: Paint): string {
  const { path, before, after } = field;
  const words = (value: Json | undefined) => valueWords(outcome, path, value);
  const [sign, color] = before === undefined ? ['+', 32] : after === undefined ? ['-', 31] : ['~', 33];
  const change =
    before === undefined
      ? words(after)
      : after === undefined
        ? words(before)
        : words(before) === words(after)
          ? words(after)
          : `${words(before)} → ${words(after)}`;
  const at = after === undefined ? undefined : options.locate(outcome, path);
  return `${paint(color as number, sign as string)} ${printable(spell(path))}: ${change}${ownerWords(field)}${placeOf(at)}`;
}

function valueWords(outcome: ObjectOutcome, path: FieldPath, value: Json | undefined): string {
  if (value === undefined) return '';
  return printable(shorten(JSON.stringify(shownValue(outcome, path, value)), longest));
}

function shownValue({ ref, object }: ObjectOutcome, path: FieldPath, value: Json): Json {
  return maskedValue({ ref, value: object?.value ?? {} }, path, value);
}

/** `helm-controller → kustomize-controller`; nothing where Flux alone has it before and after. */
function ownerWords({ ownersBefore, ownersAfter }: FieldChange): string {
  const [had, has] = [ownersBefore, ownersAfter].map((owners) => owners.map((owner) => printable(owner)).join(' and '));
  if (had === has || (!had && has === 'kustomize-controller')) return '';
  if (!had) return `, now of ${has}`;
  if (!has) return `, was of ${had}`;
  return `, ${had} → ${has}`;
}

function placeOf(at: Location | undefined): string {
  return at ? `  ${printable(at.file)}:${at.range.start.line}` : '';
}

function totals(outcomes: readonly ObjectOutcome[]): string {
  const count = (action: ObjectOutcome['action']) => outcomes.filter((one) => one.action === action).length;
  const parts = (['created', 'changed', 'deleted', 'left', 'refused'] as const)
    .filter((action) => count(action) > 0)
    .map((action) => `${count(action)} ${action === 'left' ? 'left behind' : action}`);
  return parts.length > 0
    ? `${plural(outcomes.length, 'object')}: ${parts.join(', ')}`
    : 'Nothing changes in the cluster';
}

function stoppedWords(path: string, first: string, second: string): string {
  const where = path === '.' ? 'the repository' : `"${printable(path)}"`;
  const then = first === second ? 'and stays so' : `then ${second === 'ReconciliationSucceeded' ? 'Ready' : second}`;
  return first === 'ReconciliationSucceeded'
    ? `${where} is Ready, then ${second}`
    : `${where} is not applied as it stands: ${first}, ${then}`;
}

/** Everything there is to know, for programs. */
export function diffData(simulations: readonly Simulation[], { locate }: DiffOptions) {
  return simulations.map(({ cluster, reconciles, outcomes, unknown }) => ({
    ...(cluster !== undefined && { cluster }),
    reconciles: reconciles.map(({ path, first, second }) => ({ path, first: first.reason, second: second.reason })),
    objects: outcomes.map((outcome) => ({
      id: inventoryId(outcome.ref),
      ...outcome.ref,
      action: outcome.action,
      ...(outcome.why !== undefined && { why: outcome.why }),
      ...placed(locate(outcome, ['metadata', 'name'])),
      fields: outcome.fields.map((field) => ({
        ...field,
        ...masked(outcome, field),
        ...placed(field.after === undefined ? undefined : locate(outcome, field.path)),
      })),
    })),
    notSimulated: unknown,
  }));
}

function masked(outcome: ObjectOutcome, { path, before, after }: FieldChange) {
  const shown = (value: Json) => shownValue(outcome, path, value);
  return {
    ...(before !== undefined && { before: shown(before) }),
    ...(after !== undefined && { after: shown(after) }),
  };
}

function placed(at: Location | undefined) {
  return at ? { file: at.file, line: at.range.start.line } : {};
}
