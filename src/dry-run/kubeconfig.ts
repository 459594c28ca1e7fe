/**
 * Credentials out of a kubeconfig: certificates, tokens, commands that print some. A bundle of its own (`dist/cluster`), as the
 * library behind it is larger than all the rest and only a dry run needs it.
 */

import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import type { Agent, RequestOptions } from 'node:https';
import { KubeConfig } from '@kubernetes/client-node/dist/config.js';
import { defined } from '../core/defined.js';

export type Credentials = {
  server: string;
  /** What a request is made with; a command that prints credentials is run when it is asked for. */
  options(): Promise<Pick<RequestOptions, 'headers' | 'auth'> & { agent: Agent }>;
  /** Ends what still runs of such commands. */
  close(): void;
};

/** Throws with the reason, which never holds a credential. */
export function openKubeconfig(file: string, context?: string): Credentials {
  const config = load(file);
  if (context !== undefined) {
    const known = config.getContexts().map(({ name }) => name);
    if (!known.includes(context)) throw new Error(`it has no context "${context}", but ${known.join(', ') || 'none'}`);
    config.setCurrentContext(context);
  }
  const cluster = config.getCurrentCluster();
  if (!cluster?.server) throw new Error('its current context names no cluster');
  if (!/^https?:\/\//.test(cluster.server)) throw new Error('the address of its cluster is none');
  const commands = new Set<ChildProcess>();
  limitCommands(config, commands);
  return {
    server: cluster.server,
    async options() {
      const options: RequestOptions = {};
      await config.applyToHTTPSOptions(options);
      const { headers, auth, agent } = options;
      // Kept alive: a dry run asks hundreds of questions.
      const kept = agent as Agent & { keepAlive?: boolean; keepAliveMsecs?: number };
      Object.assign(kept, { keepAlive: true, keepAliveMsecs: 1000 });
      return { ...defined({ headers }), ...(auth && { auth }), agent: kept };
    },
    close() {
      for (const command of commands) command.kill('SIGKILL');
    },
  };
}

function load(file: string): KubeConfig {
  const config = new KubeConfig();
  try {
    config.loadFromFile(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // What the parser says quotes the line that it stumbles on, which may be a token.
    throw new Error(code === undefined ? 'it is not a kubeconfig' : `it cannot be read: ${code}`);
  }
  return config;
}

const secondsOfCommand = 30;

/** A command that prints credentials gets what kubectl would tell it, and not for ever. */
function limitCommands(config: KubeConfig, running: Set<ChildProcess>): void {
  const apiVersion = config.getCurrentUser()?.exec?.apiVersion ?? 'client.authentication.k8s.io/v1';
  const told = { apiVersion, kind: 'ExecCredential', spec: { interactive: false } };
  const { authenticators } = config as unknown as { authenticators: object[] };
  for (const authenticator of authenticators) {
    if (!('execFn' in authenticator)) continue;
    authenticator.execFn = (command: string, args: string[] | undefined, options: SpawnOptions) => {
      const env = { ...(options.env ?? process.env), KUBERNETES_EXEC_INFO: JSON.stringify(told) };
      const child = spawn(command, args ?? [], { env });
      setTimeout(() => child.kill('SIGKILL'), secondsOfCommand * 1000).unref();
      running.add(child.on('exit', () => running.delete(child)));
      child.stdin.end();
      return child;
    };
  }
}
