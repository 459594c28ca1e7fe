/** What a Secret holds, and the repository has taken somewhere else as well, is hidden there too, in all that compares or explains. */
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { runHere } from '../support/here.js';
import { configMap, createRepo, type Files, kustomization, removeRepo } from '../support/trees.js';
import { Canaries } from './canaries/canary.js';

const planted: string[] = [];
afterAll(() => planted.forEach(removeRepo));

const secret = (data: string) =>
  `apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: cozy-customizer}\n${data}`;
const holder = (value = 'v') => configMap('c', { k: value });
const copying = {
  source: { kind: 'Secret', fieldPath: 'stringData.x' },
  targets: [{ select: { kind: 'ConfigMap' }, fieldPaths: ['data.k'] }],
};
const flux = (variables: string, name: string) =>
  `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: f, namespace: cozy-customizer}\nspec:\n  interval: 5m\n  prune: true\n  path: ./${name}\n  sourceRef: {kind: GitRepository, name: cozystack-customizer, namespace: cozy-system}\n  postBuild: {substitute: {${variables}}}\n`;
const encrypted =
  'sops:\n  encrypted_regex: ^(data|stringData)$\n  mac: ENC[AES256_GCM,data:a,iv:b,tag:c,type:str]\n  version: 3.10.2\n';

/** § is the canary: the same one in all of a repository. */
const repositories: Record<string, Files> = {
  'by a replacement': {
    'kustomization.yaml': kustomization({ resources: ['s.yaml', 'c.yaml'], replacements: [copying] }),
    's.yaml': secret('stringData: {x: §}\n'),
    'c.yaml': holder(),
  },
  'by a replacement, into the middle of a text': {
    'kustomization.yaml': kustomization({
      resources: ['s.yaml', 'c.yaml'],
      replacements: [{ ...copying, targets: [{ ...copying.targets[0], options: { delimiter: '/', index: 1 } }] }],
    }),
    's.yaml': secret('stringData: {x: §}\n'),
    'c.yaml': holder('a/b/c'),
  },
  'by hand, out of data': {
    'kustomization.yaml': kustomization({ resources: ['s.yaml', 'c.yaml'] }),
    's.yaml': secret(`data: {x: §64}\n`),
    'c.yaml': holder('a §'),
  },
  'by a variable': {
    'kustomization.yaml': kustomization({ resources: ['f.yaml'] }),
    'f.yaml': flux('PASSWORD: §', 'app'),
    'app/kustomization.yaml': kustomization({ resources: ['c.yaml'] }),
    'app/c.yaml': holder(`\${PASSWORD}`),
  },
  'by nobody, where SOPS has left it unencrypted': {
    'kustomization.yaml': kustomization({ resources: ['c.yaml'] }),
    'c.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, namespace: cozy-customizer}\ndata: {k: §}\n${encrypted}`,
  },
};

const commands: [string, (base: string) => string[]][] = [
  ...['text', 'json', 'markdown'].map((format): [string, (base: string) => string[]] => [
    `diff as ${format}`,
    (base) => ['diff', '.', '--base', base, '--format', format],
  ]),
  ...['text', 'json', 'markdown', 'sarif'].map((format): [string, (base: string) => string[]] => [
    `check --simulate as ${format}`,
    (base) => ['check', '.', '--simulate', '--base', base, '--format', format],
  ]),
  ['explain', () => ['explain', 'ConfigMap/c', '-C', '.']],
  ['explain as json', () => ['explain', 'ConfigMap/c', 'data.k', '-C', '.', '--format', 'json']],
];

describe.each(Object.keys(repositories))('taken %s', (name) => {
  test.each(commands)('it is not in: %s', async (command, args) => {
    const canaries = new Canaries();
    const before = canaries.seeded('§', 'base');
    const after = canaries.seeded('§', 'head');
    const write = (canary: string) =>
      Object.fromEntries(
        Object.entries(repositories[name] as Files).map(([file, text]) => [
          file,
          String(text).replaceAll('§64', Buffer.from(canary).toString('base64')).replaceAll('§', canary),
        ]),
      );
    const [base, head] = [createRepo(write(before)), createRepo(write(after))];
    planted.push(base, head);
    const { stdout, stderr } = await runHere(args(base).map((arg) => (arg === '.' ? head : arg)));
    expect(canaries.found(stdout + stderr)).toEqual([]);
    expect(stderr).not.toMatch(/bug of the linter/);
    expect(stdout).toMatch(/assumed {2}|"tool"|\$schema|customizer-lint|ConfigMap/);
    // What is hidden was looked at, but for those that do not show values.
    if (!/sarif|simulate as (?:text|json)/.test(command)) expect(stdout).toMatch(/••••••|ConfigMap/);
  });
});

