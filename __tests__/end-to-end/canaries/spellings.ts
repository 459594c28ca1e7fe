/**
 * Ways to write a Secret, and what goes into one. § is a canary; «!» a comment that is a finding of its own on that line.
 */
type Texts = Record<string, string>;

const head = 'apiVersion: v1\nkind: Secret\nmetadata: {name: x, namespace: cozy-customizer}\n';
const data =
  'stringData:\n  user: §«!»\n  url: "§"«!»\n  file: |\n    host §\n  quoted: \'§\'«!»\n  ? explicit\n  : §«!»\n  flow: !!str §«!»\ndata:\n  d: §«!»\n  ? e\n  : |\n    §\n';
const rest = 'metadata: {name: x, namespace: cozy-customizer}\n';

/** How the kind can be written. */
const kinds: Texts = {
  plain: 'kind: Secret',
  'with a tag': 'kind: !!str Secret',
  'with the whole tag': 'kind: !<tag:yaml.org,2002:str> Secret',
  'with an anchor': 'kind: &k Secret',
  'with both': 'kind: &k !!str Secret',
  'as bytes': 'kind: !!binary U2VjcmV0',
  quoted: 'kind: "Secret"',
  'in single quotes': "kind: 'Secret'",
  folded: 'kind: >-\n  Secret',
  'as a block': 'kind: |-\n  Secret',
  'on the next line': 'kind:\n  Secret',
  'quoted over lines': 'kind: "Sec\\\n  ret"',
  'escaped by a byte': 'kind: "\\x53ecret"',
  'escaped as in JSON': 'kind: "Se\\u0063ret"',
  'escaped by eight figures': 'kind: "\\U00000053ecret"',
  'with a quoted key': '"kind": Secret',
  'with an escaped key': '"k\\x69nd": Secret',
  'with an explicit key': '? kind\n: Secret',
  'with a tag of the key': '!!str kind: Secret',
  'with a comment': 'kind: Secret # of what is below',
};

