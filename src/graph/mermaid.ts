/** The graph in Mermaid's language, which GitHub draws in comments and summaries. */
import type { Graph } from './graph.js';

export function toMermaid({ release, nodes, edges }: Graph, notes: readonly string[] = []): string {
  const ids = new Map(nodes.map(({ name }, index) => [name, `n${index}`]));
  const missing = new Set(nodes.filter((node) => node.missing).map(({ name }) => name));
  const lines = edges.map(({ from, to, variants, ignored }) => {
    const arrow = ignored ? '-.->' : '-->';
    return `  ${ids.get(from)} ${arrow}${variants ? `|"${text(variants.join(', '))}"|` : ''} ${ids.get(to)}`;
  });
  const red = edges.flatMap(({ to }, index) => (missing.has(to) ? [index] : []));
  const classed = (name: string, members: string[]) =>
    members.length > 0 ? [`  class ${members.join(',')} ${name}`] : [];
  const idsOf = (wanted: (node: Graph['nodes'][number]) => boolean) =>
    nodes.filter(wanted).map(({ name }) => ids.get(name) as string);
  return [
    ...[`Cozystack ${release}`, ...notes].map((note) => `%% ${note.replace(/[{}]/g, '')}`),
    'flowchart RL',
    ...nodes.map(({ name, kind }) => {
      const [open, close] = kind === 'component' ? ['(["', '"])'] : ['["', '"]'];
      return `  ${ids.get(name)}${open}${text(name)}${close}`;
    }),
    ...lines,
    '  classDef touched fill:#add8e6,stroke:#1f6feb,stroke-width:2px,color:#000',
    '  classDef missing stroke:#d1242f,color:#d1242f,stroke-dasharray:4',
    ...classed(
      'touched',
      idsOf(({ touched, missing }) => touched && !missing),
    ),
    ...classed(
      'missing',
      idsOf(({ missing }) => missing),
    ),
    ...(red.length > 0 ? [`  linkStyle ${red.join(',')} stroke:#d1242f`] : []),
    '',
  ].join('\n');
}

/** Whatever could mean something to Mermaid or to HTML is written as a character code. */
function text(name: string): string {
  return name.replace(/[^\w., /-]/gu, (character) => `#${character.codePointAt(0)};`);
}
