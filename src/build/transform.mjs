// What jest makes of TypeScript: the types taken out, a line for each line. `tsc` checks them.
//
// A test runs in a context of its own, in which node asks for each use of a global name anew: `Object.keys` in a loop takes a
// hundred times as long as it takes outside (nodejs/node#30709). So what the language has is bound once a module; what tests
// put something else in place of (`fetch`, `Date`, timers, `process`) is not.
//
// What the product loads when it is asked for is loaded with the rest: jest lets nobody load anything while tests that run at the same time
// are between two steps.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import esbuild from 'esbuild';

const names = (
  'Array ArrayBuffer BigInt Boolean Buffer DataView Error EvalError Infinity Int32Array Intl JSON Map Math NaN Number Object ' +
  'Promise Proxy RangeError ReferenceError Reflect RegExp Set String Symbol SyntaxError TextDecoder TextEncoder TypeError ' +
  'URIError URL URLSearchParams Uint16Array Uint32Array Uint8Array WeakMap WeakSet decodeURIComponent encodeURIComponent ' +
  'isFinite isNaN parseFloat parseInt'
).split(' ');
const bound = (name) => `__${name}__`;
const define = Object.fromEntries(names.map((name) => [name, bound(name)]));
const options = { target: 'es2023', sourcemap: 'inline', sourcesContent: false, define };
const own = readFileSync(new URL(import.meta.url), 'utf8');

const later = /(?<=await |=> )import\((?:\/\* webpackMode: "eager" \*\/ )?'([^']+)'\)/g;

/** The source with imports at its top, in one line, in the place of those that it has elsewhere. */
function loadedFirst(source) {
  const names = [];
  const text = source.replace(later, (_, name) => `Promise.resolve(__later${names.push(name)}__)`);
  return names.map((name, index) => `import * as __later${index + 1}__ from '${name}';`).join('') + text;
}

export default {
  process: (given, file) => {
    const source = /\/src\/(?!build\/)[^:]*\.ts$/.test(file) ? loadedFirst(given) : given;
    const isScript = file.endsWith('.ts');
    const used = names.filter((name) => source.includes(name));
    const strict = /^\s*['"]use strict['"]/.test(source) ? '"use strict";' : '';
    const banner = used.length > 0 ? `${strict}const ${used.map((name) => `${bound(name)}=${name}`).join(',')};` : '';
    const { code, map } = esbuild.transformSync(source, {
      ...options,
      ...(isScript ? { loader: 'ts', format: 'esm' } : { loader: 'js' }),
      sourcefile: file,
    });
    return { code: banner + code, map };
  },
  getCacheKey: (source, file) =>
    createHash('sha256').update([own, esbuild.version, file, source].join('\0')).digest('hex'),
};
