/** The action, but for its process: inputs in; review comments, annotations, job summary and outputs out. */

import { existsSync, realpathSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { type ChartStore, openCharts } from '../charts/store.js';
import { configFile } from '../config/config.js';
import { defined } from '../core/defined.js';
import { type Run, severities, UsageError } from '../core/model.js';
import type { Stream } from '../core/streams.js';
import { trimEnd } from '../core/text.js';
import { isReleaseName } from '../cozystack/artifact.js';
import { removeKind } from '../dry-run/kind.js';
import { limitsOf } from '../engine/host/budget.js';
import { suggestionOf } from '../fix/suggestion.js';
import { ApiError, GitHub, maxFiles } from '../github/client.js';
import { exitStatus } from '../lint/exit-status.js';
import { runChange } from '../lint/run-change.js';
import { missedDryRun } from '../lint/stages.js';
import { maskedRun, printable, type ReportOptions, report } from '../report/index.js';
import { placed } from '../report/placed.js';
import { relocated } from '../report/relocate.js';
import { plural } from '../report/summary.js';
import { type Review, type ReviewOptions, review } from '../review/review.js';
import { describedRules, pageUrl } from '../rules/page.js';
import { commitIn, prefixOf, remotesOf } from '../tree/git.js';
import { writeOutput } from '../tree/output.js';
import { type ChangedTrees, openChange } from './checkout.js';
import { type Event, readEvent } from './event.js';
import { type Inputs, type Core as InputsOf, readInputs } from './inputs.js';
import { readReport } from './publish.js';

/** What the step of a job has. */
export type Job = {
  /** Where `dist/` and `schemas/` lie. */
  home: string;
  /** Without the token. */
  env: NodeJS.ProcessEnv;
  token: string | undefined;
  stdout: Stream;
  core: Core;
};

/** As much of @actions/core as the action uses. */
type Core = InputsOf & {
  setOutput(name: string, value: unknown): void;
  saveState(name: string, value: unknown): void;
  error(message: string): void;
  summary: { addRaw(text: string): { write(): Promise<unknown> } };
};

/** Gives the exit status. The step after the job is started like the step itself, with what that had kept (`STATE_…`). */
export async function act(job: Job): Promise<number> {
  const { core, env } = job;
  if (env.STATE_started === 'true') return postStep(job);
  if (env.GITHUB_STATE) core.saveState('started', 'true');
  try {
    return await check(job);
  } finally {
    if (env.GITHUB_STATE) core.saveState('finished', 'true');
  }
}

function workspaceOf({ env }: Job): string {
  return resolve(env.GITHUB_WORKSPACE ?? '.');
}

async function check(job: Job): Promise<number> {
  const { core, env, home } = job;
  const inputs = readInputs(core, env);
  const directory = directoryOf(workspaceOf(job), inputs);
  const event = readEvent(env.GITHUB_EVENT_NAME, env.GITHUB_EVENT_PATH);
  const github = connect(job);
  if (inputs.publish !== undefined) return publish(job, inputs.publish, inputs, event, github);
  const onlyNew = inputs.onlyNew ?? event.base !== undefined;
  const prefix = await prefixIn(job, directory, inputs);
  const change = inputs.base === undefined ? await changeOf(job, event, directory, prefix, github) : undefined;
  const judged = await runChange({
    directory,
    home,
    // No program comes with the action.
    engine: 'wasm',
    paths: inputs.paths,
    onlyNew,
    trust: event.trust,
    remotes: [...(await remotesOf(directory)), ...ownUrl(job)],
    limits: limitsOf({
      ...defined({ 'max-seconds': inputs.maxSeconds, 'max-memory': inputs.maxMemory }),
    }),
    ...defined({ change }),
    ...defined({ base: inputs.base, config: inputs.config, release: inputs.release }),
    ...(inputs.simulate && (change?.base || inputs.base !== undefined) && { simulate: {} }),
    ...(inputs.charts !== undefined && { charts: { store: await chartsIn(inputs.charts, job) } }),
    ...(inputs.dryRun && { dryRun: { where: inputs.dryRun, onMade: (kind) => saveKindName(job, kind) } }),
  });
  if (judged.entrypoints.length === 0) throw new UsageError(nothingFound(inputs));
  // A pull request shows the lines of its own commit, and not those of its merge.
  const own = change?.shown ? placed(judged, 'head', change.shown.head) : judged;
  const result = relocated(own, prefix);
  const isUnknown = onlyNew && event.pull !== undefined && !change?.base;
  const changed = isUnknown ? await changedFiles(github, event.pull?.number ?? 0) : undefined;
  const status = exitStatus(result, inputs.failOn, onlyNew, changed);
  const options = { ...reportOptionsOf(result, inputs), onlyNew, ...defined({ files: filesOf(job, event, change) }) };
  // Comments come last: whoever is cut off while GitHub is slow has all of the rest.
  await writeReports(job, result, status, inputs, directory, options);
  const reviewed = change?.shown ? relocated(placed(own, 'base', change.shown.base), prefix) : result;
  const { shown, notes } = await reviewOf(job, maskedRun(reviewed), event, inputs, github, change);
  job.stdout.write(report('github', result, { ...options, shown }));
  writePosted(job, result, { shown, notes }, { onlyNew, annotated: true });
  const missed = inputs.dryRun ? missedDryRun(result.stages) : undefined;
  if (missed !== undefined) throw new UsageError(missed);
  return status;
}

/** The error of a run that has checked nothing: no later run may pass because the base has nothing to check either. */
function nothingFound({ directory }: Inputs): string {
  const where = directory === '.' ? 'the repository' : `input directory: "${directory}"`;
  return `${where} holds no directory that Flux applies (kustomization.yaml, Flux Kustomization, clusters/), so nothing was checked; name one with the input path, or list entrypoints in ${configFile}`;
}

/**
 * What a change can write to would let it say what its own charts are. Those of a release are compared with the digest that this package
 * knows, wherever they lie.
 */
async function chartsIn(input: string, job: Job): Promise<ChartStore> {
  if (isReleaseName(input)) return openCharts(input, job);
  const workspace = workspaceOf(job);
  const folder = resolve(workspace, input);
  const [root, real] = [workspace, folder].map((path) => (existsSync(path) ? realpathSync(path) : path)) as [
    string,
    string,
  ];
  if (real === root || real.startsWith(`${root}${sep}`))
    throw new UsageError(`input charts: "${input}" lies in the repository, so a change could bring its own charts`);
  return openCharts(folder, job);
}

/** Undefined where GitHub does not list them all: then all that is found counts. */
async function changedFiles(github: GitHub | undefined, number: number): Promise<ReadonlySet<string> | undefined> {
  try {
    const files = await github?.files(number);
    return files && files.length < maxFiles ? new Set(files.map(({ filename }) => filename)) : undefined;
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

/** The repository's address on its server; what git has configured may be another name of it. */
function ownUrl({ env }: Job): string[] {
  const { GITHUB_SERVER_URL: server = 'https://github.com', GITHUB_REPOSITORY: repository } = env;
  return repository ? [`${server}/${repository}`] : [];
}

/** A change may put a link in its place: then other files would be judged than those that the workflow names. */
function directoryOf(workspace: string, { directory: input }: Inputs): string {
  const directory = resolve(workspace, input);
  if (existsSync(directory) && realpathSync(directory) !== resolve(realpathSync(workspace), input))
    throw new UsageError(`input directory: "${input}" leads through a symbolic link`);
  return directory;
}

/** The step after the job removes it where this one is killed. */
function saveKindName({ core, env }: Job, kind: string): void {
  if (env.GITHUB_STATE) core.saveState('kind', kind);
}

function connect({ env, token }: Job): GitHub | undefined {
  const { GITHUB_REPOSITORY: repository, GITHUB_API_URL: apiUrl = 'https://api.github.com' } = env;
  return token && repository ? new GitHub({ token, repository, apiUrl }) : undefined;
}

/** The way from the repository's root to the directory, with a slash at its end: GitHub knows files by the whole path. */
async function prefixIn(job: Job, directory: string, inputs: Inputs): Promise<string> {
  if (inputs.directory === '.') return '';
  const above = (await prefixOf(workspaceOf(job))) ?? '';
  const own = await prefixOf(directory);
  return own === undefined ? `${trimEnd(inputs.directory.replace(/^\.\//, ''), '/')}/` : own.slice(above.length);
}

/** Of a pull request its own two trees; of a queued merge what is checked out, and the commit that it is to follow. */
async function changeOf(
  { env, token }: Job,
  { pull, base, branch, isRetargeted }: Event,
  directory: string,
  prefix: string,
  github: GitHub | undefined,
): Promise<ChangedTrees | undefined> {
  if (base === undefined) return undefined;
  const { GITHUB_SERVER_URL: server = 'https://github.com', GITHUB_REPOSITORY: repository } = env;
  const origin = repository === undefined ? undefined : { server, repository };
  const merge = commitIn(env.GITHUB_SHA);
  return openChange({
    ...{
      directory,
      prefix,
      head: pull?.head,
      number: pull?.number,
      base,
      branch,
      merge,
      isRetargeted: isRetargeted === true,
    },
    ...{ github, origin, token },
  });
}

/** Where the files that were judged can be read on the web. */
function filesOf({ env }: Job, { pull }: Event, change: ChangedTrees | undefined): ReportOptions['files'] {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_SHA: checkedOut } = env;
  if (!server || !repository) return undefined;
  const commits = [change?.head ? pull?.head : checkedOut, change?.shared, change?.merge].map(commitIn);
  const [head, base, merge] = commits.map((commit) => commit && `${server}/${repository}/blob/${commit}/`);
  return { ...(head && { head }), ...(base && { base }), ...(merge && { merge }) };
}

/** Comments are presentation: whatever becomes of them, the verdict stands. */
async function reviewOf(
  job: Job,
  masked: Run,
  event: Event,
  inputs: Inputs,
  github: GitHub | undefined,
  change: ChangedTrees | undefined,
): Promise<Review> {
  const { pull, trust, isOfTarget } = event;
  const nothing = (...notes: string[]): Review => ({ shown: new Set(), notes });
  if (!pull || !inputs.comment) return nothing();
  if (trust === 'fork' && !isOfTarget)
    return nothing('no comments: the token of a pull request from a fork may only read');
  if (!github) return nothing('no comments: there is no token');
  if (inputs.base !== undefined)
    return nothing(
      'no comments: the input base is set, so the pull request’s own files are not looked at; leave it out to get comments',
    );
  if (!change?.head || (change.shown && !change.shown.head))
    return nothing('no comments: the files of the pull request’s own commit could not be had');
  return review(masked, github, {
    ...optionsOf(job, inputs, masked, pull.number),
    ...defined({ files: filesOf(job, event, change) }),
    pull,
  });
}

function optionsOf(
  { env }: Job,
  { instance, maxComments, commentNotices }: Inputs,
  { tool, sources }: Run,
  number: number,
): Omit<ReviewOptions, 'pull'> {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = env;
  const page = server && repository ? `${server}/${repository}` : undefined;
  return {
    instance,
    limits: { comments: maxComments, files: Math.min(maxComments, 10), notices: commentNotices },
    ...(page && { pullUrl: `${page}/pull/${number}` }),
    ...(page && /^\d+$/.test(run ?? '') && { runUrl: `${page}/actions/runs/${run}` }),
    url: (rule) => pageUrl(rule, tool),
    suggestion: ({ fix: work }) => {
      const fix = work?.();
      return fix && suggestionOf(fix, sources.text('head', fix.edits[0]?.at.file ?? ''));
    },
  };
}

/** In a workflow that runs after another: the verdict was that one's. */
async function publish(job: Job, file: string, inputs: Inputs, { run: source }: Event, github: GitHub | undefined) {
  if (source === undefined) throw new UsageError('input publish: this is for the event workflow_run alone');
  if (source === null) {
    job.stdout.write(
      'The fork of this run has been deleted, so its pull request cannot be found; nothing is published.\n',
    );
    return 0;
  }
  if (!github) throw new UsageError('input publish: without a token nothing can be published');
  const directory = workspaceOf(job);
  const result = readReport(join(directory, file), job.home);
  const pulls = (await github.pullsFrom(source.branch)).filter(({ head }) => head === source.head);
  const notes = pulls.length === 0 ? ['no open pull request has this commit as its head, so nothing is published'] : [];
  await writeReports(job, result, 0, inputs, directory, reportOptionsOf(result, inputs));
  const shown = new Set<string>();
  for (const pull of pulls.slice(0, 3)) {
    const reviewed = await review(maskedRun(result), github, { ...optionsOf(job, inputs, result, pull.number), pull });
    notes.push(...reviewed.notes);
    for (const fingerprint of reviewed.shown) shown.add(fingerprint);
  }
  // Annotations would stand on the commit that the workflow runs for: of another workflow's report, on the default branch.
  writePosted(job, result, { shown, notes }, { onlyNew: true, annotated: false });
  return 0;
}

function reportOptionsOf({ tool }: Run, { category }: Inputs): ReportOptions {
  return {
    ...defined({ category }),
    color: true,
    quiet: false,
    // A log is looked up afterwards: who wants to know what was ignored, or by whose policy, finds it there.
    verbose: true,
    rules: describedRules(tool),
  };
}

/** All that needs nobody's answer: the log, the job summary, files and outputs. */
async function writeReports(
  job: Job,
  result: Run,
  status: number,
  { jsonFile, sarifFile }: Inputs,
  directory: string,
  options: ReportOptions,
): Promise<void> {
  const { core, env, stdout } = job;
  stdout.write(report('text', result, options));
  if (env.GITHUB_STEP_SUMMARY) await core.summary.addRaw(report('markdown', result, options)).write();
  for (const severity of severities) {
    const found = result.findings.filter((finding) => finding.severity === severity);
    core.setOutput(`${severity}s`, found.length);
    core.setOutput(`new-${severity}s`, found.filter(({ isNew }) => isNew !== false).length);
  }
  core.setOutput('verdict', status === 0 ? 'clean' : 'findings');
  // Last, as a link that the change has put in the place of one ends the step.
  for (const [format, file, output] of [
    ['json', jsonFile, 'report'] as const,
    ['sarif', sarifFile, 'sarif'] as const,
  ]) {
    if (!file) continue;
    writeOutput(join(directory, file), report(format, result, options), workspaceOf(job));
    core.setOutput(output, file);
  }
}

/** Nobody should have to look for a finding: each is in the log above, and in the summary. */
function writePosted(
  { stdout }: Job,
  { findings }: Run,
  { shown, notes }: Review,
  { onlyNew, annotated }: { onlyNew: boolean; annotated: boolean },
): void {
  for (const note of notes) stdout.write(`${printable(note)}\n`);
  const counting = findings.filter(({ isNew }) => !onlyNew || isNew !== false);
  if (counting.length === 0) return void stdout.write('Nothing to post.\n');
  const posted = counting.filter(({ fingerprint }) => shown.has(fingerprint)).length;
  const rest = counting.length - posted;
  const places = annotated ? `${rest} in the annotations (10 of a level at most), ` : '';
  const others = rest > 0 ? `; ${places}all of them in the summary and above` : '';
  stdout.write(`Posted ${posted} of ${plural(counting.length, 'finding')} as review comments${others}.\n`);
}

/**
 * The step after the job: whoever kills a step (a time limit, a cancelled run) leaves neither findings nor a verdict, and the
 * log ends in the middle. That is said, so that nobody takes it for clean; a cluster that was made is removed.
 */
async function postStep({ core, env }: Job): Promise<number> {
  if (env.STATE_kind) await removeKind(env.STATE_kind);
  if (env.STATE_finished === 'true') return 0;
  core.error('customizer-lint was ended before it was done: nothing is known of this change');
  return 1;
}
