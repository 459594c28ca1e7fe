/** The graph in Graphviz' language. */
import { printable } from '../core/escape.js';
import type { Graph, GraphEdge, GraphNode } from './graph.js';

export function toDot({ release, nodes, edges }: Graph, notes: readonly string[]): string {
  return [
    ...[`Cozystack ${release}`, ...notes].map((note) => `// ${note}`),
    'digraph {',
    '  rankdir="RL" nodesep="0.5" ranksep="1.0"',
    '  node [shape="box" style="rounded,filled" fillcolor="white" fontname="sans-serif"]',
    '  edge [fontname="sans-serif" fontsize="10"]',
    ...nodes.map((node) => `  ${quote(node.name)}${attributes(looks(node))}`),
    ...edges.map((edge) => `  ${quote(edge.from)} -> ${quote(edge.to)}${attributes(linesOf(edge, nodes))}`),
    '}',
    '',
  ].join('\n');
}

function looks({ kind, missing, touched }: GraphNode): Record<string, string> {
  return {
    ...(kind === 'component' && { shape: 'ellipse', style: 'filled' }),
    ...(touched && { fillcolor: 'lightblue', penwidth: '2' }),
    ...(missing && { color: 'red', fontcolor: 'red', style: 'dashed' }),
  };
}

function linesOf({ to, variants, ignored }: GraphEdge, nodes: readonly GraphNode[]): Record<string, string> {
  const missing = nodes.some(({ name, missing }) => missing && name === to);
  return {
    ...(variants && { label: variants.join(', ') }),
    ...(missing && { color: 'red' }),
    ...(ignored && { style: 'dashed' }),
  };
}

function attributes(given: Record<string, string>): string {
  const words = Object.entries(given).map(([key, value]) => `${key}=${quote(value)}`);
  return words.length > 0 ? ` [${words.join(' ')}]` : '';
}

/** A backslash is an escape of labels too, such as `\N`, so it is doubled. */
function quote(text: string): string {
  return `"${printable(text).replace(/\\/g, '\\\\').replace(/"/g, '\\"')}"`;
}
