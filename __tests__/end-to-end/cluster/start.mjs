/**
 * Starts etcd and an API server on the loopback from the programs in a folder laid out as KUBEBUILDER_ASSETS, and ends them.
 * Plain JavaScript, as the stand-in for kind runs it without the tests around it.
 */
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { authority, clientCertificate, serverCertificate, signingKeys } from './certificates.mjs';

/**
 * @typedef {object} Options
 * @property {string} assets where the programs are
 * @property {string} folder to keep everything in: an empty one that only the caller may read
 * @property {boolean} [audit] writes audit.log, a line of JSON for each request with its body
 * @property {boolean} [admission] false: no admission plugin, so that the API server alone judges
 * @property {boolean} [outlive] the servers go on when the process that started them ends
 * @property {string} [context] what the kubeconfig calls the cluster
 */
/**
 * @typedef {object} Servers
 * @property {string} url
 * @property {string} kubeconfig a file: system:masters by a client certificate
 * @property {{ ca: string, cert: string, key: string }} admin what the kubeconfig says, PEM
 * @property {number[]} pids
 */

const seconds = 60;

/**
 * Resolves when the API server is ready, about two seconds later on a calm machine.
 *
 * @param {Options} options
 * @returns {Promise<Servers>}
 */
export async function start(options) {
  const ca = authority('cluster-tests');
  const admin = clientCertificate(ca, 'admin', 'system:masters');
  const files = write(options, ca);
  // A port that was free may be taken by another process before the server listens there.
  for (let attempt = 1; ; attempt++) {
    const [client, peer, secure] = await freePorts(3);
    const url = `https://127.0.0.1:${secure}`;
    const started = [
      run(options, 'etcd', etcdFlags(options.folder, client, peer)),
      run(options, 'kube-apiserver', serverFlags(options, files, client, secure)),
    ];
    const pids = started.flatMap(({ pid }) => pid ?? []);
    const gaveUp = new AbortController();
    try {
      await Promise.race([
        ready(options, url, { ca: ca.cert, ...admin }, gaveUp.signal),
        ...started.map(({ ended }) => ended),
      ]);
      const kubeconfig = join(options.folder, 'kubeconfig');
      writePrivate(kubeconfig, kubeconfigText(options.context ?? 'test', url, ca.cert, admin));
      return { url, kubeconfig, admin: { ca: ca.cert, ...admin }, pids };
    } catch (error) {
      gaveUp.abort();
      await stop(pids);
      const lost = /address already in use/.test(logOf(options, 'etcd') + logOf(options, 'kube-apiserver'));
      if (!lost || attempt === 3) throw error;
    }
  }
}

/**
 * Ends the processes and waits until they are gone. Nothing of theirs is worth a farewell: the caller deletes the folder.
 *
 * @param {readonly number[]} pids
 */
export async function stop(pids) {
  for (const pid of pids) signal(pid, 'SIGKILL');
  for (const pid of pids) while (runs(pid)) await sleep(10);
}

/**
 * @param {number} pid
 * @returns {boolean} false too for one that has ended and waits for its parent to ask how
 */
export function runs(pid) {
  const stat = `/proc/${pid}/stat`;
  if (existsSync('/proc/self/stat')) return !/\) [ZX] /.test(readOr(stat, ') X '));
  return signal(pid, 0);
}

/**
 * Ends what runs for a folder, found by what it was started with: whoever started it may have been killed before it could
 * write down a number, and a number may be another process' by now.
 *
 * @param {string} folder
 */
export async function stopAllOf(folder) {
  for (let pids = processesOf(folder); pids.length > 0; pids = processesOf(folder)) await stop(pids);
}

/**
 * @param {string} folder
 * @returns {number[]}
 */
function processesOf(folder) {
  return commandLines()
    .filter(([pid, line]) => pid !== process.pid && line.includes(`${folder}/`) && runs(pid))
    .map(([pid]) => pid);
}

