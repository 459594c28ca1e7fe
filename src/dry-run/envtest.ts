/** A bare API server in a few seconds: etcd and kube-apiserver as `setup-envtest` lays them out, and nothing else. */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync, readFileSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import net from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Child, ProcessGroup } from './cleanup.js';
import { ServerUnavailableError } from './client.js';
import type { Credentials } from './kubeconfig.js';

const usualPlace = '/usr/local/kubebuilder/bin';
const secondsToStart = 60;

export type Started = { credentials: Credentials; stop(): Promise<void> };

/** Throws `Unanswered` with the reason. */
export async function startEnvtest(signal: AbortSignal, environment = process.env): Promise<Started> {
  const directory = environment.KUBEBUILDER_ASSETS || usualPlace;
  const [etcd, apiserver] = ['etcd', 'kube-apiserver'].map((name) => programIn(directory, name, environment));
  const den = new ProcessGroup();
  try {
    const token = randomBytes(24).toString('hex');
    const port = await serve(den, etcd as string, apiserver as string, token, signal);
    return { credentials: credentialsFor(den, port, token), stop: den.close };
  } catch (error) {
    await den.close();
    throw error;
  }
}

function programIn(directory: string, name: string, { KUBEBUILDER_ASSETS }: NodeJS.ProcessEnv): string {
  const file = join(directory, name);
  try {
    accessSync(file, constants.X_OK);
    return file;
  } catch {
    const why = KUBEBUILDER_ASSETS ? 'in KUBEBUILDER_ASSETS' : `, as KUBEBUILDER_ASSETS is not set, in ${usualPlace}`;
    throw new ServerUnavailableError(`there is no ${name} ${why}; setup-envtest installs it`.replace(' ,', ','), true);
  }
}

async function serve(
  den: ProcessGroup,
  etcd: string,
  apiserver: string,
  token: string,
  signal: AbortSignal,
): Promise<number> {
  const at = (name: string) => join(den.directory, name);
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  writeFileSync(at('accounts.key'), privateKey, { mode: 0o600 });
  writeFileSync(at('tokens.csv'), `${token},customizer-lint,1,"system:masters"\n`, { mode: 0o600 });
  const [client, peer, port] = (await freePorts(3)) as [number, number, number];
  const store = den.start(etcd, [
    `--data-dir=${at('etcd')}`,
    `--listen-client-urls=http://127.0.0.1:${client}`,
    `--advertise-client-urls=http://127.0.0.1:${client}`,
    `--listen-peer-urls=http://127.0.0.1:${peer}`,
    '--unsafe-no-fsync=true',
  ]);
  const end = Date.now() + secondsToStart * 1000;
  await until(() => canConnect(client), { etcd: store }, end, signal);
  const server = den.start(apiserver, [
    `--etcd-servers=http://127.0.0.1:${client}`,
    `--cert-dir=${at('certificates')}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${port}`,
    '--service-cluster-ip-range=10.0.0.0/24',
    '--allow-privileged=true',
    '--authorization-mode=RBAC',
    `--token-auth-file=${at('tokens.csv')}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${at('accounts.key')}`,
    `--service-account-signing-key-file=${at('accounts.key')}`,
    '--disable-admission-plugins=ServiceAccount',
    '--endpoint-reconciler-type=none',
  ]);
  const certificate = at('certificates/apiserver.crt');
  const ready = async () => existsSync(certificate) && (await isReady(port, token, certificate));
  await until(ready, { etcd: store, 'kube-apiserver': server }, end, signal);
  return port;
}

function credentialsFor(den: ProcessGroup, port: number, token: string): Credentials {
  const agent = new https.Agent({
    ca: readFileSync(join(den.directory, 'certificates/apiserver.crt')),
    keepAlive: true,
  });
  const options = { headers: { authorization: `Bearer ${token}` }, agent };
  return { server: `https://127.0.0.1:${port}`, options: async () => options, close: () => agent.destroy() };
}

/** The server writes its own certificate, and only then is there anything to believe. */
function isReady(port: number, token: string, certificate: string): Promise<boolean> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${token}` };
    const options = { port, host: '127.0.0.1', path: '/readyz', headers, ca: readFileSync(certificate), timeout: 2000 };
    const request = https.get({ ...options, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on('error', () => resolve(false));
    request.on('timeout', () => request.destroy());
  });
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}

async function until(
  isSo: () => Promise<boolean>,
  needed: { [name: string]: Child },
  end: number,
  signal: AbortSignal,
): Promise<void> {
  let gone: string | undefined;
  for (const [name, child] of Object.entries(needed)) {
    void child.ended.then((how) => {
      gone ??= `${name} ended (${how})${lastWords(child)}`;
    });
  }
  while (!(await isSo())) {
    if (signal.aborted) throw new ServerUnavailableError('there was no time left to start it', true);
    if (gone !== undefined) throw new ServerUnavailableError(gone, true);
    if (Date.now() > end)
      throw new ServerUnavailableError(`${Object.keys(needed).at(-1)} was not ready after ${secondsToStart} s`, true);
    await sleep(50);
  }
}

/** What a program says last, where that is an error. */
function lastWords({ said }: Child): string {
  const lines = said.split('\n').filter((line) => /error|fatal|panic|fail/i.test(line));
  const last = lines.at(-1)?.replace(/\s+/g, ' ').trim();
  return last === undefined ? '' : `: ${last.slice(0, 300)}`;
}

/** Somebody else may take one before it is used; then the start fails, and says so. */
async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, () => {
      const server = net.createServer();
      return new Promise<net.Server>((resolve, reject) => {
        server.on('error', reject).listen(0, '127.0.0.1', () => resolve(server));
      });
    }),
  );
  const ports = servers.map((server) => (server.address() as net.AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
