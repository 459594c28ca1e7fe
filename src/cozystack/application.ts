/**
 * Applications (`apps.cozystack.io`): what the server of a release, cozystack-api, takes and refuses (`FACTS.md`, Applications).
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ObjectRef } from '../core/model.js';
import { groupOf } from '../core/object.js';
import { type Data, dataOfRelease } from './releases.js';

export const applicationGroup = 'apps.cozystack.io';

export function isApplication({ ref }: { ref: Pick<ObjectRef, 'apiVersion'> }): boolean {
  return groupOf(ref.apiVersion) === applicationGroup;
}

export type ApplicationKind = {
  /** What the name of the Helm release begins with, before that of the application. */
  prefix: string;
  /** The file that has the values of its chart. */
  chart: string;
};

type Index = { kinds: { [groupKind: string]: { prefix?: string; chart: string } } };

const indexes = new Map<string, Index>();

/** Undefined for a kind that the release does not have. */
export function applicationKind(data: Data, release: string, kind: string): ApplicationKind | undefined {
  const { kinds } = indexOf(data, release);
  const key = `${applicationGroup}/${kind}`;
  const found = Object.hasOwn(kinds, key) ? kinds[key] : undefined;
  return found && { prefix: '', ...found };
}

/** Data that somebody generated before there were applications in it have none. */
function indexOf(data: Data, release: string): Index {
  const file = join(dataOfRelease(data, release).directory, 'cozystack', release, 'applications.json');
  const known = indexes.get(file) ?? (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { kinds: {} });
  indexes.set(file, known);
  return known;
}
