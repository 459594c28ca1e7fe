/**
 * Values that look secret are shown nowhere: canaries stand wherever secrets stand in such a repository, every line of it is
 * framed, suggested, commented and compared by some finding, and then each is looked for in all that is printed.
 */

import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join, posix } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Finding, Run } from '../../src/core/model.js';
import { suggestionOf } from '../../src/fix/suggestion.js';
import { GitHub } from '../../src/github/client.js';
import { differenceLines } from '../../src/report/fixes.js';
import { formats, maskedRun, report } from '../../src/report/index.js';
import { review } from '../../src/review/review.js';
import { root, runCli } from '../support/cli.js';
import { inFormats } from '../support/formats.js';
import { type GitServer, serveGit } from '../support/githttp.js';
import { FakeGitHub } from '../support/github/fake.js';
import { runHere } from '../support/here.js';
import { run } from '../support/run.js';
import { runAction } from '../support/runner.js';
import { isLong, someOf } from '../support/sample.js';
import { createRepo, type Files, kustomization, removeRepo } from '../support/trees.js';

/** What was planted, by where. */
const canaries = new Map<string, string>();

/** Each § of a text becomes a canary of its own: letters and figures that nothing else holds. */
function seeded(text: string, where: string): string {
  return text.replace(/§/g, () => {
    const canary = `Cnr${createHash('sha256').update(`${canaries.size}`).digest('hex').slice(0, 9)}`;
    canaries.set(canary, where);
    return canary;
  });
}

/** As `data` of a Secret, a certificate or a key has it; the canary is what it is written as. */
function encoded(where: string, length = 48): string {
  const bytes = createHash('sha512')
    .update(`${canaries.size} ${where}`)
    .digest()
    .toString('base64')
    .replace(/[+/=]/g, 'x');
  const text = bytes.repeat(3).slice(0, length);
  canaries.set(text.slice(4, 24), where);
  return text;
}

const keys = [
  ...['password', 'adminPassword', 'DB_PASSWORD', 'db-password', 'root_passwd', 'passphrase', 'token', 'accessToken'],
  ...['API_TOKEN', 'apiKey', 'api_key', 'clientSecret', 'client-secret', 'privateKey', 'accessKey', 'secretAccessKey'],
  ...['secretKey', 'credentials', 'authorization', 'htpasswd', 'connectionString', 'dsn', 'signingKey', 'PGPASS'],
];

/** How one key can have a secret value. */
const styles: Record<string, (key: string) => string> = {
  plain: (key) => `${key}: §`,
  'in single quotes': (key) => `${key}: '§'`,
  'in double quotes, with a comment': (key) => `"${key}": "§" # was: §`,
  'a block': (key) => `${key}: |\n  §\n\n  § §`,
  folded: (key) => `${key}: >-\n  §\n    §\n  §`,
  'quoted over lines': (key) => `${key}: "§\n  §\\\n  §"`,
  'plain over lines': (key) => `${key}: §\n  §`,
  'on the next line': (key) => `${key}:\n  §`,
  'in a flow map': (key) => `x: {user: me, ${key}: §, "${key}2": "§, §", port: 1}`,
  'in a flow map over lines': (key) => `x: {\n  user: me,\n  ${key}: "§"\n}`,
  'a list': (key) => `${key}:\n- §\n- "§"`,
  'a flow list': (key) => `${key}: [§, "§"]`,
  'a map': (key) => `${key}:\n  admin: §\n  other: {nested: §}`,
  'with an anchor and a tag': (key) => `${key}: &a !!str §`,
  'in a comment': (key) => `# ${key}: §`,
  'in a text': (key) => `values.yaml: |\n  ${key}: §\n  url: x`,
  'in an ini file': (key) => `my.cnf: |\n  [client]\n  ${key}=§\n  ${key} = "§"`,
  'an environment': (key) => `env:\n- name: ${key}\n  value: §\n- value: "§"\n  name: ${key}`,
  'an environment in flow style': (key) => `env: [{name: ${key}, value: §}]`,
  'an argument': (key) => `args:\n- --${key}=§\n- "--${key}=§"`,
  'two arguments': (key) => `args:\n- --${key}\n- §`,
  'two arguments in flow style': (key) => `args: ["--${key}", "§", --${key}, §]`,
  'an argument in a shell': (key) => `run: tool --${key} § --user me`,
  'in a URL': (key) => `url: https://api.example/x?user=me&${key}=§&a=b`,
};

