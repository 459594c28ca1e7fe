/** What a command line will need, told before it is parsed: it is begun while the rest of the command is loaded. */
import type { ModuleName } from '../engine/host/installed.js';

/** Commands that render nothing. A thread that nobody asks for costs little, so that a word that stands elsewhere is no matter. */
const others = ['rules', 'snapshot', 'audit', 'charts', 'help', 'completion'];

/** The modules of it, the first of them first. What has limits of its own is started once they are read. */
export function modulesFor(args: readonly string[]): ModuleName[] {
  if (others.includes(args[0] ?? '') || args.some((arg) => /^--(?:help$|version$|max-)/.test(arg))) return [];
  return args.some((arg) => arg === '--charts' || arg.startsWith('--charts=')) ? ['render', 'helm'] : ['render'];
}