test('a value that SOPS had left unencrypted is hidden where the change takes its copy away', async () => {
  const canaries = new Canaries();
  const canary = canaries.seeded('§', 'base');
  const files = (value: string, copy: string): Files => ({
    'kustomization.yaml': kustomization({ resources: ['c.yaml'] }),
    'c.yaml': holder(copy),
    'values.sops.yaml': `data: {x: ${value}}\n${encrypted}`,
  });
  const base = createRepo(files(canary, `a ${canary}`));
  const head = createRepo(files('ENC[AES256_GCM,data:a,iv:b,tag:c,type:str]', 'none'));
  planted.push(base, head);
  const { stdout } = await runHere(['diff', head, '--base', base]);
  expect(canaries.found(stdout)).toEqual([]);
  expect(stdout).toContain('"a ••••••" → "none"');
});

test.each([[[]], [['--format', 'json']]])(
  'nothing of stringData is in explain %j, however short it is and whatever its type',
  async (format) => {
    const folder = createRepo({
      'kustomization.yaml': kustomization({ resources: ['s.yaml'] }),
      's.yaml': secret('stringData: {pin: 735, short: abc, nested: {deep: xyz}}\n'),
    });
    planted.push(folder);
    const { stdout } = await runHere(['explain', 'Secret/s', '-C', folder, ...format]);
    expect(stdout).not.toMatch(/735|abc|xyz/);
    expect(stdout).toMatch(/stringData\.pin = "••••••"|"value": "••••••"/);
  },
);

test('what is not held by a Secret is told', async () => {
  const files = (value: string): Files => ({
    'kustomization.yaml': kustomization({ resources: ['s.yaml', 'c.yaml'] }),
    's.yaml': secret('stringData: {x: hunter2hunter2, user: admin, short: abc}\n'),
    'c.yaml': holder(value),
  });
  const [base, head] = [createRepo(files('admin abc one')), createRepo(files('admin abc two'))];
  planted.push(base, head);
  const { stdout } = await runHere(['diff', head, '--base', base]);
  expect(stdout).toContain('"admin abc one" → "admin abc two"');
});

test.each(['undefined', 'null', 'true'])('the word %s is told where a Secret lacks a part', async (word) => {
  const files = (value: string): Files => ({
    'kustomization.yaml': kustomization({ resources: ['s.yaml', 'c.yaml'] }),
    's.yaml': secret('stringData: {x: hunter2hunter2}\n'),
    'c.yaml': holder(value),
  });
  const [base, head] = [createRepo(files(`${word} one`)), createRepo(files(`${word} two`))];
  planted.push(base, head);
  const { stdout } = await runHere(['diff', head, '--base', base]);
  expect(stdout).toContain(`"${word} one" → "${word} two"`);
});

test.each([[[]], [['--format', 'json']]])(
  'it is not in what explain %j says that the platform sets',
  async (format) => {
    const canaries = new Canaries();
    const canary = canaries.seeded('§', 'a value of the platform');
    const packageOf = (name: string, components: object) => ({
      apiVersion: 'cozystack.io/v1alpha1',
      kind: 'Package',
      metadata: { name: `cozystack.${name}` },
      spec: { variant: 'isp-full', components },
    });
    const folder = createRepo({
      '.customizer-lint.yaml': 'cluster: {release: v1.6.2, variant: isp-full}\n',
      'kustomization.yaml': kustomization({ resources: ['s.yaml', 'p.json', 'n.json'] }),
      's.yaml': secret(`stringData: {x: ${canary}}\n`),
      'p.json': JSON.stringify(
        packageOf('cozystack-platform', { platform: { values: { networking: { podCIDR: canary } } } }),
      ),
      'n.json': JSON.stringify(
        packageOf('networking', { kubeovn: { values: { 'kube-ovn': { ipv4: { POD_CIDR: '10.0.0.0/16' } } } } }),
      ),
    });
    planted.push(folder);
    const field = 'spec.components.kubeovn.values.kube-ovn.ipv4.POD_CIDR';
    const { stdout } = await runHere(['explain', 'Package/cozystack.networking', field, '-C', folder, ...format]);
    expect(canaries.found(stdout)).toEqual([]);
    expect(stdout).toMatch(/which sets it to "••••••"|"set": "••••••"/);
  },
);

