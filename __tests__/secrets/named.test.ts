/** Which files the kustomizations of a tree take into Secrets, or patch them with. */
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { namedFiles, textOf } from '../../src/secrets/named.js';
import { treeOf } from '../support/tree-of.js';

const named = (files: Record<string, string | Uint8Array>) => Object.fromEntries(namedFiles(treeOf(files)));
const inRoot = (text: string) => named({ 'kustomization.yaml': text });
const [whole, patch] = [{ whole: true }, { patch: true }];

const rows: [string, string, object][] = [
  ['a file', 'secretGenerator: [{files: [a.txt]}]', { 'a.txt': whole }],
  ['a file under a key', 'secretGenerator: [{files: [key=a.txt]}]', { 'a.txt': whole }],
  ['only the first sign parts them', 'secretGenerator: [{files: [key=a=b.txt]}]', { 'a=b.txt': whole }],
  [
    'several',
    'secretGenerator: [{files: [a.txt, b.txt]}, {files: [c.txt]}]',
    { 'a.txt': whole, 'b.txt': whole, 'c.txt': whole },
  ],
  ['files of variables', 'secretGenerator: [{envs: [a.env, b=c.env]}]', { 'a.env': whole, 'b=c.env': whole }],
  ['the old field for one', 'secretGenerator: [{env: a.env}]', { 'a.env': whole }],
  ['a single file', 'secretGenerator: {files: a.txt}', { 'a.txt': whole }],
  ['no file', 'secretGenerator: [{files: [1, null]}, text, {literals: [a=b]}]', {}],
  ['beside the directory', 'secretGenerator: [{files: [../a.txt]}]', { '../a.txt': whole }],
  ['a generator in a file of its own', 'kind: SecretGenerator\nfiles: [a.txt]', { 'a.txt': whole }],
  ['another generator', 'configMapGenerator: [{files: [a.txt]}] # secretGenerator', {}],
  ['another generator in a file of its own', 'kind: ConfigMapGenerator # secretGenerator\nfiles: [a.txt]', {}],
  ['a field whose name is escaped', '"secret\\x47enerator": [{files: [a.txt]}]', { 'a.txt': whole }],
  ['by an alias', 'x: &g [{files: [a.txt]}]\nsecretGenerator: *g', { 'a.txt': whole }],
  ['by a merge', 'x: &g {files: [a.txt]}\nsecretGenerator: [{<<: *g}]', { 'a.txt': whole }],
  ['in the second document', 'a: b\n---\nsecretGenerator: [{files: [a.txt]}]', { 'a.txt': whole }],
  ['below something', 'spec: [{secretGenerator: [{files: [a.txt]}]}]', { 'a.txt': whole }],
  ['a patch', 'patches: [{path: p.yaml, target: {kind: Secret}}]', { 'p.yaml': patch }],
  ['a patch of another kind', 'patches: [{path: p.yaml, target: {kind: ConfigMap}}]', {}],
  ['a patch without a target', 'patches: [{path: p.yaml}] # target', {}],
  ['a patch without a file', 'patches: [{path: [p.yaml], target: {kind: Secret}}]', {}],
  [
    'a file that is both',
    'secretGenerator: [{files: [p]}]\npatches: [{path: p, target: {}}]',
    { p: { ...whole, ...patch } },
  ],
  [
    'the same the other way round',
    'patches: [{path: p, target: {}}]\nsecretGenerator: [{files: [p]}]',
    { p: { ...whole, ...patch } },
  ],
];

test.each(rows)('%s', (_, text, expected) => {
  expect(inRoot(text)).toEqual(expected);
});

test.each(rows.filter(([, text]) => !text.includes('---')))('as JSON: %s', (_, text, expected) => {
  expect(inRoot(JSON.stringify(parse(text, { merge: true })))).toEqual(expected);
});

const json = '{"secretGenerator": [{"files": ["a.txt"]}]}';
test.each([
  ['with a mark', `\uFEFF${json}`, { 'a.txt': whole }],
  ['with a comment', `${json} # own`, { 'a.txt': whole }],
  ['in two documents', `{}\n---\n${json}`, { 'a.txt': whole }],
  ['with escaped letters', json.replace('sec', '\\u0073ec').replace('a.t', '\\u0061.t'), { 'a.txt': whole }],
  ['with a key twice, of which the last counts', json.replace('{', '{"secretGenerator": [],'), { 'a.txt': whole }],
  ['with a merge key, which in quotes is none', '{"secretGenerator": [{"<<": {"files": ["a.txt"]}}]}', {}],
])('JSON %s', (_, text, expected) => {
  expect(inRoot(text)).toEqual(expected);
});

test('a path is seen from the file that has it', () => {
  expect(named({ 'apps/db/kustomization.yaml': 'secretGenerator: [{files: [a.txt, ../b.txt]}]' })).toEqual({
    'apps/db/a.txt': whole,
    'apps/b.txt': whole,
  });
});

test('only a file that kustomize may read names others', () => {
  const text = 'secretGenerator: [{files: [a.txt]}]';
  expect(named({ 'notes.txt': text })).toEqual({});
  expect(named({ Kustomization: text })).toEqual({ 'a.txt': whole });
});

test('what is too deep, or too long, names none, and keeps no other from it', () => {
  const text = (file: string) => `secretGenerator: [{files: [${file}]}]\n`;
  const long = (length: number, file: string) => text(file).padEnd(length, '#');
  const files = {
    'a.yaml': `${text('deep.txt')}x: ${'['.repeat(200)}${']'.repeat(200)}\n`,
    'b.yaml': long((1 << 20) + 1, 'long.txt'),
    'c.yaml': text('c.txt'),
  };
  expect(named(files)).toEqual({ 'c.txt': whole });
});

test('of a tree so much is searched, and no more', () => {
  // Eight files of the largest size are what there is room for; all but the names of their files is a comment.
  const file = (name: string, length: number) => `secretGenerator: [{files: [${name}]}]\n#`.padEnd(length, 'x');
  const eight = Array.from({ length: 8 }, (_, index) => [`${index}.yaml`, file(`${index}.txt`, 1 << 20)]);
  const found = named({ ...Object.fromEntries(eight), '8.yaml': file('8.txt', 100) });
  expect(Object.keys(found).sort()).toEqual(eight.map((_, index) => `${index}.txt`));
});

const utf16 = (text: string, mark: number[], isBig: boolean) => {
  const bytes = Buffer.from(text, 'utf16le');
  return Buffer.concat([Buffer.from(mark), isBig ? bytes.swap16() : bytes]);
};
test.each([
  ['UTF-8', Buffer.from('kind: a'), 'kind: a'],
  ['UTF-16, the low byte first', utf16('kind: a', [0xff, 0xfe], false), 'kind: a'],
  ['UTF-16, the high byte first', utf16('kind: a', [0xfe, 0xff], true), 'kind: a'],
  ['nothing', Buffer.from(''), ''],
])('a file in %s is read', (_, bytes, expected) => {
  expect(textOf(treeOf({ 'a.yaml': bytes }), 'a.yaml')).toBe(expected);
});

test('a file that is not there has no text', () => {
  expect(textOf(treeOf({}), 'a.yaml')).toBeUndefined();
});
