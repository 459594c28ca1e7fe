/** One object, field by field, for people: where each comes from, whose it is, and what applying it and removing it does. */
import { isDeepStrictEqual } from 'node:util';
import type { Below } from '../charts/below.js';
import type { FieldOwnership } from '../cluster/field-owner.js';
import { printable, shorten } from '../core/escape.js';
import type { FieldPath, Json, RenderedObject } from '../core/model.js';
import { formatPath, isWithin } from '../core/object.js';
import { conditionWords, platformName } from '../cozystack/ownership.js';
import { pairInDiff } from '../report/diff-words.js';
import { maskText } from '../secrets/mask.js';
import { maskedValue } from '../secrets/masked-values.js';
import type { FieldChange } from '../simulate/changes.js';
import { type FieldOutcome, flux, type ObjectOutcome, type Removal } from '../simulate/outcome.js';
import { belowLines } from './below.js';

/** `line` and `column` from 1. */
type SourcePosition = { file: string; line: number; column: number };

export type ExplainedField = {
  path: FieldPath;
  /** What the repository has there; absent where it sets nothing. */
  written?: {
    value?: Json;
    /** By a patch: then there is no value. */
    removed?: true;
    /** Each place once, the last that wrote it first. */
    setBy: (SourcePosition & { by: string })[];
    /** The anchor of YAML that the value came through. */
    alias?: SourcePosition;
    /** The best that is known where nothing is known of the lines. */
    file: string;
  };
  /** Whether it was asked for, and so is told in full. */
  isWanted: boolean;
  /** Whether it stands for what was asked for, in what is told but once. */
  isFirst: boolean;
  contract?: FieldOwnership;
  /** Absent for what says which object it is, and for all but the first field of a list. */
  fate?: FieldOutcome;
  /** What it is sent as, where that is another field. */
  sentAs?: FieldPath;
  removal?: Removal;
  /** In the objects of its chart, where charts were given. */
  below?: Below;
};

export type Explained = {
  object: RenderedObject;
  cluster?: string;
  fate: ObjectOutcome;
  fields: ExplainedField[];
};

/** Longer values are cut, but not the one that is explained. */
const longest = 80;

export function explainText(explained: readonly Explained[]): string {
  return explained.map((one) => `${lines(one).map(printable).join('\n')}\n`).join('\n');
}

function lines({ object, cluster, fate, fields }: Explained): string[] {
  const { kind, namespace, name } = object.ref;
  const where = cluster === undefined ? '' : `, cluster ${cluster}`;
  return [
    `${kind} ${namespace ? `${namespace}/` : ''}${name} in ${object.entrypoint}${where}`,
    `  ${objectWords(fate)}`,
    ...fields.flatMap((field) => fieldLines(field, object, fate)),
  ];
}

function objectWords({ action, why = '', unsure }: ObjectOutcome): string {
  const words = {
    created: 'is created',
    changed: 'is changed',
    unchanged: 'stays as it is in the cluster',
    deleted: 'is deleted',
    refused: 'is refused',
    stopped: 'is not applied',
    skipped: 'is passed over',
    unknown: 'is not simulated',
  };
  const told = why ? `${words[action]}: ${maskText(why)}` : words[action];
  return unsure === undefined ? told : `${told} (not certain: ${maskText(unsure)})`;
}

function fieldLines(field: ExplainedField, object: RenderedObject, objectFate: ObjectOutcome): string[] {
  const { path, written } = field;
  const name = formatPath(path);
  const say = (label: string, words: string | undefined) => (words ? [`    ${label.padEnd(6)}  ${words}`] : []);
  const whole = written?.value === undefined ? '' : JSON.stringify(maskedValue(object, path, written.value));
  return [
    written ? `  ${name}${written.removed ? ' (removed)' : ` = ${whole}`}` : `  ${name} is not set`,
    ...(written ? writtenLines(written) : []),
    ...say('whose', contractWords(field, object)),
    ...say('owner', ownerWords(field)),
    ...say('apply', applyWords(field, object, objectFate)),
    ...say('remove', removalWords(field, object)),
    ...(field.below ? belowLines(field.below) : []).map(
      (line, index) => `    ${(index === 0 ? 'below' : '').padEnd(6)}  ${line}`,
    ),
  ];
}

function writtenLines({ setBy, alias, file }: NonNullable<ExplainedField['written']>): string[] {
  const at = ({ file, line, column }: SourcePosition) => `${file}:${line}:${column}`;
  return [
    ...(alias ? [`    by alias  ${at(alias)}`] : []),
    ...(setBy.length === 0 ? [`    somewhere in ${file}`] : []),
    ...setBy.map((place, index) => `    ${index === 0 ? 'set by' : 'before'}  ${place.by.padEnd(12)} ${at(place)}`),
  ];
}

/** What is the repository's own anyway is said to who asks for it only. */
function contractWords({ contract, isWanted, path }: ExplainedField, object: RenderedObject): string | undefined {
  if (!contract || (!isWanted && contract.customizer !== 'never')) return undefined;
  const { owner, customizer, why, field, set, when } = contract;
  const because = why === undefined ? '' : `: ${why}`;
  if (owner === 'nobody') return `nobody else's${because}`;
  if (owner === 'customizer')
    return customizer === 'only' ? "the repository's, for some values only" : "the repository's";
  const whose = owner === 'Helm' || owner === 'Flux' ? `${owner}'s` : `the ${owner}'s`;
  if (!field) return `${whose}${because}`;
  const value = set === undefined || typeof set === 'object' ? '' : ` to ${short(set, path, object)}`;
  const once = when ? ` once ${conditionWords(when)}` : '';
  const what = isWithin(path, field) ? `${whose}, which sets it` : `in part ${whose}, which sets ${formatPath(field)}`;
  return `${what}${value}${once}${because}${insteadOf(contract)}`;
}

