/** The funnel: problems of every stage go in; they come out located, merged, weighed and sorted. Nothing else does any of it. */

import { minimatch } from 'minimatch';
import type { Config } from '../config/config.js';
import { defined } from '../core/defined.js';
import { shorten } from '../core/escape.js';
import { groupBy } from '../core/group.js';
import type { FieldPath, Finding, Location, ObjectRef, Place, Problem, Severity } from '../core/model.js';
import { severities } from '../core/model.js';
import { inventoryId } from '../core/object.js';
import { once, oncePer } from '../core/once.js';
import type { Fixer } from '../fix/fixer.js';
import { maySecret } from '../schema/wording.js';
import type { Locator } from '../yaml/locator.js';
import { isAmbiguous, meaningOf } from '../yaml/plain.js';
import { fingerprint } from './fingerprint.js';
import type { Identities } from './identity.js';

/** The longest message, and the longest help, in UTF-16 units: names and values of a hostile repository have no limit. */
const maxWords = 4000;

export type FunnelOptions = {
  locator: Locator;
  config: Config;
  severityOf(rule: string): Severity;
  identities: Identities;
  /** Absent where nothing is to be edited, as in the base. */
  fixer?: Fixer | undefined;
};

export function collect(problems: readonly Problem[], options: FunnelOptions): Finding[] {
  const findings = new Map<string, { finding: Finding; problems: [Problem, ...Problem[]] }>();
  const heard = problems.flatMap((problem) => {
    const finding = toFinding(problem, options);
    return finding ? [{ problem, finding }] : [];
  });
  const better = bySubject(heard.filter(({ problem }) => problem.insteadOf));
  for (const { problem, finding } of heard) {
    if (finding.object && better.get(inventoryId(finding.object))?.some((other) => saysLess(finding, other))) continue;
    // One line that five overlays render is one finding, seen from five entrypoints.
    const { file, revision, range } = finding.at;
    const place = [file, range, finding.precision === 'exact' ? finding.field.at(-1) : finding.message];
    const key = JSON.stringify([finding.rule, revision, ...(problem.joins === undefined ? place : [problem.joins])]);
    const known = findings.get(key);
    if (known) {
      join(known.finding, finding);
      known.problems.push(problem);
    } else findings.set(key, { finding, problems: [problem] });
  }
  for (const { finding, problems: same } of findings.values()) {
    if (options.fixer && same.every(({ remedy }) => remedy))
      Object.assign(finding, fixOf(finding, same, options.fixer, options.locator));
  }
  const sorted = [...findings.values()].sort((a, b) => inReadingOrder(a.finding, b.finding));
  fingerprint(sorted, options.locator);
  for (const { finding, problems: same } of sorted) options.identities.add(finding, same);
  return sorted.map(({ finding }) => finding);
}

/** Worked out when it is asked for, as most findings are never edited. */
function fixOf(
  finding: Finding,
  problems: readonly Problem[],
  fixer: Fixer,
  locator: Locator,
): Required<Pick<Finding, 'fix' | 'heldBack'>> {
  const offer = once(() => fixer.offer(problems));
  const fix = once(() => {
    const { fix } = offer();
    const isClear = problems.every((problem) => problem.quotes === undefined || isPlainlyWritten(problem, locator));
    // What rests on a guess is not done without asking.
    return fix && { ...fix, safe: fix.safe && isClear && finding.assumes.length === 0 };
  });
  return { fix, heldBack: () => offer().heldBack };
}

type Heard = { problem: Problem; finding: Finding };

function bySubject(heard: readonly Heard[]): ReadonlyMap<string | undefined, Heard[]> {
  return groupBy(heard, ({ finding: { object } }) => object && inventoryId(object));
}

/** Whether a problem of another rule tells more of the same field of the same object. */
function saysLess({ rule, field }: Finding, { problem }: Heard) {
  return (problem.insteadOf ?? []).some(
    ({ rules, path }) => rules.includes(rule) && path.every((step, index) => field[index] === step),
  );
}

const idOf = (ref: ObjectRef) => `${ref.apiVersion} ${inventoryId(ref)}`;

/** Of each finding the objects that it names: one line may be about thousands. */
const named = oncePer(({ object, also = [] }: Finding) => new Set((object ? [object, ...also] : also).map(idOf)));