/** Secret whatever their key is. */
const shaped: Record<string, () => string> = {
  'an address': () => seeded('url: postgres://me:§@db.example:5432/x', 'an address'),
  'an address in a list': () => seeded('- "amqps://me:§@mq.example"', 'an address in a list'),
  'a JWT': () => `jwt: eyJhbGciOiJIUzI1NiJ9.eyJ${seeded('§', 'a JWT')}.${seeded('§', 'a JWT')}`,
  'a token of GitHub': () => `value: ghp_${seeded('§§', 'a token of GitHub')}`,
  'a token of GitHub, fine-grained': () => `value: github_pat_${seeded('§§', 'a token of GitHub, fine-grained')}`,
  'a token of GitLab': () => `value: glpat-${seeded('§', 'a token of GitLab')}`,
  'a token of Slack': () => `value: xoxb-1234-${seeded('§', 'a token of Slack')}`,
  'a key of age': () => `value: AGE-SECRET-KEY-1${seeded('§', 'a key of age').toUpperCase()} ${seeded('', '')}`,
  'a header': () => seeded('header: "Authorization: Bearer §§"', 'a header'),
  'a basic header': () => `header: Basic ${encoded('a basic header', 24)}`,
  'a key': () =>
    `key: |\n  -----BEGIN PRIVATE KEY-----\n  ${encoded('a key', 64)}\n  ${encoded('a key', 20)}\n  -----END PRIVATE KEY-----`,
  'a key on one line': () =>
    `key: "-----BEGIN RSA PRIVATE KEY-----\\n${encoded('a key on one line', 30)}\\n-----END RSA PRIVATE KEY-----"`,
  ciphertext: () => seeded('x: ENC[AES256_GCM,data:§,iv:§,tag:§,type:str]', 'ciphertext'),
  'encoded bytes': () => `blob: ${encoded('encoded bytes', 60)}`,
  'a kubeconfig': () =>
    `users:\n- name: me\n  user:\n    client-certificate-data: ${encoded('a kubeconfig', 60)}\n    client-key-data: ${encoded('a kubeconfig', 60)}\n    ${seeded('token: §', 'a kubeconfig')}`,
  'logins of registries': () =>
    seeded(`.dockerconfigjson: '{"auths":{"r.example":{"auth":"§","password":"§"}}}'`, 'logins'),
};

const secret = 'apiVersion: v1\nkind: Secret\nmetadata: {name: NAME, namespace: cozy-customizer}\n';
const indent = (text: string, by: number) => text.replace(/^(?=.)/gm, ' '.repeat(by));

