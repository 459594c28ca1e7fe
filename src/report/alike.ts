/**
 * What a comment, or a part of the summary, is about: one finding, or findings that say the same of several names. Forty-five alike are
 * one with a list, as nobody reads the second of them.
 */
import { groupBy } from '../core/group.js';
import type { Finding } from '../core/model.js';

export type Topic = {
  /** What it is known by from run to run; of a group, for as long as any of its findings is there. */
  key: string;
  /** The first stands for all. */
  findings: readonly [Finding, ...Finding[]];
};

/** So many alike still stand each by itself; with a suggestion more do, as each of them can be taken with a click. */
const single = { plain: 3, suggested: 10 };

/** In the order of the first finding of each. */
export function topicsOf(
  findings: readonly Finding[],
  isSuggested: (finding: Finding) => boolean = () => false,
): Topic[] {
  return [...groupBy(findings, likenessOf)].flatMap(([likeness, same]) => {
    const [plain, suggested] = [same.filter((one) => !isSuggested(one)), same.filter(isSuggested)];
    return [
      ...together(plain, single.plain, likeness),
      ...together(suggested, single.suggested, `${likeness} suggested`),
    ];
  });
}

function together(findings: readonly Finding[], most: number, likeness: string): Topic[] {
  const [first, ...others] = findings;
  if (first && findings.length > most) return [{ key: `alike ${likeness}`, findings: [first, ...others] }];
  return findings.map((finding) => ({ key: finding.fingerprint, findings: [finding] }));
}

/** The rule and its sentence without the names in it, which stand in quotes. What others it is true of does not count. */
function likenessOf({ rule, severity, message }: Finding): string {
  return JSON.stringify([rule, severity, message.replace(/"[^"]*"/g, '"…"')]);
}

/** The names in quotes in which a finding differs from the first of those that say the same. */
export function ownNames(first: Finding, finding: Finding): string[] {
  const names = namesIn(first);
  return namesIn(finding).filter((name, index) => name !== names[index]);
}

function namesIn({ message }: Finding): string[] {
  return [...message.matchAll(/"([^"]*)"/gu)].map(([, name = '']) => name);
}
