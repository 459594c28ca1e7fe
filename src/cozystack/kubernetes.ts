/** Which minor versions of Kubernetes there is data for. They are told apart as releases are: v1.35 is the line of v1.35.4. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { lineName, nearestTo, oldestFirst } from './releases.js';

/** The one whose types the Flux of every known release converts to (flux/FACTS.md, Request); and what is assumed. */
export const fluxMinor = 'v1.35';

const listed = new Map<string, string[]>();

/** As v1.35, oldest first. */
export function minors(data: string): string[] {
  const folder = join(data, 'kubernetes');
  const known =
    listed.get(data) ??
    (existsSync(folder) ? readdirSync(folder) : [])
      .flatMap((file) => /^(v.+)\.json$/.exec(file)?.[1] ?? [])
      .sort(oldestFirst);
  listed.set(data, known);
  return known;
}

export function isKnownKubernetes(data: string, version: string): boolean {
  return minors(data).includes(lineName(version));
}

/** The one that has data: itself, or the nearest. */
export function minorOf(data: string, version: string): string {
  return isKnownKubernetes(data, version) ? lineName(version) : nearestTo(lineName(version), minors(data));
}