/** Each file has its own object, so that all of it is rendered where it can be. */
const manifests: Record<string, string> = {
  'secret-string.yaml': `${secret}stringData:\n  user: §\n  username: "§"\n  config: |\n    host: §\n    § free text\n  name: §\n  "quoted": '§'\n  flow: >\n    §\n`,
  'secret-data.yaml': `${secret}data: {user: §, pass: "§"}\ntype: Opaque\n`,
  'secret-list.yaml': `apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Secret\n  metadata: {name: listed, namespace: cozy-customizer}\n  stringData:\n    a: §\n    b: |-\n      §\n`,
  'secret.json': `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"json","namespace":"cozy-customizer"},"stringData":{"a":"§","name":"§"}}\n`,
  'secret-lines.json': `{\n  "apiVersion": "v1",\n  "kind": "Secret",\n  "metadata": {"name": "lines", "namespace": "cozy-customizer"},\n  "stringData": {\n    "a": "§",\n    "b": "§"\n  }\n}\n`,
  'secret-wrong.yaml': `${secret}stringData:\n  a: §\n  nested: {b: §}\nmore: §\ntypo: {c: §}\n`,
  'secret-not-base64.yaml': `${secret}data:\n  password: "§ is not base64!"\n`,
  'secret-twice.yaml': `${secret}stringData:\n  a: §\n  a: §\n  password: §\n`,
  'secret-no-namespace.yaml': `apiVersion: v1\nkind: Secret\nmetadata: {name: nowhere}\nstringData: {password: §}\nstatus: {password: §}\n`,
  'sops.yaml': `${secret}data:\n  user: ENC[AES256_GCM,data:§,iv:§,tag:§,type:str]\nsops:\n  age:\n  - recipient: age1x\n    enc: |\n      -----BEGIN AGE ENCRYPTED FILE-----\n      §§§§\n      -----END AGE ENCRYPTED FILE-----\n  mac: ENC[AES256_GCM,data:§,type:str]\n`,
  'package.yaml':
    `apiVersion: cozystack.io/v1alpha1\nkind: Package\nmetadata: {name: cozystack.keycloak}\nspec:\n  variant: §tokenless\n  components:\n    keycloak:\n      values:\n        adminPassword: §\n        token: §\n        resourceses: {password: §}\n        auth:\n          password: "§"\n          existingSecret: x\n    keycloack:\n      values: {password: §}\n`.replace(
      '§tokenless',
      'oidc',
    ),
  'package-wrong.yaml': `apiVersion: cozystack.io/v1alpha1\nkind: Package\nmetadata: {name: cozystack.metallb}\nspec:\n  components:\n    metallb: {values: "password: §"}\n    other:\n      values: {apiToken: [§, {secret: §}]}\n`,
  'release.yaml': `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: app, namespace: cozy-customizer}\nspec:\n  interval: 5m\n  chart: {spec: {chart: app, sourceRef: {kind: HelmRepository, name: app}}}\n  values:\n    postgresql: {auth: {password: §, postgresPassword: "§"}}\n    smtp:\n      url: smtp://me:§@mail.example\n    extraEnv:\n    - name: TOKEN\n      value: §\n`,
  'source.yaml': `apiVersion: source.toolkit.fluxcd.io/v1\nkind: HelmRepository\nmetadata: {name: app, namespace: cozy-customizer}\nspec: {interval: 5m, url: "https://me:§@charts.example"}\n`,
  'flux.yaml': `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps, namespace: cozy-customizer}\nspec:\n  interval: 5m\n  path: ./apps\n  prune: true\n  serviceAccountName: x\n  sourceRef: {kind: GitRepository, name: a}\n  postBuild:\n    substitute:\n      db_password: §\n      token: "§"\n  patches:\n  - patch: |\n      kind: Secret\n      apiVersion: v1\n      metadata: {name: x}\n      stringData:\n        user: §\n`,
  'twice.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: twice, namespace: cozy-customizer}\ndata:\n  password: §\n  password: §\n  token: §\n  token: §\n`,
};

function configMap(name: string, data: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: cozy-customizer}\ndata:\n${indent(data, 2)}\n`;
}

/** What kustomize takes secrets from, or puts them in. */
const generators = `secretGenerator:
- name: literals
  namespace: cozy-customizer
  literals:
  - user=§
  - "password=§"
  - 'quoted="§"'
- {name: flow, namespace: cozy-customizer, literals: [user=§, "other=§"]}
- name: files
  namespace: cozy-customizer
  files: [secret.txt, key=id_rsa]
  envs: [db.env]
configMapGenerator:
- name: passwords
  namespace: cozy-customizer
  literals:
  - DB_PASSWORD=§
  - "token=§"
patches:
- target: {kind: Secret, name: nothing}
  patch: |
    apiVersion: v1
    kind: Secret
    metadata: {name: nothing}
    stringData:
      user: §
- target: {kind: Secret, name: nothing}
  patch: |
    - op: add
      path: /stringData/user
      value: §
    - {op: add, path: /stringData/other, value: "§"}
    - op: replace
      path: /data/password
      value: §
- target: {kind: ConfigMap, name: nothing}
  patch: '[{"op": "add", "path": "/data/token", "value": "§"}]'
- path: patch.yaml
  target: {kind: Secret}
