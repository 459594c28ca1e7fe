// The licences of what the engine links: Go's own, and those of every module that ends up in a program.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Of `program`, for the system that `more` names as Go does. `go` runs the Go tool in the engine's folder. A patched module lies in a
 * folder of its own, with its licence.
 * Throws if a module has no licence file: then somebody has to look.
 */
export function goLicenses(go, program = './cmd/js', more = { GOOS: 'js', GOARCH: 'wasm' }) {
  const format = '{{with .Module}}{{.Path}}\t{{if .Replace}}{{.Replace.Dir}}{{else}}{{.Dir}}{{end}}{{end}}';
  const listed = go(['list', '-modfile=.build/go.mod', '-deps', '-f', format, program], more);
  const modules = new Map(
    listed
      .toString()
      .split('\n')
      .filter((line) => line.includes('\t') && !line.startsWith('customizer-lint/'))
      .map((line) => line.split('\t')),
  );
  modules.set('Go', go(['env', 'GOROOT']).toString().trim());
  return [...modules]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, folder]) => `${name}\n${textOf(name, folder)}\n`)
    .join('\n');
}

function textOf(name, folder) {
  const file =
    existsSync(folder) && readdirSync(folder).find((entry) => /^(licen[cs]e|copying)([.-].*)?$/i.test(entry));
  if (!file) throw new Error(`module ${name} has no licence file`);
  return readFileSync(join(folder, file), 'utf8').trim();
}
