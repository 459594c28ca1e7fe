/** `customizer-lint graph [DIR]`: which Package waits for which, drawn. */
import type { Cluster } from '../cluster/cluster.js';
import { toldFact } from '../cluster/facts.js';
import { jsonText, printable } from '../core/escape.js';
import { toDot } from '../graph/dot.js';
import { dependencyGraph, type Graph } from '../graph/graph.js';
import { toMermaid } from '../graph/mermaid.js';
import { loadWorkspace } from '../lint/load.js';
import { factWords } from '../report/summary.js';
import { hideIn, hiderOf } from '../secrets/hide.js';
import { oneCluster, workspaceOptions, write } from './common.js';
import type { Program } from './program.js';
import { startProgress } from './progress.js';
import type { Call } from './root.js';

type Format = 'dot' | 'mermaid' | 'json';

export async function graph(args: Call, program: Program): Promise<number> {
  const { values } = args;
  const progress = startProgress(program.stderr);
  const options = await workspaceOptions(args, program, progress);
  const format = (values.format?.at(-1) ?? 'dot') as Format;
  return loadWorkspace(options, ({ clusters, rendered, trees }) => {
    progress.stop();
    const cluster = oneCluster(clusters, values);
    const drawn = dependencyGraph(cluster, {
      installed: values.installed === true,
      components: values.components === true,
    });
    const text = written(
      hideIn(drawn, hiderOf({ trees, rendered })),
      format,
      notesOf(cluster, values.installed === true),
    );
    write(text, args, program);
    const broken = rendered.head.filter(({ ok }) => !ok).map(({ entrypoint }) => entrypoint.path);
    for (const path of broken) {
      program.stderr.write(`warning  ${printable(path)} cannot be built, so nothing of it is in the graph\n`);
    }
    return broken.length > 0 ? 1 : 0;
  }).finally(progress.stop);
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