/** @returns {[number, string][]} */
function commandLines() {
  if (existsSync('/proc/self/cmdline')) {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return pids.map((pid) => [Number(pid), readOr(`/proc/${pid}/cmdline`, '')]);
  }
  const { stdout } = spawnSync('/bin/ps', ['-axww', '-o', 'pid=,args='], { encoding: 'utf8', maxBuffer: 1 << 26 });
  return stdout.split('\n').map((line) => [Number.parseInt(line, 10), line]);
}

/**
 * @param {string} file
 * @param {string} otherwise
 */
function readOr(file, otherwise) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return otherwise;
  }
}

/**
 * @param {number} pid
 * @param {NodeJS.Signals | 0} name
 * @returns {boolean} whether there is such a process
 */
function signal(pid, name) {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

/**
 * @param {Options} options
 * @param {import('./certificates.mjs').Authority} ca
 * @returns {Record<string, string>} the files that the API server is told of, by flag
 */
function write({ folder, audit }, ca) {
  const server = serverCertificate(ca);
  const tokens = signingKeys();
  const contents = {
    'client-ca-file': ca.cert,
    'tls-cert-file': server.cert,
    'tls-private-key-file': server.key,
    'service-account-key-file': tokens.publicKey,
    'service-account-signing-key-file': tokens.key,
    ...(audit && { 'audit-policy-file': JSON.stringify(auditPolicy) }),
  };
  mkdirSync(join(folder, 'flags'));
  const files = Object.entries(contents).map(([flag, content]) => {
    const file = join(folder, 'flags', flag);
    writePrivate(file, content);
    return [flag, file];
  });
  return Object.fromEntries([...files, ...(audit ? [['audit-log-path', join(folder, 'audit.log')]] : [])]);
}

const auditPolicy = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [
    { level: 'None', users: ['system:apiserver'] },
    { level: 'None', nonResourceURLs: ['/readyz'] },
    { level: 'Request' },
  ],
};

/**
 * @param {string} folder
 * @param {number} client
 * @param {number} peer
 */
function etcdFlags(folder, client, peer) {
  return [
    `--data-dir=${join(folder, 'etcd')}`,
    `--listen-client-urls=http://127.0.0.1:${client}`,
    `--advertise-client-urls=http://127.0.0.1:${client}`,
    `--listen-peer-urls=http://127.0.0.1:${peer}`,
    `--initial-advertise-peer-urls=http://127.0.0.1:${peer}`,
    `--initial-cluster=default=http://127.0.0.1:${peer}`,
    '--unsafe-no-fsync=true',
  ];
}

/** Those that kube-apiserver 1.35 runs unless it is told otherwise. */
const defaultPlugins = [
  ...['CertificateApproval', 'CertificateSigning', 'CertificateSubjectRestriction', 'ClusterTrustBundleAttest'],
  ...[
    'DefaultIngressClass',
    'DefaultStorageClass',
    'DefaultTolerationSeconds',
    'LimitRanger',
    'MutatingAdmissionPolicy',
  ],
  ...[
    'MutatingAdmissionWebhook',
    'NamespaceLifecycle',
    'PersistentVolumeClaimResize',
    'PodSecurity',
    'PodTopologyLabels',
  ],
  ...['Priority', 'ResourceQuota', 'RuntimeClass', 'ServiceAccount', 'StorageObjectInUseProtection'],
  ...['TaintNodesByCondition', 'ValidatingAdmissionPolicy', 'ValidatingAdmissionWebhook'],
];

/**
 * What envtest says, and certificates for both sides.
 *
 * @param {Options} options
 * @param {Record<string, string>} files
 * @param {number} etcd
 * @param {number} port
 */
function serverFlags({ admission = true }, files, etcd, port) {
  return [
    `--etcd-servers=http://127.0.0.1:${etcd}`,
    `--secure-port=${port}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    '--service-cluster-ip-range=10.0.0.0/24',
    '--allow-privileged=true',
    '--authorization-mode=RBAC',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--disable-admission-plugins=${admission ? 'ServiceAccount' : defaultPlugins}`,
    '--endpoint-reconciler-type=none',
    '--profiling=false',
    ...Object.entries(files).map(([flag, file]) => `--${flag}=${file}`),
  ];
}

