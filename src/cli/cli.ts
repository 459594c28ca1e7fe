// `--version` is answered before the rest is loaded: it is what scripts and people call to see whether the tool is there.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readTool } from '../core/version.js';
import { beginEngine, choiceIn } from '../engine/host/start.js';
import { cannot, formatFatal, guardProcess } from '../lint/process.js';

/** The oldest Node that is promised (`engines` in package.json). */
const oldest = 20;

/** From `dist/cli`, in words that the bundler does not take for a file to bring along. */
const home = fileURLToPath(new URL(['..', '..'].join('/'), import.meta.url));

function say(error: unknown): void {
  const bug = 'this is a bug of the linter, not of your repository. Please report it with the lines below.';
  process.stderr.write(`customizer-lint: ${formatFatal(error, () => `version ${readTool(home).version}: ${bug}`)}\n`);
}

/** Most commands do; a thread that nobody asks for costs little. */
function rendersAnything(argv: readonly string[]): boolean {
  return (
    !['rules', 'snapshot', 'audit', 'charts', 'help', 'completion'].includes(argv[0] ?? '') && !argv.includes('--help')
  );
}

async function start(): Promise<number> {
  const { node } = process.versions;
  if (Number.parseInt(node, 10) < oldest) {
    process.stderr.write(`customizer-lint: Node ${oldest} or later is needed; this is Node ${node}\n`);
    return cannot;
  }
  if (process.argv[2] === '--version') {
    process.stdout.write(`${readTool(home).version}\n`);
    return 0;
  }
  const args = process.argv.slice(2);
  // What has limits of its own is started once they are read.
  const isUsual = !args.some((arg) => arg.startsWith('--max-'));
  if (isUsual && rendersAnything(args)) {
    const begin = (name: 'render' | 'helm') => beginEngine(join(home, 'dist', 'engine'), name, choiceIn(args));
    begin('render');
    if (args.some((arg) => arg === '--charts' || arg.startsWith('--charts='))) begin('helm');
  }
  const { main } = await import('./main.js');
  return main(process.argv.slice(2));
}

guardProcess(say);
try {
  process.exitCode = await start();
} catch (error) {
  say(error);
  process.exitCode = cannot;
}
