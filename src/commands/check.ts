import { writeFileSync } from 'node:fs';
import { remotesOf } from '../git.js';
import type { Severity } from '../model.js';
import { type Format, report } from '../report/index.js';
import { rules } from '../rules/index.js';
import { run } from '../run.js';
import { verdict } from '../verdict.js';
import type { Arguments } from './arguments.js';
import { startProgress } from './progress.js';

export async function check({ directory, values }: Arguments, home: string): Promise<number> {
  const progress = startProgress(process.stderr);
  const result = await run({
    directory,
    home,
    paths: values.path ?? [],
    remotes: await remotesOf(directory),
    progress: progress.update,
    ...(values.config !== undefined && { config: values.config }),
    ...(values.release !== undefined && { release: values.release }),
    ...(values.base !== undefined && { base: values.base }),
    ...(typeof values['dry-run'] === 'string' && {
      dryRun: {
        where: values['dry-run'],
        ...(values.context !== undefined && { context: values.context }),
        ...(values.cluster !== undefined && { cluster: values.cluster }),
        ...(values['keep-cluster'] && { keep: true }),
        progress: progress.say,
      },
    }),
  }).finally(progress.stop);
  const color =
    !values['no-color'] && values.output === undefined && process.stdout.isTTY === true && !process.env.NO_COLOR;
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
  if (values.output === undefined) process.stdout.write(text);
  else writeFileSync(values.output, text);
  return verdict(result, (values['fail-on'] ?? 'error') as Severity | 'never', values['only-new'] === true);
}
