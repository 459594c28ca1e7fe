/** A dry run by the command: against a server that answers as told, and where there is none. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { formats } from '../../src/report/index.js';
import { type Fake, kubeconfigOf, type Recorded, startFake } from '../support/apiserver.js';
import { runCli } from '../support/cli.js';
import { runHere } from '../support/here.js';
import { createRepo, removeRepo } from '../support/trees.js';

const config = 'cluster: {release: v1.6.2, variant: isp-full}\n';
const map = (name: string, namespace = 'cozy-customizer') =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: ${namespace}}\ndata: {password: hunter2hunter2}\n`;
const kustomization = (...resources: string[]) =>
  `apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [${resources.join(', ')}]\n`;
const repository = createRepo({
  'kustomization.yaml': kustomization('a.yaml', 'b.yaml'),
  'a.yaml': map('a'),
  'b.yaml': map('b'),
  '.customizer-lint.yaml': config,
});
const fakes: Fake[] = [];
const folders = [repository];

afterAll(async () => {
  for (const fake of fakes) await fake.close();
  for (const folder of folders) removeRepo(folder);
});

async function fake(recorded: Recorded[] = []): Promise<Fake> {
  const server = await startFake(recorded, 'a-token-that-nobody-may-see');
  fakes.push(server);
  return server;
}

async function ask(where: string, { folder = repository, env = {}, args = [] as string[] } = {}) {
  const words = ['check', folder, '--format', 'json', `--dry-run=${where}`, ...args];
  // Programs that it starts have the environment of the process.
  const isAlone = Object.keys(env).length > 0;
  const { status, stdout, stderr } = await (isAlone ? runCli(words, { env }) : runHere(words));
  expect(stdout + stderr).not.toMatch(/a-token-that|hunter2/);
  const report = JSON.parse(stdout);
  const stage = report.stages.find(({ name }: { name: string }) => name === 'dry-run');
  return { status, report, stage, run: report.dryRun?.[0] };
}

const failure = (status: number, reason: string, message: string, headers = {}): Omit<Recorded, 'to'> => ({
  status,
  headers,
  body: { kind: 'Status', status: 'Failure', code: status, reason, message },
});
const pathOfA = 'PATCH /api/v1/namespaces/cozy-customizer/configmaps/a';

test('nothing is written: every request is read-only or a dry run, in the name of the customizer', async () => {
  const server = await fake();
  const { status, stage, run } = await ask(server.kubeconfig);
  expect({ status, stage }).toEqual({ status: 0, stage: { name: 'dry-run', ran: true } });
  expect(run).toMatchObject({ server: 'kubeconfig', version: 'v1.35.4', asked: 2, refused: [], disagreements: [] });
  for (const { method, url } of server.heard) if (method !== 'GET') expect(url).toContain('dryRun=All');
  const patches = server.heard.filter(({ method }) => method === 'PATCH');
  expect(patches.map(({ url }) => url)).toEqual(
    ['a', 'b'].map(
      (name) =>
        `/api/v1/namespaces/cozy-customizer/configmaps/${name}?fieldManager=kustomize-controller&force=false&dryRun=All`,
    ),
  );
  for (const { headers } of patches)
    expect(headers).toMatchObject({
      'impersonate-user': 'system:serviceaccount:cozy-system:cozystack-customizer',
      authorization: 'Bearer a-token-that-nobody-may-see',
      'content-type': 'application/apply-patch+yaml',
    });
});

test('a conflict is asked once more with force, and is no refusal', async () => {
  const causes = [
    { reason: 'FieldManagerConflict', message: 'conflict with "helm-controller" using v1', field: '.data.password' },
  ];
  const conflict = failure(409, 'Conflict', 'Apply failed with 1 conflict');
  (conflict.body as { details?: object }).details = { causes };
  const server = await fake([{ to: pathOfA, ...conflict, times: 1 }]);
  const { status, run } = await ask(server.kubeconfig);
  expect(status).toBe(0);
  expect(run.conflicts).toEqual([
    {
      object: { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'cozy-customizer', name: 'a' },
      ...{ entrypoint: '.', manager: 'helm-controller', path: ['data', 'password'] },
    },
  ]);
  expect(server.heard.filter(({ url }) => url.includes('force=true'))).toHaveLength(1);
});

/** A folder that Flux itself applies, with all its rights. */
function withFlux(manifests: string): string {
  const folder = createRepo({
    'flux.yaml':
      'apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: app, namespace: flux-system}\nspec: {interval: 10m, path: ./app, prune: true, sourceRef: {kind: GitRepository, name: flux-system}}\n',
    ...{ 'app/kustomization.yaml': kustomization('a.yaml'), 'app/a.yaml': manifests },
    '.customizer-lint.yaml': config,
  });
  folders.push(folder);
  return folder;
}

