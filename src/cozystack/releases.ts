/**
 * Which generated data stands for a release: `v1.6` and any patch release of it use the newest 1.6 that was generated, and a release of
 * a line that was not generated the nearest one.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parse } from 'yaml';
import { UsageError } from '../core/model.js';
import { nearest } from '../core/suggest.js';
import { byNumbers } from '../core/text.js';

/** Directories laid out as `schemas/` of this package, such as the generator writes; what the first has is believed. */
export type Data = string | readonly string[];

export type ReleaseData = {
  /** The directory's name, e.g. `v1.6.2`. */
  name: string;
  /** Whether the release asked for is that very one. */
  exact: boolean;
  /** Whether there is data for its line. Of another one more may be otherwise than is the same. */
  sameLine: boolean;
  /** The one of the directories that has it. */
  directory: string;
};

/** Throws a `UsageError` only where there is no data at all. */
export function dataOfRelease(data: Data, release: string): ReleaseData {
  const places = directories(data).map((directory) => ({ directory, known: releasesIn(directory) }));
  for (const wanted of [release, `v${release}`]) {
    const place = places.find(({ known }) => known.includes(wanted));
    if (place) return { name: wanted, exact: true, sameLine: true, directory: place.directory };
  }
  const minor = /^v?(\d+\.\d+)(?!\d)/.exec(release)?.[1];
  for (const { directory, known } of minor ? places : []) {
    const newest = known.findLast((name) => name.startsWith(`v${minor}.`));
    if (newest) {
      const exact = release === minor || release === `v${minor}`;
      return { name: newest, exact, sameLine: true, directory };
    }
  }
  const name = nearestTo(release, releases(data));
  const directory = places.find(({ known }) => known.includes(name))?.directory;
  if (directory === undefined)
    throw new UsageError(`there is no data for any release in ${directories(data).join(', ')}`);
  return { name, exact: false, sameLine: false, directory };
}

/** Of the lines before and after it the one with fewer minors between, and the newer of two; of what is no version the newest. */
export function nearestTo(release: string, known: readonly string[]): string {
  const asked = lineOf(release.startsWith('v') ? release : `v${release}`);
  const released = known.filter((name) => lineOf(name) !== undefined);
  const distance = (name: string): number => {
    const line = lineOf(name);
    return asked && line ? Math.abs((asked[0] - line[0]) * 1000 + asked[1] - line[1]) : 0;
  };
  const least = Math.min(...released.map(distance));
  return released.findLast((name) => distance(name) === least) ?? known.at(-1) ?? '';
}

/**
 * The release that was probably meant by a name that there is no data for, as `v16.2` or `nxt`. A release of a major version that there is
 * data for may well exist, however near the name of another one is.
 */
export function meantRelease(release: string, known: readonly string[]): string | undefined {
  const asked = lineOf(release.startsWith('v') ? release : `v${release}`);
  if (asked && known.some((name) => lineOf(name)?.[0] === asked[0])) return undefined;
  const bare = (name: string) => name.replace(/^v|[^\da-z]/gi, '');
  return known.find((name) => bare(name) === bare(release)) ?? nearest(release, known);
}

/** The releases there is data for, oldest first; `next` is the newest. */
export function releases(data: Data): string[] {
  const places = directories(data);
  return places.length === 1 && places[0] !== undefined
    ? [...releasesIn(places[0])]
    : [...new Set(places.flatMap(releasesIn))].sort(oldestFirst);
}

/** The newest release line that there is data for, as `v1.6`: what a cluster is taken for that nobody tells the release of. */
export function newestLine(data: Data): string {
  return newestOf(releases(data));
}

/** The same of releases that are given, oldest first; the last of them where none is of a line. */
export function newestOf(names: readonly string[]): string {
  return lineName(names.findLast((name) => lineOf(name) !== undefined) ?? names.at(-1) ?? 'next');
}

const tables = new Map<string, unknown>();

/** What a table of people's making says, `ownership.yaml` or `rbac.yaml`, from the first of the directories that has it. */
export function readTable(data: Data, name: string): unknown {
  const files = directories(data).map((directory) => join(directory, 'cozystack', name));
  const file = files.find(existsSync) ?? (files.at(-1) as string);
  if (!tables.has(file)) {
    const text = readFileSync(file, 'utf8');
    // What a repository brings along is read as its people have written it, and reviewed it.
    tables.set(file, (file === files.at(-1) ? writtenAsJson(file, text) : undefined) ?? parse(text));
  }
  return tables.get(file);
}

/** `tables.json`, as the build makes it: JSON is read in a fraction of the time. It counts for the very text that it was made of. */
type Tables = { [name: string]: { sha256: string; table: unknown } };

function writtenAsJson(file: string, text: string): unknown {
  const made = join(dirname(file), 'tables.json');
  if (!existsSync(made)) return undefined;
  const one = (JSON.parse(readFileSync(made, 'utf8')) as Tables)[basename(file)];
  return one?.sha256 === createHash('sha256').update(text).digest('hex') ? one.table : undefined;
}

/** `v1.6` of `v1.6.2`, as a release is asked for; of other names they themselves. */
export function lineName(release: string): string {
  return /^v\d+\.\d+/.exec(release)?.[0] ?? release;
}

/** The release line: `[1, 6]` of `v1.6.2`. Undefined for the coming release and for names of one's own. */
export function lineOf(release: string): [major: number, minor: number] | undefined {
  const line = /^v(\d+)\.(\d+)(?!\d)/.exec(release);
  return line ? [Number(line[1]), Number(line[2])] : undefined;
}

function directories(data: Data): readonly string[] {
  return typeof data === 'string' ? [data] : data;
}

/** Rules ask for it with every object, and nothing is added while they run. */
const listed = new Map<string, string[]>();

function releasesIn(directory: string): string[] {
  const known = listed.get(directory);
  if (known) return known;
  const folder = join(directory, 'cozystack');
  const found = (existsSync(folder) ? readdirSync(folder) : [])
    .filter((name) => existsSync(join(folder, name, 'catalog.json')))
    .sort(oldestFirst);
  listed.set(directory, found);
  return found;
}

/** For sorting; `next` stands last. */
export function oldestFirst(a: string, b: string): number {
  return Number(a === 'next') - Number(b === 'next') || byNumbers(a, b);
}
