/** What is read from `.customizer-lint.yaml`, and what is said of mistakes in it. */
import { describe, expect, test } from '@jest/globals';
import { defaults, readConfig, requireConfig } from '../../src/config/config.js';
import type { Tree } from '../../src/core/model.js';
import { collectTree } from '../../src/tree/tree.js';
import { treeOf } from '../support/tree-of.js';

const file = '.customizer-lint.yaml';
const rules = [
  {
    id: 'a-rule',
    summary: 'what it finds',
    options: { days: { type: 'integer', minimum: 1 }, names: { type: 'array' } },
  },
];
const readFrom = (tree: Tree, named?: string) => readConfig(tree, rules, named);
const read = (content: unknown) =>
  readFrom(treeOf({ [file]: typeof content === 'string' ? content : JSON.stringify(content) }));
/** What is said, each with its place. */
const said = async (content: unknown) =>
  (await read(content)).problems.map(({ message, help, at }) => [
    ...[(at as unknown as { path: (string | number)[] }).path.join('.'), message],
    ...(help === undefined ? [] : [help]),
  ]);

describe('the configuration', () => {
  test('is none where there is no file', async () => {
    expect(await readFrom(treeOf({}))).toEqual({ config: undefined, problems: [] });
  });

  test('says nothing where the file is empty', async () => {
    expect(await read('')).toEqual({ config: defaults(), problems: [] });
    expect(await read('# nothing\n')).toEqual({ config: defaults(), problems: [] });
  });

  test('is what the file says, and a severity alone stands for a map of it', async () => {
    const config = { entrypoints: ['apps'], cluster: { release: 'v1.6.2' }, require: ['base'] };
    expect(await read({ ...config, rules: { 'a-rule': 'off' } })).toEqual({
      config: { ...defaults(), ...config, rules: { 'a-rule': { severity: 'off' } } },
      problems: [],
    });
    expect((await read({ rules: { 'a-rule': { days: 3 } } })).config?.rules).toEqual({ 'a-rule': { days: 3 } });
  });

  test('is that of the file that is asked for', async () => {
    const tree = treeOf({ 'a.yaml': '{"require": ["base"]}', [file]: '{}' });
    expect((await readFrom(tree, 'a.yaml')).config).toEqual({ ...defaults('a.yaml'), require: ['base'] });
    expect(() => requireConfig(tree, 'b.yaml')).toThrow('--config b.yaml: there is no such file in a test');
    expect(() => requireConfig(tree, 'a.yaml')).not.toThrow();
    expect(() => requireConfig(tree, undefined)).not.toThrow();
  });

  test('says nothing where the file cannot be read, and that is said', async () => {
    const { link, tree } = collectTree('head', 'a test');
    link(file);
    const message = 'The configuration is a symbolic link, which is not followed';
    const at = { revision: 'head', file, document: 0, path: [], part: 'key' };
    expect(await readFrom(tree())).toEqual({ config: defaults(), problems: [{ rule: 'invalid-config', message, at }] });
    const large = await readFrom(treeOf({ [file]: '#'.repeat((4 << 20) + 1) }));
    expect(large.config).toEqual(defaults());
    expect(large.problems.map((one) => one.message)).toEqual([
      'The configuration is 4194305 bytes, over the limit of 4194304',
    ]);
  });

  test('with a mistake says nothing at all', async () => {
    expect((await read({ require: ['base'], clutser: {} })).config).toEqual(defaults());
  });
});

describe('a file with nearly the name of the configuration', () => {
  const found = async (files: Record<string, string>, named?: string) =>
    (await readFrom(treeOf(files), named)).problems.map(({ message, help }) => [message, help]);
  const rename = 'rename it to .customizer-lint.yaml';

  test.each([
    '.customizer-lint.yml',
    '.customizer-lint.json',
    '.customizer-lint.yaml.yaml',
    '.customizer-lint',
    'customizer-lint.yaml',
    '.Customizer-Lint.yaml',
    '.customizerlint.yaml',
  ])('%s is told of', async (name) => {
    expect(await found({ [name]: '{}' })).toEqual([[`"${name}" is not read`, rename]]);
    expect((await readFrom(treeOf({ [name]: '{}' }))).config).toBeUndefined();
  });

  test('is told of beside the right one, which counts', async () => {
    const { config, problems } = await readFrom(
      treeOf({ [file]: '{"require": ["base"]}', '.customizer-lint.yml': '{}' }),
    );
    expect(config?.require).toEqual(['base']);
    expect(problems.map(({ help }) => help)).toEqual([`move what it says to ${file}, and remove it`]);
  });

  test('is none where another file is asked for, where it is a manifest, and below the root', async () => {
    expect(await found({ '.customizer-lint.yml': '{}' }, '.customizer-lint.yml')).toEqual([]);
    const manifest = 'kind: ConfigMap\napiVersion: v1\n';
    expect(await found({ 'customizer-lint.yaml': manifest, 'customizer-lint.json': '{"apiVersion": "v1"}' })).toEqual(
      [],
    );
    expect(
      await found({ 'a/.customizer-lint.yml': '{}', 'customizer-lint': '', 'customizer-linting.yaml': '' }),
    ).toEqual([]);
  });
});

