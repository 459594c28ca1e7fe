/** Mistakes at which kustomize or Flux stumbles, and may repeat what it stumbled on. § is a canary. */
type Texts = Record<string, string>;

const head = 'apiVersion: v1\nkind: Secret\nmetadata: {name: x, namespace: cozy-customizer}\n';
const release =
  'apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: app, namespace: cozy-customizer}\nspec:\n  interval: 5m\n  chart: {spec: {chart: app, sourceRef: {kind: HelmRepository, name: app}}}\n  values:\n';
const flux =
  'apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps, namespace: cozy-customizer}\nspec:\n  interval: 5m\n  path: ./apps\n  prune: true\n  sourceRef: {kind: GitRepository, name: a}\n';

/** What stands behind a key, unquoted. */
const values: Texts = {
  'an asterisk': '*§',
  'two asterisks': '**§',
  'an asterisk and a sign': '*§! §',
  'an asterisk and a colon': '*§: §',
  'an ampersand': '&§',
  'an ampersand and two words': '&§ &§ x',
  'an exclamation mark': '!§ §',
  'two exclamation marks': '!!§ §',
  'an integer’s tag': '!!int §',
  'a truth value’s tag': '!!bool §',
  'a number’s tag': '!!float §',
  'a time’s tag': '!!timestamp §',
  'a null’s tag': '!!null §',
  'a map’s tag': '!!map §',
  'a list’s tag': '!!seq §',
  'the tag of bytes': '!!binary "§§§ é"',
  'a set’s tag': '!!set {§}',
  'a brace': '{§',
  braces: '{§}',
  'a bracket': '[§',
  'a closed bracket': ']§',
  'a quote': '"§',
  'a single quote': "'§",
  'a quote within': '"§" §',
  'an escape': '"\\§"',
  'an at': '@§',
  'a backtick': '`§',
  'a percent sign': '%§',
  'a colon': '§: §',
  'a question mark': '? §',
  'a dash': '- §',
  'a pipe': '|§',
  'a greater-than sign': '>§',
  infinity: '§\n  number: .inf',
  'negative infinity': '§\n  number: -.Inf',
  'no number': '§\n  number: .nan',
  'a tab': '§\n\tother: §',
  'too little indentation': '|\n   §\n §\n',
  'a control character': '"§\x01§"',
};

const secrets: Texts = {
  ...Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, `${head}stringData:\n  a: §\n  password: ${value}\n  z: §\n`]),
  ),
  'a merge of nothing': `${head}stringData:\n  <<: *§\n  b: §\n`,
  'a merge of a text': `${head}stringData:\n  <<: §\n  b: §\n`,
  'a text in place of the data': `${head}stringData: *§\n`,
  'a list in place of the data': `${head}stringData: [§, *§]\n`,
  'a name that is no text': `apiVersion: v1\nkind: Secret\nmetadata: {name: [x]}\nstringData: {a: §, b: .inf}\n`,
  'annotations that are no texts': `apiVersion: v1\nkind: Secret\nmetadata: {name: x, annotations: [y]}\nstringData: {a: §, b: .nan}\n`,
  'no name': `apiVersion: v1\nkind: Secret\nmetadata: {}\nstringData: {a: §, password: §}\n`,
  'no apiVersion': `kind: Secret\nmetadata: {name: x}\nstringData: {a: §, b: *§}\n`,
  'a key twice': `${head}stringData:\n  a: §\n  a: §\n  b: §\n`,
  'a separator with a value': `${head}stringData:\n  a: §\n---password: §\nb: §\n`,
  'a Secret in a list with an alias': `apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Secret\n  metadata: {name: x}\n  stringData: {a: §, b: *§}\n`,
  'an alias in an escaped Secret': `${head.replace('Secret', '"\\x53ecret"')}stringData:\n  a: *§\n  b: §\n`,
  'an alias in a tagged Secret': `${head.replace('Secret', '!!str Secret')}stringData:\n  a: !!int §\n  b: §\n`,
  'a SOPS file with an alias': `${head}stringData:\n  a: *§\n  b: ENC[AES256_GCM,data:§,iv:§,tag:§,type:str]\nsops: {mac: "ENC[AES256_GCM,data:§,type:str]"}\n`,
  'a SOPS file that is broken': `${head}data:\n  a: !!int ENC[AES256_GCM,data:§]\n  b: .inf\nsops: {mac: [ENC], age: [{enc: .inf}]}\n`,
  'infinity in a HelmRelease': `${release}    password: §\n    auth: {token: §}\n    number: .inf\n`,
  'no number in a HelmRelease': `${release}    number: .nan\n    secret: {a: §, b: [§]}\n`,
  'an alias in a HelmRelease': `${release}    password: *§\n    token: §\n`,
  'a tag in a HelmRelease': `${release}    password: !!int §\n    token: §\n`,
  'a truth value in a HelmRelease': `${release}    password: !!bool §\n    token: §\n`,
  'an alias that is to be substituted': `${flux}  postBuild:\n    substitute:\n      password: *§\n      token: §\n`,
  'a tag that is to be substituted': `${flux}  postBuild: {substitute: {password: !!int §, token: §}}\n`,
  'infinity beside what is substituted': `${flux}  postBuild: {substitute: {password: §, token: §, x: .inf}}\n`,
};

