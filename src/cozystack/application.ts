/**
 * Applications (`apps.cozystack.io`): what the server of a release, cozystack-api, takes and refuses (`FACTS.md`, Applications).
 */
import type { ObjectRef } from '../core/model.js';
import { groupOf } from '../core/object.js';
import { applicationIndex } from './indexes.js';
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

/** Undefined for a kind that the release does not have. */
export function applicationKind(data: Data, release: string, kind: string): ApplicationKind | undefined {
  const { kinds } = applicationIndex(dataOfRelease(data, release).directory, release);
  const key = `${applicationGroup}/${kind}`;
  const found = Object.hasOwn(kinds, key) ? kinds[key] : undefined;
  return found && { prefix: '', ...found };
}
