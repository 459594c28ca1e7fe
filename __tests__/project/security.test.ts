/** The promises of SECURITY.md name the tests that hold them. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../support/cli.js';

test('every promise names tests that are there', () => {
  const text = readFileSync(join(root, '.github/SECURITY.md'), 'utf8');
  const promises = text.split(/^## /m).find((part) => part.startsWith('Promises')) ?? '';
  const rows = promises.split('\n').filter((line) => /^\| [A-Z]/.test(line) && !line.startsWith('| Promise'));
  expect(rows.length).toBeGreaterThanOrEqual(12);
  for (const row of rows) {
    const named = [...row.matchAll(/`(__tests__\/[^`]+)`/g)].map(([, file = '']) => file);
    expect({ row, named: named.length }).not.toEqual({ row, named: 0 });
    expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  }
});

test('what Scorecard asks of the files is listed, with what holds it', () => {
  const text = readFileSync(join(root, '.github/SECURITY.md'), 'utf8');
  const [, list = ''] = text.split('## Scorecard');
  const rows = list.split('\n').filter((line) => /^\| [A-Z]/.test(line) && !line.startsWith('| Check'));
  // Those that its documentation marks as `local`, without Packaging (release.yaml) and Vulnerabilities (a network).
  const names = ['Binary-Artifacts', 'Dangerous-Workflow', 'Dependency-Update-Tool', 'Fuzzing', 'License'];
  const others = ['Pinned-Dependencies', 'SAST', 'Security-Policy', 'Token-Permissions'];
  expect(rows.map((row) => row.split(' ')[1])).toEqual([...names, ...others]);
  const named = [...list.matchAll(/`((?:__tests__|\.github|\.devcontainer)\/[^`]+|LICENSE)`/g)].map(
    ([, file = '']) => file,
  );
  expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  // What the check of the policy looks for: a link, and what happens in how many days.
  expect(text).toMatch(/https:\/\/\S+[\s\S]*vulnerability/);
});
