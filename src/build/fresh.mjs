// Builds dist/ where it is not what the source builds, so that no test runs an old bundle. What was built from which sources is
// committed, as a hash of both; `dist.mjs --check` is what proves it.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const stamp = join(root, 'dist', 'sources.sha256');

/** Of all that dist/ is built from, and of dist/ itself. */
function state() {
  const below = (folder, isOne) =>
    readdirSync(join(root, folder), { recursive: true })
      .map((file) => join(folder, file))
      .filter(isOne);
  const files = [
    ...below('src', (file) => /\.(ts|json|md)$/.test(file) && !file.includes('.build')),
    ...below('dist', (file) => /\.(js|json|txt)$/.test(file)),
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'schemas/config.schema.json',
    'src/build/dist.mjs',
    'src/build/bundles.mjs',
  ];
  const hash = createHash('sha256');
  for (const file of files.sort())
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0');
  return hash.digest('hex');
}

/** To be called where dist/ is known to be what the source builds. */
export function remember() {
  writeFileSync(stamp, `${state()}\n`);
}

export function isFresh() {
  return existsSync(stamp) && readFileSync(stamp, 'utf8').trim() === state();
}

/** Ends the process where the build fails. */
export function buildWhereStale() {
  if (isFresh()) return;
  console.log('building dist/ from the source …');
  const { status } = spawnSync(process.execPath, [join(root, 'src', 'build', 'dist.mjs')], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
