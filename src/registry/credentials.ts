/**
 * The credentials that `docker login`, `flux`, `helm registry login` and `crane auth login` leave behind: `auths` of Docker's
 * config.json. Helpers are programs, and none is started.
 */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Json } from '../core/model.js';
import { UsageError } from '../core/model.js';
import { getString, isObject, lookUp } from '../core/object.js';

/** `words`: where they were looked for, for a person. */
export type RegistryCredentials = { basic?: string; words: string };

/**
 * Of a registry, `host` with its port: from `DOCKER_AUTH_CONFIG`, which is such a file's text, or from `config.json` in `DOCKER_CONFIG` or
 * `~/.docker`. `basic` is what the header of that name takes.
 */
export function credentialsFor(host: string, env: NodeJS.ProcessEnv): RegistryCredentials {
  const { where, text } = configOf(env);
  if (text === undefined) return { words: `there is no ${where}` };
  const config = parsed(text, where);
  const auths = lookUp(config, ['auths']);
  const own = isObject(auths) ? Object.entries(auths).find(([name]) => hostIn(name) === host)?.[1] : undefined;
  const basic = own === undefined ? undefined : basicOf(own);
  if (basic !== undefined) return { basic, words: where };
  const helper = getString(config, ['credHelpers', host]) ?? getString(config, ['credsStore']);
  const started = helper ? `, and the helper that it names is not started` : '';
  return { words: `${where} has no user and password for ${host}${started}` };
}

function configOf(env: NodeJS.ProcessEnv): { where: string; text: string | undefined } {
  const { DOCKER_AUTH_CONFIG: own, DOCKER_CONFIG: folder, HOME } = env;
  if (own) return { where: 'DOCKER_AUTH_CONFIG', text: own };
  const where = join(folder || join(HOME || homedir(), '.docker'), 'config.json');
  try {
    return { where, text: readFileSync(where, 'utf8') };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { where, text: undefined };
    throw error;
  }
}

/** What is in it is not repeated: it holds passwords. */
function parsed(text: string, where: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new UsageError(`${where} is not JSON`);
  }
}

/** `https://ghcr.io/v1/` and `ghcr.io` are the same to Docker. */
function hostIn(name: string): string {
  return name.replace(/^https?:\/\//, '').split('/')[0] ?? '';
}

function basicOf(value: Json): string | undefined {
  const auth = getString(value, ['auth']);
  if (auth && /^[A-Za-z0-9+/]+=*$/.test(auth)) return auth;
  const [user, password] = [getString(value, ['username']), getString(value, ['password'])];
  return user && password ? Buffer.from(`${user}:${password}`).toString('base64') : undefined;
}
