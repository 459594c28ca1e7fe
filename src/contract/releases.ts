/** Which generated data stands for a release: `v1.6` and any patch release of it use the newest 1.6 that was generated. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../model.js';

export type ReleaseData = {
  /** The directory's name, e.g. `v1.6.2`. */ name: string /** Whether the release asked for is that very one. */;
  exact: boolean;
};

/** Throws a `UsageError` that lists what there is. */
export function dataOfRelease(data: string, release: string): ReleaseData {
  const known = releases(data);
  const wanted = release === 'next' || release.startsWith('v') ? release : `v${release}`;
  if (known.includes(wanted)) return { name: wanted, exact: true };
  const minor = /^v\d+\.\d+/.exec(wanted)?.[0];
  const nearest = minor && known.findLast((name) => name.startsWith(`${minor}.`));
  if (nearest) return { name: nearest, exact: wanted === minor };
  throw new UsageError(`there is no data for release "${release}"; there is for ${known.join(', ')}`);
}

/** The releases there is data for, oldest first; `next` is the newest. */
export function releases(data: string): string[] {
  return readdirSync(join(data, 'cozystack'))
    .filter((name) => existsSync(join(data, 'cozystack', name, 'catalog.json')))
    .sort((a, b) => Number(a === 'next') - Number(b === 'next') || a.localeCompare(b, 'en', { numeric: true }));
}
