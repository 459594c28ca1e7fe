/** What a merge does in the cluster, for people: objects, their fields with values and owners, and the lines they come from. */

import { defined } from '../core/defined.js';
import { fence, printable } from '../core/escape.js';
import { groupBy } from '../core/group.js';
import type { Diff, FieldDiff, Json, Location, ObjectDiff } from '../core/model.js';
import { formatPath, inventoryId } from '../core/object.js';
import { isOfFlux } from '../flux/settings.js';
import { nameInDiff, pairInDiff, valueInDiff } from './diff-words.js';
import { folded } from './folded.js';
import { type Paint, painter, type Style } from './paint.js';
import { plural } from './summary.js';

const signs: Record<ObjectDiff['action'], [sign: string, color: Style, words: string]> = {
  created: ['+', 'green', 'is created'],
  changed: ['~', 'yellow', 'is changed'],
  deleted: ['-', 'red', 'is deleted'],
  left: ['·', 'cyan', 'is left behind, as it is'],
  refused: ['!', 'red', 'is refused'],
};

/** Names of that many are said. */
const maxNames = 8;

/** How a line is laid out that begins with a sign; `splits`: what changes is a line that goes and one that comes. */
type Layout = {
  paint: Paint;
  line(depth: number, sign: string, color: Style, text: string): string;
  splits: boolean;
  hasFields: boolean;
};

export function diffText(diffs: readonly Diff[], { color }: { color: boolean }): string {
  const paint = painter(color);
  const line: Layout['line'] = (depth, sign, style, text) => `${' '.repeat(depth)}${paint(sign, style)} ${text}`;
  return diffs.map((one) => oneCluster(one, { paint, line, splits: false, hasFields: true })).join('\n');
}

/** For a block in the language `diff`: GitHub colours the lines that begin with a plus or a minus, and no others. */
function pageLines(diffs: readonly Diff[], hasFields: boolean): string[] {
  const paint = painter(false);
  const line: Layout['line'] = (depth, sign, _, text) => `${sign} ${' '.repeat(depth)}${text}`;
  const text = diffs.map((one) => oneCluster(one, { paint, line, splits: true, hasFields })).join('\n');
  return text.trimEnd().split('\n');
}

/** Longer differences are opened by whoever wants to read them; the objects alone are shown. */
const maxOpen = 40;

/** Blocks of Markdown, of about as many bytes at the most. */
export function diffMarkdown(diffs: readonly Diff[], maxBytes: number): string[] {
  const title = '### What the merge does';
  const lines = pageLines(diffs, true);
  if (lines.length === 1) return [title, `${lines[0]}.`];
  const { shown, rest } = within(lines, maxBytes);
  const more = rest > 0 ? [`**${plural(rest, 'more line')}:** run \`customizer-lint diff\`.`] : [];
  if (shown.length <= maxOpen) return [title, fence(shown, 'diff'), ...more];
  const objects = pageLines(diffs, false);
  const others = objects.length - maxOpen;
  const overview = others > 0 ? [...objects.slice(0, maxOpen), `  and ${plural(others, 'more line')}, below`] : objects;
  const sum = `${totals(diffs.flatMap(({ objects }) => objects))}.`;
  return [title, sum, fence(overview, 'diff'), folded('All of it, field by field', [fence(shown, 'diff'), ...more])];
}

/** As many of the lines as there is room for. */
function within(lines: readonly string[], maxBytes: number): { shown: string[]; rest: number } {
  const shown: string[] = [];
  let used = 0;
  for (const line of lines) {
    used += Buffer.byteLength(line) + 1;
    if (used > maxBytes) break;
    shown.push(line);
  }
  return { shown, rest: lines.length - shown.length };
}

function oneCluster({ cluster, objects, notSimulated, reconciles }: Diff, layout: Layout): string {
  const { paint } = layout;
  const title = cluster === undefined ? [] : [paint(`cluster ${printable(cluster)}`, 'bold'), ''];
  const blocks = objects.map((object) => objectLines(object, layout));
  const ready = 'ReconciliationSucceeded';
  const stopped = reconciles.filter(({ first, second, unsure }) => second !== ready || first !== second || unsure);
  return [
    ...title,
    ...blocks.flat(),
    ...(blocks.length > 0 ? [''] : []),
    paint(totals(objects), 'bold'),
    ...stopped.flatMap(stoppedLines).map((line) => `  ${line}`),
    ...unknownLines(notSimulated).map((line) => `  ${line}`),
    '',
  ].join('\n');
}

function objectLines(object: ObjectDiff, layout: Layout): string[] {
  const { action, ref, at, why, unsure, dependents, fields } = object;
  const [sign, color, words] = signs[action];
  const head = layout.line(0, sign, color, `${layout.paint(nameInDiff(ref), 'bold')} ${words}${placeOf(at)}`);
  if (!layout.hasFields) return [head];
  const waiting = dependents.length > 0 ? [`    waiting for it: ${listed(dependents)}`] : [];
  const refusal = [
    ...(why === undefined ? [] : [`    ${printable(why)}`]),
    ...(unsure === undefined ? [] : [`    not certain: ${printable(unsure)}`]),
  ];
  if (action !== 'changed') return [head, ...refusal, ...waiting];
  const shown = fields.filter(({ path }) => !isOfFlux(path));
  const lines = shown.flatMap((field) => fieldLines(field, layout));
  return [head, ...(lines.length > 0 ? lines : ['    only the labels of Flux']), ...waiting];
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, maxNames).map((name) => printable(name));
  return [...shown, ...(names.length > maxNames ? [`and ${names.length - maxNames} more`] : [])].join(', ');
}

