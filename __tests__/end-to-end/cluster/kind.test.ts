/** kind, twice: the real one takes our command line and config as far as there is no container runtime; the stand-in runs. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { type StandIn, standInKind } from '../../support/kind.js';
import { createRepo, removeRepo } from '../../support/trees.js';
import { build } from './build.mjs';

const folder = createRepo({
  'kind.yaml': `kind: Cluster
apiVersion: kind.x-k8s.io/v1alpha4
nodes:
  - role: control-plane
networking:
  apiServerAddress: 127.0.0.1
`,
  'typo.yaml': 'kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\nnode: []\n',
  'invalid.yaml': 'kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\nnodes: []\nnetworking: { ipFamily: ipv5 }\n',
});
const standIns: StandIn[] = [];

afterAll(async () => {
  for (const standIn of standIns) await standIn.clean();
  removeRepo(folder);
});

const kubeconfig = join(folder, 'kubeconfig');
const create = (config: string) => [
  ...['create', 'cluster', '--name', 'customizer-lint', '--config', join(folder, config)],
  ...['--wait', '60s', '--kubeconfig', kubeconfig],
];

test('the real kind takes the command line and the config, and misses a container runtime', async () => {
  const nothing = join(folder, 'nothing');
  mkdirSync(nothing);
  const { status, stderr } = await run(real(), create('kind.yaml'), nothing);
  expect(status).toBe(1);
  expect(stderr).toContain('ERROR: failed to create cluster: failed to get docker info');
  expect(stderr).toContain('executable file not found');

  // These are read before the runtime is asked, so the line above means that ours went through.
  expect((await run(real(), create('typo.yaml'), nothing)).stderr).toContain('field node not found');
  expect((await run(real(), [...create('kind.yaml'), '--nope'], nothing)).stderr).toContain('unknown flag: --nope');
  expect((await run(real(), create('missing.yaml'), nothing)).stderr).toContain('error reading file');
});

test('with a runtime that has no cluster and no image the real kind holds the config to be valid', async () => {
  const { status, stderr } = await run(real(), create('kind.yaml'), fakeDocker());
  expect(status).toBe(1);
  expect(stderr).toContain('Creating cluster "customizer-lint" ...');
  expect(stderr).toContain('failed to pull image');

  const invalid = await run(real(), create('invalid.yaml'), fakeDocker());
  expect(invalid.stderr).toContain('invalid ipFamily: ipv5');
  expect(invalid.stderr).not.toContain('Creating cluster');
});

test('the stand-in gives a real API server that goes on by itself, until the cluster is deleted', async () => {
  const { bin, ...standIn } = standInFor({});
  const created = await run('kind', create('kind.yaml'), bin);
  expect(created).toMatchObject({ status: 0, stdout: '' });
  expect(created.stderr).toBe(
    'Creating cluster "customizer-lint" ...\nSet kubectl context to "kind-customizer-lint"\n',
  );
  expect(statSync(kubeconfig).mode & 0o777).toBe(0o600);
  const config = JSON.parse(readFileSync(kubeconfig, 'utf8'));
  expect(config['current-context']).toBe('kind-customizer-lint');
  expect(await get(config, '/readyz')).toBe('ok');
  expect(JSON.parse(await get(config, '/version'))).toMatchObject({ minor: '35' });
  await get(config, '/api/v1/namespaces?limit=1');
  expect(standIn.audit('customizer-lint').map(({ requestURI }) => requestURI)).toContain('/api/v1/namespaces?limit=1');

  expect((await run('kind', create('kind.yaml'), bin)).stderr).toContain(
    'node(s) already exist for a cluster with the name "customizer-lint"',
  );
  expect(await run('kind', ['get', 'clusters'], bin)).toMatchObject({ stdout: 'customizer-lint\n' });
  expect(JSON.parse((await run('kind', ['get', 'kubeconfig', '--name', 'customizer-lint'], bin)).stdout)).toEqual(
    config,
  );

  const remove = ['delete', 'cluster', '--name', 'customizer-lint', '--kubeconfig', kubeconfig];
  expect(await run('kind', remove, bin)).toMatchObject({ status: 0 });
  expect(await run('kind', remove, bin)).toMatchObject({ status: 0 });
  expect(existsSync(kubeconfig)).toBe(false);
  await expect(get(config, '/readyz')).rejects.toThrow('ECONNREFUSED');
  expect(await run('kind', ['get', 'clusters'], bin)).toMatchObject({
    stdout: '',
    stderr: 'No kind clusters found.\n',
  });

  expect(standIn.calls().map(({ command }) => command)).toEqual([
    ...['create cluster', 'create cluster', 'get clusters', 'get kubeconfig'],
    ...['delete cluster', 'delete cluster', 'get clusters'],
  ]);
  expect(standIn.calls()[0]).toEqual({
    command: 'create cluster',
    flags: { name: 'customizer-lint', config: join(folder, 'kind.yaml'), wait: '60s', kubeconfig },
    args: create('kind.yaml'),
    config: readFileSync(join(folder, 'kind.yaml'), 'utf8'),
  });
});

test('the stand-in fails as it is told to, and never touches a kubeconfig of somebody else', async () => {
  const { bin } = standInFor({ fails: 'no space left' });
  const failed = await run('kind', create('kind.yaml'), bin);
  expect(failed).toMatchObject({ status: 1, stderr: 'ERROR: failed to create cluster: no space left\n' });

  const theirs = join(folder, 'theirs');
  writeFileSync(theirs, 'current-context: production\n');
  const other = standInFor({});
  const refused = await run('kind', ['create', 'cluster', '--kubeconfig', theirs], other.bin);
  expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('leaves') });
  expect((await run('kind', ['create', 'cluster'], other.bin)).stderr).toContain('leaves ~/.kube/config alone');
  expect(readFileSync(theirs, 'utf8')).toBe('current-context: production\n');
});

function real(): string {
  return join(build('kind'), 'kind');
}

function standInFor(options: { fails?: string }): StandIn {
  const standIn = standInKind(options);
  standIns.push(standIn);
  return standIn;
}

/** A docker that is there and empty: it knows no image and can fetch none. */
function fakeDocker(): string {
  const bin = join(folder, 'docker');
  mkdirSync(bin, { recursive: true });
  const script = `#!/bin/sh
case "$1" in
  -v) echo "Docker version 28.0.0, build 0" ;;
  info) echo "{}" ;;
  ps) ;;
  *) exit 1 ;;
esac
`;
  writeFileSync(join(bin, 'docker'), script, { mode: 0o755 });
  return bin;
}

type Output = { status: number | null; stdout: string; stderr: string };

function run(program: string, args: string[], path: string): Promise<Output> {
  return new Promise((resolve, reject) => {
    const file = program === 'kind' ? join(path, 'kind') : program;
    const child = spawn(file, args, { env: { PATH: path, HOME: folder }, stdio: ['ignore', 'pipe', 'pipe'] });
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text) => {
        output[name] += text;
      });
    }
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, ...output }));
  });
}

type Kubeconfig = {
  clusters: [{ cluster: { server: string; 'certificate-authority-data': string } }];
  users: [{ user: { 'client-certificate-data': string; 'client-key-data': string } }];
};

function get({ clusters: [{ cluster }], users: [{ user }] }: Kubeconfig, path: string): Promise<string> {
  const decode = (text: string) => Buffer.from(text, 'base64');
  const options = {
    agent: false as const,
    ca: decode(cluster['certificate-authority-data']),
    cert: decode(user['client-certificate-data']),
    key: decode(user['client-key-data']),
  };
  return new Promise((resolve, reject) => {
    const asked = request(cluster.server + path, options, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      answer.on('end', () => resolve(text));
    });
    asked.on('error', reject);
    asked.end();
  });
}
