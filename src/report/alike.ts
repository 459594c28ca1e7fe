/**
 * What a comment, or a part of the summary, is about: one finding, or findings that say the same of several names. Forty-five alike are
 * one with a list, as nobody reads the second of them.
 */
import { groupBy } from '../core/group.js';
import type { Finding } from '../core/model.js';
import { areNamesWhole, namesIn, withNames } from '../core/quoted.js';

export type Topic = {
  /** What it is known by from run to run; of a group, for as long as any of its findings is there. */
  key: string;
  /** The first stands for all. */
  findings: readonly [Finding, ...Finding[]];
};

/** So many alike still stand each by itself; with a suggestion more do, as each of them can be taken with a click. */
const single = { plain: 3, suggested: 10 };

export type Grouping = {
  isSuggested?(finding: Finding): boolean;
  /** Which stand by themselves, whatever others say. */
  isAlone?(finding: Finding): boolean;
  /** Whether there is one on these already, by its key: it stays one, however few are left. */
  isOpen?(key: string): boolean;
};

/** In the order of the first finding of each. */
export function topicsOf(findings: readonly Finding[], grouping: Grouping = {}): Topic[] {
  const { isSuggested = () => false, isAlone = () => false } = grouping;
  const [apart, others] = divided(findings, isAlone);
  const groups = [...groupBy(others, likenessOf)].flatMap(([likeness, same]) => {
    const [suggested, plain] = divided(same, isSuggested);
    return [
      ...together(plain, single.plain, `alike ${likeness}`, grouping),
      ...together(suggested, single.suggested, `alike ${likeness} suggested`, grouping),
    ];
  });
  const order = new Map(findings.map((finding, index) => [finding, index]));
  const first = ({ findings: [finding] }: Topic) => order.get(finding) ?? 0;
  return [...apart.map(topicOf), ...groups].sort((a, b) => first(a) - first(b));
}

function divided(findings: readonly Finding[], is: (finding: Finding) => boolean): [Finding[], Finding[]] {
  return [findings.filter((one) => is(one)), findings.filter((one) => !is(one))];
}

function topicOf(finding: Finding): Topic {
  return { key: finding.fingerprint, findings: [finding] };
}

function together(findings: readonly Finding[], most: number, key: string, { isOpen }: Grouping): Topic[] {
  const [first, ...others] = findings;
  return first && (findings.length > most || isOpen?.(key))
    ? [{ key, findings: [first, ...others] }]
    : findings.map(topicOf);
}

/** Longer messages are not compared: nobody would see that they are alike. */
const longest = 1000;

/** The rule and its sentence without the names in it, which stand in quotes. What others it is true of does not count. */
function likenessOf(finding: Finding): string {
  const { rule, severity, message, fingerprint } = finding;
  if (!hasClearNames(finding)) return fingerprint;
  return JSON.stringify([rule, severity, withNames(message, '"…"')]);
}

/** Whether one can tell where names in the message begin and end: not where a name itself has a quote. */
export function hasClearNames({ message, object, field, at }: Finding): boolean {
  if (message.length > longest || !areNamesWhole(message)) return false;
  const known = [at.file, object?.name ?? '', object?.namespace ?? '', ...field.map(String)];
  return !known.some((name) => name.includes('"'));
}

/** The names in quotes in which a finding differs from the first of those that say the same. */
export function ownNames(first: Finding, finding: Finding): string[] {
  const names = namesIn(first.message);
  return namesIn(finding.message).filter((name, index) => name !== names[index]);
}
