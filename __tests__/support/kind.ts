/** An executable called kind, which gives a real API server (__tests__/end-to-end/cluster/kind/standin.mjs). */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from '../end-to-end/cluster/build.mjs';
import { stopAllOf } from '../end-to-end/cluster/start.mjs';
import { type AuditEvent, auditLog } from './cluster.js';

export type KindCall = {
  /** As `create cluster`. */
  command: string;
  flags: { name?: string; config?: string; wait?: string; kubeconfig?: string; image?: string; retain?: boolean };
  args: string[];
  /** The text of the file that --config names, as it was then. */
  config?: string;
};

export type StandIn = {
  /** The folder with the executable, to be the first in PATH: it needs nothing else of the environment. */
  bin: string;
  calls(): KindCall[];
  /** What the API server of a cluster was asked so far. */
  audit(name: string): AuditEvent[];
  /** Ends all servers that it still runs. */
  clean(): Promise<void>;
};

/** With `fails`, creating a cluster fails and says that; deleting one takes `delay` milliseconds more. */
export function standInKind({ fails = '', delay = 0 } = {}): StandIn {
  const folder = mkdtempSync(join(tmpdir(), 'kind-'));
  const [bin, home] = [join(folder, 'bin'), join(folder, 'home')];
  mkdirSync(bin);
  mkdirSync(home);
  const script = fileURLToPath(new URL('../end-to-end/cluster/kind/standin.mjs', import.meta.url));
  const variables = {
    STANDIN_HOME: home,
    STANDIN_ASSETS: build('server'),
    STANDIN_FAILS: fails,
    STANDIN_DELAY: String(delay),
  };
  const lines = [
    '#!/bin/sh',
    ...Object.entries(variables).map(([name, value]) => `export ${name}=${quote(value)}`),
    `exec ${quote(process.execPath)} ${quote(script)} "$@"`,
  ];
  writeFileSync(join(bin, 'kind'), `${lines.join('\n')}\n`, { mode: 0o755 });
  return {
    bin,
    calls: () => readCalls(join(home, 'calls.jsonl')),
    audit: (name) => auditLog(join(home, name)),
    async clean() {
      await stopAllOf(home);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function readCalls(file: string): KindCall[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line));
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
