/** The graph in the language of Mermaid. */
import { expect, test } from '@jest/globals';
import type { Graph } from '../../src/graph/graph.js';
import { toMermaid } from '../../src/graph/mermaid.js';

const node = (name: string, more: Partial<Graph['nodes'][number]> = {}): Graph['nodes'][number] => ({
  ...{ name, kind: 'package', missing: false, touched: false },
  ...more,
});
const legend = [
  '  classDef touched fill:#add8e6,stroke:#1f6feb,stroke-width:2px,color:#000',
  '  classDef missing stroke:#d1242f,color:#d1242f,stroke-dasharray:4',
];

test('what is touched and what is missing are marked, and the arrows to what is missing', () => {
  const nodes = [
    node('a', { touched: true }),
    node('a.b', { kind: 'component' }),
    node('c', { missing: true, touched: true }),
    node('d<', {}),
  ];
  const edges = [
    { from: 'a', to: 'd<', variants: ['x', 'y"'] },
    { from: 'a', to: 'c' },
    { from: 'a.b', to: 'a', ignored: true as const },
    { from: 'd<', to: 'c' },
  ];
  expect(toMermaid({ release: 'v1', nodes, edges }, ['a {note}']).split('\n')).toEqual([
    ...['%% Cozystack v1', '%% a note', 'flowchart RL', '  n0["a"]', '  n1(["a.b"])', '  n2["c"]', '  n3["d#60;"]'],
    ...['  n0 -->|"x, y#34;"| n3', '  n0 --> n2', '  n1 -.-> n0', '  n3 --> n2'],
    ...[...legend, '  class n0 touched', '  class n2 missing', '  linkStyle 1,3 stroke:#d1242f', ''],
  ]);
});

test('where nothing is marked nothing is said of it', () => {
  expect(toMermaid({ release: 'v1', nodes: [node('a')], edges: [] }).split('\n')).toEqual([
    ...['%% Cozystack v1', 'flowchart RL', '  n0["a"]', ...legend, ''],
  ]);
});

test('one arrow to what is missing is marked', () => {
  const nodes = [node('a'), node('b', { missing: true })];
  expect(toMermaid({ release: 'v1', nodes, edges: [{ from: 'a', to: 'b' }] })).toContain(
    '  linkStyle 0 stroke:#d1242f\n',
  );
});
