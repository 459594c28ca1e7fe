/** SARIF as Microsoft's multitool judges it, with its rules for GitHub: more than the schema can say. */
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { readTool } from '../../src/core/version.js';
import { report } from '../../src/report/index.js';
import { describedRules } from '../../src/rules/page.js';
import { root } from '../support/cli.js';
import { createRepo, removeRepo } from '../support/trees.js';
import { at, cleanRun, finding, richRun, sources } from './runs.js';

const multitool = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'sarif-multitool'))
  .find((file) => existsSync(file));
if (!multitool)
  console.log(
    'skipped: the judgement of the SARIF multitool, which is not here: npm install -g @microsoft/sarif-multitool@5.7.0',
  );

/** So that it needs no library for languages. */
const invariant = { DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1' };

const planted: string[] = [];
afterAll(() => planted.forEach(removeRepo));

/** What it says of a report, a line for each remark. */
function remarks(text: string): string[] {
  const folder = createRepo({});
  planted.push(folder);
  writeFileSync(join(folder, 'report.sarif'), text);
  // It hands its arguments to a shell, for which a semicolon is more than a character.
  const args = ['validate', '--rule-kind', '"Sarif;Ghas"', 'report.sarif'];
  const { stdout, stderr } = spawnSync(multitool as string, args, {
    cwd: folder,
    encoding: 'utf8',
    // It would look up the page of each rule; nobody answers on this port.
    env: { ...invariant, PATH: process.env.PATH ?? '', HOME: folder, HTTPS_PROXY: 'http://127.0.0.1:9' },
  });
  expect(`${stdout}${stderr}`).toContain('Analysis completed successfully');
  return stdout.split('\n').filter((line) => /: (?:error|warning) /.test(line));
}

const gone = { ...sources({ 'base:a.yaml': 'kind: A\n' }), has: () => false };

(multitool ? test : test.skip).each([
  ['everything', richRun()],
  ['nothing', cleanRun()],
  ['a line that is gone', cleanRun({ findings: [finding({ at: at('a.yaml', 1, 1, 5, 'base') })], sources: gone })],
])('GitHub is given what it asks for in a report of %s', (_, run) => {
  const rules = describedRules(readTool(root));
  const options = { color: false, quiet: false, rules, category: 'prod' };
  expect(remarks(report('sarif', run, options))).toEqual([]);
});
