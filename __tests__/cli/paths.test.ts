/** Paths in the reports of a directory of a repository: those of the repository for servers, those of the current directory for people. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { runHere } from '../support/here.js';
import { configMap, createRepo, type Files, kustomization, removeRepo } from '../support/trees.js';

const planted: string[] = [];
afterAll(() => planted.forEach(removeRepo));

const files: Files = {
  'infra/cozy/kustomization.yaml': kustomization({ resources: ['packages/a.yaml'] }),
  'infra/cozy/packages/a.yaml': configMap('a').replace('"data"', '"datum"'),
};

function repository({ isGit = true } = {}): string {
  const folder = createRepo(files);
  planted.push(folder);
  if (isGit) execFileSync('git', ['init', '-q'], { cwd: folder });
  return folder;
}

const inRepository = 'infra/cozy/packages/a.yaml';

/** The path of the finding, as a reader of the format finds it. */
const readers: [string, (text: string) => string | undefined][] = [
  ['json', (text) => JSON.parse(text).findings[0].file],
  ['gitlab', (text) => JSON.parse(text)[0].location.path],
  ['sarif', (text) => JSON.parse(text).runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri],
  ['github', (text) => /^::\w+ file=([^,]*),/m.exec(text)?.[1]],
  ['junit', (text) => /file="([^"]*)"|(infra[^\s:"]*a\.yaml)/.exec(text)?.slice(1).find(Boolean)],
  ['markdown', (text) => /([\w/]*a\.yaml):\d+/.exec(text)?.[1]],
];
const forPeople: [string, (text: string) => string | undefined][] = [
  ['text', (text) => / --> (.*?):\d/.exec(text)?.[1]],
  ['concise', (text) => /^(.*?):\d/.exec(text)?.[1]],
];

describe('path of a finding', () => {
  test.each(readers)('is that of the repository in %s, wherever the command runs', async (format, read) => {
    const folder = repository();
    for (const [args, cwd] of [
      [['infra/cozy'], folder],
      [['./infra/cozy/'], folder],
      [['cozy'], join(folder, 'infra')],
      [['.'], join(folder, 'infra/cozy')],
      [[join(folder, 'infra/cozy')], folder],
      [[join(folder, 'infra/cozy')], undefined],
    ] as const) {
      const { stdout } = await runHere(['check', ...args, '--format', format], { ...(cwd && { cwd }) });
      expect(read(stdout)).toBe(inRepository);
    }
  });

  test.each(readers)('begins at the current directory in %s if there is no git repository', async (format, read) => {
    const folder = repository({ isGit: false });
    const { stdout } = await runHere(['check', 'infra/cozy', '--format', format], { cwd: folder });
    expect(read(stdout)).toBe(inRepository);
  });

  test.each(forPeople)('begins at the current directory in %s, so that a terminal opens it', async (format, read) => {
    const folder = repository();
    const path = async (args: string[], cwd?: string) =>
      read((await runHere(['check', ...args, '--format', format], { ...(cwd && { cwd }) })).stdout);
    expect(await path(['infra/cozy'], folder)).toBe(inRepository);
    expect(await path(['cozy'], join(folder, 'infra'))).toBe('cozy/packages/a.yaml');
    expect(await path(['.'], join(folder, 'infra/cozy'))).toBe('packages/a.yaml');
    // Of a directory elsewhere the path in it is shorter than any from here.
    expect(await path([join(folder, 'infra/cozy')])).toBe('packages/a.yaml');
  });

  test('is the same in a file as on standard output', async () => {
    const folder = repository();
    const file = join(folder, 'report.json');
    await runHere(['check', 'infra/cozy', '--format', `gitlab=${file}`, '--format', 'text'], { cwd: folder });
    expect(JSON.parse(readFileSync(file, 'utf8'))[0].location.path).toBe(inRepository);
  });
});
