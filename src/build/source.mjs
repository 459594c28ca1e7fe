/** Modules of the product, as they are in the source, for scripts. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import esbuild from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Packages in CommonJS ask for modules of node by it. */
const banner = `import { createRequire } from 'node:module'; const require = createRequire(${JSON.stringify(root)});`;

/**
 * @param {string} path from the root of the checkout, `src/engine/host/sandbox.ts`
 * @returns {Promise<any>} what it exports
 */
export async function importSource(path) {
  const how = { bundle: true, write: false, format: 'esm', platform: 'node', banner: { js: banner } };
  const { outputFiles } = await esbuild.build({ ...how, entryPoints: [join(root, path)] });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
}
