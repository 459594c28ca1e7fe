/** One evasion, judged by the action on a fork's pull request and by the reference. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isFluxKustomization } from '../../../src/core/flux-api.js';
import type { Finding, JsonObject } from '../../../src/core/model.js';
import { lookUp } from '../../../src/core/object.js';
import { normalize } from '../../../src/discover/flux.js';
import { pullRequestOf, runActionHere } from '../../support/job.js';
import { runAction } from '../../support/runner.js';
import { removeRepo } from '../../support/trees.js';
import type { Evasion } from './generate.js';
import type { Answer, Reference } from './reference.js';
import { commitPullRequest, type PullRequest } from './repository.js';

export type Verdict = {
  /** Whether Flux applies the harm; `unknown` where something decides that is in no repository. */
  applied: boolean | 'unknown';
  /** What the reference says of how it came to that. */
  reference: string[];
  status: number | null;
  /** The rules of new errors. */
  errors: string[];
  /** Whether a rule that is about the harm has a new error. */
  isRedForIt: boolean;
  /** Whether a part of what is rendered cannot be built, so that nobody knows what it would do once it is corrected. */
  isBroken: boolean;
  /** Whether it could not be built before the change: the Flux objects that it has applied earlier still apply theirs. */
  wasBroken: boolean;
  /** Whether all of it comes with the change. */
  isNew: boolean;
  /** Whether Flux applies the harm before the change already, which then is not at fault. */
  isOld: boolean;
  /** As in `Evasion`. */
  isControl: boolean;
  isRedIfUnknown: boolean;
  /** True if both revisions decide about the harm. Other changes of the field count too, so only controls show false alarms. */
  isOfChange: boolean;
  /** The rules of new warnings and notices: what somebody has to accept where nothing is an error. */
  remarks: string[];
  log: string;
};
export type Outcome = 'right' | 'missed' | 'false alarm' | 'silent' | 'failed';

/** STALE=1 runs a source that is newer than `dist/`. */
const isBuilt = process.env.STALE === undefined;

/** The commits are there for `look`, and gone after it. */
export async function judge(
  evasion: Evasion,
  reference: Reference,
  look: (pull: PullRequest) => void = () => {},
): Promise<Verdict> {
  const pull = commitPullRequest(evasion);
  try {
    look(pull);
    const [{ answer, before }, action] = await Promise.all([
      askBoth(pull, reference),
      act(pull, isBuilt && (process.env.FULL !== undefined || evasion.n % 10 === 0)),
    ]);
    if (answer.error || before.error) throw new Error(`the reference: ${answer.error ?? before.error}`);
    const [now, then] = [[...answer.objects, ...keptBy(answer, before)], before.objects].map((objects) =>
      objects.map(({ value }) => value),
    ) as [JsonObject[], JsonObject[]];
    const { harm } = evasion;
    const isApplied = harm.happens ? harm.happens(now, then) : now.some((one) => harm.isIn(one));
    const fresh = action.findings.filter(({ isNew }) => isNew !== false);
    const errors = [...new Set(fresh.filter(({ severity }) => severity === 'error').map(({ rule }) => rule))];
    return {
      applied: isApplied || (answer.undecided.length > 0 ? 'unknown' : false),
      reference: [...answer.undecided, ...answer.failed],
      status: action.status,
      errors,
      isRedForIt: fresh.some(
        (finding) =>
          finding.severity === 'error' &&
          evasion.harm.rules.includes(finding.rule) &&
          (evasion.harm.names ?? []).every((name) => finding.message.includes(name)) &&
          !isOfOthers(finding, answer.objects),
      ),
      isBroken: answer.failed.length > 0,
      wasBroken: before.failed.length > 0,
      isNew: evasion.isNew,
      isOld: harm.happens === undefined && then.some((one) => harm.isIn(one)),
      isControl: evasion.isControl === true,
      isRedIfUnknown: evasion.isRedIfUnknown === true,
      isOfChange: harm.happens !== undefined,
      remarks: fresh.filter(({ severity }) => severity !== 'error').map(({ rule }) => rule),
      log: action.log,
    };
  } finally {
    removeRepo(pull.folder);
  }
}

/** Objects that Flux keeps, as it cannot build their directory any more. */
function keptBy({ failed }: Answer, before: Answer): Answer['objects'] {
  return before.objects.filter(({ by }) => failed.some((message) => message.startsWith(`${by}: `)));
}

async function askBoth(pull: PullRequest, reference: Reference) {
  const before = await reference.ask(pull, pull.rendered.base);
  const existing = before.objects?.map(({ value }) => value) ?? [];
  return { before, answer: await reference.ask(pull, pull.rendered.head, existing) };
}

/**
 * A Flux Kustomization that nothing here renders, but that stands in a file, may be applied by others, as bootstrap does: what its
 * directory holds is judged.
 */
function isOfOthers({ entrypoints }: Finding, applied: readonly { value: JsonObject }[]): boolean {
  const paths = applied.flatMap(({ value }) =>
    isFluxKustomization(value) ? [String(lookUp(value, ['spec', 'path']))] : [],
  );
  const known = new Set(['.', ...paths.map((path) => normalize(path))]);
  return entrypoints.length > 0 && !entrypoints.some((path) => known.has(path));
}

export function outcomeOf({
  applied,
  status,
  errors,
  isRedForIt,
  isBroken,
  wasBroken,
  isNew,
  isOld,
  isControl,
  isRedIfUnknown,
  isOfChange,
  remarks,
}: Verdict): Outcome {
  if (status !== 0 && status !== 1 && status !== 2) return 'failed';
  const isRed = status !== 0;
  // A control that does harm is none.
  if (isControl && applied === true) return 'failed';
  if (applied === true) return isRed || isOld ? 'right' : 'missed';
  const isAboutTheRest = isBroken && (errors.length > 1 || wasBroken);
  if (isControl) return isRed && !isBroken ? 'false alarm' : 'right';
  if (isRedIfUnknown && applied === 'unknown') return isRed ? 'right' : 'silent';
  if (applied === false) return isRed && isRedForIt && !isAboutTheRest && !isOfChange ? 'false alarm' : 'right';
  return isRed || remarks.length > 0 || !isNew ? 'right' : 'silent';
}

type Report = { findings: (Finding & { isNew?: boolean })[] };

/** By the committed action, or by its source. */
async function act({ folder, head, event: { merge, base, isRetargeted } }: PullRequest, isCommitted: boolean) {
  const payload = {
    ...(isRetargeted && { action: 'edited', changes: { base: { ref: { from: 'old' } } } }),
    pull_request: pullRequestOf({ base, head }),
  };
  const more = {
    GITHUB_REPOSITORY: 'o/r',
    GITHUB_SERVER_URL: 'https://github.com',
    ...(merge !== undefined && { GITHUB_SHA: merge }),
  };
  const inputs = { 'json-file': 'report.json' };
  const event = { name: 'pull_request', payload };
  const { status, log } = isCommitted
    ? await runAction(folder, inputs, process.execPath, event, more)
    : await runActionHere(folder, inputs, event, more);
  return { status, log, ...reported(folder) };
}

/** Where the work could not be done there is no report. */
function reported(folder: string): Report {
  try {
    return JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as Report;
  } catch {
    return { findings: [] };
  }
}
