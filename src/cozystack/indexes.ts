/** Which kinds a release serves beside those of Kubernetes (`crds.json` and `applications.json`, generated); each file is read once. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KnownSchema } from '../schema/types.js';

export type CustomIndex = {
  kinds: {
    [groupKind: string]: {
      scope: KnownSchema['scope'];
      plural: string;
      by?: string[];
      versions: { [version: string]: { schema: string; unserved?: true; deprecated?: true; storage?: true } };
    };
  };
};

type ApplicationIndex = {
  kinds: { [groupKind: string]: CustomIndex['kinds'][string] & { prefix?: string; chart: string } };
};

const definitions = new Map<string, CustomIndex>();
const applications = new Map<string, ApplicationIndex>();

/** It is asked for with every object. */
export function definitionIndex(directory: string, release: string): CustomIndex {
  const file = join(directory, 'cozystack', release, 'crds.json');
  const known = definitions.get(file) ?? JSON.parse(readFileSync(file, 'utf8'));
  definitions.set(file, known);
  return known;
}

/** It is asked for with an object of that group. Data that somebody generated before there were applications in it have none. */
export function applicationIndex(directory: string, release: string): ApplicationIndex {
  const file = join(directory, 'cozystack', release, 'applications.json');
  const known = applications.get(file) ?? (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { kinds: {} });
  applications.set(file, known);
  return known;
}