test('what a Flux Kustomization without an account applies is asked in the name of Flux', async () => {
  const folder = withFlux(map('a'));
  const server = await fake();
  await ask(server.kubeconfig, { folder });
  const patches = server.heard.filter(({ method }) => method === 'PATCH');
  expect(patches.map(({ headers }) => headers['impersonate-user'])).toEqual(['system:serviceaccount:cozy-fluxcd:flux']);
});

test.each([
  [422, 'Invalid'],
  [409, 'AlreadyExists'],
])(
  'what is refused with %i is made anew under a name of its own, where Flux is told to force it',
  async (status, reason) => {
    const force = ', annotations: {kustomize.toolkit.fluxcd.io/force: enabled}}';
    const folder = withOther(map('b').replace('}', force));
    const pathOfB = pathOfA.replace(/a$/, 'b');
    const server = await fake([
      { to: pathOfB, ...failure(status, reason, 'not like this') },
      { to: pathOfB.replace('PATCH', 'GET'), status: 200 },
      { to: pathOfB.replace('PATCH', 'DELETE'), status: 200 },
    ]);
    const { run } = await ask(server.kubeconfig, { folder });
    expect(run).toMatchObject({ asked: 2, refused: [] });
    const [made] = server.heard.filter(({ url }) => url.includes('/customizer-lint-made-anew?'));
    expect(JSON.parse(made?.body ?? '{}').metadata.name).toBe('customizer-lint-made-anew');
  },
);

/** Two objects, of which the server takes one. */
function withOther(other: string): string {
  const folder = createRepo({
    ...{ 'kustomization.yaml': kustomization('a.yaml', 'b.yaml'), 'a.yaml': map('a'), 'b.yaml': other },
    '.customizer-lint.yaml': config,
  });
  folders.push(folder);
  return folder;
}

test('an application is not asked about, as its server would make it', async () => {
  const folder = withOther(
    'apiVersion: apps.cozystack.io/v1alpha1\nkind: Redis\nmetadata: {name: b, namespace: cozy-customizer}\n',
  );
  const server = await fake();
  const { run, report } = await ask(server.kubeconfig, { folder });
  expect(run).toMatchObject({ refused: [] });
  expect(server.heard.filter(({ method }) => method === 'PATCH').map(({ url }) => url.split('?')[0])).toEqual([
    '/api/v1/namespaces/cozy-customizer/configmaps/a',
  ]);
  expect(JSON.stringify(report)).toContain('the server of applications takes no dry run');
});

test('a kind whose group the server does not have is refused, and all else is asked', async () => {
  const folder = withOther(
    'apiVersion: example.org/v1\nkind: Thing\nmetadata: {name: b, namespace: cozy-customizer}\n',
  );
  const { stage, run } = await ask((await fake()).kubeconfig, { folder });
  expect(stage).toEqual({ name: 'dry-run', ran: true });
  expect(run).toMatchObject({ asked: 2, refused: [{ reason: 'unknown-kind', object: { kind: 'Thing' } }] });
});