const generators: Record<string, Texts> = {
  'a literal without a key': { 'kustomization.yaml': 'secretGenerator:\n- name: x\n  literals: [§]\n' },
  'a literal of a bad key': { 'kustomization.yaml': 'secretGenerator:\n- name: x\n  literals: ["a b=§", "c=§"]\n' },
  'a literal with an open quote': {
    'kustomization.yaml': `secretGenerator:\n- name: x\n  literals:\n  - 'a="§'\n  - =§\n`,
  },
  'a literal that is an alias': { 'kustomization.yaml': 'secretGenerator:\n- name: x\n  literals: [*§]\n' },
  'a literal that is a map': { 'kustomization.yaml': 'secretGenerator:\n- name: x\n  literals:\n  - password: §\n' },
  'literals that are a map': { 'kustomization.yaml': 'secretGenerator:\n- name: x\n  literals: {password: §, a: §}\n' },
  'literals that are a text': { 'kustomization.yaml': 'secretGenerator:\n- name: x\n  literals: password=§\n' },
  'a literal twice': { 'kustomization.yaml': 'secretGenerator:\n- name: x\n  literals: [a=§, a=§]\n' },
  'literals under another name': {
    'kustomization.yaml': 'secretGenerator:\n- name: x\n  literal: [a=§]\n  data: {b: §}\n',
  },
  'literals among the files': { 'kustomization.yaml': 'secretGenerator:\n- name: x\n  files: [password=§]\n' },
  'literals among the environments': { 'kustomization.yaml': 'secretGenerator:\n- name: x\n  envs: [DB_PASSWORD=§]\n' },
  'an environment of no pairs': {
    'kustomization.yaml': 'secretGenerator:\n- name: x\n  envs: [a.env]\n',
    'a.env': '§\nA B=§\n=§\n',
  },
  'an environment of bad keys': {
    'kustomization.yaml': 'secretGenerator:\n- name: x\n  envs: [a.env]\n',
    'a.env': 'A B=§\nC=§\n',
  },
  'an environment of a key twice': {
    'kustomization.yaml': 'secretGenerator:\n- name: x\n  envs: [a.env]\n  literals: [A=§]\n',
    'a.env': 'A=§\n',
  },
  'an index beyond the parts': {
    's.yaml': `${head}stringData: {a: §, b: "§ and §"}\n`,
    'kustomization.yaml':
      'resources: [s.yaml]\nreplacements:\n- source: {kind: Secret, name: x, fieldPath: stringData.a, options: {delimiter: ".", index: 5}}\n  targets: [{select: {kind: Secret}, fieldPaths: [metadata.name]}]\n',
  },
  'an index beyond the words': {
    's.yaml': `${head}stringData: {b: "§ and §"}\n`,
    'kustomization.yaml':
      'resources: [s.yaml]\nreplacements:\n- source: {kind: Secret, name: x, fieldPath: stringData.b, options: {delimiter: "%", index: 3}}\n  targets: [{select: {kind: Secret}, fieldPaths: [metadata.name]}]\n',
  },
  'an index before the parts': {
    's.yaml': `${head}stringData: {b: §}\n`,
    'kustomization.yaml':
      'resources: [s.yaml]\nreplacements:\n- source: {kind: Secret, name: x, fieldPath: stringData.b, options: {delimiter: "-", index: -2}}\n  targets: [{select: {kind: Secret}, fieldPaths: [metadata.name]}]\n',
  },
  'a replacement by a map': {
    's.yaml': `${head}stringData: {b: §, c: §}\n`,
    'kustomization.yaml':
      'resources: [s.yaml]\nreplacements:\n- source: {kind: Secret, name: x, fieldPath: stringData, options: {delimiter: "-", index: 1}}\n  targets: [{select: {kind: Secret}, fieldPaths: [metadata.name]}]\n',
  },
  'a replacement of a path in a value': {
    's.yaml': `${head}stringData: {b: §, c: §}\n`,
    'kustomization.yaml':
      'resources: [s.yaml]\nreplacements:\n- source: {kind: Secret, name: x, fieldPath: stringData.b}\n  targets: [{select: {kind: Secret}, fieldPaths: [stringData.c.d.e]}]\n',
  },
  'a patch with an alias': {
    's.yaml': `${head}stringData: {a: §}\n`,
    'kustomization.yaml':
      'resources: [s.yaml]\npatches:\n- patch: |\n    apiVersion: v1\n    kind: Secret\n    metadata: {name: x}\n    stringData:\n      a: *§\n      b: §\n',
  },
  'a patch with a tag': {
    's.yaml': `${head}stringData: {a: §}\n`,
    'kustomization.yaml':
      'resources: [s.yaml]\npatches:\n- patch: |\n    apiVersion: v1\n    kind: Secret\n    metadata: {name: x}\n    stringData: {a: !!int §, b: §}\n',
  },
  'a patch with infinity': {
    's.yaml': `${head}stringData: {a: §}\n`,
    'kustomization.yaml':
      'resources: [s.yaml]\npatches:\n- patch: |\n    apiVersion: v1\n    kind: Secret\n    metadata: {name: x}\n    stringData: {a: .inf, b: §}\n',
  },
  'a patch in a file with an alias': {
    's.yaml': `${head}stringData: {a: §}\n`,
    'p.yaml': '- op: add\n  path: /data/a\n  value: *§\n- op: add\n  path: /data/b\n  value: §\n',
    'kustomization.yaml': 'resources: [s.yaml]\npatches:\n- {path: p.yaml, target: {kind: Secret}}\n',
  },
  'a test that fails': {
    's.yaml': `${head}stringData: {a: §}\n`,
    'kustomization.yaml':
      'resources: [s.yaml]\npatches:\n- target: {kind: Secret}\n  patch: |\n    - {op: test, path: /stringData/a, value: §}\n',
  },
  'a patch that cannot be read': {
    's.yaml': `${head}stringData: {a: §}\n`,
    'kustomization.yaml': 'resources: [s.yaml]\npatches:\n- target: {kind: Secret}\n  patch: "stringData: {a: §"\n',
  },
  'a list where a map is patched': {
    's.yaml': `${head}stringData: {a: §}\n`,
    'kustomization.yaml':
      'resources: [s.yaml]\npatches:\n- target: {kind: Secret}\n  patch: |\n    apiVersion: v1\n    kind: Secret\n    metadata: {name: x}\n    stringData: [§]\n',
  },
  'an alias in a file of another name': {
    's.txt': `${head}stringData:\n  a: *§\n  b: §\n`,
    'kustomization.yaml': 'resources: [s.txt]\n',
  },
  'a tag in a file of another name': {
    's.conf': `${head}stringData:\n  a: !!int §\n  b: §\n`,
    'kustomization.yaml': 'resources: [s.conf]\n',
  },
  'an anchor in a kustomization': {
    'kustomization.yaml': 'resources: []\nsecretGenerator:\n- name: x\n  literals:\n  - *§\n  - a=§\n',
  },
};

export const mistakes: Record<string, Texts> = {
  ...Object.fromEntries(Object.entries(secrets).map(([name, text]) => [name, { 's.yaml': text }])),
  ...generators,
};
