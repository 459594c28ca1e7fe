/**
 * What Flux refuses, at the line to edit: every kind of error text that kustomize and Flux's generator have, each made by
 * a real repository and reported by the real command.
 */
import { expect, test } from '@jest/globals';
import { runHere } from '../support/here.js';
import { createRepo, type Files, removeRepo } from '../support/trees.js';

// After here.ts, which takes the place of the engines.
const { errorMessages } = await import('../../src/render/error-messages.js');

const configMap = (name: string, namespace = 'x') =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  namespace: ${namespace}\ndata:\n  a: b\n`;
const root = (rest: string) => `apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n${rest}`;
const one = (rest: string, more: Files = {}): Files => ({
  'kustomization.yaml': root(`resources:\n  - a.yaml\n${rest}`),
  'a.yaml': configMap('a'),
  ...more,
});
const resource = (text: string): Files => ({ 'kustomization.yaml': root('resources:\n  - a.yaml\n'), 'a.yaml': text });

/** A folder that a Flux Kustomization applies, and more of its spec. */
const applied = (spec: string, manifest: string): Files => ({
  'clusters/a.yaml': `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata:\n  name: apps\n  namespace: flux-system\nspec:\n  interval: 5m\n  prune: true\n  path: ./apps\n  sourceRef:\n    kind: GitRepository\n    name: flux-system\n${spec}`,
  'apps/a.yaml': manifest,
});

const table: [name: string, files: Files, at: string, message: string][] = [
  [
    'a missing file',
    { 'kustomization.yaml': root('resources:\n  - nope.yaml\n') },
    'kustomization.yaml:4:5',
    'There is no file or folder "nope.yaml"',
  ],
  [
    'a missing folder, two levels down',
    { 'kustomization.yaml': root('resources: [d]'), 'd/kustomization.yaml': root('resources:\n  - e/f\n') },
    'd/kustomization.yaml:4:5',
    'There is no file or folder "d/e/f"',
  ],
  [
    'a folder without a kustomization',
    { 'kustomization.yaml': root('resources:\n  - d\n'), 'd/a.yaml': configMap('a') },
    'kustomization.yaml:4:5',
    'The folder "d" has no kustomization.yaml',
  ],
  [
    'a missing component',
    one('components:\n  - nope\n'),
    'kustomization.yaml:6:5',
    'There is no file or folder "nope"',
  ],
  [
    'a component of another kind',
    one('components: [c]\n', { 'c/kustomization.yaml': root('resources: []\n') }),
    'kustomization.yaml:5:14',
    'A component must be of kind Component, and this is a Kustomization',
  ],
  [
    'a circle',
    { 'kustomization.yaml': root('resources: [b]\n'), 'b/kustomization.yaml': root('resources:\n  - ../\n') },
    'b/kustomization.yaml:4:5',
    'This kustomization includes itself',
  ],
  [
    'a path above',
    { 'kustomization.yaml': root('resources:\n  - ../../etc/passwd\n') },
    'kustomization.yaml:4:5',
    '"/etc/passwd" lies outside the repository, where Flux reads nothing',
  ],
  [
    'a remote base',
    { 'kustomization.yaml': root('resources:\n  - https://github.com/example/x//base?ref=main\n') },
    'kustomization.yaml:4:5',
    'A remote base can change without a commit here, so it is not rendered',
  ],
  [
    'a nested typo',
    { 'kustomization.yaml': root('resources: [d]\n'), 'd/kustomization.yaml': root('resource:\n  - a.yaml\n') },
    'd/kustomization.yaml:3:1',
    '"resource" is not a field of a kustomization',
  ],
  [
    'an empty nested kustomization',
    { 'kustomization.yaml': root('resources: [d]\n'), 'd/kustomization.yaml': '' },
    'd/kustomization.yaml',
    'The kustomization is empty',
  ],
  [
    'a root of another type',
    { 'kustomization.yaml': root('resources: a.yaml\n') },
    'kustomization.yaml:3:1',
    '"resources" must be a list of strings, and this is a string',
  ],
  [
    'a root that is broken',
    { 'kustomization.yaml': 'namespace: x\nresources: [a.yaml\n' },
    'kustomization.yaml:2:1',
    "This is not valid YAML: did not find expected ',' or ']'",
  ],
  [
    'a Flux Kustomization as root',
    { 'kustomization.yaml': 'kind: Kustomization\napiVersion: kustomize.toolkit.fluxcd.io/v1\n' },
    'kustomization.yaml:2:1',
    'This file is not a kustomization: apiVersion for Kustomization should be kustomize.config.k8s.io/v1beta1',
  ],
  [
    'two kustomizations',
    { 'kustomization.yaml': root('resources: []\n'), 'kustomization.yml': root('resources: []\n') },
    'kustomization.yaml',
    'The folder has more than one kustomization file',
  ],
  [
    'an object twice',
    one('', {
      'kustomization.yaml': root('resources: [a.yaml, b.yaml]\n'),
      'b.yaml': `${configMap('b')}---\n${configMap('a')}`,
    }),
    'b.yaml:12:9',
    'duplicate ConfigMap "x/a", so kustomize refuses to build it',
  ],
  [
    'broken YAML in the second document',
    resource(`${configMap('z')}---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n data:\n  x: [\n`),
    'a.yaml:12:3',
    'This is not valid YAML: did not find expected key',
  ],
  [
    'a key twice',
    resource(`${configMap('z')}---\n${configMap('a')}  c: 1\n  a: 2\n`),
    'a.yaml:17:3',
    'duplicate key "a", first set on line 7 of its document, so kustomize refuses to build it',
  ],
  [
    'a document without a kind',
    resource(`${configMap('z')}---\napiVersion: v1\nmetadata: {name: a}\n`),
    'a.yaml:9:1',
    'An object has no kind',
  ],
  [
    'a document without a name',
    resource('apiVersion: v1\nkind: ConfigMap\n'),
    'a.yaml:1:1',
    'An object has no metadata.name',
  ],
  [
    'text behind a separator',
    resource(`${configMap('a')}--- next\n${configMap('b')}`),
    'a.yaml:8:1',
    '"--- next" is not a document separator',
  ],
  [
    'a file that is no manifest',
    { 'a.yaml': configMap('a'), 'values.yaml': 'foo: bar\n' },
    'values.yaml',
    '"values.yaml" is not a Kubernetes manifest, and without a kustomization.yaml Flux takes every YAML file for one',
  ],
  [
    'a patch without a base',
    one('patches:\n  - path: p.yaml\n', { 'p.yaml': configMap('b') }),
    'kustomization.yaml:6:5',
    'The patch is for ConfigMap "x/b", which this kustomization does not render',
  ],
  [
    'a patch without a base, as it was written before kustomize 5',
    one('patchesStrategicMerge:\n  - p.yaml\n', { 'p.yaml': configMap('b') }),
    'kustomization.yaml:6:3',
    'The patch is for ConfigMap "x/b", which this kustomization does not render',
  ],
  [
    'a patch of two bases',
    {
      'kustomization.yaml': root('resources: [one, two]\npatches:\n  - path: p.yaml\n'),
      'p.yaml': configMap('a'),
      'one/kustomization.yaml': root('resources: [a.yaml]\nnamePrefix: one-\n'),
      'one/a.yaml': configMap('a'),
      'two/kustomization.yaml': root('resources: [a.yaml]\nnamePrefix: two-\n'),
      'two/a.yaml': configMap('a'),
    },
    'kustomization.yaml:5:5',
    'The patch is for ConfigMap "x/a", which is more than one of the objects here, by their names before a prefix',
  ],
  [
    'what a generator merges into is not there',
    one('configMapGenerator:\n  - name: b\n    namespace: x\n    behavior: merge\n    literals: [c=d]\n'),
    'kustomization.yaml:6:5',
    'ConfigMap "x/b" is to be merged or replaced, and nothing before it renders one',
  ],
  ['a missing patch', one('patches:\n  - path: p.yaml\n'), 'kustomization.yaml:6:5', 'There is no patch file "p.yaml"'],
  [
    'an operation that does not apply',
    one(
      'patches:\n  - target: {kind: ConfigMap}\n    patch: |\n      - op: replace\n        path: /data/x/y\n        value: 1\n',
    ),
    'kustomization.yaml:6:5',
    'The operation "replace" of the patch does not apply: doc is missing path: /data/x/y: missing value',
  ],
  [
    'a test that fails',
    one(
      'patches:\n  - target: {kind: ConfigMap}\n    patch: |\n      - op: test\n        path: /data/a\n        value: c\n',
    ),
    'kustomization.yaml:6:5',
    'The test of the patch at "/data/a" fails',
  ],
  [
    'a patch that is neither',
    one('patches:\n  - target: {kind: ConfigMap}\n    patch: hello\n'),
    'kustomization.yaml:6:5',
    'The patch is neither a partial object nor a list of JSON patch operations',
  ],
  [
    'a JSON patch without a target',
    one('patches:\n  - patch: |\n      - op: remove\n        path: /data\n'),
    'kustomization.yaml:6:5',
    'A JSON patch needs a target',
  ],
  [
    'an entry with nothing in it',
    one('patches:\n  - target: {kind: ConfigMap}\n'),
    'kustomization.yaml:6:5',
    'The entry has neither patch nor path',
  ],
  [
    'an entry with both',
    one('patches:\n  - path: a.yaml\n    patch: x\n'),
    'kustomization.yaml:6:5',
    'The entry has both patch and path',
  ],
  [
    'a namespace that merges two',
    {
      'kustomization.yaml': root('resources: [a.yaml]\nnamespace: z\n'),
      'a.yaml': `${configMap('a', 'x')}---\n${configMap('a', 'y')}`,
    },
    'kustomization.yaml:4:12',
    'two objects get the same name in this namespace, so kustomize refuses to build them',
  ],
  [
    'a replica of nothing',
    one('replicas:\n  - name: web\n    count: 2\n'),
    'kustomization.yaml:6:5',
    'There is no workload "web" to scale',
  ],
  [
    'a text for a list of maps',
    one('images: nginx\n'),
    'kustomization.yaml:5:1',
    '"images" must be a list, and this is a string',
  ],
  [
    'a text for a map',
    one('commonLabels: team\n'),
    'kustomization.yaml:5:1',
    '"commonLabels" must be a map, and this is a string',
  ],
  [
    'a replacement from nothing',
    one(
      'replacements:\n  - source: {kind: Secret, name: x}\n    targets: [{select: {kind: ConfigMap}, fieldPaths: [data.a]}]\n',
    ),
    'kustomization.yaml:6:5',
    'The source of the replacement, Secret "x", is not rendered here',
  ],
  [
    'a replacement from a missing field',
    one(
      'replacements:\n  - source: {kind: ConfigMap, name: a, fieldPath: data.z}\n    targets: [{select: {kind: ConfigMap}, fieldPaths: [data.a]}]\n',
    ),
    'kustomization.yaml:6:5',
    'The source of the replacement has no field "data.z"',
  ],
  [
    'a replacement into a missing field',
    one(
      'replacements:\n  - source: {kind: ConfigMap, name: a, fieldPath: data.a}\n    targets: [{select: {kind: ConfigMap}, fieldPaths: [data.q.r]}]\n',
    ),
    'kustomization.yaml:6:5',
    'The target of the replacement has no field "data.q.r"',
  ],
  [
    'a generator without its file',
    one('configMapGenerator:\n  - name: x\n    files: [nope.txt]\n'),
    'kustomization.yaml:6:5',
    'There is no file "nope.txt" for the generator to read',
  ],
  [
    'a Helm chart',
    one('helmCharts:\n  - name: x\n    repo: https://example.org\n'),
    'kustomization.yaml:6:5',
    'Flux does not inflate Helm charts in a kustomization',
  ],
  [
    'a variable from nothing',
    one('vars:\n  - name: V\n    objref: {kind: Secret, name: x, apiVersion: v1}\n'),
    'kustomization.yaml:5:1',
    'The variable "V" has no object to come from',
  ],
  [
    'an alias without an anchor',
    resource(configMap('a').replace('a: b', 'a: *x')),
    'a.yaml:7:6',
    'A value begins with "*", which makes it an alias, and there is no anchor of that name',
  ],
  [
    'a tag that the value is not of',
    resource(configMap('a').replace('a: b', 'a: !!int foo')),
    'kustomization.yaml',
    'A value has the tag !!int, and is none',
  ],
  [
    'an infinite number',
    resource('apiVersion: v1\nkind: Foo\nmetadata:\n  name: a\nspec:\n  a: .inf\n'),
    'kustomization.yaml',
    'A value is .inf or .nan, and no manifest can hold such a number',
  ],
  [
    'a replacement from a part that is not there',
    one(
      'replacements:\n  - source: {kind: ConfigMap, name: a, fieldPath: data.a, options: {delimiter: /, index: 3}}\n    targets: [{select: {kind: ConfigMap}, fieldPaths: [data.a]}]\n',
    ),
    'kustomization.yaml:6:5',
    'The value has no part 3 for the replacement, by its delimiter',
  ],
  [
    'a replacement from one of several',
    {
      'kustomization.yaml': root(
        'resources: [a.yaml, b.yaml]\nreplacements:\n  - source: {kind: ConfigMap, fieldPath: data.a}\n    targets: [{select: {kind: ConfigMap, name: b}, fieldPaths: [data.a]}]\n',
      ),
      'a.yaml': configMap('a'),
      'b.yaml': configMap('b'),
    },
    'kustomization.yaml:5:5',
    'The source of the replacement, any ConfigMap, is more than one object',
  ],
  [
    'a name of an image that is no regular expression',
    {
      'kustomization.yaml': root('resources:\n  - a.yaml\nimages:\n  - name: "a("\n    newTag: b\n'),
      'a.yaml':
        'apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: x}\nspec: {containers: [{name: a, image: a}]}\n',
    },
    'kustomization.yaml:6:5',
    'kustomize crashes here, so nothing is built',
  ],
  [
    'a key twice in a configuration of transformers',
    one('configurations: [c.yaml]\n', { 'c.yaml': 'namePrefix: []\nnamePrefix: []\n' }),
    'kustomization.yaml:5:17',
    'duplicate key "namePrefix" in one map of this file, so kustomize refuses to build it',
  ],
  [
    'an absolute path of a component',
    one('components:\n  - /d\n'),
    'kustomization.yaml:6:5',
    '"/d" is an absolute path',
  ],
  [
    'a kustomization of another kind',
    { 'kustomization.yaml': 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Foo\nresources: []\n' },
    'kustomization.yaml:1:1',
    'This file is not a kustomization: kind should be Kustomization or Component',
  ],
  [
    'a generator for what is there already',
    one('configMapGenerator:\n  - name: a\n    namespace: x\n    literals: [a=b]\n'),
    'kustomization.yaml:6:5',
    'generated ConfigMap "x/a" exists already, so kustomize refuses to build it',
  ],
  [
    'several patches for one target',
    one('patches:\n  - path: p.yaml\n    target: {kind: ConfigMap}\n', {
      'p.yaml': `${configMap('a')}---\n${configMap('a')}`,
    }),
    'kustomization.yaml:6:5',
    'An entry with a target takes one patch, and this one holds several',
  ],
  [
    'a plugin',
    one('generators: [g.yaml]\n', { 'g.yaml': 'apiVersion: example.org/v1\nkind: Maker\nmetadata:\n  name: g\n' }),
    'kustomization.yaml',
    'Flux runs no plugins, and "Maker" is one',
  ],
  [
    'a path of a component that a Flux Kustomization adds',
    applied('  components:\n    - /abs\n', configMap('a')),
    'clusters/a.yaml:9:9',
    'The component path "/abs" must be relative and inside the repository',
  ],
  [
    'a substitution that is not one',
    applied('  postBuild:\n    substitute: {a: b}\n', configMap('a').replace('a: b', 'a: "${a:bad"')),
    'apps/a.yaml',
    'The variables of "ConfigMap.v1.[noGrp]/a" cannot be substituted: envsubst error: variable substitution failed: bad substitution',
  ],
];

/** The rows that explained something so far. */
const used = new Set<string>();
for (const row of errorMessages) {
  const { explain } = row;
  row.explain = (...gaps) => {
    used.add(row.id);
    return explain(...gaps);
  };
}

test.each(table)('%s', async (_, files, at, message) => {
  const folder = createRepo(files);
  const { stdout } = await runHere([
    'check',
    folder,
    ...('apps/a.yaml' in files ? [] : ['--path', '.']),
    '--format',
    'json',
  ]);
  removeRepo(folder);
  const [finding, ...others] = JSON.parse(stdout).findings;
  const { file, line, column, precision } = finding;
  expect({ at: precision === 'file' ? file : `${file}:${line}:${column}`, message: finding.message, others }).toEqual({
    at,
    message,
    others: [],
  });
});

test('of what Flux says only its own introduction is left out', async () => {
  const name = 'kustomize build failed: a.yaml';
  const folder = createRepo({ 'kustomization.yaml': root(`resources:\n  - "${name}"\n`) });
  const { stdout } = await runHere(['check', folder, '--path', '.', '--format', 'json']);
  removeRepo(folder);
  expect(JSON.parse(stdout).findings[0].help).toContain(
    `Flux says: accumulating resources: accumulation err='accumulating resources from '${name}': open ${name}: `,
  );
});

test('every row of the table has explained a refusal of a real repository above', () => {
  const ids = errorMessages.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !used.has(id))).toEqual([]);
});