function insteadOf({ knob, atInstall }: FieldOwnership): string {
  if (knob === undefined) return '';
  return atInstall
    ? `; ${knob} of Package "${platformName}" decides it at the installation`
    : `; set ${knob} of Package "${platformName}" instead`;
}

/** Field managers before and after; that Flux alone has it is what is to be expected. */
function ownerWords({ fate, isWanted }: ExplainedField): string | undefined {
  const { ownersBefore: had = [], ownersAfter: has = [] } = fate ?? {};
  const [before, after] = [had, has].map(list);
  if (!before && !after) return undefined;
  if (!isWanted && [...had, ...has].every((owner) => owner === flux)) return undefined;
  if (before === after) return after;
  return before ? `${before} → ${after || 'nobody'}` : after;
}

function list(owners: readonly string[]): string {
  return owners.join(' and ');
}

function applyWords(field: ExplainedField, object: RenderedObject, objectFate: ObjectOutcome): string | undefined {
  const { fate, isWanted, sentAs } = field;
  if (!fate) return undefined;
  const { outcome, before, after, from, replaced, path } = fate;
  const show = (value: Json | undefined) => short(value, path, object);
  const isOther = before !== undefined && !isDeepStrictEqual(before, after);
  const change = show(before) === show(after) ? 'another value' : `${show(before)} → ${show(after)}`;
  const others = fate.ownersAfter.filter((owner) => owner !== flux);
  const words = (): string | undefined => {
    if (outcome === 'gone') return `goes: ${show(before)}${from.length > 0 ? ` of ${list(from)}` : ''}`;
    if (outcome === 'taken' && replaced)
      return `taken from ${list(from)}, in place of ${formatPath(replaced.path)}: ${short(replaced.value, replaced.path, object)}`;
    if (outcome === 'taken')
      return `taken from ${list(from)}${isOther ? `: ${change}` : ', with the value that it has'}`;
    if (outcome === 'changed') return change;
    if (outcome === 'unsent')
      return 'left out by Flux, without a word: its kind has no such field, or there is nothing in it';
    if (outcome === 'dropped') return 'dropped by the API server, without a word';
    if (!sentAs && changesNothing(field, fate)) return `nothing: ${show(after)} stays`;
    if (!isWanted) return undefined;
    if (outcome === 'held') return `nothing, as the object ${objectWords({ action: objectFate.action })}`;
    if (outcome === 'shared') return `stays; ${list(others)} has set it too`;
    return { added: 'new', unchanged: 'stays', absent: undefined }[outcome];
  };
  const text = words();
  if (text && sentAs) return `as ${formatPath(sentAs)}; ${text}`;
  return text && isInList(field.path, fate) && outcome !== 'unsent' ? `the list ${formatPath(path)}: ${text}` : text;
}

/** Then only the list as a whole is known before and after. */
function isInList(path: FieldPath, fate: FieldOutcome): boolean {
  return fate.path.length < path.length;
}

/** A null, or a map with nothing in it, over a map. */
function changesNothing({ written, path }: ExplainedField, { path: place, outcome, after }: FieldOutcome): boolean {
  const stays = (outcome === 'shared' || outcome === 'unchanged') && place.length === path.length;
  return stays && isNothing(written?.value) && !isNothing(after);
}

function isNothing(value: Json | undefined): boolean {
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}

function removalWords(field: ExplainedField, object: RenderedObject): string | undefined {
  const { removal, isFirst, path } = field;
  if (!removal) return undefined;
  const { outcome, why = '', after, owners = [], others } = removal;
  const show = (value: Json | undefined) => short(value, path, object);
  const rest = owners.filter((owner) => owner !== flux);
  const words = {
    goes: `goes${restoredWords(field)}`,
    stays: rest.length > 0 ? `stays, as ${list(rest)} has set it too` : 'stays',
    becomes: `becomes ${show(after)}`,
    refused: `refused: ${maskText(why)}`,
    stopped: `not applied: ${maskText(why)}`,
  }[outcome];
  const told = isFirst ? others.slice(0, 3).map((change) => otherWords(change, object)) : [];
  const more = isFirst && others.length > 3 ? [`${others.length - 3} more fields change`] : [];
  return [words, ...told, ...more].join('; ');
}

/** Nobody watches it: Helm writes its objects when it upgrades a release (simulate/FACTS.md). */
function restoredWords({ contract, path, fate }: ExplainedField): string {
  if (contract?.owner === 'platform administrator') return ', and nobody brings it back';
  const isCharts = contract?.owner === 'platform chart' && !contract.when && isWithin(path, contract.field ?? path);
  if (isCharts || contract?.owner === 'Helm') return ', and is back only when the platform is next upgraded';
  return fate && fate.from.length > 0 ? `, and is back only when ${list(fate.from)} writes it again` : '';
}

function otherWords({ path, before, after }: FieldChange, object: RenderedObject): string {
  const name = formatPath(path);
  if (after === undefined) return `${name} goes: ${short(before, path, object)}`;
  if (after === null) return `${name} is left as null`;
  if (before === undefined) return `${name} is ${short(after, path, object)}`;
  const [was, is] = pairInDiff(maskedValue(object, path, before), maskedValue(object, path, after));
  return was === is ? `${name} is ${is}` : `${name}: ${was} → ${is}`;
}

function short(value: Json | undefined, path: FieldPath, object: RenderedObject): string {
  return value === undefined ? '' : shorten(JSON.stringify(maskedValue(object, path, value)), longest);
}
