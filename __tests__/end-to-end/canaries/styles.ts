/** Ways to write a value, most of them at a key that says that it is secret, and places in which each of them can stand. § is a canary. */

/** How a key has its value. */
export const styles: Record<string, (key: string) => string> = {
  plain: (key) => `${key}: §`,
  'in single quotes': (key) => `${key}: '§'`,
  'in double quotes': (key) => `${key}: "§"`,
  'with a comment': (key) => `${key}: § # was §`,
  'a block': (key) => `${key}: |\n  §\n  §`,
  'a block that keeps its end': (key) => `${key}: |+\n  §\n\n`,
  folded: (key) => `${key}: >-\n  §\n  §`,
  'quoted over lines': (key) => `${key}: "§\n  §\\\n  §"`,
  'on the next line': (key) => `${key}:\n  §`,
  'in a flow map': (key) => `x: {user: me, ${key}: §, "${key}2": "§"}`,
  'in a flow map over lines': (key) => `x: {\n  user: me,\n  ${key}: "§"\n}`,
  'a list': (key) => `${key}:\n- §\n- "§"`,
  'a list in flow style': (key) => `${key}: [§, "§"]`,
  'a map': (key) => `${key}:\n  admin: §\n  other: {nested: §}`,
  'an environment': (key) => `env:\n- name: ${key}\n  value: §\n- value: "§"\n  name: ${key}`,
  'two arguments': (key) => `args: ["--${key}", "§", --verbose]`,
  'Base64 in a list': (key) => `${key}: ["§64"]`,
  'an explicit key': (key) => `? ${key}\n: §`,
  'a quoted key': (key) => `"${key}": §`,
  'an escaped key': (key) => `"\\x${key.charCodeAt(0).toString(16)}${key.slice(1)}": §`,
  'with a tag': (key) => `${key}: !!str §`,
  'with an anchor': (key) => `${key}: &anchor §`,
  'in a comment': (key) => `# ${key}: §\nplain: x`,
  'a pair of ini': (key) => `my.cnf: |\n  [client]\n  ${key}=§`,
  'a pair of toml': (key) => `a.toml: |\n  [db]\n  ${key} = "§"`,
  'a pair of properties': (key) => `a.properties: |\n  spring.datasource.${key}=§`,
  'a pair of yaml': (key) => `values.yaml: |\n  db:\n    ${key}: §`,
  'a pair of json': (key) => `a.json: '{"db": {"${key}": "§"}}'`,
  'an item of json': (key) => `a.json: '[{"name": "${key}", "value": "§"}]'`,
  'an attribute of xml': (key) => `a.xml: <user ${key}="§"/>`,
  'a directive': (key) => `redis.conf: |\n  port 1\n  ${key} §`,
  'a variable of a shell': (key) => `a.sh: |\n  export ${key}=§\n  ${key}="§" run`,
  'an option of a shell': (key) => `a.sh: tool --${key} § --verbose`,
  'an option with a sign': (key) => `a.sh: tool --${key}=§`,
  'the query of an address': (key) => `url: https://api.example/x?${key}=§&a=b`,
  'the user of an address': () => 'url: https://§@git.example/x.git',
  'the password of an address': () => 'url: postgres://me:§@db.example:5432/x',
  'the password of an address without a user': () => 'url: redis://:§@redis.example:6379',
  'a DSN of Go': () => 'addr: me:§@tcp(db.example:3306)/x',
  'a connection of ADO': (key) => `addr: Server=db;User Id=me;${key}=§;Timeout=5`,
  'a connection of libpq': (key) => `addr: host=db user=me ${key}=§ sslmode=require`,
  'a header of curl': () => `a.sh: 'curl -H "Authorization: Bearer §A1" https://api.example'`,
  'a login of curl': () => 'a.sh: curl -u me:§ https://api.example',
  'a login of mysql': () => 'a.sh: mysqldump -h db -p§ app',
  'a login of docker': () => 'a.sh: docker login -u me -p § r.example',
  'a line of htpasswd': () => 'users: "me:$apr1$§$§"',
  'a hash of bcrypt': () => 'users: "me:$2y$10$§§"',
  'a login of a registry': () => `config.json: '{"auths": {"r.example": {"auth": "§"}}}'`,
  'logins as a map': () => `config: |\n  auths:\n    r.example:\n      auth: §`,
  'the default of a variable': () => `plain: "\${DB_PASSWORD:=§}"`,
  'another default of a variable': () => `plain: "\${API_TOKEN:-§}"`,
  'a webhook': () => 'url: https://hooks.slack.com/services/T000/B000/§§',
};

