// `--version` is answered before the rest is loaded: it is what scripts and people call to see whether the tool is there.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { readTool } from '../core/version.js';
import { choiceIn } from '../engine/host/installed.js';
import { beginEngine } from '../engine/host/start.js';
import { cannot, formatFatal, guardProcess } from '../lint/process.js';
import { modulesFor } from './early.js';

/** The oldest Node that is promised (`engines` in package.json). */
const oldest = 20;

/** From `dist/cli`, in words that the bundler does not take for a file to bring along. */
const home = fileURLToPath(new URL(['..', '..'].join('/'), import.meta.url));

function say(error: unknown): void {
  const bug = 'this is a bug of the linter, not of your repository. Please report it with the lines below.';
  process.stderr.write(`customizer-lint: ${formatFatal(error, () => `version ${readTool(home).version}: ${bug}`)}\n`);
}

async function start(args: readonly string[], thread?: Worker): Promise<number> {
  const { node } = process.versions;
  if (Number.parseInt(node, 10) < oldest) {
    process.stderr.write(`customizer-lint: Node ${oldest} or later is needed; this is Node ${node}\n`);
    return cannot;
  }
  if (args[0] === '--version') {
    process.stdout.write(`${readTool(home).version}\n`);
    return 0;
  }
  for (const [at, name] of modulesFor(args).entries())
    beginEngine(join(home, 'dist', 'engine'), name, choiceIn(args), at === 0 ? thread : undefined);
  const { main } = await import('./main.js');
  return main(args);
}

/** `thread` is that of the module that renders, where the loader has begun it. Sets the exit status; never rejects. */
export async function run(args: readonly string[], thread?: Worker): Promise<void> {
  guardProcess(say);
  try {
    process.exitCode = await start(args, thread);
  } catch (error) {
    say(error);
    process.exitCode = cannot;
  }
}
