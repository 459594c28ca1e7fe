/**
 * Which rows of a long table run: without FULL a choice by a committed seed, the same every time; with FULL=1 all of them. What a
 * developer waits for is little, half a sample; SAMPLES=5, as `.ci/run` has it, takes five whole ones (`npm test -- --samples=5`).
 * A full run that was broken off goes on with RESUME=1: `.cache/sample/NAME-SEED.jsonl` keeps what passed, for as long as seed,
 * rows and `dist/` are the same. FROM=n leaves out the first n rows of the full table, SEED=n takes another seed.
 */
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { samplesOfLongRun } from '../../src/build/samples.mjs';
import { root } from './cli.js';
import { randomOf } from './random.mjs';

export type Sampling<Row> = {
  /** Of the table, for its state file: `evasion`. */
  name: string;
  seed: number;
  /** How many rows a sample has; at least one of each class is in it, should there be more classes. */
  size: number;
  /** Tells the rows apart; each has one of its own. */
  key: (row: Row) => string;
  /** What a sample should have at least one of each of. */
  classOf?: (row: Row) => string;
};

export type Sample<Row> = {
  rows: Row[];
  seed: number;
  /** `17 of 1200 rows, seed 1`, for the name of a test. */
  description: string;
  /** Remembers that a row passed. */
  passed(row: Row): void;
};

export const isFull = () => process.env.FULL !== undefined;

const samples = () => Number(process.env.SAMPLES ?? 0.5);

/** Whether what takes long and seldom changes runs: `.ci/run`, and FULL. */
export const isLong = () => isFull() || samples() >= samplesOfLongRun;

/** How many of something that could go on for ever: half of `few` if nothing is said, at least one; `all` with FULL. */
export function amount(few: number, all: number): number {
  return isFull() ? all : Math.min(Math.ceil(few * samples()), all);
}

/** Whether it is of the one in `oneIn` that a sample has, by its name. */
export function isChosen(name: string, oneIn: number): boolean {
  return isFull() || numberOf(name) % oneIn < samples();
}

/** Of the rows of a table one in `oneIn`, at least one, in their order; by their names, so that a new row leaves the others as they are. */
export function someOf<Row>(rows: readonly Row[], oneIn: number, nameOf: (row: Row) => string = String): Row[] {
  if (isFull()) return [...rows];
  const size = Math.max(1, Math.ceil((rows.length * samples()) / oneIn));
  const numbered = rows.map((row, index) => ({ index, number: numberOf(nameOf(row)) }));
  const taken = new Set(
    numbered
      .sort((one, other) => one.number - other.number)
      .slice(0, size)
      .map(({ index }) => index),
  );
  return rows.filter((_, index) => taken.has(index));
}

const numberOf = (name: string) => createHash('sha256').update(name).digest().readUInt32BE();

/** The seed to use: the committed one, unless SEED names another. */
export function seedOr(committed: number): number {
  return Number(process.env.SEED ?? committed);
}

/** Throws for two rows with one key. */
export function sampleOf<Row>(all: readonly Row[], options: Sampling<Row>): Sample<Row> {
  const seed = seedOr(options.seed);
  const keys = new Set(all.map(options.key));
  if (keys.size !== all.length) throw new Error(`${options.name}: two rows have the same key`);
  if (!isFull()) {
    const rows = chosen(all, { ...options, size: amount(options.size, all.length) }, seed);
    return { rows, seed, description: `${rows.length} of ${all.length} rows, seed ${seed}`, passed: () => {} };
  }
  const state = stateOf(options.name, seed, [...keys]);
  const rows = all.slice(Number(process.env.FROM ?? 0)).filter((row) => !state.done.has(options.key(row)));
  const description = `${rows.length} of ${all.length} rows that are left, seed ${seed}`;
  return { rows, seed, description, passed: (row) => state.add(options.key(row)) };
}

/** One of each class, then whatever chance says, in the order of the table. */
function chosen<Row>(all: readonly Row[], { size, classOf }: Sampling<Row>, seed: number): Row[] {
  const shuffled: number[] = randomOf(seed).shuffled(all.map((_, index) => index));
  const seen = new Set<string>();
  const first = shuffled.filter((index) => {
    const name = classOf?.(all[index] as Row);
    if (name === undefined || seen.has(name)) return false;
    seen.add(name);
    return true;
  });
  const taken = new Set<number>();
  for (const index of [...first, ...shuffled]) if (taken.size < Math.max(size, first.length)) taken.add(index);
  return all.filter((_, index) => taken.has(index));
}

/** The first line says what the state is of; each other one is the key of a row that passed. */
function stateOf(name: string, seed: number, keys: readonly string[]) {
  const folder = join(root, '.cache', 'sample');
  const file = join(folder, `${name}-${seed}.jsonl`);
  const of = digest([...keys, ...built()]);
  mkdirSync(folder, { recursive: true });
  const [header, ...lines] = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  const isSame = header === JSON.stringify(of);
  const done = new Set(process.env.RESUME && isSame ? lines.map((line) => JSON.parse(line) as string) : []);
  if (done.size === 0) writeFileSync(file, `${JSON.stringify(of)}\n`);
  const add = (key: string) => {
    done.add(key);
    if (done.size === keys.length) rmSync(file, { force: true });
    else appendFileSync(file, `${JSON.stringify(key)}\n`);
  };
  return { done: new Set(done), add };
}

/** What is tested: a row that passed under another build has to pass again. */
function built(): string[] {
  const file = join(root, 'dist', 'checksums.sha256');
  return existsSync(file) ? [digest([readFileSync(file, 'utf8')])] : [];
}

function digest(parts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest('hex');
}
