/** The artifact with the charts of a release, as its installer names it (`artifact.json`, which the generator writes). */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../core/model.js';
import { inWords } from '../core/text.js';
import { releases } from './releases.js';

/** As `v1.6.2`; without the `v` it is one as well. */
export function isReleaseName(word: string): boolean {
  return /^v?\d+\.\d+(?:\.\d+)?(?:-[\w.]+)?$/.test(word);
}

/** Its address with its digest, `oci://…@sha256:…`. Throws a `UsageError` for a release of which none is known. */
export function artifactOfRelease(data: string, release: string): string {
  const fileOf = (name: string) => join(data, 'cozystack', name, 'artifact.json');
  const name = release.startsWith('v') ? release : `v${release}`;
  if (existsSync(fileOf(name))) {
    const { url, digest } = JSON.parse(readFileSync(fileOf(name), 'utf8')) as { url: string; digest: string };
    return `${url}@${digest}`;
  }
  const known = releases(data).filter((one) => existsSync(fileOf(one)));
  throw new UsageError(
    `of "${release}" no artifact with charts is known, only of ${inWords(known)}; of others charts pull takes the address, oci://…@sha256:…`,
  );
}
