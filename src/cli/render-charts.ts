/** `render --charts`: what Helm makes of the Packages of the repository, and which of its lines every value came from. */
import { shownCharts } from '../charts/shown.js';
import { openCharts } from '../charts/store.js';
import { defined } from '../core/defined.js';
import { jsonText, printable } from '../core/escape.js';
import { UsageError } from '../core/model.js';
import { chartObjectsData, chartObjectsText } from '../explain/chart-objects.js';
import { loadWorkspace } from '../lint/load.js';
import { maskText } from '../secrets/mask.js';
import { secretValues } from '../secrets/values.js';
import { Locator } from '../yaml/locator.js';
import { wantedClusters, workspaceOptions, write } from './common.js';
import type { Program } from './program.js';
import { startProgress } from './progress.js';
import type { Call } from './root.js';
import { printBuildErrors } from './session.js';

export async function renderCharts(args: Call, charts: string, program: Program): Promise<number> {
  const { values } = args;
  const format = values.format?.at(-1);
  if (values['as-applied']) throw new UsageError('--as-applied is about what Flux applies, not about --charts');
  if (format === 'digest') throw new UsageError('--charts prints yaml or json, as nobody hashes what charts make');
  const progress = startProgress(program.stderr);
  const store = await openCharts(charts, program);
  const options = await workspaceOptions(args, program, progress);
  const { home, engine } = options;
  return loadWorkspace(options, async ({ clusters, rendered, trees, server, budget }) => {
    const secrets = () => secretValues(trees, rendered);
    const needs = { home, budget, server, trees, secrets, ...defined({ engine }) };
    const wanted = wantedClusters(clusters, values);
    const shown = await shownCharts(wanted, { store, progress: progress.say }, needs, values.package);
    progress.stop();
    const isBroken = printBuildErrors(rendered.head, program);
    const say = (kind: string, text: string) => program.stderr.write(`${kind}  ${printable(maskText(text))}\n`);
    for (const text of shown.failures) say('error', text);
    for (const text of shown.notes) say('warning', text);
    const locator = new Locator(trees);
    const { objects } = shown;
    if (objects.length === 0 && shown.failures.length === 0)
      program.stderr.write('nothing is rendered: the repository says nothing of a component with a chart\n');
    write(
      format === 'json' ? jsonText(chartObjectsData(objects, locator)) : chartObjectsText(objects, locator),
      args,
      program,
    );
    return isBroken || shown.failures.length > 0 ? 1 : 0;
  }).finally(progress.stop);
}
