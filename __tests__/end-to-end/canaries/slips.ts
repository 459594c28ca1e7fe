/** Slips of the pen around secrets, each in variations: § is a canary, and nothing else tells the linter what was meant. */
type Texts = Record<string, string>;

const secret = (data: string) =>
  `apiVersion: v1\nkind: Secret\nmetadata: {name: NAME, namespace: cozy-customizer}\n${data}\n`;
const configMap = (data: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: NAME, namespace: cozy-customizer}\ndata:\n${data}\n`;
const packageOf = (values: string) =>
  `apiVersion: cozystack.io/v1alpha1\nkind: Package\nmetadata: {name: cozystack.keycloak}\nspec:\n  variant: default\n  components:\n    keycloak:\n      values: ${values}\n`;
const deployment = (container: string) =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: NAME, namespace: cozy-customizer}\nspec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: b, ${container}}]}}}\n`;

const one = (text: string): Texts => ({ 'kustomization.yaml': 'resources: [s.yaml]\n', 's.yaml': text });
const generator = (text: string, files: Texts = {}): Texts => ({
  'kustomization.yaml': `secretGenerator:\n- name: NAME\n  namespace: cozy-customizer\n  ${text}\n`,
  ...files,
});

/** Generators: what was meant for another field, or is no pair. */
const generators: Record<string, Texts> = {
  'a literal in files': generator('files: [password=§]'),
  'a literal of an unknown key in files': generator('files: [k=§]'),
  'a quoted literal in files': generator(`files: ['k="§"']`),
  'a literal in envs': generator('envs: [password=§]'),
  'a literal in env': generator('env: password=§'),
  'a bare value in files': generator('files: [§]'),
  'a value as a literal': generator('literals: [§]'),
  'a value in Base64 as a literal': generator('literals: ["§64"]'),
  'a value and two signs as a literal': generator('literals: ["§=="]'),
  'a value with a slash as a literal': generator('literals: ["§/§=="]'),
  'a literal with a colon': generator('literals: ["password: §"]'),
  'a literal with a blank in its key': generator('literals: ["pass word=§"]'),
  'a map as literals': generator('literals: {password: §}'),
  'a text as literals': generator('literals: password=§'),
  'a nested literal': generator('literals: [[password=§]]'),
  'literals with a capital': generator('Literals: [password=§]'),
  'a literal in the singular': generator('literal: [password=§]'),
  'a literal in its name': generator('names: password=§'),
  'a bare line of an env file': generator('envs: [a.env]', { 'a.env': 'A=b\n§\n' }),
  'a line of an env file without a key': generator('envs: [a.env]', { 'a.env': '=§\n' }),
  'a line of an env file with a blank': generator('envs: [a.env]', { 'a.env': 'export A B=§\n' }),
  'a line of an env file with a colon': generator('envs: [a.env]', { 'a.env': 'password: §\n' }),
  'a line of an env file with a quote': generator('envs: [a.env]', { 'a.env': "a'b=§\n" }),
};

/** Keys beside which the right one stands. */
const keys: Record<string, Texts> = {
  'a misspelt key': one(packageOf('{password: x, passwordd: §}')),
  'a key that lacks a letter': one(packageOf('{password: x, pasword: §}')),
  'a key with two letters changed': one(packageOf('{token: x, tokne: §}')),
  'a key with a blank': one(packageOf('{password: x, "password ": §}')),
  'a key with a letter twice': one(packageOf('{adminPassword: x, adminPasssword: §}')),
  'a misspelt value of a variable': one(deployment('env: [{name: API_TOKEN, valu: §}]')),
  'a value of a variable with a capital': one(deployment('env: [{name: API_TOKEN, Value: §}]')),
  'a value of a variable with a letter too many': one(deployment('env: [{name: API_TOKEN, vallue: §}]')),
  'a value of a variable in the plural': one(deployment('env: [{name: DB_PASSWORD, values: §}]')),
  'a value of a variable with a misspelt name': one(deployment('env: [{nam: DB_PASSWORD, value: §}]')),
};

/** Arguments of programs. */
const commands: Record<string, Texts> = {
  'an option and its value': one(deployment('args: ["--password", "§"]')),
  'an option of one dash and its value': one(deployment('args: ["-password", "§"]')),
  'an option over lines': one(deployment('args:\n    [--admin-password,\n    §]')),
  'an option in a command': one(deployment('command: [tool, --api-token, §, --verbose]')),
  'an option in a Package': one(packageOf('{extraArgs: ["--token", "§"]}')),
  'an option in a misspelt field': one(deployment('arg: ["--password", "§"]')),
};

/** Logins in texts that are no YAML. */
const logins: Record<string, Texts> = {
  'auths of Docker': one(
    packageOf(`{docker: '{"auths":{"r.example":{"username":"me","password":"§","auth":"§64"}}}'}`),
  ),
  'auths as a map': one(packageOf('{auths: {r.example: {auth: §64, identitytoken: §}}}')),
  'auths in a list': one(packageOf('{registries: [{host: r.example, auth: §64}]}')),
  'the auth of npm': one(configMap('  .npmrc: "//r.example/:_authToken=§"')),
  'the auth of npm in Base64': one(configMap('  .npmrc: "//r.example/:_auth=§64"')),
  'a line of htpasswd with a bcrypt hash': one(configMap("  users: 'me:$2b$12$§§'")),
  'a line of htpasswd with an MD5 hash': one(configMap("  users: 'me:$apr1$§$§'")),
  'a line of htpasswd with an SHA hash': one(configMap("  users: 'me:{SHA}§64='")),
  'a line of htpasswd in a list': one(packageOf("{users: ['me:$6$§$§']}")),
  'a line of .netrc': one(configMap('  .netrc: machine r.example login me password §')),
  'a line of .pgpass': one(configMap('  .pgpass: db.example:5432:app:me:§')),
  'a token before a host': one(packageOf('{url: "https://§@git.example/x.git"}')),
  'a token and a word before a host': one(packageOf('{url: "https://§:x-oauth-basic@git.example/x.git"}')),
  'a word and a token before a host': one(packageOf('{url: "https://oauth2:§@git.example/x.git"}')),
  'a token before a host of ssh': one(packageOf('{url: "ssh://git:§@git.example/x.git"}')),
  'a token before a host, misspelt': one(packageOf('{urll: "https:/§@git.example/x.git"}')),
};

/** Secrets that are wrong themselves. */
const objects: Record<string, Texts> = {
  'a value that is not Base64': one(secret('data: {password: "§ §"}')),
  'a value of a wrong type': one(secret('stringData: {password: {a: §}}')),
  'a field beside the data': one(secret('datas: {password: §}')),
  'a value as a type': one(secret('type: {password: §}')),
  'a value as the data': one(secret('stringData: §')),
  'a misspelt kind': one(secret('data: {password: §}').replace('Secret', 'Secrets')),
  'a Secret of another group': one(secret('stringData: {password: §}').replace('v1', 'core/v1')),
  'a key that is not one': one(secret('stringData: {"a b": §}')),
};

export const slips: Record<string, Texts> = { ...generators, ...keys, ...commands, ...logins, ...objects };