test('what it refuses, and nobody can judge, is counted by the reason', async () => {
  const definition = JSON.stringify({
    ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
    metadata: { name: 'things.example.org' },
    spec: {
      ...{ group: 'example.org', scope: 'Namespaced', names: { kind: 'Thing', plural: 'things' } },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  });
  const thing = map('t').replace('v1', 'example.org/v1').replace('ConfigMap', 'Thing');
  const namespace = 'apiVersion: v1\nkind: Namespace\nmetadata: {name: tools}\n';
  const folder = withFlux([namespace, map('b', 'tools'), map('c', 'tools'), definition, thing].join('\n---\n'));
  const gone = failure(404, 'NotFound', 'namespaces "tools" not found');
  const server = await fake([{ to: 'PATCH /api/v1/namespaces/tools/configmaps/', ...gone }]);
  const { report, run } = await ask(server.kubeconfig, { folder });
  const what = 'objects that the server refuses';
  const counted = report.notChecked.filter((one: { what: string }) => one.what === what);
  expect(counted).toEqual([
    { weight: 'plain', what, why: 'their Namespace comes with the repository and does not exist yet', count: 2 },
    {
      weight: 'plain',
      what,
      why: 'the definition of their kind comes with the repository and does not exist yet',
      count: 1,
    },
  ]);
  expect(run.refused).toEqual([]);
});

test('a field that cannot be changed comes with a way out, another one that is wrong with the usual help', async () => {
  const invalid = (field: string, message: string) => ({
    ...failure(422, 'Invalid', 'ConfigMap is invalid'),
    body: { kind: 'Status', reason: 'Invalid', details: { causes: [{ reason: 'FieldValueInvalid', field, message }] } },
  });
  const server = await fake([
    { to: pathOfA, ...invalid('data', 'Invalid value: field is immutable') },
    { to: pathOfA.replace(/a$/, 'b'), ...invalid('data', 'Invalid value: it is too long') },
  ]);
  const { report } = await ask(server.kubeconfig);
  expect(report.findings).toMatchObject([
    { rule: 'refused-by-server', file: 'a.yaml', help: expect.stringContaining('rename the object') },
    { rule: 'refused-by-server', file: 'b.yaml', help: 'correct the field' },
  ]);
});

test('what is refused is not tried anew where nobody forces it, though it is there', async () => {
  const there = { status: 200, body: JSON.parse('{"kind": "ConfigMap", "metadata": {"name": "a"}}') };
  const server = await fake([
    { to: pathOfA, ...failure(422, 'Invalid', 'ConfigMap is invalid') },
    { to: pathOfA.replace('PATCH', 'GET'), ...there },
  ]);
  const { report } = await ask(server.kubeconfig);
  expect(report.findings).toMatchObject([{ rule: 'refused-by-server', file: 'a.yaml' }]);
  expect(server.heard.filter(({ method }) => method === 'DELETE')).toEqual([]);
});

describe('what did not run is said, and the rest of the report stands', () => {
  const cases: [string, () => Promise<string> | string, string][] = [
    [
      'a server that is not there',
      () => file('gone', kubeconfigOf('http://127.0.0.1:1', { token: 'x' })),
      'cannot be reached (ECONNREFUSED)',
    ],
    ['no such file', () => '/nowhere/kubeconfig', 'there is no kubeconfig /nowhere/kubeconfig'],
    ['no kubeconfig', () => file('text', 'token: [a-token-that'), 'it is not a kubeconfig'],
    ['an empty one', () => file('empty', '{}'), 'of no use'],
    [
      'credentials that ran out',
      async () => (await fake([{ to: 'GET /version', ...failure(401, 'Unauthorized', 'Unauthorized') }])).kubeconfig,
      '401 Unauthorized',
    ],
    [
      'what is no API server',
      async () => (await fake([{ to: 'GET /version', status: 200, body: ['hello'] }])).kubeconfig,
      'no API server of Kubernetes',
    ],
    [
      'a command for credentials that fails',
      () => file('fails', kubeconfigOf('http://127.0.0.1:1', exec('echo a-token-that-nobody-may-see >&2; exit 1'))),
      'gives no credentials',
    ],
    [
      'a command that is not there',
      () =>
        file(
          'none',
          kubeconfigOf('http://127.0.0.1:1', {
            exec: { apiVersion: 'client.authentication.k8s.io/v1', command: '/nowhere/auth' },
          }),
        ),
      'gives no credentials (ENOENT)',
    ],
  ];
  test.each(cases)('%s', async (_, where, why) => {
    const { status, report, stage } = await ask(await where());
    expect(stage).toMatchObject({ ran: false, why: expect.stringContaining(why) });
    const { dryRun, summary } = report;
    expect({ status, dryRun, objects: summary.objects }).toEqual({ status: 2, dryRun: undefined, objects: 2 });
  });

  test('no right to act as the customizer', async () => {
    const message =
      'users "system:serviceaccount:cozy-system:cozystack-customizer" is forbidden: User "me" cannot impersonate resource "users"';
    const server = await fake([
      { to: 'GET /version', status: 200, body: { gitVersion: 'v1.35.4' }, times: 1 },
      { to: 'GET /version', ...failure(403, 'Forbidden', message) },
    ]);
    const { stage } = await ask(server.kubeconfig);
    expect(stage.why).toContain('may not act as system:serviceaccount:cozy-system:cozystack-customizer');
  });

  test('kind and envtest that are not installed', async () => {
    const env = { PATH: '/nowhere', KUBEBUILDER_ASSETS: '/nowhere' };
    expect((await ask('kind', { env })).stage.why).toBe('kind is not installed');
    expect((await ask('kind:mine', { env })).stage.why).toBe('kind is not installed');
    expect((await ask('envtest', { env })).stage.why).toContain('there is no etcd in KUBEBUILDER_ASSETS');
  });

  // That of GitLab has findings alone.
  test.each(formats.filter((format) => format !== 'gitlab'))('in %s', async (format) => {
    const { stdout } = await runHere(['check', repository, '--dry-run=/nowhere', '--format', format]);
    expect(stdout).toContain('there is no kubeconfig /nowhere');
  });

  test('which is an error where the configuration requires it', async () => {
    const folder = createRepo({
      ...{ 'kustomization.yaml': kustomization('a.yaml'), 'a.yaml': map('a') },
      '.customizer-lint.yaml': `${config}require: [dry-run]\n`,
    });
    folders.push(folder);
    for (const args of [[], ['--dry-run=/nowhere']]) {
      const { status, stdout } = await runHere(['check', folder, ...args]);
      // What was asked for by hand and could not be done is no verdict.
      expect(status).toBe(args.length > 0 ? 2 : 1);
      expect(stdout).toContain('error[skipped-stage]: Stage "dry-run" is required, but did not run: ');
    }
    const server = await fake();
    expect((await ask(server.kubeconfig, { folder })).status).toBe(0);
  });
});

describe('a server that has trouble', () => {
  test('is asked again when it says', async () => {
    const server = await fake([
      { to: pathOfA, ...failure(429, 'TooManyRequests', 'slow down', { 'retry-after': '1' }), times: 2 },
    ]);
    const start = Date.now();
    const { stage, run } = await ask(server.kubeconfig);
    expect({ ran: stage.ran, asked: run.asked }).toEqual({ ran: true, asked: 2 });
    expect(Date.now() - start).toBeGreaterThan(2000);
    expect(server.heard.filter(({ url }) => url.includes('/a?'))).toHaveLength(3);
  });

  test('is asked again while it does not yet know its own addresses', async () => {
    const words = 'Internal error occurred: failed to allocate a serviceIP: allocator not ready';
    const server = await fake([{ to: pathOfA, ...failure(500, 'InternalError', words), times: 2 }]);
    const { stage, run } = await ask(server.kubeconfig);
    expect({ ran: stage.ran, refused: run.refused }).toEqual({ ran: true, refused: [] });
    expect(server.heard.filter(({ url }) => url.includes('/a?'))).toHaveLength(3);
  });

  test('that does not get better', async () => {
    const server = await fake([
      { to: pathOfA, ...failure(429, 'TooManyRequests', 'slow down', { 'retry-after': '0' }) },
    ]);
    const { status, stage, run } = await ask(server.kubeconfig);
    expect(stage.why).toBe(
      '1 of 2 objects got no answer: the server gave no answer in 5 tries (429, too many requests)',
    );
    expect({ status, refused: run.refused }).toEqual({ status: 2, refused: [] });
  });

  test('that wants to be left alone for long is not asked again', async () => {
    const server = await fake([
      { to: pathOfA, ...failure(503, 'ServiceUnavailable', 'come back later', { 'retry-after': '31' }) },
    ]);
    const { stage } = await ask(server.kubeconfig);
    expect(stage.why).toContain('the server gave no answer in 1 tries (503, unavailable)');
    expect(server.heard.filter(({ url }) => url.includes('/a?'))).toHaveLength(1);
  });

  test('that never answers is given up in time', async () => {
    const folder = createRepo({
      ...{ 'kustomization.yaml': kustomization('a.yaml'), 'a.yaml': map('a') },
      '.customizer-lint.yaml': `${config}dryRun: {timeout: 2s}\n`,
    });
    folders.push(folder);
    const server = await fake([{ to: pathOfA, status: 200, silent: true }]);
    const { stage } = await ask(server.kubeconfig, { folder });
    expect(stage.why).toBe('it took longer than 2s');
    const hanging = file('hangs', kubeconfigOf('http://127.0.0.1:1', exec('exec sleep 600')));
    expect((await ask(hanging, { folder })).stage.why).toBe('it took longer than 2s');
  });

  test('that falls over in the middle', async () => {
    const server = await fake([{ to: pathOfA, ...failure(500, 'InternalError', 'etcdserver: no leader') }]);
    const { status, report } = await ask(server.kubeconfig);
    expect(status).toBe(1);
    expect(report.findings).toMatchObject([
      { rule: 'refused-by-server', message: expect.stringContaining('etcdserver: no leader') },
    ]);
  });
});

test('1,000 objects, eight at a time', async () => {
  const names = Array.from({ length: 1000 }, (_, index) => `map-${index}`);
  const folder = createRepo({
    'kustomization.yaml': kustomization('all.yaml'),
    'all.yaml': names.map((name) => map(name)).join('---\n'),
    '.customizer-lint.yaml': config,
  });
  folders.push(folder);
  const server = await fake();
  const { status, run } = await ask(server.kubeconfig, { folder });
  expect({ status, asked: run.asked, most: server.most() }).toEqual({ status: 0, asked: 1000, most: 8 });
});

test('a command that prints a token is asked for it once', async () => {
  const server = await fake();
  const count = join(repository, '.git-ignored-count');
  const credential = JSON.stringify({
    apiVersion: 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    status: { token: 'a-token-that-came' },
  });
  const where = file('exec', kubeconfigOf(addressOf(server), exec(`echo x >> ${count}; printf '%s' '${credential}'`)));
  const { stage } = await ask(where);
  expect(stage.ran).toBe(true);
  expect(server.heard.every(({ headers }) => headers.authorization === 'Bearer a-token-that-came')).toBe(true);
});

describe('words that are not understood', () => {
  test.each([
    [['--dry-run'], "Option '--dry-run <value>' argument missing"],
    [['--dry-run='], '--dry-run of what?'],
    [['--keep-cluster'], '--keep-cluster needs --dry-run'],
    [['--dry-run=envtest', '--keep-cluster'], '--keep-cluster needs --dry-run=kind'],
    [['--dry-run=kind', '--context', 'x'], '--context needs --dry-run with a kubeconfig'],
    [['--dry-run=kind:mine', '--context', 'x'], '--context needs --dry-run with a kubeconfig'],
  ])('%j', async (args, words) => {
    const { status, stderr } = await runHere(['check', repository, ...args]);
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining(words) });
  });

  test('a context and a cluster that are not there', async () => {
    const server = await fake();
    expect((await ask(server.kubeconfig, { args: ['--context', 'prod'] })).stage.why).toContain(
      'it has no context "prod", but c',
    );
    expect((await ask(server.kubeconfig, { args: ['--cluster', 'prod'] })).stage.why).toBe(
      'the repository has no cluster "prod", as it does not tell clusters apart; leave --cluster out',
    );
  });
});

function exec(script: string) {
  return { exec: { apiVersion: 'client.authentication.k8s.io/v1', command: '/bin/sh', args: ['-c', script] } };
}

function addressOf({ port }: Fake): string {
  return `http://127.0.0.1:${port}`;
}

const kubeconfigs = createRepo({ 'README.md': '' });
folders.push(kubeconfigs);

function file(name: string, text: string): string {
  writeFileSync(join(kubeconfigs, name), text);
  return join(kubeconfigs, name);
}