function fieldLines(field: FieldDiff, { line, splits }: Layout): string[] {
  const { path, after, at } = field;
  const [was, is] = valuesOf(field);
  const name = printable(formatPath(path));
  const rest = `${ownerWords(field)}${placeOf(after === undefined ? undefined : at)}`;
  if (splits && was !== undefined && is !== undefined && was !== is)
    return [line(4, '-', 'red', `${name}: ${was}`), line(4, '+', 'green', `${name}: ${is}${rest}`)];
  const [color, sign] = signOf(field);
  return [line(4, sign, color, `${name}: ${changeWords(was, is)}${rest}`)];
}

function signOf({ before, after }: FieldDiff): [color: Style, sign: string] {
  if (before === undefined) return ['green', '+'];
  return after === undefined ? ['red', '-'] : ['yellow', '~'];
}

function valuesOf({ before, after }: FieldDiff): [was: string | undefined, is: string | undefined] {
  if (before !== undefined && after !== undefined) return pairInDiff(before, after);
  const words = (value: Json | undefined) => (value === undefined ? undefined : valueInDiff(value));
  return [words(before), words(after)];
}

function changeWords(was: string | undefined, is: string | undefined): string {
  if (was === undefined || is === undefined || was === is) return is ?? was ?? '';
  return `${was} → ${is}`;
}

/** `helm-controller → kustomize-controller`; nothing where Flux alone has it before and after. */
function ownerWords({ ownersBefore, ownersAfter }: FieldDiff): string {
  const [had, has] = [ownersBefore, ownersAfter].map((owners) => owners.map((owner) => printable(owner)).join(' and '));
  if (had === has || (!had && has === 'kustomize-controller')) return '';
  if (!had) return `, now of ${has}`;
  if (!has) return `, was of ${had}`;
  return `, ${had} → ${has}`;
}

function placeOf(at: Location | undefined): string {
  return at ? `  ${printable(at.file)}:${at.range.start.line}` : '';
}

/** `3 objects: 1 created, 2 changed`. */
export function totals(objects: readonly ObjectDiff[]): string {
  const count = (action: ObjectDiff['action']) => objects.filter((one) => one.action === action).length;
  const parts = (['created', 'changed', 'deleted', 'left', 'refused'] as const)
    .filter((action) => count(action) > 0)
    .map((action) => `${count(action)} ${action === 'left' ? 'left behind' : action}`);
  return parts.length > 0
    ? `${plural(objects.length, 'object')}: ${parts.join(', ')}`
    : 'Nothing changes in the cluster';
}

/** Reasons that no condition has: it is not even tried. */
const notTried: { readonly [reason: string]: string } = {
  Suspended: 'is suspended, so nothing of it is applied',
  NotThere: 'is not applied, as its Flux Kustomization is not in the cluster',
  DependencyNotReady: 'is not applied, as it waits for another that is not ready',
};

function stoppedLines({ path, first, second, stopped, why, unsure }: Diff['reconciles'][number]): string[] {
  const where = path === '.' ? 'the repository' : `"${printable(path)}"`;
  const more = [
    ...(stopped.length > 0 && !notTried[second] ? [`stopped with it: ${listed(stopped.map(nameInDiff))}`] : []),
    ...(unsure === undefined ? [] : [`not certain of ${where}: ${printable(unsure)}`]),
  ];
  if (why !== undefined)
    return [`${where} cannot be built, so what is there of it stays as it is: ${first}: ${printable(why)}`, ...more];
  if (first === second && notTried[first]) return [`${where} ${notTried[first]}`, ...more];
  const good = 'ReconciliationSucceeded';
  if (first === good && second === good) return more;
  const then = first === second ? 'and stays so' : `then ${second === good ? 'Ready' : second}`;
  const line =
    first === good ? `${where} is Ready, then ${second}` : `${where} is not applied as it stands: ${first}, ${then}`;
  return [line, ...more];
}

/** By reason, as a repository may have hundreds of a kind that nobody knows. */
function unknownLines(all: Diff['notSimulated']): string[] {
  const byReason = groupBy(all, ({ why }) => why);
  return [...byReason].map(([why, same]) => `not simulated: ${listed(same.map(({ what }) => what))}: ${why}`);
}

/** Everything there is to know, for programs. */
export function diffData(diffs: readonly Diff[]) {
  return diffs.map(({ cluster, reconciles, objects, notSimulated }) => ({
    ...defined({ cluster }),
    reconciles: reconciles.map(({ stopped, ...rest }) => ({ ...rest, stopped: stopped.map(inventoryId) })),
    objects: objects.map(({ ref, action, why, unsure, at, fields, dependents }) => ({
      id: inventoryId(ref),
      ...ref,
      action,
      ...defined({ why, unsure }),
      ...placed(at),
      ...(dependents.length > 0 && { dependents }),
      fields: fields.map(({ at, ...field }) => ({ ...field, ...placed(at) })),
    })),
    notSimulated,
  }));
}

function placed(at: Location | undefined) {
  return at ? { file: at.file, line: at.range.start.line } : {};
}
