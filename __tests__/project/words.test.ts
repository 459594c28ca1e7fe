/**
 * The words of docs/writing.md: what a reader of a report sees is short, and in the terms of the field. Measured are the reports of all
 * fixtures (`rules/*\/*.txt`), with every name that is longer than 30 characters counted as 30, the pages and summaries of the rules, and
 * the documents, which have no limit.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { defaults } from '../../src/config/config.js';
import { configSchema } from '../../src/config/schema.js';
import { stageProblems, stagesOf } from '../../src/lint/stages.js';
import { rules } from '../../src/rules/index.js';
import { root } from '../support/cli.js';

const limits = { message: 160, help: 200 };
const longestName = 30;

/** What is not written, and what is written for it. */
const instead: readonly [RegExp, string][] = [
  [/without (?:a|saying a) word/i, 'silently'],
  [/\bfor ?ever\b/i, 'indefinitely; never becomes ready'],
  [/\b(?:stands?|there) twice\b|\ba key twice\b/i, 'duplicate'],
  [/\btells? of\b/i, 'describes; reports'],
  [/\banew\b/i, 'again; recreates'],
  [/\bin vain\b/i, 'fails; waits indefinitely'],
  [/\b(?:some|no)body\b/i, 'another …; no …'],
  [/\bpeople\b/i, 'users'],
  [/\bas far as (?:is|it is|they were) (?:known|checked)\b/i, 'what is not known, by its name'],
  [/\b(?:is|are|was|were) not there\b|\bis none\b/i, 'does not exist'],
  [/\btakes? the place of\b/i, 'replaces'],
  [/\b(?:Flux|kustomize|Helm|kubectl|the API server|the server) says?\b/, 'reports'],
  [/\bmay not\b/i, 'is not allowed to'],
  [/\blives? by\b|\bof one mind\b|\bis meant by\b|\bcomes? of it\b|\blets? go\b/i, 'plain words'],
  [/\bwhat is set for\b/i, 'its values'],
  [/\bat all\b/i, ''],
  [/\beverything but\b/i, 'all except'],
  [/\bwhose it is\b/i, 'its owner'],
  [/[’]/, "'"],
];

/** Rules whose words are still to be written; one that holds is taken off. */
const unwritten = new Set<string>([]);

const fixtures = join(root, '__tests__', 'rules');

type Line = { rule: string; part: 'message' | 'help'; text: string; file: string };

/** Messages and helps of all reports, by the rule that they are of. */
const lines: Line[] = [
  ...readdirSync(fixtures).flatMap((id) =>
    readdirSync(join(fixtures, id))
      .filter((name) => name.endsWith('.txt'))
      .flatMap((name) => partsOf(readFileSync(join(fixtures, id, name), 'utf8'), `${id}/${name}`)),
  ),
  ...skippedStages(),
];

/** As they are printed: a fixture is compared without what the fixtures of other rules change. */
function skippedStages(): Line[] {
  const without = [undefined, ['there is no token', 'the base commit is not in the clone']].flatMap((reasons) =>
    stagesOf([], { tree: undefined, missing: reasons }),
  );
  const config = { ...defaults(), require: [...configSchema(rules).properties.require.items.enum] };
  const all = [[], ...without.map((stage) => [stage])].flatMap((stages) => stageProblems(config, { stages }));
  return all.map(({ rule, message }) => ({ rule, part: 'message', text: message, file: 'src/lint/stages.ts' }));
}

function partsOf(report: string, file: string): Line[] {
  let rule = '';
  return report.split('\n').flatMap((line): Line[] => {
    const [, id, message] = /^(?:error|warning|notice)\[([a-z-]+)\]: (.*)$/.exec(line) ?? [];
    if (id !== undefined && message !== undefined) {
      rule = id;
      return [{ rule, part: 'message', text: message, file }];
    }
    const help = /^ *= help: (.*)$/.exec(line)?.[1];
    return help === undefined ? [] : [{ rule, part: 'help', text: help, file }];
  });
}

/** Its length with every name of more than 30 characters as one of 30. */
function lengthOf(text: string): number {
  const cut = (name: string) => name.slice(0, longestName);
  return text.replace(/"([^"]*)"/g, (_, name) => `"${cut(name)}"`).replace(/[^\s"]+/g, cut).length;
}

/** Our own words: what stands in quotes is the repository's. */
function faultsOf(text: string): string[] {
  const own = text.replace(/"[^"]*"/g, '""').replace(/`[^`]*`/g, '``');
  return instead.flatMap(([words, better]) => {
    const found = words.exec(own)?.[0];
    return found === undefined ? [] : [`"${found}": ${better}`];
  });
}

function faults({ part, text, file }: Line): string[] {
  const length = lengthOf(text);
  const tooLong = length > limits[part] ? [`${length} characters, at most ${limits[part]}`] : [];
  return [...faultsOf(text), ...tooLong].map((fault) => `${file} ${part}: ${fault}: ${text}`);
}

function page(id: string): string {
  const text = readFileSync(join(root, 'src/rules', id, 'README.md'), 'utf8');
  return text.replace(/```[\s\S]*?```/g, '').replace(/^##? .*$/gm, '');
}

describe.each(rules.map(({ id, summary }) => [id, summary] as const))('%s', (id, summary) => {
  const found = [
    ...lines.filter(({ rule }) => rule === id).flatMap(faults),
    ...faultsOf(summary).map((fault) => `summary: ${fault}: ${summary}`),
    ...page(id)
      .split('\n')
      .flatMap((line) => faultsOf(line).map((fault) => `page: ${fault}: ${line}`)),
  ];
  const all = [...new Set(found)];
  if (unwritten.has(id)) test('its words are still to be written', () => expect(all).not.toEqual([]));
  else test('is short, and in the words of the field', () => expect(all).toEqual([]));
});

/** The guide itself names the words. */
const documents = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md') && name !== 'writing.md')
    .map((name) => `docs/${name}`),
];

/** Without code and reports. The lines of a paragraph are one, as what is not written may be wrapped. */
function paragraphs(text: string): string[] {
  return text
    .replace(/^ *```[\s\S]*?^ *```$/gm, '')
    .split(/\n(?=\s*\n| *[-*|#>]| *\d+\.)/)
    .map((part) => part.replace(/\s+/g, ' ').trim());
}

test.each(documents)('%s is in the words of the field', (name) => {
  const parts = paragraphs(readFileSync(join(root, name), 'utf8'));
  expect(parts.flatMap((part) => faultsOf(part).map((fault) => `${fault}: ${part}`))).toEqual([]);
});

test('a paragraph is read as a whole, and without code', () => {
  expect(paragraphs('It waits for\never.\n\n- one\n- two\n```text\nfor ever\n```\n').filter(Boolean)).toEqual([
    ...['It waits for ever.', '- one', '- two'],
  ]);
});

test('what is measured is there, and a long name is no long message', () => {
  expect(lines.filter(({ part }) => part === 'message').length).toBeGreaterThan(700);
  expect(lines.filter(({ part }) => part === 'help').length).toBeGreaterThan(500);
  expect(lengthOf(`"${'a'.repeat(99)}" x`)).toBe(34);
  expect(faultsOf('it waits for ever')).toEqual(['"for ever": indefinitely; never becomes ready']);
  expect(faultsOf('"for ever" is a name')).toEqual([]);
  expect(existsSync(join(root, 'docs/writing.md'))).toBe(true);
});