`;

/** Repositories that kustomize or Flux refuses, where its own words may hold what it stumbled on. */
const refused: Record<string, Files> = {
  'a patch that is none': {
    'kustomization.yaml': `resources: [a.yaml]\npatches:\n- target: {kind: ConfigMap}\n  patch: |\n    password: §\n    stringData:\n      user §\n    - x: [§\n`,
  },
  'a patch without a kind': {
    'kustomization.yaml': `resources: [a.yaml]\npatches:\n- patch: |\n    metadata: {name: x}\n    stringData:\n      password: §\n      user: "§"\n`,
  },
  'a patch of nothing': {
    'kustomization.yaml': `resources: [a.yaml]\npatches:\n- patch: |\n    apiVersion: v1\n    kind: Secret\n    metadata: {name: x}\n    stringData:\n      user: §\n`,
  },
  'a JSON patch that does not fit': {
    'kustomization.yaml': `resources: [a.yaml]\npatches:\n- target: {kind: ConfigMap}\n  patch: |\n    - op: replace\n      path: /stringData/password\n      value: §\n    - op: test\n      path: /data/password\n      value: §\n`,
  },
  'a JSON patch of an unknown operation': {
    'kustomization.yaml': `resources: [a.yaml]\npatches:\n- target: {kind: ConfigMap}\n  patch: '[{"op": "put", "path": "/stringData/x", "value": "§"}]'\n`,
  },
  'a literal without a value': { 'kustomization.yaml': `secretGenerator:\n- name: x\n  literals: [§]\n` },
  'a literal with a bad key': { 'kustomization.yaml': `secretGenerator:\n- name: x\n  literals:\n  - "a b=§"\n` },
  'an env file of no pairs': {
    'kustomization.yaml': `secretGenerator:\n- name: x\n  envs: [db.env]\n`,
    'db.env': 'PASSWORD=§\n§\n=§\nA B=§\n',
  },
  'a generator of a type': { 'kustomization.yaml': `secretGenerator: {literals: [password=§]}\n` },
  'broken YAML around a secret': {
    'kustomization.yaml': 'resources: [b.yaml]\n',
    'b.yaml': `${secret}stringData:\n  password: §\n  user: [§\n token: §\n`,
  },
  'a tab in a Secret': {
    'kustomization.yaml': 'resources: [b.yaml]\n',
    'b.yaml': `${secret}stringData:\n\tuser: §\n  a: §\n`,
  },
  'a Secret that does not end': {
    'kustomization.yaml': 'resources: [b.yaml]\n',
    'b.yaml': `${secret}stringData:\n  user: "§\n  token: §\n`,
  },
  'a key that is a secret': {
    'kustomization.yaml': 'resources: [b.yaml]\n',
    'b.yaml': `${secret}stringData:\n  password: §: §\n`,
  },
  'an unknown field with a secret': {
    'kustomization.yaml': `resources: [a.yaml]\npassword: §\nsecrets:\n- literals: [a=§]\n`,
  },
  'a resource with a password': { 'kustomization.yaml': `resources: ["https://me:§@git.example/x//base?ref=main"]\n` },
  'a Secret of a wrong type': {
    'kustomization.yaml': 'resources: [b.yaml]\n',
    'b.yaml': `${secret}stringData: "password: §"\n`,
  },
  'a Secret that is there twice': {
    'kustomization.yaml': 'resources: [b.yaml, c.yaml]\n',
    'b.yaml': `${secret}stringData: {user: §}\n`,
    'c.yaml': `${secret}stringData:\n  user: §\n`,
  },
};

