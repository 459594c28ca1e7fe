/** Repositories made to hurt by how much there is of one thing: what is linear stays fast, and what is not has a limit. */
import { configMap, type Files, kustomization } from '../../support/trees.js';
import { doubling, one, patched, root } from './shapes.js';

const many = <Item>(count: number, item: (n: number) => Item): Item[] =>
  Array.from({ length: count }, (_, n) => item(n));
const lines = (count: number, line: (n: number) => string) => many(count, line).join('\n');
const documents = (count: number, text: (n: number) => string) => many(count, text).join('\n---\n');
const folders = (count: number, files: (n: number) => Files): Files => Object.assign({}, ...many(count, files));

const metallb = (spec: string, name = 'cozystack.metallb') =>
  `apiVersion: cozystack.io/v1alpha1\nkind: Package\nmetadata: {name: ${name}}\nspec:\n${spec}\n`;
const flux = (name: string, path: string, more = '') =>
  `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: ${name}, namespace: b}\nspec:\n  path: ${path}\n  interval: 5m\n  prune: true\n  sourceRef: {kind: GitRepository, name: a}\n${more}`;
const substituted = (text: string, substitute: string): Files => ({
  'kustomization.yaml': kustomization({ resources: ['flux.yaml'] }),
  'flux.yaml': flux('a', './app', `  postBuild: {substitute: ${substitute}}\n`),
  'app/kustomization.yaml': kustomization({ resources: ['a.yaml'] }),
  'app/a.yaml': configMap('a', { x: text }),
});
const nested = (name: string, depth: number) => [`\${${name}:=`.repeat(depth), 'z', '}'.repeat(depth)].join('');
const slow = (count: number): Files =>
  folders(count, (n) => ({
    [`flux${n}.yaml`]: flux(`a${n}`, `./e${n}/l24`),
    ...Object.fromEntries(Object.entries(doubling(24)).map(([file, text]) => [`e${n}/${file}`, text])),
  }));
const configured = (text: string): Files => ({ '.customizer-lint.yaml': text, ...one(configMap('a')) });
const helmRelease = (values: string) =>
  `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: a, namespace: cozy-customizer}\nspec:\n  interval: 5m\n  chart: {spec: {chart: a, sourceRef: {kind: HelmRepository, name: a}}}\n  values:\n${values}\n`;
const role = (rules: string) =>
  `apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: a, namespace: cozy-customizer}\nrules:\n${rules}\n`;
const ignore = (words: string) => `  # customizer-lint ignore ${words}`;
const jsonPatch = (operations: unknown[]): Files => ({
  'kustomization.yaml': kustomization({
    resources: ['a.yaml'],
    patches: [{ target: { kind: 'ConfigMap' }, patch: JSON.stringify(operations) }],
  }),
  'a.yaml': configMap('a'),
});

