/** `customizer-lint diff [DIR]`: what a merge does in the cluster, as a simulation has it. 0 nothing, 1 something, 2 not done. */
import { join } from 'node:path';
import { ApplyEngine } from '../engine/apply-engine.js';
import { Locator } from '../locate/locate.js';
import type { FieldPath } from '../model.js';
import { diffData, diffText } from '../report/diff.js';
import { jsonText, printable } from '../report/escape.js';
import { type Simulation, simulate } from '../simulate/simulate.js';
import { survey } from '../survey.js';
import type { Arguments } from './arguments.js';
import { readLive } from './objects.js';
import { startProgress } from './progress.js';
import { surveyOptions, wantedClusters, wantsColor, write } from './session.js';

export async function diff(args: Arguments, home: string): Promise<number> {
  const { values } = args;
  const progress = startProgress(process.stderr);
  const live = values.live === undefined ? [] : readLive(values.live);
  const options = await surveyOptions(args, home, progress);
  return survey(options, async ({ clusters, rendered, trees }) => {
    const simulations: Simulation[] = [];
    const wanted = wantedClusters(clusters, values);
    const engine = await ApplyEngine.open(join(home, 'dist', 'engine'));
    try {
      for (const cluster of wanted) {
        progress.say(simulations.length, wanted.length, 'simulating');
        simulations.push(await simulate(cluster, engine, { live, fresh: values.fresh === true }));
      }
    } finally {
      await engine.close();
    }
    progress.stop();
    const locator = new Locator(trees);
    const color = wantsColor(values);
    const written = {
      color,
      locate: ({ object }: Simulation['outcomes'][number], path: FieldPath) =>
        object && locator.locate({ object, path }).at,
    };
    const text =
      values.format?.at(-1) === 'json' ? jsonText(diffData(simulations, written)) : diffText(simulations, written);
    write(text, values);
    const broken = rendered.head.filter(({ ok }) => !ok).map(({ entrypoint }) => entrypoint.path);
    for (const path of broken)
      process.stderr.write(`warning  ${printable(path)} cannot be built, so Flux applies nothing of it\n`);
    return broken.length > 0 || simulations.some(({ outcomes }) => outcomes.length > 0) ? 1 : 0;
  }).finally(progress.stop);
}
