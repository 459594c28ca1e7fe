/** For commands that render alone: the repository opened, its entrypoints found, each built in turn. */
import { clusterOf, noCluster } from '../cluster/configured.js';
import type { Config } from '../config/config.js';
import { printable } from '../core/escape.js';
import { type Entrypoint, type Rendered, type Tree, UsageError } from '../core/model.js';
import type { BuildResponse } from '../engine/host/protocol.js';
import { withEntrypoints } from '../lint/open.js';
import { declaredIn } from '../render/render.js';
import { maskText } from '../secrets/mask.js';
import { redact } from '../secrets/redact.js';
import { workspaceOptions } from './common.js';
import type { Program } from './program.js';
import { startProgress } from './progress.js';
import type { Call } from './root.js';

export type Session = {
  tree: Tree;
  /** Builds every entrypoint. What cannot be built is said on standard error, unless the output is a digest. */
  builds(output: 'objects' | 'yaml' | 'digest'): AsyncGenerator<{ entrypoint: Entrypoint; response: BuildResponse }>;
  /** Whether anything could not be built so far. */
  readonly failed: boolean;
};

/** Throws a `UsageError` where nothing is found to build. */
export async function withSession<Result>(
  args: Call,
  program: Program,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const progress = startProgress(program.stderr);
  const { progress: _, ...options } = await workspaceOptions(args, program, progress);
  return withEntrypoints(options, ({ tree, engine }, all, config) => {
    if (all.length === 0) throw nothingFound();
    const entrypoints = inCluster(all, config, args.values.cluster);
    let failed = false;
    return work({
      tree,
      async *builds(output) {
        for (const [index, entrypoint] of entrypoints.entries()) {
          progress.update(index, entrypoints.length, entrypoint.path);
          const response = await engine.build(entrypoint, output);
          failed ||= !response.ok;
          if (!response.ok) response.error.message = wordsOf(tree, entrypoint, response);
          if (!response.ok && output !== 'digest') complain(entrypoint.path, response.error.message, program);
          yield { entrypoint, response };
        }
      },
      get failed() {
        return failed;
      },
    });
  }).finally(progress.stop);
}

/** Those of the cluster that is named, or all. Throws a `UsageError` for a name that the repository does not have. */
function inCluster(all: readonly Entrypoint[], config: Config, wanted: string | undefined): readonly Entrypoint[] {
  if (wanted === undefined) return all;
  const found = all.filter((entrypoint) => clusterOf(entrypoint, config) === wanted);
  if (found.length > 0) return found;
  throw new UsageError(
    noCluster(
      wanted,
      all.map((entrypoint) => clusterOf(entrypoint, config)),
    ),
  );
}

/** kustomize's own, without the secrets of the tree. */
function wordsOf(tree: Tree, entrypoint: Entrypoint, { error, files }: BuildResponse & { ok: false }): string {
  return redact(tree, [error.message], [...files, ...declaredIn(entrypoint)])[0] ?? '';
}

function nothingFound(): UsageError {
  return new UsageError('nothing that Flux applies was found; name a directory with --path');
}

/** Says on standard error what cannot be built, and whether anything cannot. Throws a `UsageError` where nothing is there to build. */
export function printBuildErrors(rendered: readonly Rendered[], program: Program): boolean {
  if (rendered.length === 0) throw nothingFound();
  for (const one of rendered) if (!one.ok) complain(one.entrypoint.path, one.problem.message, program);
  return rendered.some(({ ok }) => !ok);
}

function complain(path: string, message: string, program: Program): void {
  program.stderr.write(`error  ${printable(path)}: ${printable(maskText(message))}\n`);
}
