/**
 * Stands in for kind where there is no container runtime: takes the same commands and gives a real API server, without nodes.
 * Whether the real kind takes a command line and a config too is for the real one to say (kind.test.ts).
 *
 * STANDIN_HOME names the folder it keeps: calls.jsonl has a line for each call, and each cluster a folder of its name.
 * STANDIN_ASSETS names the programs to run. STANDIN_FAILS, if set, is what `create cluster` fails with;
 * STANDIN_DELAY is how many milliseconds `delete cluster` takes longer.
 * support/kind.ts makes an executable of it.
 */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { argv, env, exit, stderr, stdout } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { start, stopAllOf } from '../start.mjs';

/** @typedef {{ name?: string, config?: string, wait?: string, kubeconfig?: string, image?: string, retain?: boolean }} Flags */

const home = required('STANDIN_HOME');

/** @type {Record<string, (flags: Flags & { name: string }) => unknown>} */
const commands = {
  'create cluster': create,
  'delete cluster': remove,
  'export kubeconfig': ({ name, kubeconfig }) => exportKubeconfig(name, kubeconfig),
  'get kubeconfig': ({ name }) => stdout.write(readFileSync(existing(name).kubeconfig, 'utf8')),
  'get clusters': list,
  version: () => stdout.write('kind v0.33.0 (stand-in)\n'),
};

const { values, positionals } = parseArgs({
  args: argv.slice(2),
  allowPositionals: true,
  options: {
    name: { type: 'string', short: 'n' },
    config: { type: 'string' },
    wait: { type: 'string' },
    kubeconfig: { type: 'string' },
    image: { type: 'string' },
    retain: { type: 'boolean' },
    quiet: { type: 'boolean', short: 'q' },
    verbosity: { type: 'string', short: 'v' },
  },
});
const command = positionals.join(' ');
record();
try {
  const run = commands[command];
  if (!run) throw new Error(`unknown command "${command}" for "kind"`);
  await run({ ...values, name: values.name ?? env.KIND_CLUSTER_NAME ?? 'kind' });
} catch (error) {
  say(`ERROR: ${/** @type {Error} */ (error).message}`);
  exit(1);
}

/** @param {Flags & { name: string }} flags */
async function create({ name, kubeconfig }) {
  if (env.STANDIN_FAILS) throw new Error(`failed to create cluster: ${env.STANDIN_FAILS}`);
  const folder = join(home, name);
  if (existsSync(folder)) {
    throw new Error(`failed to create cluster: node(s) already exist for a cluster with the name "${name}"`);
  }
  const target = kubeconfigTarget(kubeconfig);
  say(`Creating cluster "${name}" ...`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    const assets = required('STANDIN_ASSETS');
    await start({ assets, folder, audit: true, outlive: true, context: `kind-${name}` });
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  exportKubeconfig(name, target);
}

/** As with kind, it is no error that there is none. @param {Flags & { name: string }} flags */
async function remove({ name, kubeconfig }) {
  say(`Deleting cluster "${name}" ...`);
  const folder = join(home, name);
  if (!existsSync(folder)) return;
  await sleep(Number(env.STANDIN_DELAY));
  await stopAllOf(folder);
  rmSync(folder, { recursive: true, force: true });
  rmSync(kubeconfigTarget(kubeconfig), { force: true });
}

function list() {
  const names = readdirSync(home).filter((name) => statSync(join(home, name)).isDirectory());
  if (names.length === 0) say('No kind clusters found.');
  for (const name of names) stdout.write(`${name}\n`);
}

/**
 * kind merges into a file that is there; here it has to be new or ours, as a test that reaches a person's is wrong.
 *
 * @param {string} name
 * @param {string} [kubeconfig]
 */
function exportKubeconfig(name, kubeconfig) {
  writeFileSync(kubeconfigTarget(kubeconfig), readFileSync(existing(name).kubeconfig), { mode: 0o600 });
  say(`Set kubectl context to "kind-${name}"`);
}

/** @param {string} [flag] */
function kubeconfigTarget(flag) {
  const target = flag ?? env.KUBECONFIG;
  if (!target) throw new Error('the stand-in leaves ~/.kube/config alone: say --kubeconfig, or set KUBECONFIG');
  if (existsSync(target) && !/"current-context": "kind-|^\s*$/.test(readFileSync(target, 'utf8'))) {
    throw new Error(`the stand-in leaves ${target} alone, which has another cluster`);
  }
  return target;
}

/** @param {string} name */
function existing(name) {
  const folder = join(home, name);
  if (!existsSync(folder)) {
    throw new Error(`could not locate any control plane nodes for cluster named '${name}'`);
  }
  return { kubeconfig: join(folder, 'kubeconfig') };
}

/** One line per call; the config is kept as it was, as the caller may delete the file. */
function record() {
  const { config } = values;
  const call = {
    command,
    flags: values,
    args: argv.slice(2),
    ...(config && existsSync(config) && { config: readFileSync(config, 'utf8') }),
  };
  mkdirSync(home, { recursive: true });
  appendFileSync(join(home, 'calls.jsonl'), `${JSON.stringify(call)}\n`);
}

/** @param {string} name */
function required(name) {
  const value = env[name];
  if (!value) throw new Error(`the stand-in needs ${name}`);
  return value;
}

/** @param {string} line */
function say(line) {
  stderr.write(`${line}\n`);
}
