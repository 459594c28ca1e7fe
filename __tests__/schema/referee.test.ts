/**
 * The linter's verdicts against those of the API server's own code (src/generate/referee) on generated objects of every kind.
 * The number of objects per kind can be given in OBJECTS, and another SEED for others.
 */

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { goEnv, hasGo } from '../../src/build/go.mjs';
import type { JsonObject } from '../../src/core/model.js';
import { loadSchemas } from '../../src/cozystack/schemas.js';
import type { KnownSchema } from '../../src/schema/types.js';
import { validate } from '../../src/schema/validate.js';
import { root } from '../support/cli.js';
import { all, newest } from '../support/releases.js';
import { amount, isLong, someOf } from '../support/sample.js';
import { objectsOf, seeded } from './objects.js';

const data = join(root, 'schemas');
if (!hasGo()) console.log('skipped: the verdicts of the API server, as Go is not installed to build it');
// It takes long to build; what the short run has beside it is schema/verdicts.
const isAsked = hasGo() && isLong();
const objects = Number(process.env.OBJECTS ?? amount(2, 200));
const seed = Number(process.env.SEED ?? 1);

type Verdict = { refused: string[]; lost: string[] };
type Batch = { request: { [name: string]: unknown }; known: KnownSchema; objects: JsonObject[] };
type Disagreement = { kind: string; ours: string[]; theirs: string[]; object: JsonObject };

(isAsked ? describe : describe.skip)('the API server agrees', () => {
  const referee = isAsked ? build() : '';

  test.each(someOf(all, 12))(
    'on custom resources of %s',
    (release) => {
      const disagreements = compare(customBatches(release), ({ violations, skipped }, { refused }) => {
        if (violations.length > 0 === refused.length > 0) return true;
        // Said to be left out: duplicates in lists, and nulls and patterns that it counts as not judged.
        return (
          refused.every((reason) => /duplicate entries/.test(reason)) || (skipped.length > 0 && violations.length === 0)
        );
      });
      expect(disagreements).toEqual([]);
    },
    600_000,
  );

  test('on what Flux makes of built-in kinds', () => {
    const disagreements = compare(builtInBatches(), ({ violations }, { refused, lost }) => {
      const types = violations.filter(({ kind }) => kind === 'type' || kind === 'format');
      // Flux takes a list of numbers for bytes, which nobody writes.
      if (types.some(({ message }) => message.includes('is a list, but must be a string'))) return true;
      // The schema does not tell times with microseconds, which only leases and events have.
      if (refused.some((reason) => reason.includes('2006-01-02T15:04:05.000000Z07:00'))) return true;
      if (types.length > 0 || refused.length > 0) return types.length > 0 === refused.length > 0;
      const dropped = violations.filter((violation) => violation.dropped).map(({ path }) => nameOf(path));
      return lost.every((field) => dropped.some((name) => field === name || /^[.[]/.test(field.slice(name.length))));
    });
    expect(disagreements).toEqual([]);
  }, 600_000);

  function compare(
    batches: Batch[],
    agree: (ours: ReturnType<typeof validate>, theirs: Verdict) => boolean,
  ): Disagreement[] {
    const input = batches.map(({ request, objects }) => JSON.stringify({ ...request, objects })).join('\n');
    const { stdout, stderr, status } = spawnSync(referee, { input, maxBuffer: 2 ** 30, encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const verdicts = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Verdict[]);
    return batches.flatMap(({ known, objects }, batch) =>
      objects.flatMap((object, index) => {
        const ours = validate(object, known);
        const theirs = verdicts[batch]?.[index] as Verdict;
        if (agree(ours, theirs)) return [];
        const kind = `${object.apiVersion} ${object.kind}`;
        return [
          {
            kind,
            ours: ours.violations.map(({ message }) => message),
            theirs: [...theirs.refused, ...theirs.lost],
            object,
          },
        ];
      }),
    );
  }
});

function build(): string {
  const binary = join(mkdtempSync(join(tmpdir(), 'referee-')), 'referee');
  execFileSync('go', ['build', '-C', join(root, 'src', 'generate'), '-o', binary, './referee'], {
    env: goEnv(),
    stdio: 'inherit',
  });
  return binary;
}

type Index<T> = { kinds: { [key: string]: T } };
type CustomEntry = {
  plural: string;
  scope: string;
  versions: { [version: string]: { schema: string; unserved?: true } };
};

function customBatches(release: string): Batch[] {
  const index = JSON.parse(readFileSync(join(data, 'cozystack', release, 'crds.json'), 'utf8')) as Index<CustomEntry>;
  const { find } = loadSchemas(data, release);
  const random = seeded(seed);
  return Object.entries(index.kinds).flatMap(([key, { plural, scope, versions }]) => {
    const [group = '', kind = ''] = key.split('/');
    return Object.entries(versions).flatMap(([version, { schema, unserved }]) => {
      const known = find(`${group}/${version}`, kind);
      if (unserved || !known.known) return [];
      const file = join(data, 'cozystack', 'crds', schema);
      const request = { schema: file, group, version, kind, plural, scope };
      return [{ request, known, objects: objectsOf(known, `${group}/${version}`, kind, objects, random) }];
    });
  });
}

function builtInBatches(): Batch[] {
  const index = JSON.parse(readFileSync(join(data, 'kubernetes', 'v1.35.json'), 'utf8')) as Index<unknown>;
  const { find } = loadSchemas(data, newest);
  const random = seeded(seed);
  return Object.keys(index.kinds).flatMap((key) => {
    const [group = '', version = '', kind = ''] = key.split('/');
    const apiVersion = group === 'core' ? version : `${group}/${version}`;
    const known = find(apiVersion, kind);
    // Two alpha kinds hold types without a single field, which the schema cannot tell from free-form ones.
    if (!known.known || known.unknownFields === 'refused' || ['StorageVersion', 'Workload'].includes(kind)) return [];
    return [{ request: {}, known, objects: objectsOf(known, apiVersion, kind, objects, random) }];
  });
}

function nameOf(path: readonly (string | number)[]): string {
  return path.map((step, index) => (typeof step === 'number' ? `[${step}]` : index > 0 ? `.${step}` : step)).join('');
}
