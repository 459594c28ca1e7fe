/**
 * Where a mistake in the syntax of a file is reported: at the line that somebody would correct, whichever file it is in and whichever
 * of the parsers of Flux reads it. Only Flux decides whether there is one.
 */
import { describe, expect, test } from '@jest/globals';
import { mistakeIn } from '../../src/yaml/mistake.js';
import { runHere } from '../support/here.js';
import { createRepo, removeRepo } from '../support/trees.js';

const head = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n';

/** The mistake is at the `‸`. */
const mistakes: [name: string, text: string][] = [
  ['a tab before the first key', 'data:\n\t‸b: "1"\n'],
  ['a tab before a later key', 'data:\n  b: "1"\n\t‸c: "2"\n'],
  ['a tab behind spaces', 'data:\n  x:\n    b: "1"\n  \t‸c: "2"\n'],
  ['two tabs, three levels down', 'data:\n  x:\n    y:\n\t\t‸b: "1"\n'],
  ['a tab before a list', 'data:\n  x:\n\t‸- b\n'],
  ['a tab below an item', 'data:\n  x:\n  - b: 1\n\t‸c: 2\n'],
  ['a tab as the indentation of a block scalar', 'data:\n  b: |\n\t‸text\n  c: 1\n'],
  ['a tab far behind a flow list that ends at the margin', 'data:\n  d: [a,\nb]\n  k: v\n  l: w\n\t‸z: 1\n'],
  ['a variable in a flow map', 'data: {b: $‸{VAR}}\nmore: 1\n'],
  ['a variable in a nested flow map', 'data:\n  x: 1\n  y: {b: $‸{VAR}, c: 1}\n  z: 2\n'],
  ['a variable and a colon', `data:\n  b: ‸\${VAR}: x\n  c: 1\n`],
  ['a key that goes back by one', 'data:\n  x:\n    b: 1\n   ‸c: 2\n  d: 1\n'],
  ['a key that goes back by one at the end', 'data:\n  b: 1\n ‸c: 2\nd: 1\n'],
  ['a key one too far', 'data:\n  b: 1\n   ‸c: 2\n'],
  ['a key one too far behind a quoted text', 'data:\n  b: "1"\n   ‸c: 2\n'],
  ['a double quote that is closed in the next line', 'data:\n  b: ‸"1\n  c: "2"\n  d: 3\n'],
  ['a double quote that is never closed', 'data:\n  b: ‸"1\n  c: 2\n  d: 3\n'],
  ['a single quote that is closed in the next line', "data:\n  b: ‸'x\n  c: 'y'\n  d: 3\n"],
  ['a single quote that is never closed', "data:\n  b: ‸'x\n  c: y\n"],
  ['a quote of a key that is never closed', 'data:\n  ‸"b: 1\n  c: 2\n'],
  ['an open bracket', 'data:\n  b: ‸[1, 2\n  c: 3\n  d: 4\n'],
  ['an open bracket at the end', 'data:\n  c: 1\n  b: ‸[1, 2\n'],
  ['an open brace', 'data:\n  b: ‸{x: 1\n  c: 3\n  d: 4\n'],
  ['an open bracket within braces', 'data:\n  b: {\n    x: ‸[1, 2\n  }\n  c: 1\n'],
  ['a bracket too many', 'data:\n  b: [1, 2]‸]\n  c: 3\n'],
  ['a brace too many', 'data:\n  b: {x: 1}‸}\n  c: 3\n'],
  ['a comma that is missing', 'data:\n  b: {\n    "a": "1‸"\n    "b": "2"\n  }\n  c: 1\n'],
  ['a missing colon', 'data:\n  b: 1\n  ‸c 2\n  d: 3\n'],
  ['a missing colon in the last line', 'data:\n  b: 1\n  ‸c\n'],
  ['a missing colon of a parent', '‸data\n  b: 1\n  c: 2\n'],
  ['a second colon', 'data:\n  b: ‸c: d\n  e: 1\n'],
  ['no space behind a colon', 'data:\n  ‸b:1\n  c: 2\n'],
  ['no space behind a later colon', 'data:\n  a: 1\n  ‸b:1\n  c: 2\n'],
  ['no space behind the last colon', 'data:\n  a: 1\n  ‸b:1\n'],
  ['an item that goes back by one', 'data:\n  x:\n    - a\n   ‸- b\n'],
  ['an item one too far', 'data:\n  x:\n    - a: 1\n     ‸- b: 1\n'],
  ['an item among keys', 'data:\n  a: 1\n  ‸- b\n'],
  ['a key among items', 'data:\n  - a\n  ‸b: 1\n  c: 2\n'],
  ['a key that goes back by one in an item', 'data:\n  x:\n    - a: 1\n      b: 1\n     ‸c: 1\n'],
  ['a list behind a key', 'data:\n  b: ‸- x\n  c: 1\n'],
  ['a block scalar that is not indented', 'data:\n  b: |\n  ‸text here\n  more text\n  c: 1\n'],
  ['a block scalar that goes back by one', 'data:\n  b: |\n    text\n   ‸less: text\n  c: 1\n'],
  ['a block scalar that goes on at the margin', 'data:\n  b: |\n    text here\n‸more text\nc: 1\n'],
  ['a wrong header of a block scalar', 'data:\n  b: |‸x\n    text here\n  c: 1\n'],
  ['a text behind the header of a block scalar', 'data:\n  b: | ‸text\n    text here\n  c: 1\n'],
  ['an at sign', 'data:\n  b: ‸@x\n  c: 1\n'],
  ['a backtick', 'data:\n  b: ‸`x`\n  c: 1\n'],
  ['a percent sign', 'data:\n  b: ‸%x\n  c: 1\n'],
  ['a key with an at sign', 'data:\n  ‸@x: 1\n  c: 1\n'],
  ['an asterisk alone', 'data:\n  b: ‸*\n  c: 1\n'],
  ['a glob, which only go-yaml refuses', 'data:\n  ‸b: *.example.org\n  c: 1\n'],
  ['an escape that is none', 'data:\n  c: 1\n  b: "C:‸\\path"\n'],
  ['an escape that is none, in the second line of a text', 'data:\n  b: "a\n    b‸\\d"\n  c: 1\n'],
  ['half of a surrogate pair, which only go-yaml refuses', 'data:\n  ‸b: "\\uD800"\n  c: 1\n'],
  ['a text behind a closing quote', 'data:\n  b: "x" ‸y\n  c: 1\n'],
  ['an apostrophe in single quotes', "data:\n  b: 'it'‸s'\n  c: 1\n"],
  ['a text behind a list', 'data:\n  b: [1] ‸x\n  c: 1\n'],
  ['a separator within a list', 'data:\n  b: ‸[1,\n---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: b\n'],
  ['a separator within a quoted text', 'data:\n  b: ‸"1\n---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: b\n'],
  ['the end of the document within a list', 'data:\n  b: ‸[1,\n...\n'],
  ['a merge that was not finished', 'data:\n‸<<<<<<< HEAD\n  b: 1\n=======\n  b: 2\n>>>>>>> x\n'],
  ['a template of Helm', 'data:\n  b: 1\n‸{{- if .Values.x }}\n  c: 1\n{{- end }}\n'],
  ['a control character, which only go-yaml refuses', 'data:\n  b: a‸\u0007b\n  c: 1\n'],
];

