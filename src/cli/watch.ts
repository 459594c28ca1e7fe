/**
 * `check --watch`: after each change of a file the whole check again, with what a cold run would find. Engines are started while
 * nothing happens, and what no change touches is not rendered again.
 */
import { type FSWatcher, watch as watchFolder } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { printable } from '../core/escape.js';
import type { Rendered, Tree } from '../core/model.js';
import { beginRound } from '../core/rounds.js';
import type { EngineChoice } from '../engine/host/installed.js';
import { beginEngine } from '../engine/host/start.js';
import { sentenceOf } from '../lint/errors.js';
import type { Round } from '../lint/load.js';
import { finalPath } from '../tree/output.js';
import { formatIn } from './arguments.js';
import type { Program } from './program.js';
import type { Call } from './root.js';

/** Milliseconds without another change: an editor writes a file in several steps. */
const quiet = 20;
/** Most steps follow each other at once: after so many milliseconds a round begins, and is thrown away where another change comes. */
const soon = 3;
/** Where changes never end, a report of what was there is better than none. */
const mostThrownAway = 3;

/** Checks one round, and gives what prints its report and gives the exit status. */
type Check = (round: Round) => Promise<() => number>;

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
  let thrownAway = 0;
  for (let isFirst = true; ; isFirst = false) {
    if (!isFirst) await watched.begin();
    if (watched.hasEnded) return status;
    const began = performance.now();
    beginRound();
    const tell = await judged(check, isFirst, {
      ...(before && { before }),
      opened: (tree) => watched.follow(tree),
      rendered: (tree, rendered) => {
        before = { tree, rendered };
      },
    });
    if (!isFirst && (await watched.hasMoved()) && thrownAway < mostThrownAway) {
      thrownAway += 1;
      continue;
    }
    if (watched.hasEnded) return status;
    thrownAway = 0;
    const changed = watched.told();
    if (!isFirst) program.stdout.write(headline(changed, program.stdout.isTTY === true));
    status = told(tell, isFirst, program);
    const took = Math.round(performance.now() - began);
    program.stderr.write(`checked in ${took} ms; waiting for a change (Ctrl+C ends it)\n`);
    startEngines(program.home, values);
  }
}

/** What tells what comes of it. */
async function judged(check: Check, isFirst: boolean, round: Round): Promise<() => number> {
  try {
    return await check(round);
  } catch (error) {
    if (isFirst || sentenceOf(error) === undefined) throw error;
    return () => {
      throw error;
    };
  }
}

/** The exit status. That a round cannot be done is told too, but for the first one, which ends it all. */
function told(tell: () => number, isFirst: boolean, { stderr }: Program): number {
  try {
    return tell();
  } catch (error) {
    const sentence = sentenceOf(error);
    if (isFirst || sentence === undefined) throw error;
    stderr.write(`customizer-lint: ${printable(sentence)}\n`);
    return 2;
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
  /** What no round knows of. */
  readonly #changed = new Set<string>();
  /** What rounds know of, and nobody was told. */
  readonly #untold = new Set<string>();
  #last = 0;
  /** What rounds were begun for since the watchers were last looked after: one may end before that. */
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
      if (name === '.git' || this.own.has(finalPath(resolve(this.root, folder, name)))) return;
      this.#changed.add(folder === '.' ? name : `${folder}/${name}`);
      this.#last = performance.now();
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

  /** Once something has changed: a round knows of it. */
  async begin(): Promise<void> {
    while (this.#changed.size === 0 && !this.hasEnded) await this.#woken();
    await this.#quiet(soon);
    for (const path of this.#changed) {
      this.#since.add(path);
      this.#untold.add(path);
    }
    this.#changed.clear();
  }

  /** Whether more has changed since the round began, once nothing more does. */
  async hasMoved(): Promise<boolean> {
    // What has happened while there was no time to hear of it is heard of between the two.
    for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    await this.#quiet(quiet);
    return this.#changed.size > 0;
  }

  async #quiet(time: number): Promise<void> {
    const left = () => this.#last + time - performance.now();
    while (left() > 0 && !this.hasEnded) await new Promise((resolve) => setTimeout(resolve, Math.ceil(left())));
  }

  /** The paths of what has changed since the last call, as far as rounds know. */
  told(): readonly string[] {
    const changed = [...this.#untold].sort();
    this.#untold.clear();
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
