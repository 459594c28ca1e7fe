/** `customizer-lint charts pull RELEASE`: the charts of a release from its registry, into the cache. The only command that fetches any. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openChartLayout } from '../charts/store.js';
import { printable } from '../core/escape.js';
import { UsageError } from '../core/model.js';
import { artifactOfRelease, isReleaseName } from '../cozystack/artifact.js';
import { cachedArtifact, makeWhole } from '../registry/cache.js';
import { hostsOf } from '../registry/client.js';
import { credentialsFor } from '../registry/credentials.js';
import { isLayout, maxLayer } from '../registry/layout.js';
import { pullArtifact } from '../registry/pull.js';
import { type ArtifactReference, mirrored, readReference } from '../registry/reference.js';
import { outputRoot, requireNoLink } from '../tree/output.js';
import type { Program } from './program.js';
import type { Call } from './root.js';

const usage = 'charts pull RELEASE, e.g. charts pull v1.6.2';

/** Seconds for all of it, and how long a registry may send nothing. */
const patience = 300;
const silence = 30;

export async function charts({ operands: [verb, what, ...rest], values }: Call, program: Program): Promise<number> {
  if (verb !== 'pull' || what === undefined) throw new UsageError(`what of charts? ${usage}`);
  if (rest.length > 0) throw new UsageError(`one at a time: "${what}" or "${rest[0]}"?`);
  const address = isReleaseName(what) ? artifactOfRelease(join(program.home, 'schemas'), what) : what;
  const reference = readReference(address);
  const from = values.registry === undefined ? reference : mirrored(reference, values.registry);
  const folder = values.output === undefined ? cachedArtifact(program.env, reference.digest) : resolve(values.output);
  const say = (sentence: string) => {
    if (!values.quiet) program.stderr.write(`customizer-lint: ${printable(sentence)}\n`);
  };
  if (await isThere(folder, reference)) say('they were pulled before');
  else {
    if (values.output !== undefined) checkOutput(folder);
    const size = await pull(from, folder, { values, program, say });
    say(
      `pulled ${(size / 2 ** 20).toFixed(1)} MiB from ${from.registry.host}; --charts takes the directory${isReleaseName(what) && values.output === undefined ? ` or "${what}"` : ''}`,
    );
  }
  program.stdout.write(`${printable(folder)}\n`);
  return 0;
}

/** A copy in which anything is wrong is pulled again. */
async function isThere(folder: string, { digest }: ArtifactReference): Promise<boolean> {
  if (!isLayout(folder)) return false;
  try {
    await openChartLayout(folder, digest);
    return true;
  } catch (error) {
    if (error instanceof UsageError) return false;
    throw error;
  }
}

/** Throws a `UsageError` if the user's files are there, or if a link of the repository leads elsewhere. */
function checkOutput(folder: string): void {
  requireNoLink(folder, outputRoot('.'));
  if (existsSync(folder) && (!statSync(folder).isDirectory() || readdirSync(folder).length > 0))
    throw new UsageError(`${folder} is there already, and is not this artifact`);
}

async function pull(
  reference: ArtifactReference,
  folder: string,
  { values, program, say }: { values: Call['values']; program: Program; say: (sentence: string) => void },
): Promise<number> {
  const seconds = secondsIn(values['max-seconds']);
  const { registry, digest } = reference;
  const network = {
    allowPrivate: values['allow-private'] === true,
    hosts: hostsOf(registry, values['allow-host'] ?? []),
    silence: silence * 1000,
    signal: AbortSignal.timeout(seconds * 1000),
  };
  const credentials = credentialsFor(registry.host, program.env);
  return makeWhole(folder, async (filled) => {
    try {
      const size = await pullArtifact(reference, filled, { network, credentials, say, most: maxLayer });
      await openChartLayout(filled, digest, `the artifact ${digest}`);
      return size;
    } catch (error) {
      if (!network.signal.aborted) throw error;
      throw new UsageError(`${registry.host} was not done in ${seconds} s; --max-seconds allows more`);
    }
  });
}

function secondsIn(text: string | undefined): number {
  if (text === undefined) return patience;
  if (!/^\d{1,5}$/.test(text) || Number(text) === 0)
    throw new UsageError(`--max-seconds ${text}: a number of seconds from 1 is needed`);
  return Number(text);
}