/**
 * @param {Options} options
 * @param {string} name
 * @param {string[]} flags
 */
function run(options, name, flags) {
  const log = openSync(logFile(options, name), 'w', 0o600);
  const child = spawn(join(options.assets, name), flags, {
    cwd: options.folder,
    detached: options.outlive ?? false,
    // Our own build ends when its standard input does, so that a killed test leaves no server behind.
    env: options.outlive ? {} : { EXIT_WITH_STDIN: '1' },
    stdio: [options.outlive ? 'ignore' : 'pipe', log, log],
  });
  closeSync(log);
  child.stdin?.on('error', () => {});
  child.unref();
  const ended = new Promise((_, reject) => {
    child.on('error', reject);
    child.on('exit', (status, killed) => {
      reject(
        new Error(`${name} ended (${killed ?? status}) before it was ready:\n${logOf(options, name).slice(-2000)}`),
      );
    });
  });
  ended.catch(() => {});
  return { pid: child.pid, ended };
}

/**
 * @param {Options} options
 * @param {string} name
 */
function logFile({ folder }, name) {
  return join(folder, `${name}.log`);
}

/**
 * @param {Options} options
 * @param {string} name
 */
function logOf(options, name) {
  return readOr(logFile(options, name), '');
}

/**
 * @param {Options} options
 * @param {string} url
 * @param {{ ca: string, cert: string, key: string }} admin
 * @param {AbortSignal} gaveUp
 */
async function ready(options, url, admin, gaveUp) {
  const deadline = Date.now() + seconds * 1000;
  while (!gaveUp.aborted && !(await isReady(options, url, admin))) {
    if (Date.now() > deadline) throw new Error(`${url}/readyz did not say ok within ${seconds} s`);
    await sleep(50);
  }
}

/**
 * The first namespaces are made some moments after it says that it is ready, or a minute after: without admission nobody asks for them.
 *
 * @param {Options} options
 * @param {string} url
 * @param {{ ca: string, cert: string, key: string }} admin
 */
async function isReady({ admission = true }, url, admin) {
  if (!(await says200(`${url}/readyz`, admin))) return false;
  return !admission || (await says200(`${url}/api/v1/namespaces/default`, admin));
}

/**
 * @param {string} url
 * @param {{ ca: string, cert: string, key: string }} admin
 * @returns {Promise<boolean>}
 */
function says200(url, admin) {
  return new Promise((resolve) => {
    const asked = request(url, { ...admin, agent: false, timeout: 2000 }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode === 200));
    });
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => resolve(false));
    asked.end();
  });
}

/**
 * All at once, so that they differ.
 *
 * @param {number} count
 * @returns {Promise<number[]>}
 */
async function freePorts(count) {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
      return server;
    }),
  );
  const ports = servers.map((server) => /** @type {import('node:net').AddressInfo} */ (server.address()).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

/**
 * JSON is YAML, and nothing has to be quoted by hand.
 *
 * @param {string} name
 * @param {string} url
 * @param {string} ca
 * @param {import('./certificates.mjs').Pair} admin
 */
function kubeconfigText(name, url, ca, admin) {
  const base64 = (/** @type {string} */ text) => Buffer.from(text).toString('base64');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    contexts: [{ name, context: { cluster: name, user: name } }],
    clusters: [{ name, cluster: { server: url, 'certificate-authority-data': base64(ca) } }],
    users: [{ name, user: { 'client-certificate-data': base64(admin.cert), 'client-key-data': base64(admin.key) } }],
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}

/**
 * @param {string} file
 * @param {string} content
 */
function writePrivate(file, content) {
  writeFileSync(file, content, { mode: 0o600 });
}
