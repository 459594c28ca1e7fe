/** The npm packages of which there is code in `dist/`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import esbuild from 'esbuild';
import { bundles, command, loaders, thread } from '../bundles.mjs';

/**
 * By what esbuild takes of each bundle's source; a test holds it against the licences that ncc, which builds most of them, has collected.
 *
 * @param {string} root of a checkout, with its packages installed
 * @returns {Promise<{ name: string, version: string, integrity: string, license: string, bundles: string[], needs: string[] }[]>}
 *   sorted by name and version; `needs` are others of them, as `name@version`
 */
export async function bundledPackages(root) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  /** @type {Map<string, Set<string>>} */
  const used = new Map();
  for (const { source, folder } of [...loaders, thread, command, ...bundles])
    for (const path of await packagesOf(root, source)) used.set(path, (used.get(path) ?? new Set()).add(folder));
  const identity = (/** @type {string} */ path) => `${nameOf(path)}@${packages[path].version}`;
  return [...used]
    .map(([path, folders]) => {
      const { version, integrity, license, dependencies = {} } = packages[path];
      const needs = Object.keys(dependencies)
        .map((name) => resolved(packages, path, name))
        .filter((/** @type {string | undefined} */ one) => one !== undefined && used.has(one))
        .map((one) => identity(/** @type {string} */ (one)))
        .sort();
      return { name: nameOf(path), version, integrity, license, bundles: [...folders].sort(), needs };
    })
    .sort((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1));
}

/** Their paths in the lock file, `node_modules/a/node_modules/b`. */
async function packagesOf(root, source) {
  const { metafile } = await esbuild.build({
    entryPoints: [join(root, source)],
    absWorkingDir: root,
    bundle: true,
    write: false,
    outfile: 'bundle.js',
    metafile: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
    preserveSymlinks: true,
  });
  // ncc brings helpers of its own along.
  const isByNcc = bundles.some((one) => one.source === source);
  return [...packagesIn(metafile), ...(isByNcc ? ['node_modules/@vercel/ncc'] : [])];
}

/**
 * Those of which there is code in what esbuild has made: their paths, `node_modules/a/node_modules/b`.
 *
 * @param {import('esbuild').Metafile} metafile
 */
export function packagesIn({ outputs }) {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  const files = inputs.flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? file : []));
  return [...new Set(files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []))];
}

/** @param {string} path */
export function nameOf(path) {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

/** Where Node finds a package that one of another path asks for. */
function resolved(packages, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (packages[path]) return path;
    if (folder === '') return undefined;
  }
}
