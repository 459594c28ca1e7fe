/** What the commands share: what they are told, and how they answer. */

import { writeFileSync } from 'node:fs';
import type { Cluster } from '../cluster/cluster.js';
import { defined } from '../core/defined.js';
import { UsageError } from '../core/model.js';
import { limitsOf } from '../engine/host/budget.js';
import type { WorkspaceOptions } from '../lint/load.js';
import { remotesOf } from '../tree/git.js';
import type { Arguments } from './arguments.js';
import type { Program } from './program.js';
import type { startProgress } from './progress.js';

/** What every command that judges the repository is told about it. */
export async function workspaceOptions(
  { directory, values }: Arguments,
  { home }: Program,
  progress: ReturnType<typeof startProgress>,
): Promise<WorkspaceOptions> {
  return {
    directory,
    home,
    paths: values.path ?? [],
    remotes: await remotesOf(directory),
    progress: progress.update,
    ...defined({ config: values.config, release: values.release, base: values.base }),
    limits: limitsOf(values),
  };
}

/** At a terminal, unless somebody asks for none. */
export function wantsColor(values: Arguments['values'], { stdout, env }: Program): boolean {
  return !values['no-color'] && values.output === undefined && stdout.isTTY === true && !env.NO_COLOR;
}

/** To the file that is named, or to standard output. */
export function write(text: string, { output }: Arguments['values'], { stdout }: Program): void {
  if (output === undefined) stdout.write(text);
  else writeFileSync(output, text);
}

/** The one that `--cluster` names, or all. Throws a `UsageError` for a name that the repository does not have. */
export function wantedClusters(clusters: readonly Cluster[], { cluster }: Arguments['values']): Cluster[] {
  const wanted = clusters.filter(({ name }) => cluster === undefined || name === cluster);
  if (wanted.length === 0) throw new UsageError(`the repository has no cluster "${cluster}"`);
  return wanted;
}
