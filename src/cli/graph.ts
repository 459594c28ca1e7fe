/** `customizer-lint graph [DIR]`: which Package waits for which, drawn. */
import type { Cluster } from '../cluster/cluster.js';
import { toldFact } from '../cluster/facts.js';
import { jsonText, printable } from '../core/escape.js';
import { UsageError } from '../core/model.js';
import { toDot } from '../graph/dot.js';
import { dependencyGraph, type Graph } from '../graph/graph.js';
import { toMermaid } from '../graph/mermaid.js';
import { loadWorkspace } from '../lint/load.js';
import { factWords } from '../report/summary.js';
import { workspaceOptions, write } from './common.js';
import type { Program } from './program.js';
import { startProgress } from './progress.js';
import type { Call } from './root.js';

type Format = 'dot' | 'mermaid' | 'json';

export async function graph(args: Call, program: Program): Promise<number> {
  const { values } = args;
  const progress = startProgress(program.stderr);
  const options = await workspaceOptions(args, program, progress);
  const format = (values.format?.at(-1) ?? 'dot') as Format;
  return loadWorkspace(options, ({ clusters, rendered }) => {
    progress.stop();
    const cluster = oneOf(clusters, values.cluster);
    const drawn = dependencyGraph(cluster, {
      installed: values.installed === true,
      components: values.components === true,
    });
    const text = written(drawn, format, notesOf(cluster, values.installed === true));
    write(text, values, program);
    const broken = rendered.head.filter(({ ok }) => !ok).map(({ entrypoint }) => entrypoint.path);
    for (const path of broken) {
      program.stderr.write(`warning  ${printable(path)} cannot be built, so nothing of it is in the graph\n`);
    }
    return broken.length > 0 ? 1 : 0;
  }).finally(progress.stop);
}

/** A picture shows one cluster. */
export function oneOf(clusters: readonly Cluster[], wanted: string | undefined): Cluster {
  const names = clusters.map(({ name }) => name ?? '').sort();
  const found = wanted === undefined ? clusters : clusters.filter(({ name }) => name === wanted);
  if (found.length === 1) return found[0] as Cluster;
  if (wanted !== undefined && names.some((name) => name !== ''))
    throw new UsageError(`there is no cluster "${wanted}" here: use one of ${names.join(', ')}`);
  if (wanted !== undefined) throw new UsageError('this repository does not tell clusters apart; leave --cluster out');
  throw new UsageError(`which cluster? use --cluster with one of ${names.join(', ')}`);
}

/** What was only assumed stands with the picture. */
function notesOf({ facts, contract }: Cluster, installed: boolean): string[] {
  return facts
    .used()
    .filter(({ name, source }) => source === 'assumed' && (installed || name === 'release'))
    .map((fact) => `assumed: ${printable(factWords(toldFact(fact, contract)))}`);
}

function written(graph: Graph, format: Format, notes: readonly string[]): string {
  if (format === 'dot') return toDot(graph, notes);
  if (format === 'mermaid') return toMermaid(graph, notes);
  return jsonText({ ...graph, notes });
}
