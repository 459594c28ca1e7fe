/** The command: arguments in, text and an exit status out. 0 clean, 1 findings; what cannot be done is thrown (cli.ts). */
import { fileURLToPath } from 'node:url';
import { readTool } from '../core/version.js';
import { readArguments } from './arguments.js';
import { check } from './check.js';
import { help, helpOf } from './help.js';
import type { Program } from './program.js';
import { located } from './root.js';
import { columnsOf, widest } from './wrap.js';

/** Where `dist/` and `schemas/` lie: this file is bundled into `dist/cli`. */
const home = fileURLToPath(new URL(['..', '..'].join('/'), import.meta.url));

/** Throws where the work cannot be done. */
export async function main(argv: readonly string[], program: Program = thisProcess()): Promise<number> {
  const args = readArguments(argv);
  const width = columnsOf(program.stdout, widest);
  if (args.values.help) return say(args.isNamed ? helpOf(args.command, width) : help(width), program);
  if (args.values.version) return say(`${readTool(program.home).version}\n`, program);
  const call = located(args, program);
  if (args.command === 'check') return check(call, program);
  const others = await import('./others.js');
  return others[args.command](call, program);
}

/** Asked for late, as a stream is opened when it is asked for. */
function thisProcess(): Program {
  const { stdout, stderr, env } = process;
  return { home, stdout, stderr, env };
}

function say(text: string, { stdout }: Program): number {
  stdout.write(text);
  return 0;
}
