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
    'file or directory "nope.yaml" does not exist',
  ],
  [
    'a missing folder, two levels down',
    { 'kustomization.yaml': root('resources: [d]'), 'd/kustomization.yaml': root('resources:\n  - e/f\n') },
    'd/kustomization.yaml:4:5',
    'file or directory "d/e/f" does not exist',
  ],
  [
    'a folder without a kustomization',
    { 'kustomization.yaml': root('resources:\n  - d\n'), 'd/a.yaml': configMap('a') },
    'kustomization.yaml:4:5',
    'directory "d" has no kustomization.yaml',
  ],
  [
    'a missing component',
    one('components:\n  - nope\n'),
    'kustomization.yaml:6:5',
    'file or directory "nope" does not exist',
  ],
  [
    'a component of another kind',
    one('components: [c]\n', { 'c/kustomization.yaml': root('resources: []\n') }),
    'kustomization.yaml:5:14',
    'a component must be of kind Component, but is of kind Kustomization',
  ],
  [
    'a circle',
    { 'kustomization.yaml': root('resources: [b]\n'), 'b/kustomization.yaml': root('resources:\n  - ../\n') },
    'b/kustomization.yaml:4:5',
    'this kustomization.yaml includes itself',
  ],
  [
    'a path above',
    { 'kustomization.yaml': root('resources:\n  - ../../etc/passwd\n') },
    'kustomization.yaml:4:5',
    '"/etc/passwd" is outside the repository, where Flux reads nothing',
  ],
  [
    'a remote base',
    { 'kustomization.yaml': root('resources:\n  - https://github.com/example/x//base?ref=main\n') },
    'kustomization.yaml:4:5',
    'A remote base can change without a commit here, so it is neither rendered nor checked',
  ],
  [
    'a nested typo',
    { 'kustomization.yaml': root('resources: [d]\n'), 'd/kustomization.yaml': root('resource:\n  - a.yaml\n') },
    'd/kustomization.yaml:3:1',
    'unknown field "resource" in kustomization.yaml',
  ],
  [
    'an empty nested kustomization',
    { 'kustomization.yaml': root('resources: [d]\n'), 'd/kustomization.yaml': '' },
    'd/kustomization.yaml',
    'the kustomization.yaml is empty',
  ],
  [
    'a root of another type',
    { 'kustomization.yaml': root('resources: a.yaml\n') },
    'kustomization.yaml:3:1',
    '"resources" must be a list of strings, but is a string',
  ],
  [
    'a root that is broken',
    { 'kustomization.yaml': 'namespace: x\nresources: [a.yaml\n' },
    'kustomization.yaml:2:12',
    "invalid YAML: did not find expected ',' or ']'",
  ],
  [
    'a Flux Kustomization as root',
    { 'kustomization.yaml': 'kind: Kustomization\napiVersion: kustomize.toolkit.fluxcd.io/v1\n' },
    'kustomization.yaml:2:1',
    'the file is not a kustomization.yaml: apiVersion for Kustomization should be kustomize.config.k8s.io/v1beta1',
  ],
  [
    'two kustomizations',
    { 'kustomization.yaml': root('resources: []\n'), 'kustomization.yml': root('resources: []\n') },
    'kustomization.yaml',
    'the directory has more than one kustomization.yaml',
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
    'a.yaml:13:2',
    'invalid YAML: did not find expected key',
  ],
  [
    'a tab in front of a key',
    resource('apiVersion: v1\nkind: ConfigMap\nmetadata:\n\tname: a\n'),
    'a.yaml:4:2',
    'invalid YAML: a line is indented with a tab; use spaces',
  ],
  [
    'a tab in front of a later key, of which the parser names the line before',
    resource('apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n\tnamespace: b\n'),
    'a.yaml:5:2',
    'invalid YAML: a line is indented with a tab; use spaces',
  ],
  [
    'another character that begins no value',
    resource('apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: @a\n'),
    'a.yaml:4:9',
    'invalid YAML: found character that cannot start any token',
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
    'an object has no kind',
  ],
  [
    'a document without a name',
    resource('apiVersion: v1\nkind: ConfigMap\n'),
    'a.yaml:1:1',
    'an object has no metadata.name',
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
    '"values.yaml" is not a Kubernetes manifest, but without a kustomization.yaml Flux applies every YAML file as one',
  ],
  [
    'a patch without a base',
    one('patches:\n  - path: p.yaml\n', { 'p.yaml': configMap('b') }),
    'kustomization.yaml:6:5',
    'the patch is for ConfigMap "x/b", which this kustomization.yaml does not render',
  ],
  [
    'a patch without a base, as it was written before kustomize 5',
    one('patchesStrategicMerge:\n  - p.yaml\n', { 'p.yaml': configMap('b') }),
    'kustomization.yaml:6:3',
    'the patch is for ConfigMap "x/b", which this kustomization.yaml does not render',
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
    'the patch is for ConfigMap "x/a", but more than one object had that name before a prefix was added',
  ],
  [
    'what a generator merges into is not there',
    one('configMapGenerator:\n  - name: b\n    namespace: x\n    behavior: merge\n    literals: [c=d]\n'),
    'kustomization.yaml:6:5',
    'ConfigMap "x/b" is to be merged or replaced, but does not exist before',
  ],
  [
    'a missing patch',
    one('patches:\n  - path: p.yaml\n'),
    'kustomization.yaml:6:5',
    'patch file "p.yaml" does not exist',
  ],
  [
    'an operation that does not apply',
    one(
      'patches:\n  - target: {kind: ConfigMap}\n    patch: |\n      - op: replace\n        path: /data/x/y\n        value: 1\n',
    ),
    'kustomization.yaml:6:5',
    'operation "replace" of the patch fails: doc is missing path: /data/x/y: missing value',
  ],
  [
    'a test that fails',
    one(
      'patches:\n  - target: {kind: ConfigMap}\n    patch: |\n      - op: test\n        path: /data/a\n        value: c\n',
    ),
    'kustomization.yaml:6:5',
    'the test of the patch at "/data/a" fails',
  ],
  [
    'a patch that is neither',
    one('patches:\n  - target: {kind: ConfigMap}\n    patch: hello\n'),
    'kustomization.yaml:6:5',
    'the patch is neither a partial object nor a list of JSON patch operations',
  ],
  [
    'a JSON patch that is no YAML, as it was written before kustomize 5',
    one(
      'patchesJson6902:\n  - target: {kind: ConfigMap, name: a, version: v1}\n    patch: |\n      - op: add\n       path: /x\n',
    ),
    'kustomization.yaml:6:5',
    "the JSON patch is invalid YAML: did not find expected '-' indicator",
  ],
  [
    'a template of Helm',
    resource(configMap('a').replace('a: b', 'a: {{ name }}')),
    'a.yaml:7:6',
    'a key is a map or a list, as "{{ name }}" without quotes is one',
  ],
  [
    'a template of Helm in a folder without a kustomization.yaml',
    { 'a.yaml': configMap('a'), 'b.yaml': `${configMap('b')}{{- if x }}\n  c: d\n` },
    'b.yaml:8:1',
    "invalid YAML: could not find expected ':'; without a kustomization.yaml Flux applies every YAML file",
  ],
  [
    'a JSON patch without a target',
    one('patches:\n  - patch: |\n      - op: remove\n        path: /data\n'),
    'kustomization.yaml:6:5',
    'a JSON patch needs a target',
  ],
  [
    'an entry with nothing in it',
    one('patches:\n  - target: {kind: ConfigMap}\n'),
    'kustomization.yaml:6:5',
    'the entry has neither patch nor path',
  ],
  [
    'an entry with both',
    one('patches:\n  - path: a.yaml\n    patch: x\n'),
    'kustomization.yaml:6:5',
    'the entry has both patch and path',
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
    'workload "web" does not exist and cannot be scaled',
  ],
  [
    'a text for a list of maps',
    one('images: nginx\n'),
    'kustomization.yaml:5:1',
    '"images" must be a list, but is a string',
  ],
  [
    'a text for a map',
    one('commonLabels: team\n'),
    'kustomization.yaml:5:1',
    '"commonLabels" must be a map, but is a string',
  ],
  [
    'a replacement from nothing',
    one(
      'replacements:\n  - source: {kind: Secret, name: x}\n    targets: [{select: {kind: ConfigMap}, fieldPaths: [data.a]}]\n',
    ),
    'kustomization.yaml:6:5',
    'the source of the replacement, Secret "x", does not exist here',
  ],
  [
    'a replacement from a missing field',
    one(
      'replacements:\n  - source: {kind: ConfigMap, name: a, fieldPath: data.z}\n    targets: [{select: {kind: ConfigMap}, fieldPaths: [data.a]}]\n',
    ),
    'kustomization.yaml:6:5',
    'the source of the replacement has no field "data.z"',
  ],
  [
    'a replacement into a missing field',
    one(
      'replacements:\n  - source: {kind: ConfigMap, name: a, fieldPath: data.a}\n    targets: [{select: {kind: ConfigMap}, fieldPaths: [data.q.r]}]\n',
    ),
    'kustomization.yaml:6:5',
    'the target of the replacement has no field "data.q.r"',
  ],
  [
    'a generator without its file',
    one('configMapGenerator:\n  - name: x\n    files: [nope.txt]\n'),
    'kustomization.yaml:6:5',
    'file "nope.txt" of the generator does not exist',
  ],
  [
    'a Helm chart',
    one('helmCharts:\n  - name: x\n    repo: https://example.org\n'),
    'kustomization.yaml:6:5',
    'Flux does not render Helm charts in a kustomization.yaml',
  ],
  [
    'a variable from nothing',
    one('vars:\n  - name: V\n    objref: {kind: Secret, name: x, apiVersion: v1}\n'),
    'kustomization.yaml:5:1',
    'variable "V" refers to an object that does not exist',
  ],
  [
    'an alias without an anchor',
    resource(configMap('a').replace('a: b', 'a: *x')),
    'a.yaml:7:6',
    'a value begins with "*", which makes it an alias, but no anchor of that name exists',
  ],
  [
    'a tag that the value is not of',
    resource(configMap('a').replace('a: b', 'a: !!int foo')),
    'kustomization.yaml',
    'a value has the tag !!int, but another type',
  ],
  [
    'an infinite number',
    resource('apiVersion: v1\nkind: Foo\nmetadata:\n  name: a\nspec:\n  a: .inf\n'),
    'kustomization.yaml',
    'a value is .inf or .nan, which a manifest cannot contain',
  ],
  [
    'a replacement from a part that is not there',
    one(
      'replacements:\n  - source: {kind: ConfigMap, name: a, fieldPath: data.a, options: {delimiter: /, index: 3}}\n    targets: [{select: {kind: ConfigMap}, fieldPaths: [data.a]}]\n',
    ),
    'kustomization.yaml:6:5',
    'the value has no part 3 for the replacement, with this delimiter',
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
    'the source of the replacement, any ConfigMap, is more than one object',
  ],
  [
    'a name of an image that is no regular expression',
    {
      'kustomization.yaml': root('resources:\n  - a.yaml\nimages:\n  - name: "a("\n    newTag: b\n'),
      'a.yaml':
        'apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: x}\nspec: {containers: [{name: a, image: a}]}\n',
    },
    'kustomization.yaml:6:5',
    'kustomize crashes, so nothing is built',
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
    'the file is not a kustomization.yaml: kind should be Kustomization or Component',
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
    'an entry with a target can have only one patch, but this one has several',
  ],
  [
    'a plugin',
    one('generators: [g.yaml]\n', { 'g.yaml': 'apiVersion: example.org/v1\nkind: Maker\nmetadata:\n  name: g\n' }),
    'kustomization.yaml',
    'Flux runs no kustomize plugins, but "Maker" is one',
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
    'variables of "ConfigMap.v1.[noGrp]/a" cannot be substituted: envsubst error: variable substitution failed: bad substitution',
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
  expect(JSON.parse(stdout).findings[0].upstream.text).toContain(
    `accumulating resources: accumulation err='accumulating resources from '${name}': open ${name}: `,
  );
});

test('every row of the table has explained a refusal of a real repository above', () => {
  const ids = errorMessages.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !used.has(id))).toEqual([]);
});
