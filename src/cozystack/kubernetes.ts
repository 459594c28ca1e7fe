/** Which minor versions of Kubernetes there is data for. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { nearestTo } from './releases.js';

/** The one whose types the Flux of every known release converts to (flux/FACTS.md, Request); and what is assumed. */
export const fluxMinor = 'v1.35';

const listed = new Map<string, string[]>();

/** As v1.35, oldest first. */
export function minors(data: string): string[] {
  const known =
    listed.get(data) ??
    readdirSync(join(data, 'kubernetes'))
      .flatMap((file) => /^(v.+)\.json$/.exec(file)?.[1] ?? [])
      .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  listed.set(data, known);
  return known;
}

/** v1.35 of v1.35.4. */
export function minorName(version: string): string {
  return /^v\d+\.\d+/.exec(version)?.[0] ?? version;
}

/** The one that has data: itself, or the nearest. */
export function minorOf(data: string, version: string): string {
  const [name, known] = [minorName(version), minors(data)];
  return known.includes(name) ? name : nearestTo(name, known);
}
