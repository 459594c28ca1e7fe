/** The table of commands and options: what each command takes. */
import { describe, expect, test } from '@jest/globals';
import { readArguments } from '../../src/cli/arguments.js';
import { type CommandName, commands } from '../../src/cli/options.js';

const names = Object.keys(commands) as CommandName[];
/** With `--help` a command needs nothing else. */
const accepts = (...line: string[]) =>
  !messageOf(() => readArguments([...line, '--help'])).includes('is not an option of');

function messageOf(work: () => unknown): string {
  try {
    work();
    return '';
  } catch (error) {
    return String(error);
  }
}

const taking = (option: string) => names.filter((name) => accepts(name, option));

test('every command but those that read no repository has limits that can be set', () => {
  const rendering = names.filter((name) => !['rules', 'snapshot', 'charts', 'completion'].includes(name));
  expect(taking('--max-seconds=5')).toEqual(names.filter((name) => rendering.includes(name) || name === 'charts'));
  expect(taking('--max-memory=512')).toEqual(rendering);
});

test('every command but those that read no repository can be told where to look', () => {
  const reading = names.filter((name) => !['rules', 'snapshot', 'charts', 'completion'].includes(name));
  expect(taking('--path=apps')).toEqual(reading);
  expect(taking('--config=a.yaml')).toEqual(reading);
});

describe('an option that decides what comes of a run', () => {
  test.each<[string, CommandName[]]>([
    ['--fail-on=warning', ['check', 'fix']],
    ['--select=dead-patch', ['check']],
    ['--ignore=dead-patch', ['check']],
    ['--severity=dead-patch=error', ['check']],
    ['--statistics', ['check']],
    ['--color=never', ['check', 'fix', 'diff', 'audit']],
    ['--only-new', ['check', 'fix']],
    ['--base=main', ['check', 'fix', 'diff', 'explain']],
    ['--simulate', ['check']],
    ['--live=a.yaml', ['check', 'diff', 'audit', 'explain']],
    ['--unsafe', ['fix']],
    ['--rule=a-rule', ['fix']],
    ['--fresh', ['diff']],
    ['--kubeconfig=a', ['audit']],
    ['--release=v1.6.2', ['check', 'fix', 'diff', 'render', 'audit', 'explain', 'graph']],
    ['--cluster=a', ['check', 'diff', 'render', 'inventory', 'audit', 'explain', 'graph']],
  ])('%s is one of %j', (option, expected) => {
    expect(taking(option)).toEqual(expected);
  });
});

test.each<[CommandName, string[]]>([
  ['check', ['text', 'concise', 'json', 'sarif', 'github', 'markdown', 'gitlab', 'junit']],
  ['diff', ['text', 'json', 'markdown']],
  ['render', ['yaml', 'json', 'digest']],
  ['inventory', ['text', 'json']],
  ['audit', ['text', 'json']],
  ['explain', ['text', 'json']],
  ['graph', ['dot', 'mermaid', 'json']],
  ['rules', ['text', 'json', 'schema']],
])('the formats of %s are %j', (name, expected) => {
  const all = [
    'text',
    'concise',
    'json',
    'sarif',
    'github',
    'markdown',
    'gitlab',
    'junit',
    'yaml',
    'digest',
    'dot',
    'mermaid',
  ];
  const taken = [...all, 'schema', 'other'].filter(
    (format) => !/use one of|did you mean/.test(messageOf(() => readArguments([name, `--format=${format}`, '--help']))),
  );
  expect(taken.sort()).toEqual(expected.toSorted());
});
