/** The command's edge: arguments in, text and an exit status out. 0 clean, 1 findings, 2 could not do the work. */
import { fileURLToPath } from 'node:url';
import { GitError } from '../git.js';
import { UsageError } from '../model.js';
import { printable } from '../report/escape.js';
import { readTool } from '../version.js';
import { readArguments } from './arguments.js';
import { audit } from './audit.js';
import { check } from './check.js';
import { diff } from './diff.js';
import { explain } from './explain.js';
import { fix } from './fix.js';
import { graph } from './graph.js';
import { help } from './help.js';
import { inventory } from './inventory.js';
import { render } from './render.js';
import { rules } from './rules.js';
import { snapshot } from './snapshot.js';

/** Where `dist/` and `schemas/` lie: this file is bundled into `dist/cli`. */
const home = fileURLToPath(new URL(['..', '..'].join('/'), import.meta.url));

export async function main(argv: readonly string[]): Promise<number> {
  try {
    const args = readArguments(argv);
    if (args.values.help) return say(help);
    if (args.values.version) return say(`${readTool(home).version}\n`);
    return await { check, fix, render, explain, graph, diff, inventory, audit, snapshot, rules }[args.command](
      args,
      home,
    );
  } catch (error) {
    process.stderr.write(apology(error));
    return 2;
  }
}

function say(text: string): number {
  process.stdout.write(text);
  return 0;
}

/** Wrong usage and our own bugs must never look like each other, nor like findings. */
function apology(error: unknown): string {
  if (error instanceof UsageError || error instanceof GitError) return `customizer-lint: ${printable(error.message)}\n`;
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `customizer-lint ${readTool(home).version}: this is a bug of the linter, not of your repository. Please report it with the lines below.\n${trace.split('\n').map(printable).join('\n')}\n`;
}