/** What one cluster makes an error is one, whatever the others say of the same line. */
function join(known: Finding, other: Finding): void {
  const { object } = other;
  if (object && !named(known).has(idOf(object))) {
    named(known).add(idOf(object));
    known.also ??= [];
    known.also.push(object);
  }
  known.entrypoints = [...new Set([...known.entrypoints, ...other.entrypoints])].sort();
  if (severities.indexOf(other.severity) >= severities.indexOf(known.severity)) return;
  known.severity = other.severity;
  known.assumes = other.assumes;
}

/** Undefined where the configuration does not want to hear of it. */
function toFinding(problem: Problem, options: FunnelOptions): Finding | undefined {
  const { locator } = options;
  const { at, precision } = locator.locate(problem.at);
  const severity = weigh(problem, at, options);
  if (!severity) return undefined;
  const object = problem.object ?? ('object' in problem.at ? problem.at.object.ref : undefined);
  const entrypoint = problem.entrypoint ?? ('object' in problem.at ? problem.at.object.entrypoint : undefined);
  return {
    rule: problem.rule,
    severity,
    message: shorten(problem.message, maxWords),
    ...defined({ help: helpOf(problem, locator), upstream: problem.upstream }),
    at,
    precision,
    field: fieldOf(problem.at),
    ...defined({ object, unsent: problem.unsent }),
    related: [...related(problem, locator), ...otherPlaces(problem.at, at, locator)],
    entrypoints: entrypoint === undefined ? [] : [entrypoint],
    fingerprint: '',
    assumes: problem.assumes ?? [],
  };
}

/** A guess is never an error: what rests on an assumed fact is a warning at most, unless somebody has set the severity. */
function weigh(problem: Problem, { file }: Location, { config, severityOf }: FunnelOptions): Severity | undefined {
  const { severity: everywhere, paths = [] } = config.rules[problem.rule] ?? {};
  const here = paths.findLast(({ paths: globs }) => globs.some((glob) => minimatch(file, glob, { dot: true })));
  const configured = here?.severity ?? everywhere;
  if (configured) return configured === 'off' ? undefined : configured;
  const severity = problem.severity ?? severityOf(problem.rule);
  return severity === 'error' && (problem.assumes?.length ?? 0) > 0 ? 'warning' : severity;
}

function helpOf(problem: Problem, locator: Locator): string | undefined {
  const { help, quotes } = problem;
  if (quotes === undefined) return help && shorten(help, maxWords);
  const text = maySecret(fieldOf(problem.at)) ? undefined : writtenFor(problem, locator);
  if (text === undefined) return 'quote it';
  return `quote it: "${text}"${isAmbiguous(text) ? `, or "${quotes}" for the number that YAML reads` : ''}`;
}

function isPlainlyWritten(problem: Problem, locator: Locator): boolean {
  const text = writtenFor(problem, locator);
  return text !== undefined && !isAmbiguous(text);
}

/** The very characters that stand there for the value; undefined where others made it. */
function writtenFor({ at, quotes }: Problem, locator: Locator): string | undefined {
  const text = locator.text(at);
  return text !== undefined && meaningOf(text) === String(quotes) ? text : undefined;
}

function related({ related = [] }: Problem, locator: Locator): Finding['related'] {
  return related.map(({ message, at }) => ({ message: shorten(message, maxWords), at: locator.locate(at).at }));
}

/** A reader of the last line that sets a field wants to know which others do, and through which alias it does. */
function otherPlaces(place: Place, found: Location, locator: Locator): Finding['related'] {
  if (!('object' in place) || 'removedBy' in place) return [];
  const alias = locator.alias(place.object, place.path);
  const elsewhere = alias && (alias.file !== found.file || alias.range.start.line !== found.range.start.line);
  return [
    ...(elsewhere ? [{ message: 'repeated here by an alias', at: alias }] : []),
    ...locator.earlier(place.object, place.path).map((at) => ({ message: 'overridden here', at })),
  ];
}

function fieldOf(place: Place): FieldPath {
  return 'path' in place ? place.path : [];
}

export function inReadingOrder(a: Finding, b: Finding): number {
  return (
    compare(a.at.file, b.at.file) ||
    a.at.range.start.line - b.at.range.start.line ||
    a.at.range.start.column - b.at.range.start.column ||
    severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
    compare(a.rule, b.rule) ||
    compare(a.message, b.message)
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