const atTheTop: [name: string, text: string][] = [
  ['a tab at the top', '\t‸apiVersion: v1\nkind: ConfigMap\n'],
  ['an at sign at the top', `‸@x: 1\n${head}`],
  ['an open quote at the top', 'apiVersion: ‸"v1\nkind: ConfigMap\nmetadata:\n  name: a\n'],
  ['a missing colon at the top', '‸apiVersion v1\nkind: ConfigMap\nmetadata:\n  name: a\n'],
  ['the second line too far', 'apiVersion: v1\n ‸kind: ConfigMap\nmetadata:\n  name: a\n'],
  ['a tab in the second line', 'apiVersion: v1\n\t‸kind: ConfigMap\nmetadata:\n  name: a\n'],
  ['a key that goes back by one, below comments', `# c\n# d\n${head}data:\n  x:\n    b: 1\n   ‸c: 2\n`],
  ['a missing colon in the second document', `# first\n\n---\n# second\n${head}data:\n  ‸x 1\n  y: 2\n`],
];

const all = [...mistakes.map(([name, text]) => [name, head + text] as const), ...atTheTop];

const toKustomization = (text: string) =>
  text
    .replaceAll('apiVersion: v1', 'apiVersion: kustomize.config.k8s.io/v1beta1')
    .replaceAll('apiVersion: ‸"v1', 'apiVersion: ‸"kustomize.config.k8s.io/v1beta1')
    .replaceAll('kind: ConfigMap', 'kind: Kustomization');
const listed = 'resources:\n  - a.yaml\n';
const patched = 'resources:\n  - b.yaml\npatches:\n  - path: a.yaml\n';

/** Where the text of a mistake stands, and what is around it. */
const places: [name: string, file: string, text: (text: string) => string, around: Record<string, string>][] = [
  ['a resource', 'a.yaml', (text) => text, { 'kustomization.yaml': listed }],
  [
    'a resource with Windows line ends',
    'a.yaml',
    (text) => text.replaceAll('\n', '\r\n'),
    { 'kustomization.yaml': listed },
  ],
  ['a second document', 'a.yaml', (text) => `${head}---\n${text}`, { 'kustomization.yaml': listed }],
  ['a folder without a kustomization.yaml', 'a.yaml', (text) => text, {}],
  ['a kustomization.yaml', 'kustomization.yaml', toKustomization, {}],
  ['a patch', 'a.yaml', (text) => text, { 'kustomization.yaml': patched, 'b.yaml': head }],
];

