/**
 * `dist/checksums.sha256`: the SHA-256 of each file of `dist/`, as `sha256sum` prints it, sorted. The command holds the files against
 * it that it loads (src/core/built.ts).
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const name = 'checksums.sha256';
/** What says of `dist/` something else than it is made of. */
const others = new Set([name, 'sources.sha256']);

/** @param {Buffer | string} bytes */
export const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** @param {string} folder @returns {string[]} paths below it, with slashes, sorted as git sorts */
export function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => statSync(join(folder, file)).isFile())
    .sort();
}

/** @param {string} dist */
export function checksumsOf(dist) {
  return filesBelow(dist)
    .filter((file) => !others.has(file))
    .map((file) => `${sha256(readFileSync(join(dist, file)))}  ${file}\n`)
    .join('');
}

/** To be called by whatever has written into `dist/`. @param {string} dist */
export function writeChecksums(dist) {
  writeFileSync(join(dist, name), checksumsOf(dist));
}

/** The files of `dist/` that are not as they are listed, are not there, or are not listed. @param {string} dist @returns {string[]} */
export function changedFiles(dist) {
  if (!existsSync(join(dist, name))) return [name];
  const parse = (/** @type {string} */ text) =>
    new Map(
      text
        .split('\n')
        .filter(Boolean)
        .map((line) => [line.slice(line.indexOf('  ') + 2), line]),
    );
  const listed = parse(readFileSync(join(dist, name), 'utf8'));
  const found = parse(checksumsOf(dist));
  return [...new Set([...listed.keys(), ...found.keys()])]
    .sort()
    .filter((file) => listed.get(file) !== found.get(file));
}
