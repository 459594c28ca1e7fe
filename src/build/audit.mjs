/**
 * `npm run audit`: asks npm and govulncheck for known vulnerabilities, and fails on those that .github/audit.yaml does not name with a
 * reason. Of Go counts what is linked or called; of npm everything that is installed for development too, as it builds what is shipped.
 * `--from FOLDER` reads what they printed before: `npm.json` and `*.go.json`.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { goEnv } from './go.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const govulncheck = 'golang.org/x/vuln/cmd/govulncheck@v1.1.4';
/** `npm audit --json`, version 2 of its report. */
export function ofNpm(text) {
  const { auditReportVersion, vulnerabilities } = JSON.parse(text);
  if (auditReportVersion !== 2) throw new Error(`npm audit printed no report: ${text.slice(0, 300)}`);
  // Of what depends on something that is vulnerable, `via` has the name alone.
  const advisories = Object.values(vulnerabilities).flatMap(({ via }) => via.filter((one) => typeof one === 'object'));
  return advisories.map(({ url, name, title }) => ({ id: url.split('/').at(-1), package: name, title }));
}

/** `govulncheck -format json`: objects one after the other. A finding with a function is one that is called. */
export function ofGo(text) {
  const messages = text
    .split(/^(?=\{$)/m)
    .filter((part) => part.trim())
    .map((part) => JSON.parse(part));
  if (!messages.some(({ config }) => config)) throw new Error(`govulncheck printed no report: ${text.slice(0, 300)}`);
  const titles = new Map(messages.flatMap(({ osv }) => (osv ? [[osv.id, osv.summary]] : [])));
  const called = messages.flatMap(({ finding }) => (finding?.trace[0]?.function ? [finding] : []));
  const byName = new Map(
    called.map(({ osv, trace }) => [`${osv} ${trace[0].module}`, { id: osv, package: trace[0].module }]),
  );
  return [...byName.values()].map((one) => ({ ...one, title: titles.get(one.id) ?? '' }));
}

/** What is left to do: advisories that nobody has looked at, and entries whose day has passed. */
export function faultsOf(found, accepted, today) {
  const isAccepted = (one) =>
    accepted.some((entry) => entry.id === one.id && entry.package === one.package && entry.until >= today);
  const open = found.filter((one) => !isAccepted(one)).map((one) => `${one.id} in ${one.package}: ${one.title}`);
  const old = accepted.filter(({ until }) => until < today).map(({ id, until }) => `${id} was accepted until ${until}`);
  return [...new Set([...open, ...old])];
}

/** The entries of .github/audit.yaml; throws where one lacks something. */
export function acceptedIn(text) {
  const { accepted } = parse(text);
  for (const entry of accepted) {
    const { id, package: name, reason, until } = entry;
    const isWhole =
      /^(?:GHSA-[\w-]+|GO-\d{4}-\d+)$/.test(id) && name && reason?.length > 20 && /^\d{4}-\d{2}-\d{2}$/.test(until);
    if (!isWhole) throw new Error(`an entry needs id, package, reason and until: ${JSON.stringify(entry)}`);
  }
  return accepted;
}

function printed(program, args, cwd, env = process.env) {
  const run = spawnSync(program, args, { cwd, env, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (run.error) throw run.error;
  process.stderr.write(run.stderr);
  return run.stdout;
}

/**
 * Of Go the programs that are shipped are asked about, of which the modules are another form, and the source of what makes the data. The
 * copies that are patched have no version by which they would be known: those of kustomize, Kubernetes and Helm are left to upstream.yaml.
 */
function asked() {
  const bin = join(root, '.cache/bin');
  printed('go', ['install', govulncheck], root, goEnv({ GOBIN: bin }));
  const scan = (args, cwd = root) =>
    ofGo(printed(join(bin, 'govulncheck'), ['-format', 'json', ...args], cwd, goEnv()));
  const programs = printed(process.execPath, [join(root, 'src/build/engine.mjs'), '--program'], root)
    .trim()
    .split('\n');
  return [
    ...ofNpm(printed('npm', ['audit', '--json'], root)),
    ...programs.flatMap((program) => scan(['-mode', 'binary', program])),
    ...scan(['./...'], join(root, 'src/generate')),
  ];
}

function read(folder) {
  const names = readdirSync(folder);
  const textOf = (name) => readFileSync(join(folder, name), 'utf8');
  const go = names.filter((name) => name.endsWith('.go.json')).flatMap((name) => ofGo(textOf(name)));
  return [...(names.includes('npm.json') ? ofNpm(textOf('npm.json')) : []), ...go];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const at = process.argv.indexOf('--from');
  const found = at > 0 ? read(process.argv[at + 1]) : asked();
  const accepted = acceptedIn(readFileSync(join(root, '.github/audit.yaml'), 'utf8'));
  const faults = faultsOf(found, accepted, new Date().toISOString().slice(0, 10));
  for (const fault of faults) console.log(fault);
  console.log(`${found.length} advisories, ${faults.length} to look at`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
