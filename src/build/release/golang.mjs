/** The Go modules that are linked into each engine. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { goEnv } from '../go.mjs';

/** The engines, by the folder below `src/engine` that they are built in, and their patched `go.mod` as it is seen from there. */
const engines = {
  render: { folder: '.', modfile: '.build/go.mod' },
  apply: { folder: 'apply', modfile: '../.build/apply/go.mod' },
  helm: { folder: 'helm', modfile: '../.build/helm/go.mod' },
};

/** For the WebAssembly module, and the packages that only the program of a system has. */
const targets = [
  { program: './cmd/js', GOOS: 'js', GOARCH: 'wasm' },
  { program: './cmd/program', GOOS: 'linux', GOARCH: 'amd64' },
];

/**
 * `src/build/engine.mjs` has to have made the patched modules.
 *
 * @param {string} root of a checkout
 * @returns {{ version: string, engines: Record<string, { path: string, version: string, sum: string, isPatched: boolean }[]> }} `version` of
 *   Go itself; `sum` is that of go.sum, empty for what is patched
 */
export function linkedModules(root) {
  const version = go(root, '.', ['env', 'GOVERSION'], {}).trim().replace(/^go/, '');
  const found = Object.entries(engines).map(([name, engine]) => [name, modulesOf(root, engine)]);
  return { version, engines: Object.fromEntries(found) };
}

function modulesOf(root, { folder, modfile }) {
  const lines = targets.flatMap(({ program, ...system }) =>
    go(root, folder, ['list', `-modfile=${modfile}`, '-deps', '-f', format, program], system).split('\n'),
  );
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
