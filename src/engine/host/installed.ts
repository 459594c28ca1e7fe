/**
 * Which form of a module runs: what `--engine` says, and whether the package with the programs of this system is installed. It is asked before the
 * command is loaded, and so needs nothing that is not of Node.
 */
import module from 'node:module';
import { join } from 'node:path';

/** Systems that there is a program for, as Node names them. */
export const systems: readonly string[] = ['linux-x64', 'linux-arm64', 'darwin-arm64', 'win32-x64'];
export const system = `${process.platform}-${process.arch}`;

/** The modules that there are programs of. */
export const programs = ['render', 'apply', 'helm'] as const;
export type ModuleName = (typeof programs)[number];

/** The package of a system, and the file of a module's program in it. */
export const packageName = (system: string) => `customizer-lint-${system}`;
export const programFile = (name: ModuleName, system: string) => (system.startsWith('win32') ? `${name}.exe` : name);

/** Why there is none to be had: the caller goes on with the module, or tells it. */
export class NoProgram extends Error {}

export const engineChoices = ['auto', 'wasm', 'native'] as const;
export type EngineChoice = (typeof engineChoices)[number];

/** No other system has a lock that a process puts on itself: there only who asks for the program gets it. */
export const triesProgram = (choice: EngineChoice) =>
  choice === 'native' || (choice === 'auto' && process.platform === 'linux');

/** What `--engine` says, before anything is parsed; a word that is none is told later. */
export function choiceIn(args: readonly string[]): EngineChoice {
  const at = args.findLastIndex((arg) => arg === '--engine' || arg.startsWith('--engine='));
  const word = args[at]?.split('=')[1] ?? args[at + 1];
  return at < 0 ? 'auto' : (engineChoices.find((choice) => choice === word) ?? 'auto');
}

/** The file of a module's program for this system, by the package that holds it; throws `NoProgram`. `home` is `dist/engine`. */
export function findProgram(home: string, name: ModuleName): string {
  if (!systems.includes(system)) throw new NoProgram(`there is none for ${system}`);
  const own = packageName(system);
  try {
    return module.createRequire(join(home, 'package.json')).resolve(`${own}/${programFile(name, system)}`);
  } catch {
    throw new NoProgram(`the package ${own} is not installed`);
  }
}

/**
 * The file of the program that runs in the place of a module, as far as can be told before one is started; undefined where the module itself does.
 * `home` is `dist/engine`.
 */
export function programFor(home: string, name: ModuleName, choice: EngineChoice): string | undefined {
  if (!triesProgram(choice)) return undefined;
  try {
    return findProgram(home, name);
  } catch (error) {
    if (!(error instanceof NoProgram)) throw error;
    return undefined;
  }
}
