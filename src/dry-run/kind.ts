/** A cluster of kind: made for the run and removed with it, kept for the next one, or one that somebody has already. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { DryRunConfig } from '../config/config.js';
import { maskText } from '../secrets/mask.js';
import { forget, onExit, ProcessGroup } from './cleanup.js';
import { ServerUnavailableError } from './client.js';

export type KindOptions = Pick<DryRunConfig, 'name' | 'image' | 'wait'> & {
  /** One that is there already, which is not ours. */
  existing?: string;
  /** Leave it for the next run, and take it from the last one. */
  keep?: boolean;
  /** Told before a cluster is made: whoever ends us has to remove it. */
  onMade?: (name: string) => void;
  signal: AbortSignal;
};
export type KindCluster = {
  kubeconfig: string;
  name: string;
  /** `made`: just now; `kept`: by an earlier run, if it bears its mark; `existing`: not ours. */
  is: 'made' | 'kept' | 'existing';
  stop(): Promise<void>;
};

/** Every cluster of ours bears a name that begins with this, so that nobody else's is ever taken for a leftover. */
const prefix = 'customizer-lint';
const secondsToCreate = 600;

function nameOf({ name }: Pick<DryRunConfig, 'name'>): string {
  return name === undefined ? prefix : `${prefix}-${name}`;
}

/** Throws `Unanswered` with the reason. */
export async function startKind(options: KindOptions): Promise<KindCluster> {
  const den = new ProcessGroup();
  try {
    return await open(den, options);
  } catch (error) {
    await den.close();
    throw error;
  }
}

async function open(den: ProcessGroup, options: KindOptions): Promise<KindCluster> {
  const { existing, keep, signal } = options;
  const name = existing ?? nameOf(options);
  const kubeconfig = join(den.directory, 'kubeconfig');
  const kind = (...args: string[]) => run(den, args, signal);
  const there = (await kind('get', 'clusters')).split(/\s+/).includes(name);
  if (existing !== undefined && !there)
    throw new ServerUnavailableError(`there is no kind cluster "${existing}"`, true);
  const unlock = existing === undefined ? lock(name) : () => {};
  const done = async () => {
    unlock();
    await den.close();
  };
  try {
    if (there && (existing !== undefined || keep)) {
      await kind('export', 'kubeconfig', '--name', name, '--kubeconfig', kubeconfig);
      return { kubeconfig, name, is: existing === undefined ? 'kept' : 'existing', stop: done };
    }
    // Left by a run that was killed.
    if (there) await kind('delete', 'cluster', '--name', name, '--kubeconfig', kubeconfig);
    if (!keep) options.onMade?.(name);
    // First what makes it is ended, or it would still make it.
    const remove = onExit(async () => {
      await den.close();
      await removeKind(name);
      unlock();
    });
    const { image, wait = '120s' } = options;
    const more = image === undefined ? [] : ['--image', image];
    try {
      await kind('create', 'cluster', '--name', name, '--kubeconfig', kubeconfig, '--wait', wait, ...more);
    } catch (error) {
      await remove();
      throw error;
    }
    if (keep) forget(remove);
    return { kubeconfig, name, is: 'made', stop: keep ? done : remove };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Only one of ours; says nothing where it is not there. */
export async function removeKind(name: string): Promise<void> {
  if (name !== prefix && !name.startsWith(`${prefix}-`)) return;
  const den = new ProcessGroup();
  try {
    // A signal that comes while it is removed, at the end of a run, must not leave it behind.
    const args = ['delete', 'cluster', '--name', name, '--kubeconfig', join(den.directory, 'none')];
    await den.startUndisturbed('kind', args).ended;
  } finally {
    await den.close();
  }
}

async function run(den: ProcessGroup, args: string[], signal: AbortSignal): Promise<string> {
  const child = den.start('kind', args);
  const late = new Promise<string>((resolve) => {
    const timer = setTimeout(() => resolve('late'), secondsToCreate * 1000);
    timer.unref();
    signal.addEventListener('abort', () => resolve('late'), { once: true });
  });
  const how = await Promise.race([child.ended, late]);
  if (how === 0) return child.output;
  if (how === 'ENOENT') throw new ServerUnavailableError('kind is not installed', true);
  const step = `kind ${args.slice(0, 2).join(' ')}`;
  if (how === 'late') throw new ServerUnavailableError(`${step} was not done in time`, true);
  throw new ServerUnavailableError(`${step} failed (${how})${reasonIn(child.said)}`, true);
}

function reasonIn(said: string): string {
  const lines = stripVTControlCharacters(said)
    .split('\n')
    .map((line) => line.trim());
  const error =
    lines.find((line) => /^ERROR|error:|Cannot connect|permission denied/i.test(line)) ?? lines.findLast(Boolean);
  return error === undefined ? '' : `: ${maskText(error.replace(/^ERROR: /, '')).slice(0, 300)}`;
}

/** One run at a time; the lock of one that was killed does not count. */
function lock(name: string): () => void {
  const file = join(tmpdir(), `${prefix}-${userInfo().uid}-${name}.lock`);
  for (const last of [false, true]) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx', mode: 0o600 });
      return atEndOf(file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return () => {};
      const owner = ownerOf(file);
      if (last || (owner !== undefined && isAlive(owner)))
        throw new ServerUnavailableError(
          `another run (process ${owner}) uses the kind cluster "${name}"; if not, remove ${file}`,
          true,
        );
      rmSync(file, { force: true });
    }
  }
  return () => {};
}

function atEndOf(file: string): () => void {
  const remove = onExit(() => rmSync(file, { force: true }));
  return () => void remove();
}

function ownerOf(file: string): number | undefined {
  try {
    const text = readFileSync(file, 'utf8').trim();
    return /^\d{1,10}$/.test(text) ? Number(text) : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