function repository(): Files {
  const files: Files = {};
  const resources: string[] = [];
  const add = (name: string, text: string) => {
    files[name] = text;
    resources.push(name);
  };
  for (const [style, write] of Object.entries(styles)) {
    const name = style.replace(/\W+/g, '-');
    // Some manifests are wrong on purpose: maps and lists are no data of a ConfigMap.
    const some = keys.filter((_, index) => (index + name.length) % 4 === 0);
    add(
      `style-${name}.yaml`,
      some.map((key, index) => configMap(`${name}-${index}`, seeded(write(key), `${style}, ${key}`))).join('---\n'),
    );
  }
  for (const [name, write] of Object.entries(shaped)) {
    const id = name.replace(/\W+/g, '-');
    add(`shape-${id}.yaml`, `${configMap(id, 'a: b')}spec:\n${indent(write(), 2)}\n`);
  }
  for (const [name, text] of Object.entries(manifests))
    add(name, seeded(text.replaceAll('NAME', name.replace(/\W+/g, '-')), name));
  files['secret.txt'] = seeded('§\n', 'a file of a generator');
  files.id_rsa = seeded(
    '-----BEGIN OPENSSH PRIVATE KEY-----\n§§§\n-----END OPENSSH PRIVATE KEY-----\n',
    'a key of a generator',
  );
  files['db.env'] = seeded('USER=§\nPASSWORD=§\n', 'an env file');
  files['patch.yaml'] = seeded(
    'apiVersion: v1\nkind: Secret\nmetadata: {name: x}\nstringData:\n  user: §\n',
    'a patch',
  );
  files['kustomization.yaml'] =
    `resources:\n${resources.map((name) => `- ${name}\n`).join('')}${seeded(generators, 'a generator')}`;
  return files;
}

const folders: string[] = [];
const planted = (files: Files) => {
  const folder = createRepo(files);
  folders.push(folder);
  return folder;
};
const all = repository();
const others = Object.fromEntries(
  Object.entries(refused).map(([name, files]) => [
    name,
    {
      'a.yaml': configMap('a', 'a: b'),
      ...Object.fromEntries(Object.entries(files).map(([path, text]) => [path, seeded(String(text), name)])),
    } as Files,
  ]),
);
afterAll(() => folders.forEach(removeRepo));

/** Where those that are found in a text were planted, with the line that shows them. */
function found(text: string): string[] {
  const lines = text.split('\n');
  return [...canaries].flatMap(([canary, where]) => {
    if (!text.includes(canary)) return [];
    return [
      `${where}: ${lines
        .find((line) => line.includes(canary))
        ?.trim()
        .slice(0, 300)}`,
    ];
  });
}

/** As if every line of every file were wrong, and could be corrected. */
function everyLine(files: Files): Finding[] {
  return Object.entries(files).flatMap(([file, text]) => {
    const lines = String(text).split('\n');
    return lines.flatMap((line, index) => {
      if (line.trim() === '') return [];
      const at = (number: number) => ({
        revision: 'head' as const,
        file,
        range: {
          start: { line: number, column: 1 },
          end: { line: number, column: (lines[number - 1] ?? '').length + 1 },
        },
      });
      return {
        rule: 'schema-violation',
        severity: 'error' as const,
        message: `line ${index + 1} is wrong`,
        at: at(index + 1),
        precision: 'exact' as const,
        field: ['line', index],
        related: [{ message: 'and the one before', at: at(Math.max(1, index)) }],
        entrypoints: ['.'],
        fingerprint: createHash('md5').update(`${file} ${index}`).digest('hex'),
        isNew: true,
        assumes: [],
        fix: () => ({ title: 'write it anew', safe: true, edits: [{ at: at(index + 1), text: `${line} ` }] }),
      };
    });
  });
}

const options = { color: false, quiet: false, width: 400 };
const allFormats = (result: Run) => formats.map((format) => report(format, result, options)).join('\n');

test('there are as many canaries as promised', () => {
  expect(canaries.size).toBeGreaterThanOrEqual(200);
});