describe('of a mistake', () => {
  const starting = (words: string) => expect.stringMatching(new RegExp(`^${words}`)) as unknown as string;
  test.each<[string, unknown, string[]]>([
    ['no map', 'text', ['', 'The configuration must be a map']],
    ['a list', '[a]', ['', 'The configuration must be a map']],
    [
      'more than anybody writes',
      '#'.repeat((1 << 18) + 1),
      ['', 'The configuration is larger or deeper than any could be'],
    ],
    [
      'more depth than anybody writes',
      '['.repeat(2000),
      ['', 'The configuration is larger or deeper than any could be'],
    ],
    ['broken YAML', 'a: [', ['', starting('The configuration is not valid YAML: ')]],
    ['a key twice', 'rules: {}\nrules: {}', ['', 'The configuration is not valid YAML: Map keys must be unique']],
    ['an alias of nothing', 'rules: *a', ['', 'The configuration has an alias without its anchor']],
    ['an alias of nothing in a list', '[*a]', ['', 'The configuration has an alias without its anchor']],
    ['an unknown key', { clutser: {} }, ['clutser', '"clutser" is not a setting', 'did you mean "cluster"?']],
    [
      'a key like no other',
      { cozystack: { x: 1 } },
      ['cozystack.x', '"cozystack.x" is not a setting', 'known here: data'],
    ],
    [
      'a word',
      { cluster: { variant: 'isp' } },
      ['cluster.variant', starting('"cluster.variant" must be one of default, ')],
    ],
    ['no map', { cluster: 'x' }, ['cluster', '"cluster" must be a map']],
    ['no list', { require: 'base' }, ['require', '"require" must be a list']],
    ['no text', { cluster: { release: 1 } }, ['cluster.release', '"cluster.release" must be a string such as v1.6.2']],
    [
      'no switch',
      { cluster: { decryption: 'x' } },
      ['cluster.decryption', '"cluster.decryption" must be true or false'],
    ],
    [
      'no number',
      { rules: { 'a-rule': { days: 'x' } } },
      ['rules.a-rule.days', '"rules.a-rule.days" must be a whole number'],
    ],
    ['a text that is empty', { entrypoints: [''] }, ['entrypoints.0', '"entrypoints.0" must not be empty']],
    ['what is missing', { ignores: [{ rule: 'a-rule' }] }, ['ignores.0', '"ignores.0" must say "reason"']],
    [
      'a day',
      { ignores: [{ rule: 'a-rule', reason: 'a', expires: 'soon' }] },
      ['ignores.0.expires', '"ignores.0.expires" must be a date such as 2026-12-31'],
    ],
    [
      'a month that does not exist',
      { ignores: [{ rule: 'a-rule', reason: 'a', expires: '2026-13-01' }] },
      ['ignores.0.expires', '"ignores.0.expires" must be a date such as 2026-12-31'],
    ],
    [
      'a day that does not exist',
      { ignores: [{ rule: 'a-rule', reason: 'a', expires: '2026-02-30' }] },
      ['ignores.0.expires', '"ignores.0.expires" must be a date such as 2026-12-31, and "2026-02-30" does not exist'],
    ],
    [
      'a version',
      { cluster: { kubernetes: '1.35' } },
      ['cluster.kubernetes', '"cluster.kubernetes" must be a version of Kubernetes such as v1.35'],
    ],
    [
      'a duration',
      { dryRun: { wait: 'soon' } },
      ['dryRun.wait', '"dryRun.wait" must be a duration in seconds or minutes such as 120s or 5m'],
    ],
    [
      'a name',
      { dryRun: { name: '-lab' } },
      ['dryRun.name', '"dryRun.name" must be a name of lower-case letters, digits and hyphens such as lab'],
    ],
    [
      'an image',
      { dryRun: { image: '--privileged' } },
      ['dryRun.image', '"dryRun.image" must be the name of an image such as kindest/node:v1.34.0'],
    ],
    [
      'a release that YAML takes for a number',
      { cluster: { release: 1.6 } },
      ['cluster.release', '"cluster.release" must be a string such as v1.6.2'],
    ],
    [
      'globs that are no list',
      { ignores: [{ rule: 'a-rule', reason: 'a', paths: 'clusters/**' }] },
      ['ignores.0.paths', '"ignores.0.paths" must be a list such as ["clusters/lab/**"]'],
    ],
    [
      'a number that is too small',
      { rules: { 'a-rule': { days: 0 } } },
      ['rules.a-rule.days', '"rules.a-rule.days" must be at least 1'],
    ],
    ['a severity', { rules: { 'a-rule': 'x' } }, ['rules.a-rule', starting('"rules.a-rule" must be one of error, ')]],
    ['neither a word nor a map', { rules: { 'a-rule': [] } }, ['rules.a-rule', starting('"rules.a-rule" must be ')]],
  ])('%s is named at its place: %j', async (_, content, expected) => {
    expect(await said(content)).toEqual([expected]);
  });

  test('that is a key spelt wrong, the right one can be put in its place', async () => {
    const [problem] = (await read({ clutser: {} })).problems;
    expect(problem?.remedy).toMatchObject({ title: 'rename "clutser" to "cluster"', changes: [{ key: 'cluster' }] });
  });

  test('that is a name that several clusters have, each is held against the first', async () => {
    const lab = { name: 'lab', paths: ['lab'] };
    const own = 'each cluster needs a name of its own';
    expect(await said({ clusters: [lab, { ...lab, name: 'prod' }, lab, lab] })).toEqual([
      ['clusters.2.name', `"clusters.2.name" is "lab", as "clusters.0.name" is: ${own}`],
      ['clusters.3.name', `"clusters.3.name" is "lab", as "clusters.0.name" is: ${own}`],
    ]);
  });
});
