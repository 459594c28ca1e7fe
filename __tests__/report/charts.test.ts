/** The difference below the Packages, in words. */
import { describe, expect, test } from '@jest/globals';
import type { ChartDiff, ChartObjectDiff, FieldPath, Json } from '../../src/core/model.js';
import { chartsMarkdown, chartsText } from '../../src/report/charts.js';

function changed(
  [kind, name]: [string, string],
  fields: [FieldPath, Json?, Json?][],
  restarts?: string,
): ChartObjectDiff {
  return {
    ref: { apiVersion: 'v1', kind, namespace: 'n', name },
    action: 'changed',
    fields: fields.map(([path, before, after]) => ({
      path,
      ...(before !== undefined && { before }),
      ...(after !== undefined && { after }),
    })),
    ...(restarts !== undefined && { restarts }),
  };
}

const release = (objects: ChartObjectDiff[], component = 'metallb'): ChartDiff => ({
  ...{ package: `cozystack.${component}`, component, release: `cozy-${component}/${component}` },
  objects,
});
const image = ['spec', 'template', 'spec', 'initContainers', 0, 'image'];
const two = [
  release([
    changed(['DaemonSet', 'a'], [[image, 'one:1', 'one:2']], 'spec.template.spec.initContainers[0].image'),
    changed(['Deployment', 'b'], [[['spec', 'replicas'], 1, 2]]),
    changed(['Cluster', 'c'], [[['spec', 'image'], 'two:1', 'two:2']]),
    changed(['Cluster', 'd'], [[['spec', 'image'], { name: 'no' }, 'three:2']]),
  ]),
  release([changed(['Deployment', 'e'], [[image, 'one:1', 'one:2']], 'spec.template')], 'other'),
];

test('counts come first, then images, those that are not sure last; what does not restart is said', () => {
  expect(
    chartsText(two, { color: false }),
  ).toBe(`Below the Packages: 5 changed; the pods of 2 workloads restart; 1 workload without a restart
image one:1 → one:2
perhaps image two:1 → two:2 (spec.image of Cluster n/c)

component metallb of Package cozystack.metallb (HelmRelease cozy-metallb/metallb)
~ DaemonSet n/a is changed, and its pods restart (spec.template.spec.initContainers[0].image)
    ~ spec.template.spec.initContainers[0].image: "one:1" → "one:2"
~ Deployment n/b is changed, and its pods do not restart
    ~ spec.replicas: 1 → 2
~ Cluster n/c is changed
    ~ spec.image: "two:1" → "two:2"
~ Cluster n/d is changed
    ~ spec.image: {"name":"no"} → "three:2"

component other of Package cozystack.other (HelmRelease cozy-other/other)
~ Deployment n/e is changed, and its pods restart (spec.template)
    ~ spec.template.spec.initContainers[0].image: "one:1" → "one:2"
`);
});

describe('of long values, where they begin to differ is shown', () => {
  const shownOf = (before: Json, after: Json) => {
    const text = chartsText([release([changed(['ConfigMap', 'a'], [[['data', 'conf'], before, after]])])], {
      color: false,
    });
    return /data.conf: (.*)$/m.exec(text)?.[1]?.split(' → ') ?? [];
  };
  const long = 'x'.repeat(200);

  test.each<[string, Json, Json, [string, string]]>([
    [
      'late',
      `${long}one${long}`,
      `${long}other${long}`,
      [`…${'x'.repeat(29)}one${'x'.repeat(46)}…`, `…${'x'.repeat(29)}other${'x'.repeat(44)}…`],
    ],
    ['early', `one${long}`, `other${long}`, [`"one${'x'.repeat(75)}…`, `"other${'x'.repeat(73)}…`]],
    ['at the end of one', long, `${long}!`, [`…${'x'.repeat(30)}"`, `…${'x'.repeat(30)}!"`]],
    [
      'in what is none',
      { a: long, b: 1 },
      { a: long, b: 2 },
      [`…${'x'.repeat(24)}","b":1}`, `…${'x'.repeat(24)}","b":2}`],
    ],
    [
      'within a character',
      `${long}\u{1f600}`,
      `${long}\u{1f601}`,
      [`…${'x'.repeat(29)}\u{1f600}"`, `…${'x'.repeat(29)}\u{1f601}"`],
    ],
  ])('%s', (_, before, after, expected) => {
    expect(shownOf(before, after)).toEqual(expected);
  });

  test('wherever it is', () => {
    for (let at = 0; at < 300; at += 1) {
      const [was, is] = shownOf(`${'y'.repeat(at)}a${long}`, `${'y'.repeat(at)}b${long}`);
      expect(was).not.toBe(is);
      expect(`${was}`.length).toBeLessThanOrEqual(80);
    }
  });
});

describe('in Markdown', () => {
  test('each component is folded behind its counts', () => {
    const [title, sum, images, first, second] = chartsMarkdown(two, 10_000);
    expect([title, sum, images]).toEqual([
      '### Below the Packages',
      '5 changed; the pods of 2 workloads restart; 1 workload without a restart.',
      '- `image one:1 → one:2`\n- `perhaps image two:1 → two:2 (spec.image of Cluster n/c)`',
    ]);
    expect(first?.split('\n\n')[0]).toBe(
      '<details><summary>component <code>metallb</code> of Package <code>cozystack.metallb</code> (HelmRelease <code>cozy-metallb/metallb</code>): 4 changed; the pods of 1 workload restart; 1 workload without a restart</summary>',
    );
    expect(second).toContain('</code>): 1 changed; the pods of 1 workload restart</summary>');
  });

  test('what has no room is counted', () => {
    expect(chartsMarkdown(two, 800).at(-1)).toBe('**1 more component:** run `customizer-lint diff --charts`.');
  });

  test('a name is no HTML, and no mention', () => {
    const [, , block = ''] = chartsMarkdown(
      [release([changed(['A', 'b'], [])], '</summary>@team<img src=x>\n\n#1')],
      10_000,
    );
    const [summary = ''] = block.split('\n');
    expect(summary).toContain('<code>&lt;/summary&gt;@team&lt;img src=x&gt;\\n\\n#1</code>');
  });
});
