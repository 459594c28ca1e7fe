/** Programs that PyPI has and npm does not, each in one version, kept in the user's cache. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export type PythonProgram = { file: string; env: Record<string, string> };

/** Undefined without a Python that can install it; `program` is the file, where it has another name than the package. */
export function installed(name: string, version: string, program = name): PythonProgram | undefined {
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'customizer-lint', `${name}-${version}`);
  const file = join(cache, 'bin', program);
  const found = { file, env: { ...(process.env as Record<string, string>), PYTHONPATH: cache } };
  if (existsSync(file)) return found;
  const args = ['-m', 'pip', 'install', '--quiet', '--target', cache, `${name}==${version}`];
  spawnSync('python3', args, { stdio: 'ignore', timeout: 120_000 });
  if (existsSync(file)) return found;
  console.log(`skipped: ${name}, which is not here: python3 -m pip install ${name}==${version}`);
  return undefined;
}
