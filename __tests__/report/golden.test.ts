import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { type Format, formats, report } from '../../src/report/index.js';
import { cleanRun, richRun } from './runs.js';

const endings: Record<Format, string> = {
  text: 'txt',
  concise: 'concise.txt',
  json: 'json',
  sarif: 'sarif',
  github: 'log',
  markdown: 'md',
  gitlab: 'gitlab.json',
  junit: 'xml',
};
const options = { color: false, quiet: false };

/** `UPDATE_GOLDEN=1` writes the files anew, for a person to read the difference. */
function expectFile(name: string, text: string): void {
  const file = new URL(`golden/${name}`, import.meta.url);
  if (process.env.UPDATE_GOLDEN) writeFileSync(file, text);
  expect(text).toBe(readFileSync(file, 'utf8'));
}

test.each(formats)('%s, with everything at once', (format) => {
  expectFile(`rich.${endings[format]}`, report(format, richRun(), options));
});

test.each(formats)('%s, with nothing found', (format) => {
  expectFile(`clean.${endings[format]}`, report(format, cleanRun(), options));
});

test.each(formats)('%s says the same twice', (format) => {
  expect(report(format, richRun(), options)).toBe(report(format, richRun(), options));
});

test.each(formats)('%s holds nothing that a runner takes as a command', (format) => {
  const lines = report(format, richRun(), options).split('\n');
  const ours = /^::(?:error|warning|notice) (?:[a-zA-Z]+=[^:,\r]*,?)+::[^\r]*$/;
  const commands = lines.filter((line) => line.includes('##[') || line.trimStart().startsWith('::'));
  expect(commands.filter((line) => format !== 'github' || !ours.test(line))).toEqual([]);
});

test.each(formats)('%s shows no secret, and no character that hides or turns others', (format) => {
  const text = report(format, richRun(), options);
  expect(text).not.toContain('hunter2');
  expect(text).not.toMatch(/(?![\n\t])[\p{Cf}\p{Cc}]/u);
});
