/** A run against all that a change is compared with: every last commit that it shares with the base branch, and the tip of that. */
import { defined } from '../core/defined.js';
import type { Finding, Run, Tree } from '../core/model.js';
import { severities } from '../core/model.js';
import { changedFiles } from './changed-files.js';
import { type Compared, openCompared, openHead } from './open.js';
import { type RunOptions, run } from './run.js';

/**
 * Runs `run` once for each commit to compare with. A finding is old only if it is in every shared commit and at the tip: the author
 * of a change picks the first ones, and the tip alone would make what the base branch has gained look deleted.
 */
export async function runChange(options: RunOptions): Promise<Run> {
  const { base, change, round, ...rest } = options;
  const head = await openHead({ ...options, ...defined({ earlier: round?.before?.tree }) });
  const found = base === undefined ? undefined : await openCompared(options.directory, base);
  const shared = found ? { base: withWords(found, base ?? '', head), why: [] } : change;
  const own = { ...rest, head, ...defined({ round }) };
  const others = found?.others ?? change?.others ?? [];
  const tip = found?.tip ?? change?.tip;
  const first = await run({ ...own, ...(shared && { change: shared }) });
  const again = { ...rest, head };
  delete again.writeBaseline;
  let result = first;
  for (const other of others)
    result = merged(result, await run({ ...again, change: { ...shared, base: other, why: [] } }), true);
  if (!tip || !result.findings.some(({ isNew }) => isNew === false)) return result;
  // The configuration that counts stays that of the first run.
  const policy = found ? { tip: found.base } : {};
  return merged(result, await run({ ...again, change: { base: tip, ...policy, why: [] } }), false);
}

/** The base with what a reader has to know if the revision has moved on since. */
function withWords({ base, tip }: Compared, revision: string, head: Tree): Tree {
  if (!tip) return base;
  const theirs = new Set(changedFiles(tip, base));
  const both = changedFiles(head, base).filter((file) => theirs.has(file)).length;
  const words = `not merged with ${revision}; ${both} ${both === 1 ? 'file' : 'files'} changed on both sides`;
  return { ...base, description: `${base.description}, ${words}` };
}

/** The first run, where a finding is new if it is new in either; `adds`: with new findings that only the other one has. */
function merged(first: Run, other: Run, adds: boolean): Run {
  const theirs = new Map(other.findings.map((one) => [one.fingerprint, one]));
  const ours = new Set(first.findings.map(({ fingerprint }) => fingerprint));
  const more = adds ? other.findings.filter((one) => one.isNew !== false && !ours.has(one.fingerprint)) : [];
  const { untouched, ...rest } = first;
  return {
    ...rest,
    findings: [...first.findings.map((one) => stricter(one, theirs.get(one.fingerprint))), ...more.map(unplaced)],
    ...(untouched && (other.untouched || !adds) && { untouched }),
    sources: {
      text: (revision, file) => first.sources.text(revision, file) ?? other.sources.text(revision, file),
      has: (revision, file) => first.sources.has(revision, file) || other.sources.has(revision, file),
      secrets: (revision, file) => (first.sources.has(revision, file) ? first : other).sources.secrets(revision, file),
    },
  };
}

function stricter(one: Finding, other: Finding | undefined): Finding {
  if (one.isNew !== false || other?.isNew === false) return one;
  const worst = severities.find((severity) => severity === one.severity || severity === other?.severity);
  return { ...one, severity: worst ?? one.severity, isNew: true };
}

/** The lines of the other base are not those of the one that is shown. */
function unplaced(finding: Finding): Finding {
  return finding.at.revision === 'base' ? { ...finding, precision: 'file' } : finding;
}
