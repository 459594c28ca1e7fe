/** What a template may write, and what helm-controller makes of it, where that is not what Helm alone would. */
export type DocumentCase = {
  name: string;
  /** What the template writes. */
  text: string;
  /** The words of the refusal. */
  refused?: string;
  /** The `data` of the first object. */
  data?: object;
  /** Names of the objects, in the order of Helm. */
  names?: string[];
  /** Where kustomize prints the whole object before its words. */
  isPrinted?: true;
};

const named = (name: string, more = '') => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n${more}`;
const annotated = (annotations: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, annotations: ${annotations}}\n`;
const hook = annotated('{helm.sh/hook: pre-upgrade}');
const registered = 'may not add resource with an already registered id: ConfigMap.v1.[noGrp]/a.';

export const documentCases: DocumentCase[] = [
  { name: 'an object twice', text: `${named('a')}---\n${named('a')}`, refused: `${registered}[noNs]` },
  {
    name: 'an object with and without the namespace default',
    text: `${named('a')}---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: default}\n`,
    refused: `${registered}default`,
  },
  {
    name: 'an object in another namespace',
    text: `${named('a')}---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: space}\n`,
    names: ['a', 'a'],
  },
  { name: 'an object, and a hook of its name', text: `${named('a')}---\n${hook}`, refused: registered },
  { name: 'an object twice in a list', text: listOf('ConfigMapList', 'a', 'a'), refused: registered },
  {
    name: 'a key twice',
    text: named('a', 'data: {a: "1"}\ndata: {b: "2"}\n'),
    refused: 'mapping key "data" already defined',
  },
  {
    name: 'a key twice, deeper',
    text: named('a', 'data:\n  a: "1"\n  a: "2"\n'),
    refused: 'mapping key "a" already defined',
  },
  {
    name: 'no name',
    text: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {generateName: a}\n',
    refused: 'missing metadata.name',
  },
  { name: 'no metadata', text: 'apiVersion: v1\nkind: ConfigMap\n', refused: 'missing metadata.name' },
  { name: 'no kind', text: 'apiVersion: v1\nmetadata: {name: a}\n', refused: 'missing kind' },
  { name: 'nothing in braces', text: '{}\n', refused: 'missing kind' },
  { name: 'no version', text: 'kind: ConfigMap\nmetadata: {name: a}\n', names: ['a'] },
  {
    name: 'a separator with text',
    text: `${named('a')}--- text\n${named('b')}`,
    refused: 'invalid document separator: --- text',
  },
  { name: 'a separator with a comment', text: `${named('a')}--- # text\n${named('b')}`, names: ['a', 'b'] },
  { name: 'a text', text: 'text\n', refused: 'expected MappingNode but got ScalarNode' },
  { name: 'a list without a kind', text: '- a\n- b\n', refused: 'expected MappingNode but got SequenceNode' },
  {
    name: 'metadata that is a text',
    text: 'apiVersion: v1\nkind: ConfigMap\nmetadata: text\n',
    refused: 'expected MappingNode',
  },
  { name: 'no YAML', text: 'a: [\n', refused: 'MalformedYAMLError' },
  { name: 'a number as a key', text: named('a', 'data: {1: a}\n'), refused: 'json: unsupported type', isPrinted: true },
  {
    name: 'no number',
    text: named('a', 'data: {a: .nan}\n'),
    refused: 'json: unsupported value: NaN',
    isPrinted: true,
  },
  { name: 'an annotation that is no text', text: annotated('{a: true}'), names: ['a'] },
  {
    name: 'words of YAML 1.1, and times',
    text: named('a', 'data: {a: yes, b: off, c: 2020-01-01, d: 2024-01-02 03:04:05, e: 2024-01-02T03:04:05Z, y: n}\n'),
    data: {
      a: 'yes',
      b: 'off',
      c: '2020-01-01T00:00:00Z',
      d: '2024-01-02 03:04:05',
      e: '2024-01-02T03:04:05Z',
      y: 'n',
    },
  },
  {
    name: 'numbers',
    text: named(
      'a',
      'data: {a: 0o10, b: 010, c: 1_000, d: 1e3, e: 0x10, f: 1.0, g: .5, h: 1:20, i: ~, j: 0b11, k: -0}\n',
    ),
    data: { a: 8, b: 8, c: 1000, d: 1000, e: 16, f: 1, g: 0.5, h: '1:20', i: null, j: 3, k: 0 },
  },
  { name: 'bytes', text: named('a', 'data: {a: !!binary aGVsbG8=}\n'), data: { a: 'hello' } },
  { name: 'anchors', text: named('a', 'x: &x {a: 1}\ndata: {<<: *x, b: 2}\n'), data: { a: 1, b: 2 } },
  { name: 'line ends of Windows', text: `${named('a')}---\n${named('b')}`.replaceAll('\n', '\r\n'), names: ['a', 'b'] },
  {
    name: 'documents without an object',
    text: `# one\n---\n# two\n\n---\n---\nnull\n---\n${named('a')}---`,
    names: ['a'],
  },
  { name: 'a list', text: listOf('List', 'a', 'b'), names: ['a', 'b'] },
  { name: 'a list beside an object', text: `${named('a')}---\n${listOf('List', 'b')}`, names: ['b', 'a'] },
  { name: 'a list of a kind', text: listOf('ConfigMapList', 'a', 'b'), names: ['a', 'b'] },
  { name: 'a list of nothing', text: 'apiVersion: v1\nkind: ConfigMapList\nitems:\n', names: [] },
  {
    name: 'a list that is a text',
    text: 'apiVersion: v1\nkind: ConfigMapList\nitems: text\n',
    refused: 'expected array in ConfigMapList/items',
  },
  {
    name: 'items of a kind that is no list',
    text: named('a', 'items: [{kind: Inner, metadata: {name: inner}}]\n'),
    names: ['inner'],
  },
  { name: 'annotations of nothing', text: annotated('{}') },
  ...['true', 'text', '1', '""', '[]', '~'].map((value) => ({
    ...{ name: `annotations that are ${value}`, text: annotated(value), names: ['a'] },
  })),
  {
    ...{ name: 'an annotation with a number as its name', text: annotated('{1: a}') },
    ...{ refused: 'json: unsupported type', isPrinted: true as const },
  },
  {
    name: 'annotations that are a list in lines',
    text: 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  annotations:\n  - a\n',
    refused: 'node contents:\n- a',
  },
  {
    name: 'labels that are a list in lines',
    text: 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  labels:\n  - a\n',
    refused: 'node contents:\n- a',
  },
  { name: 'annotations that are a list', text: annotated('[a]'), refused: 'expected MappingNode but got SequenceNode' },
  { name: 'an annotation that is a list', text: annotated('{a: [b]}'), refused: 'cannot unmarshal array' },
  ...['true', 'text', '[a]'].map((value) => ({
    name: `labels that are ${value}`,
    text: `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, labels: ${value}}\n`,
    refused: "considering field 'metadata/labels' of object ConfigMap.v1.[noGrp]/a.[noNs]: wrong node kind",
  })),
  { name: 'annotations of kustomize', text: annotated('{config.kubernetes.io/index: "1", a: b}') },
  {
    name: 'a separator in a text',
    text: named('a', 'data:\n  a: |\n    text\n    ---\n    more\n'),
    data: { a: 'text\n---\nmore\n' },
  },
  { name: 'a text without a line end at the end', text: named('a', 'data:\n  a: |\n    text'), data: { a: 'text' } },
  {
    name: 'line ends at the end',
    text: 'apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData:\n  a: |+\n    text\n\n\n',
  },
  { name: 'a hook that ends with a text', text: `${hook}stringData: {a: "text\\n"}\n`, names: ['a'] },
  { name: 'a hook that Helm does not know', text: annotated('{helm.sh/hook: nonsense}'), names: [] },
  {
    name: 'kinds in the order of Helm',
    text: ['Foo', 'Service', 'Bar', 'Namespace']
      .map((kind) => `apiVersion: v1\nkind: ${kind}\nmetadata: {name: ${kind}}\n`)
      .join('---\n'),
    names: ['Namespace', 'Service', 'Bar', 'Foo'],
  },
];

function listOf(kind: string, ...names: string[]): string {
  const items = names.map((name) => `- {apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}}}\n`);
  return `apiVersion: v1\nkind: ${kind}\nitems:\n${items.join('')}`;
}