describe('of a repository in which every line is a finding', () => {
  let result: Run;
  let lint: Run;
  beforeAll(async () => {
    lint = await run({ directory: planted(all), home: root, paths: [], remotes: [] });
    const text = (_: unknown, file: string) => (all[file] === undefined ? undefined : String(all[file]));
    result = {
      ...lint,
      findings: [...lint.findings, ...everyLine(all)],
      sources: { text, has: () => true, secrets: () => ({}) },
    };
  });

  test('what the rules find is shown without a canary', () => {
    expect(lint.findings.length).toBeGreaterThan(0);
    expect(found(allFormats(lint))).toEqual([]);
  });

  test('nor what they find in each file by itself, where one that is refused does not hide the others', async () => {
    const names = Object.keys(all).filter((name) => /\.(?:ya?ml|json)$/.test(name));
    const files = Object.fromEntries(
      names.flatMap((name): [string, Files[string]][] =>
        name === 'kustomization.yaml'
          ? Object.entries(all).map(([path, text]) => [`d/all/${path}`, text])
          : [
              [`d/${name}/${name}`, all[name] as string],
              [`d/${name}/kustomization.yaml`, kustomization({ resources: [name] })],
            ],
      ),
    );
    const paths = names.map((name) => `d/${name === 'kustomization.yaml' ? 'all' : name}`);
    const each = await run({ directory: planted(files), home: root, paths, remotes: [] });
    expect(each.entrypoints.filter(({ rendered }) => rendered).length).toBeGreaterThan(20);
    expect(new Set(each.findings.map(({ rule }) => rule)).size).toBeGreaterThan(5);
    expect(found(allFormats(each))).toEqual([]);
  });

  test.each(someOf(formats, 3))('no frame, message or fix of %s has a canary', (format) => {
    const printed = report(format, result, options);
    expect(found(printed)).toEqual([]);
    // All but these count what they do not show, or say it of each.
    if (format !== 'markdown' && format !== 'github') expect(printed.split('is wrong').length).toBeGreaterThan(300);
  });

  test('no difference has a canary', () => {
    const lines = Object.entries(all).flatMap(([file, text]) => [
      ...differenceLines(file, String(text), String(text).replace(/$/gm, ' ')),
      ...differenceLines(file, undefined, String(text)),
      ...differenceLines(file, String(text), ''),
    ]);
    expect(found(lines.join('\n'))).toEqual([]);
  });

  test('no review comment has a canary, and no suggestion either', async () => {
    let clock = Date.parse('2026-01-01T00:00:00Z');
    const pass = (time: number) => {
      clock += time;
    };
    const fake = await FakeGitHub.create({ files: { 'README.md': 'x\n' }, now: () => clock });
    try {
      const number = await fake.open({ changes: all as Record<string, string> });
      const github = new GitHub({
        token: fake.token('write'),
        repository: 'acme/platform',
        apiUrl: fake.apiUrl,
        fetch: fake.fetch as never,
        clock: { now: () => clock, sleep: (time) => Promise.resolve(pass(time)) },
      });
      // A review holds a hundred comments.
      const most = isLong() ? result.findings.length : 100;
      for (let from = 0; from < most; from += 100) {
        const part = { ...result, findings: result.findings.slice(from, from + 100) };
        await review(maskedRun(part), github, {
          instance: String(from),
          pull: { number, head: fake.pull(number).head.sha },
          limits: { comments: 100, files: 10 },
          url: () => undefined,
          suggestion: ({ fix: work }) => {
            const fix = work?.();
            return fix && suggestionOf(fix, String(all[fix.edits[0]?.at.file ?? '']));
          },
        });
      }
      const comments = fake.comments(number).map(({ body }) => body);
      expect(comments.length).toBeGreaterThan(isLong() ? 300 : 60);
      expect(comments.some((body) => body.includes('```suggestion'))).toBe(true);
      expect(found(comments.join('\n'))).toEqual([]);
      expect(
        found(
          fake
            .reviews(number)
            .map(({ body }) => body)
            .join('\n'),
        ),
      ).toEqual([]);
    } finally {
      fake.close();
    }
  });
});

