/** The Go modules that are linked into each engine. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { goEnv } from '../go.mjs';
import { systems } from '../programs.mjs';

/** The engines, by the folder below `src/engine` that they are built in, and their patched `go.mod` as it is seen from there. */
const engines = {
  render: { folder: '.', modfile: '.build/go.mod' },
  apply: { folder: 'apply', modfile: '../.build/apply/go.mod' },
  helm: { folder: 'helm', modfile: '../.build/helm/go.mod' },
};

/** What an engine is built as, and for which systems. */
const targets = {
  module: { main: './cmd/js', goSystems: [['js', 'wasm']] },
  program: { main: './cmd/program', goSystems: Object.values(systems) },
};

/**
 * `src/build/engine.mjs` has to have made the patched modules.
 *
 * @param {string} root of a checkout
 * @returns {{ version: string, engines: { name: string, target: string, modules: { path: string, version: string, sum: string,
 *   isPatched: boolean }[] }[] }} `version` of Go itself; `target` is `module` or `program`; `sum` is that of go.sum, empty for what is patched
 */
export function linkedModules(root) {
  const version = go(root, '.', ['env', 'GOVERSION'], {}).trim().replace(/^go/, '');
  const found = Object.entries(engines).flatMap(([name, engine]) =>
    Object.entries(targets).map(([target, how]) => ({ name, target, modules: modulesOf(root, engine, how) })),
  );
  return { version, engines: found };
}

function modulesOf(root, { folder, modfile }, { main, goSystems }) {
  const args = ['list', `-modfile=${modfile}`, '-deps', '-f', format, main];
  const lines = goSystems.flatMap(([GOOS, GOARCH]) => go(root, folder, args, { GOOS, GOARCH }).split('\n'));
  const modules = [...new Set(lines)].filter((line) => line !== '' && !line.startsWith('customizer-lint/'));
  return modules.sort().map((line) => {
    const [path, version, sum, isPatched] = line.split('\t');
    return { path, version, sum, isPatched: isPatched === 'true' };
  });
}

/** A module that lies in a folder of ours is patched; one that is replaced by itself has another version. */
const format = [
  '{{with .Module}}{{if not .Main}}',
  '{{if and .Replace .Replace.Version}}{{.Replace.Path}}\t{{.Replace.Version}}\t{{.Replace.Sum}}\tfalse',
  '{{else}}{{.Path}}\t{{.Version}}\t{{.Sum}}\t{{if .Replace}}true{{else}}false{{end}}{{end}}',
  '{{end}}{{end}}',
].join('');

function go(root, folder, args, more) {
  return execFileSync('go', args, {
    cwd: join(root, 'src/engine', folder),
    env: goEnv(more),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}
