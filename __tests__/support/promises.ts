/**
 * What docs/stability.md promises, as lists that are committed (`__tests__/project/promises.json`), and what breaks it. A list grows with
 * the product; what is in it stays there until it has been deprecated for two minor versions.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Severity, severities } from '../../src/core/model.js';
import { root } from './cli.js';
import type { Surface } from './surface.js';

export type Promises = {
  /** By id, oldest first: `warning 0.2.0, error 0.4.0`. */
  rules: { [id: string]: string };
  /** By version that is out, of the severities up to it: they are history, which nobody edits. */
  sealed: { [version: string]: string };
  surface: Surface;
  supported: { node: string[]; kubernetes: string[]; cozystack: string[] };
  deprecated: Deprecated[];
};

/** `what` is a line of a list with the list before it, as `configuration: cluster.release` or `rules: dead-patch`. */
type Deprecated = {
  what: string;
  /** The version with which the message came. */
  since: string;
  /** What a user reads who still uses it: words that a test expects. */
  message: string;
  test: string;
};

type Rule = { id: string; severity: Severity };
type Step = { severity: Severity; version: string };

/** The first version that was published: before it there was nobody to surprise. */
const first = '0.1.0';

export function stepsOf(history: string): Step[] {
  return history.split(', ').map((step) => {
    const [, severity, version = ''] = /^(error|warning|notice) (\d+\.\d+\.\d+)$/.exec(step) ?? [];
    if (!severity) throw new Error(`"${step}" is no severity with the version in which it came`);
    return { severity: severity as Severity, version };
  });
}

/** What breaks the promise of the rules: no release turns a repository red that was green. */
export function faultsOfRules(promised: Promises['rules'], rules: readonly Rule[], changelog: string): string[] {
  return rules.flatMap(({ id, severity }) => {
    const history = promised[id];
    if (history === undefined)
      return [`${id} is new: it begins as a warning or a notice, with the version in which it comes`];
    const steps = stepsOf(history);
    return [
      ...(steps.at(-1)?.severity === severity ? [] : [`${id} is ${severity}, and its history ends otherwise`]),
      ...(isSevere(steps[0]) && steps[0]?.version !== first ? [`${id} began as an error`] : []),
      ...steps.slice(1).flatMap((step, index) => faultsOfRise(id, steps[index] as Step, step, changelog)),
    ];
  });
}

const isSevere = (step: Step | undefined) => step?.severity === 'error';
const rank = ({ severity }: Step) => -severities.indexOf(severity);

function faultsOfRise(id: string, before: Step, after: Step, changelog: string): string[] {
  if (rank(after) <= rank(before)) return [];
  const isNoted = [after.version, 'Unreleased'].some((title) => sectionOf(changelog, title).includes(`\`${id}\``));
  return [
    ...(isLaterMinor(after.version, before.version) ? [] : [`${id} rises within a minor version`]),
    ...(isNoted ? [] : [`CHANGELOG.md does not say that \`${id}\` rises in ${after.version}`]),
  ];
}

/** What a version says in the changelog, without the heading. */
function sectionOf(changelog: string, title: string): string {
  const sections = changelog.split(/^## /m).slice(1);
  return sections.find((section) => section.startsWith(title)) ?? '';
}

/** The versions that the changelog has headings for. */
export function released(changelog: string): string[] {
  return [...changelog.matchAll(/^## v?(\d+\.\d+\.\d+)\b/gm)].map(([, version = '']) => version);
}

/** Of all severities up to a version. */
export function sealOf(rules: Promises['rules'], version: string): string {
  const lines = Object.entries(rules).flatMap(([id, history]) => {
    const steps = stepsOf(history).filter((step) => compare(step.version, version) <= 0);
    return steps.map((step) => `${id} ${step.severity} ${step.version}`);
  });
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex');
}

export function faultsOfSeals({ rules, sealed }: Pick<Promises, 'rules' | 'sealed'>, changelog: string): string[] {
  return released(changelog)
    .filter((version) => sealed[version] !== sealOf(rules, version))
    .map((version) => `what rules were in ${version} is not what was sealed with it: ${sealOf(rules, version)}`);
}

/** What is promised, and is gone before its time. An optional field of the report that is always there is still there. */
export function faultsOfSurface(
  promised: Surface,
  now: Surface,
  deprecated: readonly Deprecated[],
  version: string,
): string[] {
  return Object.entries(promised).flatMap(([part, lines]) =>
    lines
      .filter((line) => !now[part]?.includes(line) && !isAlways(line, now[part]))
      .flatMap((line) => faultOfAbsence(`${part}: ${line}`, deprecated, version)),
  );
}

/** Each `?` may go. */
function isAlways(line: string, now: readonly string[] = []): boolean {
  const bare = (one: string) => one.replace(/\?(?=[.:[])/g, '');
  return now.some((one) => bare(one) === bare(line) && marks(one) < marks(line));
}

const marks = (line: string) => line.match(/\?(?=[.:[])/g)?.length ?? 0;

export function faultOfAbsence(what: string, deprecated: readonly Deprecated[], version: string): string[] {
  const entry = deprecated.find((one) => one.what === what);
  if (!entry) return [`${what} is gone, and was not deprecated`];
  const [major, minor] = numbersOf(version);
  const [since, minorSince] = numbersOf(entry.since);
  if (major > since || minor >= minorSince + 2) return [];
  return [`${what} is gone in ${version}, and was deprecated in ${entry.since}: two minor versions have it still`];
}

/** Of what is deprecated a user is told, and a test shows the words. */
export function faultsOfDeprecated(deprecated: readonly Deprecated[]): string[] {
  return deprecated.flatMap(({ what, message, test }) => {
    const file = join(root, test);
    const isShown = existsSync(file) && message.length > 20 && readFileSync(file, 'utf8').includes(message);
    return isShown ? [] : [`${what} is deprecated, and ${test} does not expect its message`];
  });
}

function numbersOf(version: string): [major: number, minor: number, patch: number] {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  return [major, minor, patch];
}

function compare(one: string, other: string): number {
  const [here, there] = [numbersOf(one), numbersOf(other)];
  return here.map((number, index) => number - (there[index] as number)).find((difference) => difference !== 0) ?? 0;
}

function isLaterMinor(one: string, other: string): boolean {
  const [[major, minor], [before, minorBefore]] = [numbersOf(one), numbersOf(other)];
  return major > before || (major === before && minor > minorBefore);
}