export const growing: Record<string, () => Files> = {
  // Comments that ignore.
  'a reason with 8,000 spaces': () =>
    one(metallb(`${ignore(`dead-patch -- x${' '.repeat(8000)}x`)}\n  components: {}`)),
  'a reason with 500,000 spaces': () =>
    one(metallb(`${ignore(`dead-patch -- x${' '.repeat(500_000)}x`)}\n  components: {}`)),
  'a reason of 100,000 tabs and days': () =>
    one(metallb(`${ignore(`dead-patch -- ${'\t(until 2026-01-01)'.repeat(100_000)}`)}\n  components: {}`)),
  'a rule of 500,000 dashes': () => one(metallb(`${ignore('-'.repeat(500_000))}\n  components: {}`)),
  '60,000 useless ignores': () =>
    one(metallb(`${lines(60_000, (n) => ignore(`dead-patch -- x${n}`))}\n  components: {}`)),
  '60,000 ignores of no rule': () =>
    one(metallb(`${lines(60_000, (n) => ignore(`no-rule-${n} -- x`))}\n  components: {}`)),
  '20,000 ignores that have expired': () =>
    one(
      metallb(
        `  components:\n${lines(20_000, (n) => `    m${n}: {} # customizer-lint ignore unknown-component -- x (until 2020-01-01)`)}`,
      ),
    ),
  '20,000 findings that are ignored': () =>
    one(
      metallb(
        `  components:\n${lines(20_000, (n) => `    m${n}: {} # customizer-lint ignore unknown-component -- x`)}`,
      ),
    ),
  // Findings.
  '1,000 misspelt components': () => one(metallb(`  components:\n${lines(1000, (n) => `    metallb${n}: {}`)}`)),
  '20,000 misspelt components': () => one(metallb(`  components:\n${lines(20_000, (n) => `    metallb${n}: {}`)}`)),
  '20,000 misspelt components on one line': () =>
    one(metallb(`  components: {${many(20_000, (n) => `metallb${n}: {}`).join(', ')}}`)),
  '60,000 bad items of a list': () => one(role(lines(60_000, () => '- 5'))),
  '60,000 bad items on one line': () => one(role('').replace('rules:\n', `rules: [${'5, '.repeat(60_000)}5]`)),
  '10,000 unknown Packages': () => one(documents(10_000, (n) => metallb('  variant: x', `cozystack.nope${n}`))),
  '10,000 fields that the chart owns': () =>
    one(documents(10_000, (n) => metallb('  variant: x', `cozystack.metallb${n % 3}`))),
  '2,000 unknown Packages in files of their own': () => ({
    'kustomization.yaml': kustomization({ resources: many(2000, (n) => `p${n}.yaml`) }),
    ...folders(2000, (n) => ({ [`p${n}.yaml`]: metallb('  variant: x', `cozystack.nope${n}`) })),
  }),
  '20,000 findings behind an anchor': () =>
    one(metallb(`  components:\n    x: &x {}\n${lines(20_000, (n) => `    metallb${n}: *x`)}`)),
  '30,000 keys that are unknown in a kustomization': () =>
    root({ resources: ['a.yaml'], ...Object.fromEntries(many(30_000, (n) => [`x${n}`, n])) }),
  'a message of 3 MB': () => one(metallb(`  variant: "${'x'.repeat(3_000_000)}"`)),
  'a name of 3 MB': () => one(metallb('  variant: x', 'x'.repeat(3_000_000))),
  // Texts of kustomize.
  'a number of 3 MB beside .inf': () =>
    one(metallb(`  variant: ${'9'.repeat(3_000_000)}\n  components: {metallb: {values: {a: .inf}}}`)),
  'a word of 3 MB beside .nan': () =>
    one(metallb(`  variant: ${'w'.repeat(3_000_000)}\n  components: {metallb: {values: {a: .nan}}}`)),
  'quotes of 2 MB beside .inf': () =>
    one(metallb(`  variant: "${'Kind:\\" '.repeat(250_000)}"\n  components: {metallb: {values: {a: .inf}}}`)),
  'a patch for what is not there, 1 MB long': () => patched(configMap('b', { a: 'line 1: key "'.repeat(80_000) })),
  'a path of 100,000 folders': () => root({ resources: ['x/'.repeat(100_000)] }),
  // Many entrypoints, and slow ones.
  'three slow entrypoints': () => slow(3),
  'ten slow entrypoints': () => slow(10),
  '1,000 Flux objects of one folder': () => ({
    'flux.yaml': documents(1000, (n) => flux(`a${n}`, './app')),
    'app/kustomization.yaml': kustomization({ resources: ['a.yaml'] }),
    'app/a.yaml': configMap('a'),
  }),
  '1,000 small entrypoints': () =>
    folders(1000, (n) => ({
      [`f${n}.yaml`]: flux(`a${n}`, `./e${n}`),
      [`e${n}/kustomization.yaml`]: kustomization({ resources: ['a.yaml'] }),
      [`e${n}/a.yaml`]: configMap(`a${n}`),
    })),
  '3,000 clusters of one base': () => ({
    'base/kustomization.yaml': kustomization({ resources: many(300, (n) => `a${n}.yaml`) }),
    ...folders(300, (n) => ({ [`base/a${n}.yaml`]: configMap(`a${n}`) })),
    ...folders(3000, (n) => ({ [`clusters/c${n}/kustomization.yaml`]: kustomization({ resources: ['../../base'] }) })),
  }),
  '300 clusters': () => folders(300, (n) => ({ [`clusters/c${n}/a.yaml`]: configMap(`a${n}`) })),
  '500 Flux objects that name what is not there': () => ({
    'flux.yaml': documents(500, (n) => flux(`a${n}`, `./no${n}`)),
  }),
  'Flux objects that name each other': () =>
    folders(50, (n) => ({ [`e${n}/f.yaml`]: flux(`a${n}`, `./e${(n + 1) % 50}`) })),
  // Variables.
  'defaults 50 deep': () => substituted(nested('a', 50), '{x: y}'),
  'defaults 10,000 deep': () => substituted(nested('a', 10_000), '{x: y}'),
  'defaults 10,000 deep that never end': () => substituted(`\${a:=`.repeat(10_000), '{x: y}'),
  '30,000 variables in one object': () => substituted(`\${x}-`.repeat(30_000), '{x: y}'),
  '2,000 undefined variables': () => substituted(many(2000, (n) => `\${v${n}}`).join(' '), '{x: y}'),
  '10,000 variables in the Flux object': () =>
    substituted(`\${v1}`, JSON.stringify(Object.fromEntries(many(10_000, (n) => [`v${n}`, 'y'])))),
  'a list among the variables': () => substituted(`\${x}`, '{x: [a, b]}'),
  'variables that are a list': () => substituted(`\${x}`, '[a, b]'),
  'a map, a number and nothing among the variables': () => substituted(`\${x}`, '{x: {a: b}, y: 5, z: null}'),
  'Flux fields of other types': () => ({
    'kustomization.yaml': kustomization({ resources: ['flux.yaml'] }),
    'flux.yaml': flux(
      'a',
      './app',
      '  patches: [5, {patch: {a: b}, target: 7}]\n  images: [x, {name: 5}]\n  commonMetadata: {labels: [a], annotations: {x: 5}}\n  components: [5]\n',
    ),
    'app/kustomization.yaml': kustomization({ resources: ['a.yaml'] }),
    'app/a.yaml': configMap('a'),
  }),
  // Patterns.
  'a duration of many numbers': () =>
    one(helmRelease('    a: b').replace('interval: 5m', `interval: ${'11m'.repeat(40)}!`)),
  'a quantity of 500,000 digits': () =>
    one(
      `apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: a, namespace: cozy-customizer}\nspec: {hard: {cpu: "${'1'.repeat(500_000)}x"}}\n`,
    ),
  'globs in the configuration that explode': () =>
    configured(`ignores: [{rule: dead-patch, reason: x, paths: ["${'*a'.repeat(200)}b", "${'**/'.repeat(50)}x"]}]\n`),
  'globs of braces': () => configured(`ignores: [{rule: dead-patch, reason: x, paths: ["${'{a,b}'.repeat(24)}"]}]\n`),
  '2,000 ignores in the configuration': () =>
    configured(`ignores:\n${lines(2000, () => '- {rule: dead-patch, reason: x, paths: ["*a*a*a*"]}')}\n`),
  'a configuration of 20,000 keys': () => configured(lines(20_000, (n) => `x${n}: 1`)),
  'a configuration that says one thing twice': () => configured('rules: {}\nrules: {}\n'),
  // Values, patches, replacements.
  'values 90 maps deep': () => one(helmRelease(`    a: ${'{a: '.repeat(90)}1${'}'.repeat(90)}`)),
  '50,000 values': () => one(helmRelease(lines(50_000, (n) => `    a${n}: b`))),
  'an empty JSON patch': () => jsonPatch([]),
  '2,000 operations of a JSON patch': () =>
    jsonPatch(many(2000, (n) => ({ op: 'add', path: `/data/x${n}`, value: 'x' }))),
  'a JSON patch with a path of 200,000 steps': () => jsonPatch([{ op: 'add', path: '/a'.repeat(200_000), value: 'x' }]),
  'a JSON patch that copies itself': () => jsonPatch(many(30, () => ({ op: 'copy', from: '/data', path: '/data/x' }))),
  'a replacement out of bounds': () =>
    root({
      resources: ['a.yaml'],
      replacements: [
        { source: { kind: 'ConfigMap', fieldPath: 'data.a', options: { delimiter: '-', index: 99 } }, targets: [] },
      ],
    }),
  '500 components': () => ({
    'kustomization.yaml': kustomization({ resources: ['a.yaml'], components: many(500, (n) => `c${n}`) }),
    'a.yaml': configMap('a'),
    ...folders(500, (n) => ({
      [`c${n}/kustomization.yaml`]: JSON.stringify({
        apiVersion: 'kustomize.config.k8s.io/v1alpha1',
        kind: 'Component',
        namePrefix: 'x',
      }),
    })),
  }),
  'a generator of 60,000 literals': () =>
    root({ configMapGenerator: [{ name: 'x', literals: many(60_000, (n) => `k${n}=v`) }] }),
  '3,000 generators': () => root({ configMapGenerator: many(3000, (n) => ({ name: `x${n}`, literals: ['a=b'] })) }),
  // Encryption, names, text.
  'a SOPS file of 20,000 values': () =>
    one(
      `${configMap('a', Object.fromEntries(many(20_000, (n) => [`k${n}`, 'ENC[AES256_GCM,data:x]'])))}`.replace(
        /}$/,
        ',"sops":{"mac":"x"}}',
      ),
    ),
  'a SOPS file that is no manifest': () => one(`sops: {${many(5000, (n) => `a${n}: b`).join(', ')}}\n`),
  'a snapshot that is none': () => ({
    '.customizer-lint.yaml': 'cluster: {snapshot: s.yaml}\n',
    's.yaml': lines(50_000, (n) => `x${n}: 1`),
    ...one(configMap('a')),
  }),
  'marks of direction in keys': () => one(configMap('a', { '\u202e\u2066x': '\u200b'.repeat(100_000) })),
  'a line of 500,000 combining marks': () => one(metallb(`  variant: "e${'\u0301'.repeat(500_000)}"`)),
  'halves of surrogates': () =>
    one('{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"\\ud800"},"data":{"\\udfff":"x"}}'),
  'names of 250 characters, 60 folders deep': () => ({
    'kustomization.yaml': kustomization({ resources: [`${'d/'.repeat(60)}${'x'.repeat(240)}.yaml`] }),
    [`${'d/'.repeat(60)}${'x'.repeat(240)}.yaml`]: configMap('a'),
  }),
  'a path that climbs and comes back': () => root({ resources: [`${'x/../'.repeat(20_000)}a.yaml`] }),
  '5,000 ignored files': () => ({ '.sourceignore': lines(5000, (n) => `**/x${n}*`), ...one(configMap('a')) }),
};
