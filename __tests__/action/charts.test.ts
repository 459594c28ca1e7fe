/** The input `charts`: which charts a change is judged by, and which it cannot choose. */
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from '@jest/globals';
import { chartsFolder, makeArtifact, tarOf, writeArtifact } from '../support/artifact.js';
import { root } from '../support/cli.js';
import { runActionHere } from '../support/job.js'; // first: it takes the place of the engines
import type { ActionRun } from '../support/runner.js';
import { createRepo, removeRepo } from '../support/trees.js';

const { artifactOfRelease } = await import('../../src/cozystack/artifact.js');

const planted: string[] = [];
afterAll(() => planted.forEach(removeRepo));
function newFolder(): string {
  const folder = createRepo({});
  planted.push(folder);
  return folder;
}

/** With a value with which the chart of metallb fails. */
function workspace(): string {
  const folder = newFolder();
  cpSync(join(root, '__tests__/rules/chart-fails/bad'), folder, { recursive: true });
  return folder;
}
const errors = ({ annotations }: ActionRun) => annotations.map(({ message }) => message);
const artifact = makeArtifact();

describe('charts outside the repository', () => {
  test.each<[string, (folder: string) => string]>([
    ['in a folder', () => chartsFolder],
    [
      'in an archive',
      (folder) => {
        writeFileSync(join(folder, 'charts.tgz'), gzipSync(tarOf(chartsFolder, 'cozystack-1.6.2/packages')));
        return join(folder, 'charts.tgz');
      },
    ],
    ['in an OCI layout', (folder) => writeArtifact(folder, artifact)],
  ])('%s', async (_, make) => {
    const run = await runActionHere(workspace(), { charts: make(newFolder()) });
    expect(errors(run).join('\n')).toContain('its chart fails with this value');
    expect(run.status).toBe(1);
  });
});

describe('charts that a change could bring', () => {
  test.each<[string, string, (folder: string) => void]>([
    ['a folder', 'charts', (folder) => cpSync(chartsFolder, join(folder, 'charts'), { recursive: true })],
    ['an archive', 'charts.tgz', (folder) => writeFileSync(join(folder, 'charts.tgz'), gzipSync(tarOf(chartsFolder)))],
    ['an OCI layout', 'layout', (folder) => void writeArtifact(join(folder, 'layout'), artifact)],
    [
      'a folder with the name of a release',
      './v1.6.2',
      (folder) => cpSync(chartsFolder, join(folder, 'v1.6.2'), { recursive: true }),
    ],
    ['the repository', '.', () => {}],
    [
      'a way back into it',
      '../link',
      (folder) => {
        cpSync(chartsFolder, join(folder, 'charts'), { recursive: true });
        symlinkSync(join(folder, 'charts'), join(folder, '../link'));
      },
    ],
  ])('%s', async (_, charts, make) => {
    const folder = join(newFolder(), 'repository');
    cpSync(workspace(), folder, { recursive: true });
    make(folder);
    const run = await runActionHere(folder, { charts });
    expect({ status: run.status, errors: errors(run) }).toEqual({
      status: 2,
      errors: [
        `customizer-lint: input charts: "${charts}" lies in the repository, so a change could bring its own charts`,
      ],
    });
  });
});

describe('the charts of a release', () => {
  const digest = artifactOfRelease(join(root, 'schemas'), 'v1.6.2').split('@')[1] as string;
  const cacheWith = (make: (folder: string) => void) => {
    const cache = newFolder();
    const folder = join(cache, 'customizer-lint/charts', digest.replace(':', '-'));
    mkdirSync(folder, { recursive: true });
    make(folder);
    return { XDG_CACHE_HOME: cache };
  };

  test('are those that were pulled, whatever the repository has by that name', async () => {
    const folder = workspace();
    cpSync(chartsFolder, join(folder, 'v1.6.2'), { recursive: true });
    const run = await runActionHere(folder, { charts: 'v1.6.2' }, undefined, { XDG_CACHE_HOME: newFolder() });
    expect(run.status).toBe(2);
    expect(errors(run).join('\n')).toMatch(
      /the charts of v1\.6\.2 are not in .*: customizer-lint charts pull v1\.6\.2 puts them there/,
    );
  });

  test('are not what somebody else has written into the cache', async () => {
    const other = cacheWith((folder) => writeArtifact(folder, artifact));
    const forged = cacheWith((folder) => {
      writeArtifact(folder, artifact);
      writeFileSync(join(folder, 'blobs/sha256', digest.slice(7)), artifact.manifest);
    });
    const plain = cacheWith((folder) => cpSync(chartsFolder, folder, { recursive: true }));
    for (const [env, words] of [
      [other, 'does not exist'],
      [forged, `what was read as the manifest ${digest} has the digest ${artifact.digest}`],
      [plain, 'does not exist'],
    ] as const) {
      const run = await runActionHere(workspace(), { charts: 'v1.6.2' }, undefined, env);
      expect({ status: run.status, error: errors(run)[0] }).toEqual({
        status: 2,
        error: expect.stringContaining(words),
      });
    }
  });

  test('that nothing is known of are an error', async () => {
    const run = await runActionHere(workspace(), { charts: 'v9.9.9' });
    expect(errors(run)[0]).toContain('of "v9.9.9" no artifact with charts is known, only of v1.5.4 and v1.6.2');
  });
});
