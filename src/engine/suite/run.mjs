/**
 * Runs kustomize's own tests on the patched modules: `npm run test:suite [-- --full | --update]`.
 *
 * Some of them fail outside of kustomize's repository even unpatched: they fetch, start programs or look for files that a
 * module does not carry. So both are run in the same way, the patched ones with every answer of the index compared with
 * upstream's walk, and only the difference counts. expected-failures.txt lists it, each test with the cut that causes it;
 * anything that fails beyond it, and anything in it that passes, is an error. upstream-failures.txt lists what failed unpatched
 * the last time: where just these and the expected ones fail, upstream is not run again without --full.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv, execPath, exit, stderr, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { goEnv, programEnv } from '../../build/go.mjs';

const engine = fileURLToPath(new URL('..', import.meta.url));
const build = join(engine, '.build');
const expectedFile = fileURLToPath(new URL('expected-failures.txt', import.meta.url));
const upstreamFile = fileURLToPath(new URL('upstream-failures.txt', import.meta.url));

const modules = ['sigs.k8s.io/kustomize/kyaml', 'sigs.k8s.io/kustomize/api'];
const patched = ['go.yaml.in/yaml/v2', 'go.yaml.in/yaml/v3', 'k8s.io/kube-openapi', ...modules];
const folderOf = (module) => module.replaceAll('/', '_');

const go = (args, cwd) =>
  execFileSync('go', args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    env: goEnv(programEnv),
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/** Copies one set of modules side by side, each with the others as its dependencies. */
function prepare(name, sourceOf) {
  const folder = join(build, 'suite', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const module of patched) {
    const to = join(folder, folderOf(module));
    cpSync(sourceOf(module), to, { recursive: true });
    execFileSync('chmod', ['-R', 'u+w', to]);
  }
  for (const module of modules) {
    const cwd = join(folder, folderOf(module));
    for (const other of patched)
      if (other !== module) go(['mod', 'edit', `-replace=${other}=../${folderOf(other)}`], cwd);
    // The engine's versions of what the copies need may be newer than those that the module was released with.
    go(['mod', 'tidy', '-e'], cwd);
  }
  return folder;
}

/** The tests that fail, as `package Test/sub`, or `package [build]` where the tests do not compile. */
function failures(folder, tags) {
  const failed = new Set();
  let passed = 0;
  for (const module of modules) {
    const run = spawnSync('go', ['test', '-json', '-count=1', '-p=2', `-tags=${tags}`, './...'], {
      cwd: join(folder, folderOf(module)),
      encoding: 'utf8',
      maxBuffer: 1 << 30,
      env: goEnv(programEnv),
    });
    for (const line of run.stdout.split('\n')) {
      if (!line.startsWith('{')) continue;
      const event = JSON.parse(line);
      if (event.Action === 'pass' && event.Test) passed++;
      if (event.Action === 'fail' && event.Test) failed.add(`${event.Package} ${event.Test}`);
      if (event.Action === 'fail' && event.FailedBuild) failed.add(`${event.Package} [build]`);
    }
  }
  return { failed, passed };
}

/** A parent fails because its subtest does. */
const innermost = (names) =>
  [...names].filter((name) => ![...names].some((other) => other.startsWith(`${name}/`))).sort();

const readExpected = () => new Map(readLines(expectedFile).map((line) => line.split('  # ')));

function readLines(file) {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return text.split('\n').filter((line) => line && !line.startsWith('#'));
}

function main() {
  execFileSync(execPath, [fileURLToPath(new URL('../../build/engine.mjs', import.meta.url)), '--native'], {
    stdio: 'inherit',
  });
  const ours = prepare('patched', (module) => join(build, 'modules', folderOf(module)));
  const after = failures(ours, 'kustomize_disable_go_plugin_support,kustomize_index_check');
  const expected = readExpected();
  const newTo = (failed) => innermost([...after.failed].filter((name) => !failed.has(name)));
  const listed = newTo(new Set(readLines(upstreamFile)));
  const isAsListed = listed.length === expected.size && listed.every((name) => expected.has(name));
  if (isAsListed && !argv.includes('--full') && !argv.includes('--update')) {
    stdout.write(
      `suite: ${after.passed} passed, ${listed.length} fail as expected, and besides them what fails upstream\n`,
    );
    return 0;
  }
  const upstream = prepare('upstream', (module) => go(['list', '-m', '-f', '{{.Dir}}', module], engine).trim());
  const before = failures(upstream, 'kustomize_disable_go_plugin_support');
  const news = newTo(before.failed);

  if (argv.includes('--update')) {
    writeFileSync(upstreamFile, `${[...before.failed].sort().join('\n')}\n`);
    const header = readFileSync(expectedFile, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('#'))
      .join('\n');
    writeFileSync(
      expectedFile,
      `${header}\n${news.map((name) => `${name}  # ${expected.get(name) ?? 'WHY?'}\n`).join('')}`,
    );
  }
  const surprises = news.filter((name) => !expected.has(name));
  const gone = [...expected.keys()].filter((name) => !news.includes(name));
  for (const name of surprises) stderr.write(`fails, but not upstream: ${name}\n`);
  for (const name of gone) stderr.write(`is expected to fail, but does not: ${name}\n`);
  stdout.write(
    `suite: upstream ${before.passed} passed, ${before.failed.size} failed; patched ${after.passed} passed, ${news.length} more failed, ${surprises.length} of them unexpected\n`,
  );
  return surprises.length + gone.length > 0 ? 1 : 0;
}

exit(main());
