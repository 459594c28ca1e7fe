/** Where artifacts lie that were pulled, each in a folder named by its digest, which is there whole or not at all. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';

/** In the cache of the user, as the XDG Base Directory specification has it. */
export function cachedArtifact(env: NodeJS.ProcessEnv, digest: string): string {
  const { XDG_CACHE_HOME: cache = '', HOME } = env;
  const home = isAbsolute(cache) ? cache : join(HOME || homedir(), '.cache');
  return join(home, 'customizer-lint', 'charts', digest.replace(':', '-'));
}

/** What a killed process has left behind counts as such after a day. */
const prefix = '.pulling-';
const stale = 24 * 60 * 60 * 1000;

/**
 * Makes a folder: `fill` gets one beside it under another name, which takes the name when all is there. Of two processes that make the
 * same at once, both fill, and one's is there. What was there before is gone then.
 */
export async function makeWhole<Result>(folder: string, fill: (folder: string) => Promise<Result>): Promise<Result> {
  const above = dirname(folder);
  mkdirSync(above, { recursive: true });
  removeStale(above);
  const own = mkdtempSync(join(above, prefix));
  try {
    const [filled, old] = [join(own, 'new'), join(own, 'old')];
    mkdirSync(filled);
    const result = await fill(filled);
    if (existsSync(folder)) moveAway(folder, old);
    moveHere(filled, folder);
    return result;
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

/** Another process may have moved it already. */
function moveAway(folder: string, old: string): void {
  try {
    renameSync(folder, old);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** Another process may have put the same there meanwhile. */
function moveHere(filled: string, folder: string): void {
  try {
    renameSync(filled, folder);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '') || !existsSync(folder))
      throw error;
  }
}

function removeStale(above: string): void {
  for (const name of readdirSync(above).filter((one) => one.startsWith(prefix))) {
    const path = join(above, name);
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: Number.POSITIVE_INFINITY };
    if (Date.now() - mtimeMs > stale) rmSync(path, { recursive: true, force: true });
  }
}
