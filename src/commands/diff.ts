/** `customizer-lint diff [DIR]`: what a merge does in the cluster, as a simulation has it. 0 nothing, 1 something, 2 not done. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { ApplyEngine } from '../engine/apply-engine.js';
import { remotesOf } from '../git.js';
import { Locator } from '../locate/locate.js';
import { type FieldPath, type JsonObject, UsageError } from '../model.js';
import { isObject } from '../object.js';
import { diffData, diffText } from '../report/diff.js';
import { jsonText, printable } from '../report/escape.js';
import { type Simulation, simulate } from '../simulate/simulate.js';
import { survey } from '../survey.js';
import type { Arguments } from './arguments.js';
import { startProgress } from './progress.js';

export async function diff({ directory, values }: Arguments, home: string): Promise<number> {
  const progress = startProgress(process.stderr);
  const live = values.live === undefined ? [] : readLive(values.live);
  const options = {
    directory,
    home,
    paths: values.path ?? [],
    remotes: await remotesOf(directory),
    progress: progress.update,
    ...(values.config !== undefined && { config: values.config }),
    ...(values.release !== undefined && { release: values.release }),
    ...(values.base !== undefined && { base: values.base }),
  };
  return survey(options, async ({ clusters, rendered, trees }) => {
    const simulations: Simulation[] = [];
    const wanted = clusters.filter(({ name }) => values.cluster === undefined || name === values.cluster);
    if (wanted.length === 0) throw new UsageError(`the repository has no cluster "${values.cluster}"`);
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
    const color =
      !values['no-color'] && values.output === undefined && process.stdout.isTTY === true && !process.env.NO_COLOR;
    const written = {
      color,
      locate: ({ object }: Simulation['outcomes'][number], path: FieldPath) =>
        object && locator.locate({ object, path }).at,
    };
    const text =
      values.format?.at(-1) === 'json' ? jsonText(diffData(simulations, written)) : diffText(simulations, written);
    if (values.output === undefined) process.stdout.write(text);
    else writeFileSync(values.output, text);
    const broken = rendered.head.filter(({ ok }) => !ok).map(({ entrypoint }) => entrypoint.path);
    for (const path of broken)
      process.stderr.write(`warning  ${printable(path)} cannot be built, so Flux applies nothing of it\n`);
    return broken.length > 0 || simulations.some(({ outcomes }) => outcomes.length > 0) ? 1 : 0;
  }).finally(progress.stop);
}

/** What `kubectl get packages -o yaml --show-managed-fields` prints: a list, or documents. */
function readLive(file: string): JsonObject[] {
  let documents: unknown[];
  try {
    documents = parseAllDocuments(readFileSync(file, 'utf8')).map((document) => document.toJS());
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message.split('\n')[0]}`);
  }
  const objects = documents.filter((one): one is JsonObject => isObject(one as JsonObject));
  const items = objects.flatMap((object) => (Array.isArray(object.items) ? object.items.filter(isObject) : [object]));
  const lacking = items.find(({ metadata }) => !isObject(metadata) || !Array.isArray(metadata.managedFields));
  if (items.length === 0) throw new UsageError(`${file} has no object in it`);
  if (lacking)
    throw new UsageError(`${file} has objects without managedFields; add --show-managed-fields to kubectl get`);
  return items;
}
