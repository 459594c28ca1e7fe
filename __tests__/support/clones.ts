/** Clones of the repositories of tests, with a remote, and with the commit before where there is one. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { commitTwice } from './history.js';
import type { Files } from './trees.js';

function filesOf(folder: string): Files {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const file = join(parentPath, name);
      return [file.slice(folder.length + 1), readFileSync(file)];
    }),
  );
}

/** Of `FOLDER`, on top of `FOLDER.base`; `more` are the arguments of `check` that compare with it. The caller removes the clone. */
export function cloneOf(directory: string): { folder: string; more: string[] } {
  const now = filesOf(directory);
  const before = existsSync(`${directory}.base`) ? filesOf(`${directory}.base`) : undefined;
  const gone = Object.keys(before ?? {}).filter((file) => !now[file]);
  const made = commitTwice(before ?? now, { ...now, ...Object.fromEntries(gone.map((file) => [file, null])) });
  const origin = `https://git.example.net/platform/${basename(directory)}.git`;
  execFileSync('git', ['remote', 'add', 'origin', origin], { cwd: made.folder });
  return { folder: made.folder, more: before ? ['--base', made.base] : [] };
}
