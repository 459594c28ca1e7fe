/**
 * `check --watch`: after each change of a file the whole check again, with what a cold run would find. Engines are started while
 * nothing happens, and what no change touches is not rendered again.
 */
import { type FSWatcher, watch as watchFolder } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { printable } from '../core/escape.js';
import type { Rendered, Tree } from '../core/model.js';
import { beginEngine, type EngineChoice } from '../engine/host/start.js';
import { sentenceOf } from '../lint/errors.js';
import type { Round } from '../lint/load.js';
import { formatIn } from './arguments.js';
import type { Program } from './program.js';
import type { Call } from './root.js';

/** Milliseconds without another change: an editor writes a file in several steps. */
const quiet = 20;

/** Checks one round: prints its report, and gives the exit status. */
type Check = (round: Round) => Promise<number>;

/** Ends with a signal, or where nobody reads the reports any more. A first round that cannot be done ends it as it ends `check`. */
export async function watch({ directory, values }: Call, program: Program, check: Check): Promise<number> {
  const written = [values.output, ...(values.format ?? []).map((format) => formatIn(format).file)];
  const watched = new Folders(
    directory,
    new Set(written.filter((file) => file !== undefined).map((file) => resolve(file))),
  );
  program.stdout.once?.('error', () => watched.end());
  let before: { tree: Tree; rendered: readonly Rendered[] } | undefined;
  let status = 0;
  for (let changed: readonly string[] = []; ; changed = await watched.change()) {
    if (watched.hasEnded) return status;
    if (changed.length > 0) program.stdout.write(headline(changed, program.stdout.isTTY === true));
    const began = performance.now();
    try {
      status = await check({
        ...(before && { before }),
        opened: (tree) => watched.follow(tree),
        rendered: (tree, rendered) => {
          before = { tree, rendered };
        },
      });
    } catch (error) {
      const sentence = sentenceOf(error);
      if (sentence === undefined || changed.length === 0) throw error;
      program.stderr.write(`customizer-lint: ${printable(sentence)}\n`);
      status = 2;
    }
    const took = Math.round(performance.now() - began);
    program.stderr.write(`checked in ${took} ms; waiting for a change (Ctrl+C ends it)\n`);
    startEngines(program.home, values);
  }
}

/** What the next round will ask for. What has limits of its own is started by the round. */
function startEngines(home: string, values: Call['values']): void {
  if (values['max-seconds'] !== undefined || values['max-memory'] !== undefined) return;
  const choice = (values.engine ?? 'auto') as EngineChoice;
  const names = ['render', 'apply', ...(values.charts === undefined ? [] : ['helm' as const])] as const;
  for (const name of names) beginEngine(join(home, 'dist', 'engine'), name, choice);
}

function headline(changed: readonly string[], isTerminal: boolean): string {
  const [first = '', ...others] = changed.map(printable);
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  // Above what the terminal shows nothing is lost.
  return `${isTerminal ? '\u001b[H\u001b[2J' : '\n'}${first}${more} changed\n\n`;
}

/** The folders of a repository that hold a file, and what changes in them. */
class Folders {
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #changed = new Set<string>();
  /** What `change` gave since the watchers were last looked after: a round may end before that. */
  readonly #since = new Set<string>();
  #wake: () => void = () => {};
  hasEnded = false;

  constructor(
    private readonly root: string,
    /** Absolute paths of what the command itself writes. */
    private readonly own: ReadonlySet<string>,
  ) {}

  end(): void {
    this.hasEnded = true;
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#wake();
  }

  /**
   * Folders that came are watched from now on, and those that went no longer. One that is named by the folder above it may be
   * another one of the same name, with others below it: its old watcher would say nothing more.
   */
  follow({ files }: Tree): void {
    const folders = new Set(['.', ...files.flatMap(above)]);
    for (const [folder, watcher] of this.#watchers) {
      if (folders.has(folder) && ![folder, ...above(folder)].some((name) => this.#since.has(name))) continue;
      watcher.close();
      this.#watchers.delete(folder);
    }
    this.#since.clear();
    for (const folder of folders) if (!this.#watchers.has(folder)) this.#watch(folder);
  }

  #watch(folder: string): void {
    const note = (name: string) => {
      if (name === '.git' || this.own.has(resolve(this.root, folder, name))) return;
      this.#changed.add(folder === '.' ? name : `${folder}/${name}`);
      this.#wake();
    };
    try {
      const watcher = watchFolder(join(this.root, folder), (_, name) => note(name ?? ''));
      // A folder that is gone changes the one above it.
      watcher.on('error', () => watcher.close());
      this.#watchers.set(folder, watcher);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }

  /** The paths of what has changed since the last call, once nothing more does. */
  async change(): Promise<readonly string[]> {
    while (this.#changed.size === 0 && !this.hasEnded) await this.#woken();
    for (let size = -1; size !== this.#changed.size; ) {
      size = this.#changed.size;
      await new Promise((resolve) => setTimeout(resolve, quiet));
    }
    const changed = [...this.#changed].sort();
    this.#changed.clear();
    for (const path of changed) this.#since.add(path);
    return changed;
  }

  #woken(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

function above(file: string): string[] {
  const folder = dirname(file);
  return folder === '.' ? [] : [folder, ...above(folder)];
}
