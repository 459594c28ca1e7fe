/**
 * Where the charts of a release lie: what Cozystack ships as `packages/`, as a folder, an archive or the artifact itself. Nothing of it is
 * trusted.
 */
import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../core/model.js';
import { trimEnd } from '../core/text.js';
import { artifactOfRelease, isReleaseName } from '../cozystack/artifact.js';
import type { ChartFile } from '../engine/host/helm-engine.js';
import { cachedArtifact } from '../registry/cache.js';
import { isLayout, readLayout } from '../registry/layout.js';
import { readReference } from '../registry/reference.js';
import { type ArchiveFolder, readArchive } from './archive.js';
import { isIgnored, maxBytes, maxFiles, TooLarge } from './taken.js';

export type ChartStore = {
  /** For a person. */
  description: string;
  /** The regular files below a folder, by their paths from it, sorted; none where there is no such folder. */
  files(folder: string): readonly ChartFile[];
  /** Another one where the files of a folder are others; always the same where they cannot change. */
  version?(folder: string): string;
  /** Whether there are symbolic links in a folder, which are left out of `files`. */
  hasLinks?(folder: string): boolean;
};

/** What shows that a folder is `packages/`. */
const sign = 'core/platform/Chart.yaml';

/** What finds what was pulled. `home`: where `schemas/` lies. */
export type ChartPlaces = { home: string; env: NodeJS.ProcessEnv };

/**
 * A folder, an archive, an OCI layout, or the name of a release whose charts were pulled; `./v1.6.2` is a folder. Nothing is fetched. Throws
 * a `UsageError` where there are no charts of Cozystack.
 */
export async function openCharts(where: string, places: ChartPlaces): Promise<ChartStore> {
  if (isReleaseName(where)) return openPulled(where, places);
  if (!existsSync(where)) throw new UsageError(`${where} does not exist`);
  if (statSync(where).isDirectory()) return isLayout(where) ? openChartLayout(where) : openChartFolder(where);
  const { size } = statSync(where);
  if (size > maxArchive) throw new UsageError(`${where} has more than ${maxArchive >> 20} MiB`);
  return openTar(readFileSync(where), where);
}

/** Bytes of an archive, which need not be packed. */
const maxArchive = 256 << 20;

/** Throws a `UsageError` where the folder has no charts of Cozystack. */
export function openChartFolder(directory: string): ChartStore {
  const root = [directory, join(directory, 'packages')].find((one) => existsSync(join(one, sign)));
  if (root === undefined) throw none(directory);
  return storeOf(directory, (parts) => entriesOnDisk(root, parts));
}

/** The artifact in an OCI layout; `digest`: the one that it has to be. Throws a `UsageError`. */
export async function openChartLayout(folder: string, digest?: string, description = folder): Promise<ChartStore> {
  const { layer } = readLayout(folder, digest);
  return openTar(layer, description);
}

/** Whoever has written into the cache: what counts is the digest that this package knows. */
async function openPulled(release: string, { home, env }: ChartPlaces): Promise<ChartStore> {
  const { digest } = readReference(artifactOfRelease(join(home, 'schemas'), release));
  const folder = cachedArtifact(env, digest);
  if (!existsSync(folder))
    throw new UsageError(
      `the charts of ${release} are not in ${folder}: customizer-lint charts pull ${release} puts them there`,
    );
  return openChartLayout(folder, digest, release);
}

function none(where: string): UsageError {
  return new UsageError(`${where} has no charts of Cozystack: ${sign} is not there`);
}

/** With `packages/`, or what is in it, at the top or in the one folder that is there. */
async function openTar(bytes: Uint8Array, where: string): Promise<ChartStore> {
  const top = await readArchive(bytes, where);
  const [only] = [...top.values()].filter((one) => one instanceof Map);
  const tops = [top, ...(only && top.size === 1 ? [only] : [])];
  const root = tops
    .flatMap((one) => [one, one.get('packages')])
    .filter((one) => one instanceof Map)
    .find((one) => at(one, sign.split('/')) !== undefined);
  if (root === undefined) throw none(where);
  return storeOf(where, (parts) => entriesInArchive(at(root, parts)));
}

function at(root: ArchiveFolder, parts: readonly string[]): ArchiveFolder | Uint8Array | undefined {
  let found: ArchiveFolder | Uint8Array | undefined = root;
  for (const part of parts) found = found instanceof Map ? found.get(part) : undefined;
  return found;
}

type Entry = { name: string } & ({ size: number; read(): Uint8Array } | { folder: true });

/** What is read of a folder is kept, as each chart has the same libraries. `list` has the entries of a folder; none, where it is none. */
function storeOf(description: string, list: (parts: readonly string[]) => Entry[]): ChartStore {
  const known = new Map<string, readonly ChartFile[]>();
  return {
    description,
    files(folder) {
      const parts = safeParts(folder);
      const key = parts.join('/');
      const found = known.get(key) ?? filesBelow(parts, list, description);
      known.set(key, found);
      return found;
    },
  };
}

/** `..` leads nowhere. */
function safeParts(folder: string): string[] {
  return trimEnd(folder, '/')
    .split('/')
    .filter((part) => part !== '' && part !== '.' && part !== '..');
}

function filesBelow(root: readonly string[], list: (parts: readonly string[]) => Entry[], where: string): ChartFile[] {
  const found: ChartFile[] = [];
  let bytes = 0;
  const walk = (parts: readonly string[], prefix: string) => {
    for (const entry of list(parts)) {
      if (isIgnored(entry.name)) continue;
      if ('folder' in entry) {
        walk([...parts, entry.name], `${prefix}${entry.name}/`);
        continue;
      }
      bytes += entry.size;
      if (found.length >= maxFiles || bytes > maxBytes) throw new TooLarge(join(where, ...root));
      found.push({ path: `${prefix}${entry.name}`, bytes: entry.read() });
    }
  };
  walk(root, '');
  return found;
}

/** Links are not followed, as an artifact holds none. */
function entriesOnDisk(root: string, parts: readonly string[]): Entry[] {
  const isFolder = (count: number) => {
    const stat = lstatSync(join(root, ...parts.slice(0, count)), { throwIfNoEntry: false });
    return stat?.isDirectory() === true;
  };
  if (parts.some((_, index) => !isFolder(index + 1))) return [];
  const folder = join(root, ...parts);
  return readdirSync(folder)
    .sort()
    .flatMap((name): Entry[] => {
      const path = join(folder, name);
      const stat = lstatSync(path);
      if (stat.isDirectory()) return [{ name, folder: true }];
      return stat.isFile() ? [{ name, size: stat.size, read: () => readFileSync(path) }] : [];
    });
}

function entriesInArchive(folder: ArchiveFolder | Uint8Array | undefined): Entry[] {
  if (!(folder instanceof Map)) return [];
  const names = [...folder.keys()].sort();
  return names.map((name) => {
    const one = folder.get(name) as ArchiveFolder | Uint8Array;
    return one instanceof Map ? { name, folder: true } : { name, size: one.length, read: () => one };
  });
}