test('fix shows no literal of a misspelt generator', async () => {
  const canaries = new Canaries();
  const folder = createRepo({
    'kustomization.yaml': canaries.seeded(
      "resources: [c.yaml]\nsecretGenerators:\n- name: a\n  namespace: cozy-customizer\n  literals: ['dbpass=§']\n",
      'literal',
    ),
    'c.yaml': holder(),
  });
  planted.push(folder);
  const { stdout, stderr } = await runHere(['fix', folder, '--dry-run']);
  expect(canaries.found(stdout + stderr)).toEqual([]);
  expect(stdout).toContain('+secretGenerator:');
});

test.each([
  ['audit', ['--live', 'live.yaml']],
  ['snapshot', ['live.yaml']],
  ['diff', ['.', '--live', 'live.yaml']],
])('an alias of nothing in what a cluster is said to have ends %s with a sentence', async (command, args) => {
  const folder = createRepo({
    'kustomization.yaml': kustomization({ resources: ['c.yaml'] }),
    'c.yaml': holder(),
    'live.yaml':
      'kind: List\nitems:\n- {apiVersion: cozystack.io/v1alpha1, kind: Package, metadata: {name: a}, spec: *b }\n',
  });
  planted.push(folder);
  const { status, stderr } = await runHere([
    command,
    ...args.map((arg) => (arg.startsWith('-') ? arg : join(folder, arg))),
  ]);
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: expect.stringMatching(/^customizer-lint: what was read has aliases, which no cluster prints\n$/),
  });
});

describe('a finding on a field does not tell its value', () => {
  const packageOf = (spec: string, more = '') =>
    `apiVersion: cozystack.io/v1alpha1\nkind: Package\nmetadata:\n  name: cozystack.metallb\n  annotations: {kustomize.toolkit.fluxcd.io/ssa: Merge, kustomize.toolkit.fluxcd.io/prune: disabled}\nspec:\n${spec}${more}`;
  const resources = kustomization({ resources: ['p.yaml'] });
  const sops = `sops:\n  encrypted_regex: ^variant$\n  mac: ENC[AES256_GCM,data:a,iv:b,tag:c,type:str]\n  version: 3.10.2\n`;
  const told: [string, Files][] = [
    [
      'that a replacement takes from a Secret',
      {
        'kustomization.yaml': kustomization({
          resources: ['p.yaml', 's.yaml'],
          replacements: [
            {
              source: { kind: 'Secret', fieldPath: 'stringData.x' },
              targets: [{ select: { kind: 'Package' }, fieldPaths: ['spec.variant'] }],
            },
          ],
        }),
        'p.yaml': packageOf('  variant: v\n'),
        's.yaml': secret('stringData: {x: §}\n'),
      },
    ],
    [
      'that stands in a Secret too',
      {
        'kustomization.yaml': kustomization({ resources: ['p.yaml', 's.yaml'] }),
        'p.yaml': packageOf('  variant: §\n'),
        's.yaml': secret('stringData: {x: §}\n'),
      },
    ],
    ['that SOPS was to encrypt', { 'kustomization.yaml': resources, 'p.yaml': packageOf('  variant: §\n', sops) }],
    ['with a password in it', { 'kustomization.yaml': resources, 'p.yaml': packageOf('  variant: "password=§"\n') }],
    ['that should be a map', { 'kustomization.yaml': resources, 'p.yaml': packageOf('  components: "password: §"\n') }],
  ];

  test.each(told)('%s', async (_, files) => {
    const canaries = new Canaries();
    const canary = canaries.seeded('§', 'head');
    const head = createRepo(
      Object.fromEntries(Object.entries(files).map(([name, text]) => [name, String(text).replaceAll('§', canary)])),
    );
    planted.push(head);
    for (const format of ['text', 'json', 'markdown', 'github', 'sarif', 'gitlab', 'junit', 'concise']) {
      const { stdout, stderr } = await runHere(['check', head, '--format', format]);
      expect([format, canaries.found(stdout + stderr)]).toEqual([format, []]);
      expect(stdout).toMatch(/spec\.variant|spec\.components/);
      expect(stdout).toContain('••••••');
    }
  });
});