/** How the rest of one can be. */
const manifests: Texts = {
  'an escaped key of the data': `${head}"stringD\\x61ta":\n  user: §«!»\n  more: [§, §]«!»\n`,
  'a tag of the key of the data': `${head}!!str stringData:\n  user: §«!»\n  other: "§"«!»\n`,
  'explicit keys everywhere': `? apiVersion\n: v1\n? kind\n: Secret\n? metadata\n: {name: x, namespace: cozy-customizer}\n? stringData\n: ? a\n  : §«!»\n  ? b\n  : "§"«!»\n`,
  'the kind at the end': `apiVersion: v1\n${rest}stringData:\n  a: §«!»\n  b: |-\n    §\n    §\nkind: !!str Secret\n`,
  'a flow map': `{apiVersion: v1, kind: !!str Secret, metadata: {name: x, namespace: cozy-customizer}, stringData: {a: §, b: "§"}}«!»\n`,
  'a flow map over lines': `{apiVersion: v1,\n kind: "\\x53ecret",\n metadata: {name: x, namespace: cozy-customizer},\n stringData: {\n  a: §,«!»\n  b: "§",«!»\n  c: '§'\n }}\n`,
  'JSON with escapes': `{"apiVersion":"v1","kind":"Se\\u0063ret","metadata":{"name":"x","namespace":"cozy-customizer"},"stringD\\u0061ta":{"a":"§","b":"§"}}«!»\n`,
  'nested maps': `${head}stringData:\n  a: {b: {c: §, d: [§, {e: §}]}}«!»\n  f:\n    g:\n    - §«!»\n    - h: §«!»\n`,
  'a value over lines': `${head}stringData:\n  a: §\n    §\n    §\n  b: "§\n    §\\\n    §"\n  c: >-\n    §\n      §\n`,
  'an alias to what stands outside': `apiVersion: v1\nkind: Secret\nmetadata:\n  name: x\n  namespace: cozy-customizer\n  annotations:\n    a: &p §«!»\n    b: &q "§"«!»\nstringData:\n  a: *p\n  b: *q\n  c: §«!»\n`,
  'a merge key': `apiVersion: v1\nkind: Secret\nmetadata:\n  name: x\n  namespace: cozy-customizer\n  annotations: &all\n    a: §«!»\n    b: §«!»\nstringData:\n  <<: *all\n  c: §«!»\n`,
  'a map by an alias': `apiVersion: v1\nkind: Secret\nmetadata:\n  name: x\n  namespace: cozy-customizer\n  annotations: &all {a: §, b: §}«!»\nstringData: *all\n`,
  'a list': `apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: !!str Secret\n  metadata: {name: x, namespace: cozy-customizer}\n  stringData:\n    a: §«!»\n    b: "§"«!»\n`,
  'a list of Secrets': `apiVersion: v1\nkind: SecretList\nitems:\n- metadata: {name: x, namespace: cozy-customizer}\n  stringData:\n    a: §«!»\n    b: "§"«!»\n`,
  'the second document': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: y, namespace: cozy-customizer}\ndata: {a: b}\n---\n${head.replace('Secret', '"\\x53ecret"')}stringData:\n  a: §«!»\n  b: §«!»\n`,
  directives: `%YAML 1.1\n---\n${head.replace('Secret', '!!str Secret')}stringData:\n  a: §«!»\n  b: §«!»\n`,
  'a tag of its own': `%TAG !s! tag:yaml.org,2002:\n---\n${head.replace('Secret', '!s!str Secret')}stringData:\n  a: §«!»\n  b: §«!»\n`,
  'a mark of the bytes’ order': `\ufeff${head.replace('Secret', '&k Secret')}stringData:\n  a: §«!»\n  b: §«!»\n`,
  'CR and LF': `${head.replace('Secret', '&k Secret')}stringData:\n  a: §«!»\n  b: |\n    §\n  c: "§"\n`.replace(
    /\n/g,
    '\r\n',
  ),
  'CR alone': `${head}stringData:\n  a: §\n  b: "§"\n  c: §\n`.replace(/\n/g, '\r'),
  'CR alone, quoted': `${head.replace('Secret', '"Secret"')}stringData: {a: §,\n  b: §}\n`.replace(/\n/g, '\r'),
  'separators of lines': `${head}stringData:\n  a: §\n  b: "§"\n  c: §\n`.replace(/\n/g, '\u2028'),
  'next lines': `${head}stringData:\n  a: §\n  b: "§"\n  c: §\n`.replace(/\n/g, '\x85'),
  'names that are no data': `${head}stringdata:\n  a: §«!»\nDATA: {b: §}«!»\nvalues: §«!»\n`,
  'a kind that is misspelt': `${head.replace('Secret', 'secret')}data:\n  a: §«!»\n  b: "§"«!»\n`,
  'no kind': `apiVersion: v1\n${rest}data:\n  a: §«!»\n  b: "§"«!»\n`,
  'a kind that is a variable': `${head.replace('Secret', '${'.concat('KIND}'))}data:\n  a: §«!»\n  b: "§"«!»\n`,
  'defaults of variables': `${head}stringData:\n  a: ${'$'}{X:=§}«!»\n  b: "${'$'}{Y:-§}"«!»\n`,
  'what kubectl has left': `apiVersion: v1\nkind: Secret\nmetadata:\n  name: x\n  namespace: cozy-customizer\n  annotations:\n    kubectl.kubernetes.io/last-applied-configuration: '{"kind":"Secret","stringData":{"a":"§"}}'«!»\nstringData:\n  a: §«!»\n`,
  'a kind in a merged map': `apiVersion: v1\nmetadata: {name: x, namespace: cozy-customizer, annotations: {a: b}}\nx: &base {kind: Secret}\n<<: *base\ndata:\n  a: §«!»\n  b: "§"«!»\n`,
};

const release = `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: app, namespace: cozy-customizer}\nspec:\n  interval: 5m\n  chart: {spec: {chart: app, sourceRef: {kind: HelmRepository, name: app}}}\n`;
const flux = `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps, namespace: cozy-customizer}\nspec:\n  interval: 5m\n  path: ./apps\n  prune: true\n  serviceAccountName: x\n  sourceRef: {kind: GitRepository, name: a}\n`;
const packageOf = `apiVersion: cozystack.io/v1alpha1\nkind: Package\nmetadata: {name: cozystack.keycloak}\nspec:\n  variant: default\n  components:\n    keycloak:\n      values:\n`;

const values: Texts = {
  'a nested flow map in a Package': `${packageOf}        secretAccessKey: {a: §, b: {c: §}}«!»\n        token: !!str {x: §}«!»\n`,
  'explicit keys in a Package': `${packageOf}        ? password\n        : §«!»\n        ? "adminP\\x61ssword"\n        : "§"«!»\n`,
  'an alias in a Package': `${packageOf}        plain: &p §«!»\n        password: *p\n        other: &q {a: §}«!»\n        credentials: *q\n`,
  'a list over lines in a HelmRelease': `${release}  values:\n    passwords: [§,«!»\n      §]«!»\n    token: [\n      {a: §}«!»\n    ]\n`,
  'an environment in a HelmRelease': `${release}  values:\n    env:\n    - {value: §, name: DB_PASSWORD}«!»\n    - value: >-\n        §\n      name: TOKEN\n    - ? name\n      : API_KEY\n      ? value\n      : §«!»\n`,
  'arguments in a HelmRelease': `${release}  values:\n    args: [--password,\n      §,«!»\n      --token, "§"]«!»\n`,
  'a Secret in a text': `${release}  values:\n    extra: |\n      apiVersion: v1\n      kind: "\\x53ecret"\n      metadata: {name: y}\n      stringData:\n        a: §\n        b: [§]\n    other: "{kind: Secret, stringData: {a: §, b: §}}"«!»\n`,
  'a list that is to be substituted': `${flux}  postBuild:\n    substitute:\n      db_password: [§, §]«!»\n      token: {a: §}«!»\n      api_key: !!str §«!»\n`,
  'a patch of a Flux Kustomization': `${flux}  patches:\n  - target: {kind: Secret}\n    patch: |\n      - op: add\n        path: /data/a\n        value: §\n      - {op: add, path: /stringData/b, value: {c: §}}\n  - patch: "{apiVersion: v1, kind: Secret, metadata: {name: x}, stringData: {a: §, b: §}}"«!»\n    target: {name: x}\n`,
};

const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x, namespace: cozy-customizer}\n';
const patched = `${configMap}data:\n  a: §«!»\n  b: "§"«!»\n  c: |\n    §\n`;
const toSecret = '- {op: replace, path: /kind, value: Secret}';

/** Repositories in which another file makes a Secret of it. */
const trees: Record<string, Texts> = {
  'made a Secret by a JSON patch': {
    'kustomization.yaml': `resources: [s.yaml]\npatches:\n- target: {kind: ConfigMap}\n  patch: |\n    ${toSecret}\n`,
    's.yaml': patched,
  },
  'made a Secret by a patch': {
    'kustomization.yaml': `resources: [s.yaml]\npatches:\n- target: {kind: ConfigMap}\n  options: {allowKindChange: true}\n  patch: |\n    apiVersion: v1\n    kind: Secret\n    metadata: {name: x}\n    stringData: {d: §, e: [§]}\n`,
    's.yaml': patched,
  },
  'made a Secret by a patch in a file': {
    'kustomization.yaml': 'resources: [s.yaml]\npatches:\n- target: {kind: ConfigMap}\n  path: p.yaml\n',
    'p.yaml': '- op: replace\n  path: /kind\n  value: Secret\n',
    's.yaml': patched,
  },
  'made a Secret by a transformer': {
    'kustomization.yaml': 'resources: [s.yaml]\ntransformers: [t.yaml]\n',
    't.yaml': `apiVersion: builtin\nkind: PatchTransformer\nmetadata: {name: t}\ntarget: {kind: ConfigMap}\npatch: '[{"op": "replace", "path": "/kind", "value": "Secret"}]'\n`,
    's.yaml': patched,
  },
  'patched by a file that has no kind': {
    'kustomization.yaml': 'resources: [s.yaml]\npatches:\n- target: {kind: Secret}\n  path: p.yaml\n',
    'p.yaml': '- op: add\n  path: /data/a\n  value: §«!»\n- {op: add, path: /data/b, value: "§"}«!»\n',
    's.yaml': `${head}data: {}\n`,
  },
  'patched by a target without a kind': {
    'kustomization.yaml': `resources: [s.yaml]\npatches:\n- target: {name: x}\n  patch: |\n    - op: add\n      path: /data/a\n      value: §\n    - op: add\n      path: /data/b\n      value: "§"\n`,
    's.yaml': `${head}data: {}\n`,
  },
  'patched by a target of any kind': {
    'kustomization.yaml': `resources: [s.yaml]\npatches:\n- target: {kind: Sec.*}\n  patch: "[{op: add, path: /data/a, value: §}, {op: add, path: /data/b, value: §}]"«!»\n`,
    's.yaml': `${head}data: {}\n`,
  },
  'patched by a quoted text over lines': {
    'kustomization.yaml': `resources: [s.yaml]\npatches:\n- patch: "apiVersion: v1\\nkind: Secret\\nmetadata: {name: x}\\n\\\n    stringData:\\n  a: §\\n  b: §\\n"«!»\n`,
    's.yaml': `${head}data: {}\n`,
  },
  'patched by a folded text': {
    'kustomization.yaml': `resources: [s.yaml]\npatches:\n- patch: >\n    {apiVersion: v1, kind: Secret, metadata: {name: x},\n    stringData: {a: §,\n    b: §}}\n`,
    's.yaml': `${head}data: {}\n`,
  },
  'patched as it was once written': {
    'kustomization.yaml': `resources: [s.yaml]\npatchesStrategicMerge:\n- |-\n  apiVersion: v1\n  kind: !!str Secret\n  metadata: {name: x}\n  stringData: {a: §, b: §}\npatchesJson6902:\n- target: {version: v1, kind: Secret, name: x}\n  patch: |-\n    - {op: add, path: /data/c, value: §}\n`,
    's.yaml': `${head}data: {}\n`,
  },
  'replaced from a ConfigMap': {
    'kustomization.yaml':
      'resources: [s.yaml, c.yaml]\nreplacements:\n- source: {kind: ConfigMap, name: x, fieldPath: data.a}\n  targets: [{select: {kind: Secret, name: x}, fieldPaths: [stringData.a]}]\n- source: {kind: ConfigMap, name: x, fieldPath: data.b}\n  targets: [{select: {kind: Secret, name: x}, fieldPaths: [stringData.b]}]\n',
    'c.yaml': `${configMap}data:\n  a: §«!»\n  b: "§"«!»\n`,
    's.yaml': `${head}stringData: {a: x, b: x}\n`,
  },
  'generated from files': {
    'kustomization.yaml':
      'secretGenerator:\n- name: x\n  namespace: cozy-customizer\n  files: [a.yaml, other=b.yaml]\n  envs: [c.yaml]\n',
    'a.yaml': 'user: §«!»\nlist:\n- §«!»\n',
    'b.yaml': '- §«!»\n- {x: §}«!»\n',
    'c.yaml': 'A=§\nB=§\n',
  },
  'generated from literals': {
    'kustomization.yaml': `secretGenerator:\n- namespace: cozy-customizer\n  literals:\n  - a=§«!»\n  - "b=§"«!»\n  - >-\n    c=§\n  - !!str d=§«!»\n  name: x\n- {name: y, namespace: cozy-customizer, literals: [a=§,«!»\n  "b=§"]}«!»\n`,
  },
  'generated by a generator': {
    'kustomization.yaml': 'generators: [g.yaml]\n',
    'g.yaml': `apiVersion: builtin\nkind: SecretGenerator\nmetadata: {name: x, namespace: cozy-customizer}\nliterals:\n- a=§«!»\n- "b=§"«!»\n- |-\n  c=§\n`,
  },
};

/** A name for each, and its files. */
export const spellings: Record<string, Texts> = Object.fromEntries([
  ...Object.entries(kinds).map(([name, kind]) => [
    `kind ${name}`,
    { 's.yaml': `apiVersion: v1\n${kind}\n${rest}${data}` },
  ]),
  ...Object.entries({ ...manifests, ...values }).map(([name, text]) => [name, { 's.yaml': text }]),
  ...Object.entries(trees),
]);
