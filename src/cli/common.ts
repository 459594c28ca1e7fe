/** What the commands share: what they are told, and how they answer. */

import type { Cluster } from '../cluster/cluster.js';
import { namesOf, noCluster } from '../cluster/configured.js';
import { defined } from '../core/defined.js';
import { type Run, UsageError } from '../core/model.js';
import { limitsOf } from '../engine/host/budget.js';
import type { EngineChoice } from '../engine/host/installed.js';
import type { WorkspaceOptions } from '../lint/load.js';
import type { ReportOptions } from '../report/index.js';
import { describedRules } from '../rules/page.js';
import { remotesOf } from '../tree/git.js';
import { slashed } from '../tree/names.js';
import { currentPrefix, outputRoot, repositoryPrefix, writeOutput } from '../tree/output.js';
import type { Program } from './program.js';
import type { startProgress } from './progress.js';
import type { Call } from './root.js';

/** What every command that judges the repository is told about it. */
export async function workspaceOptions(
  { directory, values }: Call,
  { home }: Program,
  progress: ReturnType<typeof startProgress>,
): Promise<WorkspaceOptions> {
  return {
    directory,
    home,
    paths: (values.path ?? []).map((path) => slashed(path)),
    remotes: await remotesOf(directory),
    progress: progress.update,
    ...defined({ config: values.config, release: values.release, base: values.base }),
    ...defined({ engine: values.engine as EngineChoice | undefined }),
    ...(values.fork && { trust: 'fork' as const }),
    limits: limitsOf(values),
  };
}

/**
 * As `--color` says; else as FORCE_COLOR (force-color.org) or NO_COLOR (no-color.org) say; else at a terminal. Never in a file.
 */
export function wantsColor(values: Call['values'], { stdout, env }: Program): boolean {
  const asked = values['no-color'] ? 'never' : values.color;
  if (asked === 'always' || asked === 'never') return asked === 'always';
  if (values.output !== undefined || env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0';
  return stdout.isTTY === true;
}

/** Whether the terminal shows links (OSC 8): as FORCE_HYPERLINK says, or one that is known to. */
function hasLinks({ stdout, env }: Program): boolean {
  const { FORCE_HYPERLINK: asked, TERM = '', TERM_PROGRAM = '', VTE_VERSION: vte = '' } = env;
  if (asked) return asked !== '0';
  if (stdout.isTTY !== true || env.CI || env.TMUX || TERM === 'dumb') return false;
  const known = ['iTerm.app', 'WezTerm', 'vscode', 'ghostty', 'zed', 'WarpTerminal', 'Hyper', 'rio'];
  const isKnown = known.includes(TERM_PROGRAM) || /^(?:xterm-kitty|xterm-ghostty|alacritty|foot)/.test(TERM);
  // VTE 0.50.0 crashes on them.
  return isKnown || env.WT_SESSION !== undefined || (/^\d+$/.test(vte) && Number(vte) > 5000);
}

/** How a report is printed to where `output` says. */
export function reportOptions(values: Call['values'], program: Program, tool: Run['tool']): ReportOptions {
  const { quiet = false, verbose = false } = values;
  const color = wantsColor(values, program);
  const links = color && values.output === undefined && hasLinks(program);
  return { color, links, quiet, verbose, rules: describedRules(tool) };
}

/** Writes to the file of `--output`, or to standard output. */
export function write(text: string, { directory, values: { output } }: Written, { stdout }: Program): void {
  if (output === undefined) stdout.write(text);
  else writeOutput(output, text, outputRoot(directory));
}

/** The part of a call that decides about the output. */
type Written = Pick<Call, 'directory' | 'values'>;

/**
 * The path before those of a report. A terminal and an editor open them from the current directory; other formats are read by servers, which
 * know those of the repository.
 */
export function prefixFor(format: string, directory: string): string {
  return format === 'text' || format === 'concise' ? currentPrefix(directory) : repositoryPrefix(directory);
}

/** Of several clusters the one that `--cluster` names, or all. Throws a `UsageError` for a name that the repository does not have. */
export function wantedClusters(clusters: readonly Cluster[], { cluster }: Call['values']): Cluster[] {
  const wanted = clusters.filter(({ name }) => cluster === undefined || name === cluster);
  if (wanted.length > 0 || cluster === undefined) return wanted;
  throw new UsageError(
    noCluster(
      cluster,
      clusters.map(({ name }) => name),
    ),
  );
}

/** For what shows one cluster alone. Throws a `UsageError` that lists them where it is not clear which. */
export function oneCluster(clusters: readonly Cluster[], values: Call['values']): Cluster {
  const [found, ...others] = wantedClusters(clusters, values);
  if (found && others.length === 0) return found;
  const names = namesOf(clusters.map(({ name }) => name));
  throw new UsageError(`which cluster? use --cluster with one of ${names.join(', ')}`);
}
