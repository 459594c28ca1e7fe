/** The npm packages of which there is code in `dist/`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import esbuild from 'esbuild';
import { bundles, loaders } from '../bundles.mjs';

/**
 * By what esbuild takes of each bundle's source; a test holds it against the licences that ncc, which builds them, has collected.
 *
 * @param {string} root of a checkout, with its packages installed
 * @returns {Promise<{ name: string, version: string, integrity: string, license: string, bundles: string[], needs: string[] }[]>}
 *   sorted by name and version; `needs` are others of them, as `name@version`
 */
export async function bundledPackages(root) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  /** @type {Map<string, Set<string>>} */
  const used = new Map();
  for (const { source, folder } of [...loaders, ...bundles])
    for (const path of await packagesIn(root, source)) used.set(path, (used.get(path) ?? new Set()).add(folder));
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
async function packagesIn(root, source) {
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
  const [{ inputs }] = Object.values(metafile.outputs);
  const files = Object.keys(inputs).filter((file) => inputs[file].bytesInOutput > 0);
  const paths = files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []);
  // ncc brings helpers of its own along.
  return [
    ...new Set([...paths, ...(loaders.some((one) => one.source === source) ? [] : ['node_modules/@vercel/ncc'])]),
  ];
}

function nameOf(path) {
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