const packageOf = (index: string) =>
  `apiVersion: cozystack.io/v1alpha1\nkind: Package\nmetadata: {name: cozystack.${index}}\nspec:\n  variant: default\n  components:\n    one:\n      values:\n`;
const release = (name: string) =>
  `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: ${name}, namespace: cozy-customizer}\nspec:\n  interval: 5m\n  chart: {spec: {chart: app, sourceRef: {kind: HelmRepository, name: app}}}\n  values:\n`;
const flux = (name: string) =>
  `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: ${name}, namespace: cozy-customizer}\nspec:\n  interval: 5m\n  path: ./nowhere\n  prune: true\n  serviceAccountName: x\n  sourceRef: {kind: GitRepository, name: other}\n  postBuild:\n    substitute:\n`;
const object = (kind: string, name: string) =>
  `apiVersion: v1\nkind: ${kind}\nmetadata: {name: ${name}, namespace: cozy-customizer}\n`;
const indent = (text: string, by: number) => text.replace(/^(?=.)/gm, ' '.repeat(by));
const resources = (...names: string[]) => `resources: [${names.join(', ')}]\n`;

/** Where a style can stand: the files of a directory of which NAME is the name of the object. */
export const places: Record<string, (text: string) => Record<string, string>> = {
  stringData: (text) => ({
    'kustomization.yaml': resources('s.yaml'),
    's.yaml': `${object('Secret', 'NAME')}stringData:\n${indent(text, 2)}\n`,
  }),
  'a ConfigMap': (text) => ({
    'kustomization.yaml': resources('s.yaml'),
    's.yaml': `${object('ConfigMap', 'NAME')}data:\n${indent(text, 2)}\n`,
  }),
  'values of a Package': (text) => ({
    'kustomization.yaml': resources('s.yaml'),
    's.yaml': `${packageOf('NAME')}${indent(text, 8)}\n`,
  }),
  'values of a HelmRelease': (text) => ({
    'kustomization.yaml': resources('s.yaml'),
    's.yaml': `${release('NAME')}${indent(text, 4)}\n`,
  }),
  'variables of Flux': (text) => ({
    'kustomization.yaml': resources('s.yaml'),
    's.yaml': `${flux('NAME')}${indent(text, 6)}\n`,
  }),
  'annotations of a Deployment': (text) => ({
    'kustomization.yaml': resources('s.yaml'),
    's.yaml': `apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: NAME\n  namespace: cozy-customizer\n  annotations:\n${indent(text, 4)}\nspec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: b}]}}}\n`,
  }),
  'a patch': (text) => ({
    'kustomization.yaml': `${resources('s.yaml')}patches:\n- patch: |\n${indent(`${object('ConfigMap', 'NAME')}data:\n${indent(text, 2)}`, 4)}\n`,
    's.yaml': `${object('ConfigMap', 'NAME')}data: {a: b}\n`,
  }),
  'a patch in a file': (text) => ({
    'kustomization.yaml': `${resources('s.yaml')}patches: [{path: p.yaml}]\n`,
    'p.yaml': `${object('Secret', 'NAME')}stringData:\n${indent(text, 2)}\n`,
    's.yaml': `${object('Secret', 'NAME')}stringData: {a: b}\n`,
  }),
};
