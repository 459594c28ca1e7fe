/**
 * Builds the programs that the cluster tests run, once, into a cache outside the work tree.
 *
 * `node __tests__/end-to-end/cluster/build.mjs [NAME ...]` prints where each of them is. What is built is known by its sources, the sums
 * of its modules and the Go that builds it, so a change of any makes a new one and nothing stale is ever run.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { argv, env, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { goEnv } from '../../../src/build/go.mjs';

/**
 * @typedef {object} Program
 * @property {string} module the folder of its Go module
 * @property {string} main the package to build
 * @property {[string, ...string[]]} names of the one file that comes out: those after the first are links to it
 * @property {(module: string) => string[]} [variables] to set when linking
 */

const here = fileURLToPath(new URL('.', import.meta.url));
/** Sources of others, beside a checkout of this project or at CUSTOMIZER_LINT_UPSTREAM: this version cannot be had as a module. */
const upstream = env.CUSTOMIZER_LINT_UPSTREAM ?? join(here, '../../../../shared/upstream');
export const controllerSource = join(upstream, 'kustomize-controller-v1.8.0');
const days = 86_400_000;

/** @type {Record<'server' | 'kind' | 'flux' | 'controller', Program>} */
export const programs = {
  server: { module: join(here, 'server'), main: '.', names: ['kube-apiserver', 'etcd'], variables: kubernetesVersion },
  kind: { module: join(here, 'kind'), main: 'sigs.k8s.io/kind', names: ['kind'] },
  flux: { module: join(here, 'flux'), main: '.', names: ['fluxreconcile'] },
  controller: { module: controllerSource, main: '.', names: ['kustomize-controller'] },
};

/**
 * Whether the sources of the program are there; they are not where they are somebody else's.
 *
 * @param {keyof typeof programs} name
 */
export function available(name) {
  return existsSync(join(programs[name].module, 'go.mod'));
}

/**
 * Gives the folder with the program's files; the server's is laid out as KUBEBUILDER_ASSETS are.
 *
 * @param {keyof typeof programs} name
 * @returns {string}
 */
export function build(name) {
  const program = programs[name];
  const cache = join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'customizer-lint', 'cluster');
  const folder = join(cache, `${name}-${fingerprint(program)}`);
  if (!existsSync(folder)) {
    mkdirSync(cache, { recursive: true });
    removeUnused(cache);
    const draft = mkdtempSync(join(cache, '.building-'));
    try {
      compile(program, draft);
      publish(draft, folder);
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
  }
  utimesSync(folder, new Date(), new Date());
  return folder;
}

/**
 * @param {Program} program
 * @param {string} folder
 */
function compile({ module, main, names: [name, ...links], variables }, folder) {
  const linking = ['-s', '-w', ...(variables?.(module) ?? []).flatMap((variable) => ['-X', variable])];
  execFileSync('go', ['build', '-buildvcs=false', '-ldflags', linking.join(' '), '-o', join(folder, name), main], {
    cwd: module,
    env: goEnv({ GOWORK: 'off' }),
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  for (const link of links) symlinkSync(name, join(folder, link));
}

/**
 * Two builds of the same may end at once: the first one stays, as it may be running already.
 *
 * @param {string} draft
 * @param {string} folder
 */
function publish(draft, folder) {
  try {
    renameSync(draft, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}

/** @param {string} cache */
function removeUnused(cache) {
  for (const entry of readdirSync(cache)) {
    const folder = join(cache, entry);
    if (statSync(folder).mtimeMs < Date.now() - 30 * days) rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {Program} program */
function fingerprint({ module, main, names }) {
  const hash = createHash('sha256').update(JSON.stringify([goVersion(), main, names]));
  hash.update(readFileSync(fileURLToPath(import.meta.url)));
  for (const file of sources(module)) hash.update(`${file}\0`).update(readFileSync(join(module, file)));
  return hash.digest('hex').slice(0, 16);
}

/** @param {string} module */
function sources(module) {
  return readdirSync(module, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(\.go|[/\\]?go\.(mod|sum))$/.test(file))
    .sort();
}

/** @returns {string | undefined} */
function goVersion() {
  try {
    return execFileSync('go', ['version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}

/**
 * The API server takes features of its version for granted, and says none when built from a module without this.
 *
 * @param {string} module
 */
function kubernetesVersion(module) {
  const [, version, major, minor] =
    /k8s\.io\/kubernetes (v(\d+)\.(\d+)\.\d+)/.exec(readFileSync(join(module, 'go.mod'), 'utf8')) ?? [];
  const values = { gitVersion: version, gitMajor: major, gitMinor: minor, gitTreeState: 'clean' };
  return Object.entries(values).map(([name, value]) => `k8s.io/component-base/version.${name}=${value}`);
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const all = /** @type {(keyof typeof programs)[]} */ (Object.keys(programs)).filter(available);
  for (const name of all.filter((name) => argv.length === 2 || argv.includes(name))) {
    const start = Date.now();
    stdout.write(`${name}: ${build(name)} (${((Date.now() - start) / 1000).toFixed(1)} s)\n`);
  }
}