describe('of the commands', () => {
  let folder: string;
  beforeAll(() => {
    folder = planted(all);
  });

  // `render` prints what Flux applies, byte by byte, and is asked for that alone; all others say less.
  test.each([
    [['check', 'text', 'json', 'sarif'], /^error\[[\w-]+\]: .*\n {2}--> \S+\.yaml/m],
    [['check', 'concise', 'github', 'markdown', 'gitlab', 'junit'], /^::error file=\S+\.yaml/m],
    [['fix', '--dry-run', '--unsafe'], /^\S+\.yaml: error [\w-]+ /m],
    [['graph'], /^digraph \{/m],
  ])('%j shows no canary', async ([command = '', ...args]: string[], said) => {
    // Of the others nothing is printed in another way.
    const run = args.includes('sarif') ? runCli : runHere;
    const { stdout, stderr, status } =
      command === 'check'
        ? await inFormats(async (words) => run(words), args, [command, folder])
        : await run([command, folder, ...args]);
    expect(stdout + stderr).toMatch(said);
    if (command !== 'graph') expect(stdout).toContain('••••••');
    expect(status === 0 || status === 1).toBe(true);
    expect(found(stdout + stderr)).toEqual([]);
  });

  test('explain shows no canary of what renders', async () => {
    const {
      'secret-string.yaml': a,
      'release.yaml': b,
      'style-an-environment.yaml': c,
      'style-in-a-text.yaml': d,
    } = all;
    const files = { 'a.yaml': a, 'b.yaml': b, 'c.yaml': c, 'd.yaml': d } as Files;
    const rendered = planted({ ...files, 'kustomization.yaml': kustomization({ resources: Object.keys(files) }) });
    const subjects = [
      'Secret/secret-string-yaml',
      'HelmRelease/app',
      'ConfigMap/an-environment-0',
      'ConfigMap/in-a-text-0',
    ];
    for (const subject of subjects) {
      const { stdout, stderr, status } = await runHere(['explain', '-C', rendered, subject]);
      expect({ status, found: found(stdout + stderr) }).toEqual({ status: 0, found: [] });
      expect(stdout).toContain('••••••');
    }
  });

  const written = (workspace: string) =>
    ['out.json', 'out.sarif'].map((name) => readFileSync(join(workspace, name), 'utf8'));
  const inputs = { 'json-file': 'out.json', 'sarif-file': 'out.sarif', 'fail-on': 'never' };

  test('the action writes no canary to its log, summary, outputs and files', async () => {
    const workspace = planted(all);
    const { status, log, summary, outputs } = await runAction(workspace, inputs, process.execPath);
    expect(status).toBe(0);
    expect(found([log, summary, JSON.stringify(outputs), ...written(workspace)].join('\n'))).toEqual([]);
  });

  test.each(['.', 'clusters/one'])(
    'nor of a file that only a kustomization tells to be secret, in %s',
    async (directory) => {
      const text = seeded('told: § # customizer-lint ignore nothing\n', 'a file that says nothing of itself');
      const files = {
        'kustomization.yaml': kustomization({ secretGenerator: [{ name: 'told', files: ['told.yaml'] }] }),
        'told.yaml': text,
      };
      const inside = Object.entries(files).map(([name, one]) => [posix.join(directory, name), one]);
      const workspace = planted(Object.fromEntries(inside));
      const { log, summary, outputs } = await runAction(workspace, { ...inputs, directory }, process.execPath);
      expect(log).toContain('told.yaml');
      expect(found([log, summary, JSON.stringify(outputs), ...written(join(workspace, directory))].join('\n'))).toEqual(
        [],
      );
    },
  );
});

test.each(Object.keys(others))('refused: %s', async (name) => {
  const files = others[name] as Files;
  const result = await run({ directory: planted(files), home: root, paths: [], remotes: [] });
  expect(result.findings).toContainEqual(expect.objectContaining({ severity: 'error' }));
  const text = (_: unknown, file: string) => (files[file] === undefined ? undefined : String(files[file]));
  expect(found(allFormats(result))).toEqual([]);
  expect(
    found(
      allFormats({ ...result, findings: everyLine(files), sources: { text, has: () => true, secrets: () => ({}) } }),
    ),
  ).toEqual([]);
});

describe('of the job’s token', () => {
  let fake: FakeGitHub;
  let server: GitServer;
  let real: Awaited<ReturnType<FakeGitHub['listen']>>;
  beforeAll(async () => {
    fake = await FakeGitHub.create({ files: broken({}), private: true });
    server = await serveGit(fake.gitDirectory, fake.token('write'));
    real = await fake.listen();
  });
  afterAll(async () => {
    await server.close();
    await real.close();
    fake.close();
  });

  function broken(more: Record<string, string>): Record<string, string> {
    const metallb = 'apiVersion: cozystack.io/v1alpha1\nkind: Package\nmetadata: {name: cozystack.metallb}\nspec:\n';
    return {
      'kustomization.yaml': 'resources: [metallb.yaml]\n',
      'metallb.yaml': `${metallb}  components: {}\n`,
      ...more,
    };
  }

  /** The committed action, with nothing in its environment but what is given. */
  function started(options: {
    cwd: string;
    env: Record<string, string>;
  }): Promise<{ status: number | null; log: string }> {
    return new Promise((resolve) => {
      const child = spawn(process.execPath, [join(root, 'dist/action/index.js')], {
        ...options,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let log = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text) => {
          log += text;
        });
      child.on('close', (status) => resolve({ status, log }));
    });
  }

  test('only the API gets it, and git for one fetch', async () => {
    const number = await fake.open({
      changes: { 'metallb.yaml': broken({})['metallb.yaml']?.replace('components: {}', 'variant: oidc') ?? '' },
    });
    await fake.mergeCommit(number);
    const workspace = planted({});
    const git = (...args: string[]) => execFileSync('git', args, { cwd: workspace, stdio: 'pipe', encoding: 'utf8' });
    git('init', '--quiet');
    git('remote', 'add', 'origin', `file://${fake.gitDirectory}`);
    git('fetch', '--quiet', '--depth=1', 'origin', `+refs/pull/${number}/merge:refs/remotes/pull/merge`);
    git('checkout', '--quiet', '--force', 'refs/remotes/pull/merge');
    git('remote', 'set-url', 'origin', `${server.url}/${basename(fake.gitDirectory)}`);

    // A git that tells what it was started with.
    const spy = planted({ calls: '', event: JSON.stringify(await fake.event(number)), out: '', sum: '' });
    const path = git('--exec-path').trim();
    writeFileSync(
      join(spy, 'git'),
      `#!/bin/sh\n{ echo "CALL $*"; env; } >> ${join(spy, 'calls')}\nPATH="${path}:${process.env.PATH}" exec ${path}/git "$@"\n`,
      { mode: 0o755 },
    );
    const token = fake.token('write');
    const other = 'ghs_otherTokenOfTheSameJob0123456789';
    const { log, status } = await started({
      cwd: workspace,
      env: {
        PATH: `${spy}:${process.env.PATH}`,
        INPUT_TOKEN: token,
        GITHUB_TOKEN: other,
        GH_TOKEN: other,
        ACTIONS_RUNTIME_TOKEN: other,
        ACTIONS_ID_TOKEN_REQUEST_TOKEN: other,
        'INPUT_JSON-FILE': 'out.json',
        'INPUT_SARIF-FILE': 'out.sarif',
        GITHUB_ACTIONS: 'true',
        GITHUB_WORKSPACE: workspace,
        GITHUB_REPOSITORY: 'acme/platform',
        GITHUB_API_URL: real.api,
        GITHUB_SERVER_URL: server.url,
        GITHUB_EVENT_NAME: 'pull_request',
        GITHUB_EVENT_PATH: join(spy, 'event'),
        GITHUB_OUTPUT: join(spy, 'out'),
        GITHUB_STEP_SUMMARY: join(spy, 'sum'),
      },
    });
    const read = (file: string) => readFileSync(file, 'utf8');
    const written = [log, read(join(spy, 'out')), read(join(spy, 'sum'))];
    written.push(read(join(workspace, 'out.json')), read(join(workspace, 'out.sarif')), git('config', '--list'));
    const basic = Buffer.from(`x-access-token:${token}`).toString('base64');
    for (const text of written) for (const word of [token, other, basic]) expect(text).not.toContain(word);
    expect({ status, comments: fake.comments(number).length }).toEqual({ status: 1, comments: 1 });

    const calls = read(join(spy, 'calls')).split(/^(?=CALL )/m);
    expect(calls.length).toBeGreaterThan(5);
    // Whatever git starts would be handed its environment on, so the token is in a file, for as long as the fetch runs.
    expect(calls.filter((call) => / fetch /.test(call)).length).toBeGreaterThan(0);
    expect(calls.filter((call) => [token, other, basic].some((word) => call.includes(word)))).toEqual([]);
    expect(server.seen).toContain(`x-access-token:${token}`);
    expect({ leaks: fake.leaks, violations: fake.violations }).toEqual({ leaks: [], violations: [] });
    expect(fake.log.some(({ headers }) => JSON.stringify(headers).includes(other))).toBe(false);
  });
});
