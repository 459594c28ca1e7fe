/**
 * Repositories that carry a secret, or a part of one, to a place where nothing else tells that it is one. §a and its like are the same
 * canary wherever they stand; NAME is a name of its own for each directory.
 */
type Texts = Record<string, string>;

const variable = (expression: string) => `\${${expression}}`;

const secret = (data: string) =>
  `apiVersion: v1\nkind: Secret\nmetadata: {name: NAME, namespace: cozy-customizer}\n${data}\n`;
const holder = (name = 'NAME-c', more = '') =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "${name}", namespace: cozy-customizer${more}}\ndata: {k: "a-b"}\n`;
const deployment =
  'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: NAME, namespace: cozy-customizer, annotations: {a: b}, labels: {a: b}}\nspec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: b, args: [a], env: [{name: A, value: b}]}]}}}\n';

/** Where a replacement writes to. */
const targets: Record<string, string> = {
  'an annotation': 'fieldPaths: [metadata.annotations.part], options: {create: true}',
  'a label': 'fieldPaths: [metadata.labels.part], options: {create: true}',
  'a name': 'fieldPaths: [metadata.name]',
  'a namespace': 'fieldPaths: [metadata.namespace]',
  data: 'fieldPaths: [data.k]',
  'a part of a text': 'fieldPaths: [data.k], options: {delimiter: "-", index: 1}',
  'a field that is none': 'fieldPaths: [spec.nothing], options: {create: true}',
};

/** The parts of a value that a delimiter leaves. */
const parts: Record<string, [value: string, options: string]> = {
  whole: ['§a', ''],
  'the part before a colon': ['§a:§b', ', options: {delimiter: ":", index: 0}'],
  'the part after a dash': ['first-§a-§b', ', options: {delimiter: "-", index: 1}'],
  'the host of an address': ['https://§a.example/§b', ', options: {delimiter: "/", index: 2}'],
  'the part after an equals sign': ['user=me;password=§a', ', options: {delimiter: "=", index: 2}'],
};

function replaced(): Record<string, Texts> {
  const trees = Object.entries(parts).flatMap(([part, [value, options]]) =>
    Object.entries(targets).map(([target, to]): [string, Texts] => [
      `${part}, replaced into ${target}`,
      {
        'kustomization.yaml': `resources: [s.yaml, c.yaml]\nreplacements:\n- source: {kind: Secret, fieldPath: stringData.x${options}}\n  targets: [{select: {kind: ConfigMap}, ${to}}]\n`,
        's.yaml': secret(`stringData: {x: "${value}"}`),
        'c.yaml': holder(),
      },
    ]),
  );
  return Object.fromEntries(trees);
}

/** Of a generated Secret. */
const generated = (generator: string, files: Texts = {}): Texts => ({
  'kustomization.yaml': `resources: [c.yaml]\nsecretGenerator:\n- name: NAME\n  namespace: cozy-customizer\n  ${generator}\n  options: {disableNameSuffixHash: true}\nreplacements:\n- source: {kind: Secret, fieldPath: data.x}\n  targets:\n  - select: {kind: ConfigMap}\n    fieldPaths: [metadata.annotations.part]\n    options: {create: true}\n`,
  'c.yaml': holder(),
  ...files,
});

const flux = (variables: string, more = '') =>
  `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: NAME, namespace: cozy-customizer}\nspec:\n  interval: 5m\n  prune: true\n  path: ./PATH/app\n  sourceRef: {kind: GitRepository, name: cozystack-customizer, namespace: cozy-system}\n  postBuild:\n    ${variables}\n${more}`;
const substituted = (text: string, variables = 'substitute: {DB_PASSWORD: §a}', more = ''): Texts => ({
  'kustomization.yaml': 'resources: [f.yaml]\n',
  'f.yaml': flux(variables, more),
  'app/kustomization.yaml': 'resources: [c.yaml]\n',
  'app/c.yaml': text,
});
const settings = `---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: NAME-vars, namespace: cozy-customizer}\ndata: {db_password: §a}\n`;

export const copies: Record<string, Texts> = {
  ...replaced(),
  'a literal in an annotation': generated('literals: [x=§a]'),
  'a quoted literal in an annotation': generated(`literals: ['x="§a"']`),
  'a line of an env file in an annotation': generated('envs: [a.env]', { 'a.env': 'x=§a\n' }),
  'a file in an annotation': generated('files: [x=a.txt]', { 'a.txt': '§a' }),
  'data in an annotation': {
    'kustomization.yaml':
      'resources: [s.yaml, c.yaml]\nreplacements:\n- source: {kind: Secret, fieldPath: data.x}\n  targets: [{select: {kind: ConfigMap}, fieldPaths: [metadata.annotations.part], options: {create: true}}]\n',
    's.yaml': secret('data: {x: §64a}'),
    'c.yaml': holder(),
  },
  'by hand in a name': {
    'kustomization.yaml': 'resources: [s.yaml, c.yaml]\n',
    's.yaml': secret('stringData: {x: "§a"}'),
    'c.yaml': holder('§a'),
  },
  'by hand in a key': {
    'kustomization.yaml': 'resources: [s.yaml, c.yaml]\n',
    's.yaml': secret('stringData: {x: "§a"}'),
    'c.yaml': `${holder('NAME-c', ', colour: {§a: b}')}`,
  },
  'by hand in a selector': {
    'kustomization.yaml': 'resources: [s.yaml, c.yaml]\n',
    's.yaml': secret('stringData: {x: "§a"}'),
    'c.yaml': deployment.replace('selector: {matchLabels: {a: b}}', 'selector: {matchLabels: {a: §a}}'),
  },
  'a variable in data': substituted(holder().replace('a-b', variable('DB_PASSWORD'))),
  'a variable in a name': substituted(holder(variable('DB_PASSWORD'))),
  'a variable in an argument': substituted(deployment.replace('args: [a]', `args: ["${variable('DB_PASSWORD')}"]`)),
  'the start of a variable': substituted(holder().replace('a-b', variable('DB_PASSWORD:0:8'))),
  'the end of a variable': substituted(holder().replace('a-b', variable('DB_PASSWORD:5'))),
  'a variable in capitals': substituted(holder().replace('a-b', variable('DB_PASSWORD^^'))),
  'a variable of a ConfigMap': substituted(
    holder(variable('db_password')),
    'substituteFrom: [{kind: ConfigMap, name: NAME-vars}]',
    settings,
  ),
  'a variable of a ConfigMap in data': substituted(
    holder().replace('a-b', variable('db_password')),
    'substituteFrom: [{kind: ConfigMap, name: NAME-vars}]',
    settings,
  ),
  'the default of a variable in a name': substituted(holder(variable('DB_PASSWORD:=§a')), 'substitute: {other: x}'),
  'the default of a variable in data': substituted(
    holder().replace('a-b', variable('DB_PASSWORD:=§a')),
    'substitute: {other: x}',
  ),
  'the other default of a variable in an annotation': substituted(
    holder('NAME-c', `, annotations: {a: "${variable('API_TOKEN:-§a')}"}`),
    'substitute: {other: x}',
  ),
  'a value of a Package in a name': {
    'kustomization.yaml': 'resources: [p.yaml, c.yaml]\n',
    'p.yaml':
      'apiVersion: cozystack.io/v1alpha1\nkind: Package\nmetadata: {name: cozystack.NAME}\nspec: {variant: default, components: {one: {values: {password: §a}}}}\n',
    'c.yaml': holder('§a'),
  },
};