type Found = { file: string; line?: number; column?: number; message: string; rule: string; help?: string };

async function check(folders: Record<string, Record<string, string>>): Promise<Found[]> {
  const files = Object.entries(folders).flatMap(([folder, some]) =>
    Object.entries(some).map(([file, text]) => [`${folder}/${file}`, text]),
  );
  const repo = createRepo(Object.fromEntries(files));
  const paths = Object.keys(folders).flatMap((folder) => ['--path', folder]);
  const { stdout } = await runHere(['check', repo, ...paths, '--format', 'json', '--max-seconds', '300']);
  removeRepo(repo);
  return JSON.parse(stdout).findings;
}

function placeOf(text: string): string {
  const before = text.slice(0, text.indexOf('‸')).split('\n');
  return `${before.length}:${(before.at(-1) ?? '').length + 1}`;
}

describe.each(places)('in %s', (where, file, toText, around) => {
  // A patch is refused in other words, and a character in it by another parser, which names no line.
  const isSkipped = (name: string) =>
    (where === 'a patch' && /^a control|far behind|^a tab at the top/.test(name)) ||
    // What is above is another document there, or a second one, which counts for nothing in a kustomization.
    (where === 'a second document' && /second document/.test(name));
  const some = all.filter(([name]) => !isSkipped(name)).map(([name, text]) => [name, toText(text)] as const);

  test('a mistake is reported where it is to be corrected', async () => {
    const folders = some.map(([, text], index) => [`f${index}`, { ...around, [file]: text.replace('‸', '') }]);
    const findings = await check(Object.fromEntries(folders));
    const found = some.map(([name], index) => {
      const own = findings.filter((one) => one.file.startsWith(`f${index}/`));
      return [
        name,
        own.map(({ file: at, line, column }) => `${at.replace(/^f\d+\//, '')}:${line}:${column}`).join(' '),
      ];
    });
    expect(Object.fromEntries(found)).toEqual(
      Object.fromEntries(some.map(([name, text]) => [name, `${file}:${placeOf(text)}`])),
    );
  }, 120_000);
});

test('a tab is called a tab, and a variable that lacks quotes by its name', async () => {
  const texts = Object.fromEntries(all);
  const folder = (name: string) => ({ 'kustomization.yaml': listed, 'a.yaml': (texts[name] ?? '').replace('‸', '') });
  const tabs = all.map(([name]) => name).filter((name) => /\btabs?\b/.test(name));
  const findings = await check(Object.fromEntries(tabs.map((name, index) => [`f${index}`, folder(name)])));
  expect(tabs.length).toBeGreaterThan(7);
  expect(findings.map(({ message }) => message)).toEqual(
    tabs.map(() => 'invalid YAML: a line is indented with a tab; use spaces'),
  );
  const [variable] = await check({ v: folder('a variable in a flow map') });
  expect(variable?.help).toBe(`put "\${VAR}" in quotes`);
});

test('what Flux accepts is none, though other parsers refuse it', async () => {
  const texts = [
    'data:\n  b: [a,\nb]\n',
    'data:\n  b: {\n\ta: 1,\n  }\n',
    'data:\n  b: [a "b"]\n',
    'data:\n  b: 1\n%YAML 1.2\n',
  ];
  const folders = texts.map((text, index) => [`f${index}`, { 'kustomization.yaml': listed, 'a.yaml': head + text }]);
  const findings = await check(Object.fromEntries(folders));
  expect(findings.filter(({ rule }) => rule === 'unbuildable-kustomization')).toEqual([]);
});

describe('of what go-yaml says', () => {
  const at = (text: string, refusal: Parameters<typeof mistakeIn>[1]) => {
    const found = mistakeIn(text, refusal);
    return found && text.slice(found.start, found.end);
  };

  test('the line is what is left where the other parser finds nothing there', () => {
    expect(at('a: 1\n  \nb: 2 \n', { reason: 'x', line: 3, names: 'begin' })).toBe('b: 2');
    expect(at('a: 1\nb: 2\n', { reason: 'did not find expected key', line: 1, names: 'begin' })).toBe('b: 2');
    expect(at('a: 1', { reason: 'x', line: 7, names: 'stop' })).toBe('a: 1');
    expect(at('a: 1\n', { reason: 'x', names: 'stop' })).toBeUndefined();
  });

  test('nothing is asked of a text that is too deep', () => {
    expect(at(`a: ${'['.repeat(200)}\nb: c\n`, { reason: 'x', line: 2, names: 'stop' })).toBe('b: c');
  });

  test('a character that is not UTF-8 is found', () => {
    expect(at('a: 1\nb: \ufffdx\n', { reason: 'yaml: invalid leading UTF-8 octet', names: 'stop' })).toBe('\ufffd');
  });
});
