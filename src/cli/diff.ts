/** `customizer-lint diff [DIR]`: what a merge does in the cluster, as a simulation has it. 0 nothing, 1 something, 2 not done. */

import { chartDiffs } from '../charts/stage.js';
import { openCharts } from '../charts/store.js';
import { defined } from '../core/defined.js';
import { jsonText, printable } from '../core/escape.js';
import type { ChartDiff, Diff } from '../core/model.js';
import { once } from '../core/once.js';
import { loadWorkspace } from '../lint/load.js';
import { saidOf } from '../lint/said.js';
import { chartsMarkdown, chartsText } from '../report/charts.js';
import { diffData, diffMarkdown, diffText } from '../report/diff.js';
import { relocatedDiffs } from '../report/relocate.js';
import { hideIn, hiderOf } from '../secrets/hide.js';
import { secretValues, withoutSecrets } from '../secrets/values.js';
import { diffOf, simulateAll } from '../simulate/stage.js';
import { repositoryPrefix } from '../tree/output.js';
import { Locator } from '../yaml/locator.js';
import { wantedClusters, wantsColor, workspaceOptions, write } from './common.js';
import { readLive } from './objects.js';
import type { Program } from './program.js';
import { startProgress } from './progress.js';
import type { Call } from './root.js';

export async function diff(args: Call, program: Program): Promise<number> {
  const { values } = args;
  const progress = startProgress(program.stderr);
  const live = values.live === undefined ? [] : readLive(values.live);
  const charts = values.charts === undefined ? undefined : await openCharts(values.charts, program);
  const options = await workspaceOptions(args, program, progress);
  const { home, engine } = options;
  return loadWorkspace({ ...options, server: 'simulates', lints: true }, async (workspace) => {
    const { clusters, rendered, trees, server, budget } = workspace;
    const wanted = wantedClusters(clusters, values);
    const said = saidOf(workspace, options);
    const how = { live, said, fresh: values.fresh === true, progress: progress.say };
    const locator = new Locator(trees);
    const diffs = await simulateAll(wanted, how, server, (one, cluster) => diffOf(one, cluster, locator));
    const secrets = once(() => secretValues(trees, rendered));
    const needs = { home, budget, server, trees, secrets, ...defined({ engine }) };
    const below = charts && (await chartDiffs(wanted, { store: charts, progress: progress.say }, needs));
    progress.stop();
    if (below?.diffs.length === 0) program.stderr.write('nothing changes below the Packages\n');
    // Lines of the text are long without it, and its paths are read beside each other.
    const prefix = (values.format?.at(-1) ?? 'text') === 'text' ? '' : repositoryPrefix(args.directory);
    const hider = hiderOf({ trees, rendered }, below?.secrets);
    const hidden = withoutSecrets(diffs, new Set([...secrets(), ...(below?.secrets ?? [])]));
    const shown = hideIn({ diffs: relocatedDiffs(hidden, prefix), charts: below?.diffs ?? [] }, hider);
    write(written(shown, values, program), args, program);
    const broken = rendered.head.filter(({ ok }) => !ok).map(({ entrypoint }) => entrypoint.path);
    for (const path of broken)
      program.stderr.write(`warning  ${printable(path)} cannot be built, so Flux applies nothing of it\n`);
    return broken.length > 0 || diffs.some(({ objects }) => objects.length > 0) ? 1 : 0;
  }).finally(progress.stop);
}

type Shown = { diffs: readonly Diff[]; charts: readonly ChartDiff[] };

function written({ diffs, charts }: Shown, values: Call['values'], program: Program): string {
  const format = values.format?.at(-1);
  if (format === 'json')
    return jsonText(values.charts === undefined ? diffData(diffs) : { diffs: diffData(diffs), charts });
  if (format === 'markdown')
    return `${[...diffMarkdown(diffs, Number.POSITIVE_INFINITY), ...chartsMarkdown(charts, Number.POSITIVE_INFINITY)].join('\n\n')}\n`;
  const color = wantsColor(values, program);
  return [diffText(diffs, { color }), ...(charts.length > 0 ? [chartsText(charts, { color })] : [])].join('\n');
}
