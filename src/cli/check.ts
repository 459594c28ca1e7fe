import { defined } from '../core/defined.js';
import { type Severity, UsageError } from '../core/model.js';
import { exitStatus } from '../lint/exit-status.js';
import { run } from '../lint/run.js';
import { missedDryRun } from '../lint/stages.js';
import { type Format, report } from '../report/index.js';
import { rules } from '../rules/index.js';
import type { Arguments } from './arguments.js';
import { wantsColor, workspaceOptions, write } from './common.js';
import { readLive } from './objects.js';
import type { Program } from './program.js';
import { startProgress } from './progress.js';

export async function check(args: Arguments, program: Program): Promise<number> {
  const { values } = args;
  const progress = startProgress(program.stderr);
  const result = await run({
    ...(await workspaceOptions(args, program, progress)),
    ...(values.simulate && {
      simulate: { progress: progress.say, ...(values.live !== undefined && { live: readLive(values.live) }) },
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
  const color = wantsColor(values, program);
  const formats = (values.format ?? ['text']) as Format[];
  const text = formats
    .map((format) =>
      report(format, result, {
        color,
        quiet: values.quiet === true,
        rules: [...rules],
      }),
    )
    .join('');
  write(text, values, program);
  const missed = values['dry-run'] === undefined ? undefined : missedDryRun(result.stages);
  if (missed !== undefined) throw new UsageError(missed);
  return exitStatus(result, (values['fail-on'] ?? 'error') as Severity | 'never', values['only-new'] === true);
}
