import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { configFile } from '../config/config.js';
import { defined } from '../core/defined.js';
import { shorten } from '../core/escape.js';
import { type Run, type Severity, UsageError } from '../core/model.js';
import { exitStatus } from '../lint/exit-status.js';
import type { Round } from '../lint/load.js';
import { runChange } from '../lint/run-change.js';
import { missedDryRun } from '../lint/stages.js';
import { type Format, report } from '../report/index.js';
import { relocated } from '../report/relocate.js';
import { statistics } from '../report/statistics.js';
import { formatIn } from './arguments.js';
import { baselineIn, startBaseline } from './baseline.js';
import { prefixFor, reportOptions, workspaceOptions, write } from './common.js';
import { narrowed } from './narrow.js';
import { readLive } from './objects.js';
import type { Program } from './program.js';
import { startProgress } from './progress.js';
import type { Call } from './root.js';

export async function check(args: Call, program: Program): Promise<number> {
  const { values } = args;
  if (!values.watch) return (await checkOnce(args, program))();
  const other = (['write-baseline', 'dry-run'] as const).find((name) => values[name]);
  if (other !== undefined) throw new UsageError(`--watch cannot be used with --${other}`);
  const { watch } = await import('./others.js');
  return watch(args, program, (round) => checkOnce(args, program, round));
}

/** What prints the report, and gives the exit status. */
async function checkOnce(args: Call, program: Program, round?: Round): Promise<() => number> {
  const { values } = args;
  const progress = startProgress(program.stderr);
  const baseline = values['write-baseline'] ? startBaseline(args, program) : undefined;
  const result = await runChange({
    ...(baseline?.options ?? baselineIn(values.baseline)),
    ...(await workspaceOptions(args, program, progress)),
    ...defined({ round }),
    ...(values.simulate && {
      simulate: { progress: progress.say, ...(values.live !== undefined && { live: readLive(values.live) }) },
    }),
    ...(values.charts !== undefined && {
      charts: { store: await chartsIn(values.charts, program), progress: progress.say },
    }),
    ...(typeof values['dry-run'] === 'string' && {
      dryRun: {
        where: values['dry-run'],
        ...defined({ context: values.context, cluster: values.cluster }),
        ...(values['keep-cluster'] && { keep: true }),
        progress: progress.say,
      },
    }),
  }).finally(progress.stop);
  if (isForeign(result, args) || isUnjudged(result, args)) throw new UsageError(foreign(args.directory));
  if (baseline) return () => baseline.finish();
  const shown = narrowed(result, args);
  if (isUnchecked(result, shown, args)) throw new UsageError(unchecked(result, args));
  return () => tell(result, shown, args, program);
}

function tell(result: Run, shown: Run, args: Call, program: Program): number {
  const { values } = args;
  for (const format of values.format ?? ['text']) print(shown, format, args, program);
  const missed = values['dry-run'] === undefined ? undefined : missedDryRun(result.stages);
  if (missed !== undefined) throw new UsageError(missed);
  return exitStatus(shown, (values['fail-on'] ?? 'error') as Severity | 'never', values['only-new'] === true);
}

/** Loaded where charts are given. */
async function chartsIn(where: string, program: Program) {
  const { openCharts } = await import('../lint/asked.js');
  return openCharts(where, program);
}

/** `F` to where `--output` says, `F=FILE` to the file. */
function print(result: Run, written: string, { directory, values }: Call, program: Program): void {
  const { format, file } = formatIn(written);
  const to = { directory, values: file ? { ...values, output: file } : values };
  const options = reportOptions(to.values, program, result.tool);
  const isCounted = format === 'text' && values.statistics === true;
  const shown = relocated(result, prefixFor(format, directory));
  write(isCounted ? statistics(shown, options) : report(format as Format, shown, options), to, program);
}

/** A folder without anything that Flux applies, of which nobody says that there is something. */
function isForeign({ entrypoints, findings }: Run, { directory, values }: Call): boolean {
  const isNamed =
    values.path !== undefined || values.base !== undefined || existsSync(join(directory, values.config ?? configFile));
  return entrypoints.length === 0 && !isNamed && findings.every(({ rule }) => rule === 'missing-entrypoint');
}

/** Nothing is new in a folder without anything that Flux applies if the base has nothing either. */
function isUnjudged({ entrypoints }: Run, { values }: Call): boolean {
  return entrypoints.length === 0 && values['only-new'] === true;
}

/** Files are asked about of which nothing is known, as what could not be built is told on the line of another. */
function isUnchecked({ entrypoints, untouched, published }: Run, shown: Run, { files }: Call): boolean {
  const isAsked = files.length > 0 && !untouched && !published;
  return isAsked && shown.findings.length === 0 && entrypoints.every(({ rendered }) => !rendered);
}

function unchecked({ findings }: Run, { directory, files }: Call): string {
  const [first] = findings;
  const why = first ? `: ${shorten(first.message, 200)} (${shorten(first.at.file, 150)})` : '';
  const whole = directory === '.' ? 'without files' : `"${directory}"`;
  return `nothing was checked of "${files[0]}", as no entrypoint was rendered${why}; check ${whole} to see all`;
}

function foreign(directory: string): string {
  const where = directory === '.' ? 'this directory' : `"${directory}"`;
  return `${where} does not look like a customizer repository: nothing that Flux applies was found (kustomization.yaml, Flux Kustomization, clusters/); --path names a directory`;
}
