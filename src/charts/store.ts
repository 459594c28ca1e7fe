/** Where the charts of a release lie: a folder with what Cozystack ships as `packages/`, as files; nothing of it is trusted. */
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../core/model.js';
import { trimEnd } from '../core/text.js';
import type { ChartFile } from '../engine/host/helm-engine.js';

export type ChartStore = {
  /** For a person. */
  description: string;
  /** The regular files below a folder, by their paths from it, sorted; none where there is no such folder. */
  files(folder: string): readonly ChartFile[];
  /** Another one where the files of a folder are others; always the same where they cannot change. */
  version?(folder: string): string;
};

/** What one folder may have: Helm itself refuses charts of more than 100 MiB. */
export const maxFiles = 20_000;
export const maxBytes = 100 << 20;

export class TooLarge extends UsageError {
  constructor(folder: string) {
    super(`${folder} has more than ${maxFiles} files or ${maxBytes >> 20} MiB`);
  }
}

/** Throws a `UsageError` where the folder has no charts of Cozystack. */
export function openChartFolder(directory: string): ChartStore {
  const root = [directory, join(directory, 'packages')].find((one) =>
    existsSync(join(one, 'core/platform/Chart.yaml')),
  );
  if (root === undefined)
    throw new UsageError(`${directory} has no charts of Cozystack: core/platform/Chart.yaml is not there`);
  return { description: directory, files: (folder) => filesBelow(join(root, ...safeParts(folder))) };
}

/** `..` leads nowhere. */
function safeParts(folder: string): string[] {
  return trimEnd(folder, '/')
    .split('/')
    .filter((part) => part !== '' && part !== '.' && part !== '..');
}

/** What source-controller and source-watcher leave out of every artifact (fluxcd/pkg/sourceignore v0.17.0, `sourceignore.go`:30-34). */
const ignored =
  /^(?:\.git(?:ignore|modules|attributes|hub)?|\.circleci|\.travis\.yml|\.gitlab-ci\.yml|appveyor\.yml|\.drone\.yml|cloudbuild\.yaml|codeship-(?:services|steps)\.yml|\.goreleaser\.yml|\.sops\.yaml|\.flux\.yaml|.*\.(?:jpe?g|gif|png|wmv|flv|tar\.gz|zip))$/;

/** By its name, which a path has at any depth. */
export function isIgnored(name: string): boolean {
  return ignored.test(name);
}

/** Links are not followed, as an artifact holds none. */
function filesBelow(root: string): ChartFile[] {
  const found: ChartFile[] = [];
  let bytes = 0;
  const walk = (folder: string, prefix: string) => {
    for (const name of readdirSync(folder).sort()) {
      const path = join(folder, name);
      if (isIgnored(name)) continue;
      const stat = lstatSync(path);
      if (stat.isDirectory()) walk(path, `${prefix}${name}/`);
      if (!stat.isFile()) continue;
      bytes += stat.size;
      if (found.length >= maxFiles || bytes > maxBytes) throw new TooLarge(root);
      found.push({ path: `${prefix}${name}`, bytes: readFileSync(path) });
    }
  };
  if (existsSync(root)) walk(root, '');
  return found;
}
