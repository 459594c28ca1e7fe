/** Which edits a remedy becomes, and which remedies are no fix, told from small repositories as they are really built. */
import { describe, expect, test } from '@jest/globals';
import type { Entrypoint, FieldPath, FixStep, Problem, Rendered, RenderedObject } from '../../src/core/model.js';
import { Fixer } from '../../src/fix/fixer.js';
import { applyEdits } from '../../src/yaml/text-edits.js';
import { root } from '../support/cli.js';
import { treeOf } from '../support/tree-of.js';
import '../support/here.js'; // first: it takes the place of the engines

const { Engine } = await import('../../src/engine/host/engine.js');
const { Builder } = await import('../../src/render/render.js');

type Texts = Record<string, string>;
type Changes = (object: RenderedObject) => FixStep | FixStep[];

/** The files that change; undefined where there is no fix. `folders` are what is built. */
async function fixed(
  files: Texts,
  changes: Changes,
  { folders = ['.'], of = 'a', more = [] as Entrypoint[] } = {},
): Promise<Texts | undefined> {
  const tree = treeOf(files);
  const engine = new Engine(`${root}dist/engine`, tree);
  let rendered: Rendered[];
  try {
    const entrypoints = folders.map((path) => ({ path, why: '', kustomization: {} }));
    rendered = await new Builder(tree, engine).all([...entrypoints, ...more]);
  } finally {
    await engine.close();
  }
  const [first] = rendered;
  if (!first?.ok) throw new Error(first?.problem.upstream?.text);
  const object = first.objects.find(({ ref }) => ref.name === of) as RenderedObject;
  const remedy = { title: 't', safe: true, changes: [changes(object)].flat() };
  const problem: Problem = { rule: 'a-rule', message: 'm', at: { object, path: [] }, remedy };
  const edits = new Fixer(tree, rendered).fix([problem])?.edits;
  if (!edits) return undefined;
  const names = [...new Set(edits.map(({ at }) => at.file))];
  return Object.fromEntries(
    names.map((name) => {
      const own = edits.filter(({ at }) => at.file === name);
      return [name, applyEdits(files[name] ?? '', own) as string];
    }),
  );
}

const removal =
  (...path: FieldPath): Changes =>
  (object) => ({ do: 'remove', at: { object, path } });
const setting =
  (value: string, ...path: FieldPath): Changes =>
  (object) => ({ do: 'set', at: { object, path }, value });

const map = (name: string, ...data: string[]) =>
  ['apiVersion: v1', 'kind: ConfigMap', 'metadata:', `  name: ${name}`, ...data, ''].join('\n');
const list = (resources: string[], ...more: string[]) =>
  ['resources:', ...resources.map((one) => `- ${one}`), ...more, ''].join('\n');
const data = ['data:', '  k: x', '  l: x'];

test('long files are not read for one fix after the other without an end', () => {
  const text = `a: 1 # b\n# ${'x'.repeat(700 << 10)}\n`;
  const tree = treeOf({ 'a.yaml': text });
  const range = { start: { line: 1, column: 6 }, end: { line: 1, column: 9 } };
  const at = { revision: 'head' as const, file: 'a.yaml', range };
  const remedy = { title: 't', safe: true, changes: [{ do: 'cut' as const, at }] };
  const fixer = new Fixer(tree, []);
  const offered = Array.from({ length: 4 }, () => fixer.fix([{ rule: 'a-rule', message: 'm', at, remedy }]));
  expect(offered.map((one) => one !== undefined)).toEqual([true, true, false, false]);
});

test('a fix that changes nothing is none', () => {
  const tree = treeOf({ 'a.yaml': 'a: 1 # customizer-lint ignore dead-patch\n' });
  const fixOf = (...changes: FixStep[]) => {
    const problem: Problem = {
      rule: 'a-rule',
      message: 'm',
      at: { file: 'a.yaml' },
      remedy: { title: 't', safe: true, changes },
    };
    return new Fixer(tree, []).fix([problem]);
  };
  const range = { start: { line: 1, column: 6 }, end: { line: 1, column: 41 } };
  expect(fixOf({ do: 'cut', at: { file: 'a.yaml', range } })?.edits).toHaveLength(1);
  expect(fixOf()).toBeUndefined();
});

describe('what stands in one manifest', () => {
  const files = { 'kustomization.yaml': list(['a.yaml']), 'a.yaml': map('a', ...data) };

  test('is taken out, or set', async () => {
    expect(await fixed(files, removal('data', 'l'))).toEqual({ 'a.yaml': map('a', 'data:', '  k: x') });
    expect(await fixed(files, removal('data'))).toEqual({ 'a.yaml': map('a') });
    expect(await fixed(files, setting('new', 'data', 'k'))).toEqual({
      'a.yaml': map('a', 'data:', '  k: new', '  l: x'),
    });
  });

  test('is left where it is not there, or is a map that would be set', async () => {
    expect(await fixed(files, removal('data', 'm'))).toBeUndefined();
    expect(await fixed(files, setting('new', 'data', 'm'))).toBeUndefined();
    expect(await fixed(files, setting('new', 'data'))).toBeUndefined();
  });

  test('is edited in its own document alone', async () => {
    const [before, own, after] = [map('z', ...data), map('a', ...data), map('y', ...data)];
    const all = { 'kustomization.yaml': list(['all.yaml']), 'all.yaml': [before, own, after].join('---\n') };
    const less = map('a', 'data:', '  l: x');
    expect(await fixed(all, removal('data', 'k'))).toEqual({ 'all.yaml': [before, less, after].join('---\n') });
  });

  test('is left where one of several changes is not certain', async () => {
    const both: Changes = (object) => [removal('data', 'k')(object), removal('data', 'm')(object)].flat();
    expect(await fixed(files, both)).toBeUndefined();
  });

  test('is taken out of a list from its end', async () => {
    const rules = (...verbs: string[]) =>
      [
        ...['apiVersion: rbac.authorization.k8s.io/v1', 'kind: ClusterRole', 'metadata:', '  name: a', 'rules:'],
        ...['- apiGroups: [""]', '  resources: [pods]', '  verbs:', ...verbs.map((verb) => `  - ${verb}`), ''],
      ].join('\n');
    const role = { 'kustomization.yaml': list(['a.yaml']), 'a.yaml': rules('get', 'list', 'watch') };
    const two: Changes = (object) => [0, 1].flatMap((index) => removal('rules', 0, 'verbs', index)(object) as FixStep);
    expect(await fixed(role, two)).toEqual({ 'a.yaml': rules('watch') });
  });
});

describe('what others write as well', () => {
  const patched = (...operations: string[]) => ({
    'kustomization.yaml': list(
      ['a.yaml'],
      ...['patches:', '- target: {kind: ConfigMap}', '  patch: |-', ...operations.map((one) => `    - ${one}`)],
    ),
    'a.yaml': map('a', ...data),
  });

  test('is left where a patch would miss what it changes', async () => {
    const files = patched('{op: replace, path: /data/k, value: new}');
    expect(await fixed(files, removal('data'))).toBeUndefined();
    expect(await fixed(files, removal('data', 'l'))).toEqual({ 'a.yaml': map('a', 'data:', '  k: x') });
  });

  test('is left where a patch writes what nobody knows the place of', async () => {
    // What go-yaml reads as a boolean, and others as a text.
    const files = patched('{op: replace, path: /data/k, value: y}');
    expect(await fixed(files, removal('data'))).toBeUndefined();
    expect(await fixed(files, removal('data', 'k'))).toBeUndefined();
  });

  test('is left where a patch adds to it', async () => {
    const files = patched('{op: add, path: /data/m, value: new}');
    expect(await fixed(files, removal('data'))).toBeUndefined();
    expect(await fixed(files, removal('data', 'k'))).toEqual({ 'a.yaml': map('a', 'data:', '  l: x') });
  });

  test('is left where a patch copies it', async () => {
    const files = patched('{op: copy, from: /data/k, path: /data/m}');
    expect(await fixed(files, removal('data'))).toBeUndefined();
  });

  test('is left where a patch takes something out of it', async () => {
    const files = patched('{op: remove, path: /data/k}');
    expect(await fixed(files, removal('data'))).toBeUndefined();
    expect(await fixed(files, removal('data', 'l'))).toEqual({ 'a.yaml': map('a', 'data:', '  k: x') });
  });

  test('is set where the last of them writes it', async () => {
    const files = patched('{op: replace, path: /data/k, value: new}', '{op: remove, path: /data/l}');
    const after = patched('{op: replace, path: /data/k, value: newer}', '{op: remove, path: /data/l}');
    expect(await fixed(files, setting('newer', 'data', 'k'))).toEqual({
      'kustomization.yaml': after['kustomization.yaml'],
    });
  });

  test('is taken out of the patch by its operation, unless that is the only one', async () => {
    const [own, other] = ['{op: add, path: /data/m, value: new}', '{op: remove, path: /data/l}'];
    expect(await fixed(patched(own, other), removal('data', 'm'))).toEqual({
      'kustomization.yaml': patched(other)['kustomization.yaml'],
    });
    expect(await fixed(patched(own), removal('data', 'm'))).toBeUndefined();
    const both: Changes = (object) => [removal('data', 'm')(object), removal('data', 'k')(object)].flat();
    expect(Object.keys((await fixed(patched(own, other), both)) ?? {})).toHaveLength(2);
    expect(await fixed(patched(own), both)).toBeUndefined();
  });
});

test('a file whose lines others count otherwise is left', async () => {
  const patch = (comment: string, kubevirt: string) =>
    list(
      ['a.yaml'],
      ...['patches:', `- patch: |- # a${comment}`, '    apiVersion: example.org/v1', '    kind: Thing'],
      ...['    metadata: {name: a}', '    spec:', `      one: {${kubevirt}}`, '      two: {k: 2, l: 2}', ''],
    );
  const thing = 'apiVersion: example.org/v1\nkind: Thing\nmetadata: {name: a}\n';
  const fixedWith = (comment: string) =>
    fixed({ 'kustomization.yaml': patch(comment, 'k: 1, l: 1'), 'a.yaml': thing }, removal('spec', 'one', 'k'));
  expect(await fixedWith('')).toEqual({ 'kustomization.yaml': patch('', 'l: 1') });
  for (const end of ['\r', '\x85', '\u2028', '\u2029']) {
    const inPatch = await fixedWith(`${end}    # b`);
    const comment = `# a${end}# b\n`;
    const files = { 'kustomization.yaml': list(['a.yaml']), 'a.yaml': `${comment}${map('a', 'data: {k: x}')}` };
    expect([end, inPatch, await fixed(files, removal('data', 'k'))]).toEqual([end, undefined, undefined]);
  }
});

describe('what others read as well', () => {
  const files = {
    'a/kustomization.yaml': list(['../base']),
    'b/kustomization.yaml': list(['../base']),
    'base/kustomization.yaml': list(['a.yaml', 'b.yaml']),
    ...{ 'base/a.yaml': map('a', ...data), 'base/b.yaml': map('b', ...data) },
  };

  test('is left alone, be it a build that fails', async () => {
    expect(await fixed(files, removal('data', 'k'), { folders: ['a'] })).toEqual({
      'base/a.yaml': map('a', 'data:', '  l: x'),
    });
    expect(await fixed(files, removal('data', 'k'), { folders: ['a', 'b'] })).toBeUndefined();
    const sameFolder = { path: 'a', why: '', kustomization: { components: ['gone'] } };
    expect(await fixed(files, removal('data', 'k'), { folders: ['a'], more: [sameFolder] })).toBeUndefined();
    const broken = { ...files, 'b/kustomization.yaml': list(['../base', 'gone.yaml']) };
    expect(await fixed(broken, removal('data', 'k'), { folders: ['a', 'b'] })).toBeUndefined();
  });

  test('is not renamed where its name stands elsewhere', async () => {
    const rename = setting('renamed', 'metadata', 'name');
    const own = { 'kustomization.yaml': list(['map.yaml']), 'map.yaml': map('settings', ...data) };
    expect(await fixed(own, rename, { of: 'settings' })).toEqual({ 'map.yaml': map('renamed', ...data) });
    const named = { ...own, 'kustomization.yaml': list(['map.yaml', 'other.yaml']), 'other.yaml': map('settings-b') };
    expect(await fixed(named, rename, { of: 'settings' })).toBeUndefined();
  });
});

describe('what is not there', () => {
  const adding =
    (value: string, ...path: FieldPath): Changes =>
    (object) => ({ do: 'add', at: { object, path }, value });
  const files = { 'kustomization.yaml': list(['a.yaml']), 'a.yaml': map('a', ...data) };

  test('is added to the manifest', async () => {
    expect(await fixed(files, adding('new', 'metadata', 'namespace'))).toEqual({
      'a.yaml': map('a', '  namespace: new', ...data),
    });
  });

  test('is not where it is there', async () => {
    expect(await fixed(files, adding('new', 'data', 'k'))).toBeUndefined();
    expect(await fixed(files, adding('new', 'metadata', 'name'))).toBeUndefined();
  });

  test('is not where a patch adds it', async () => {
    const patch = [
      'patches:',
      '- patch: |-',
      ...map('a', 'data:', '  m: x')
        .split('\n')
        .slice(0, -1)
        .map((line) => `    ${line}`),
    ];
    const there = { ...files, 'kustomization.yaml': list(['a.yaml'], ...patch) };
    expect(await fixed(there, adding('new', 'data', 'm'))).toBeUndefined();
    expect(await fixed(there, adding('new', 'data', 'o'))).toEqual({ 'a.yaml': map('a', ...data, '  o: new') });
  });

  test('is not where a patch takes it out', async () => {
    const operations = [
      '  patch: |-',
      '    - {op: remove, path: /data/k}',
      '    - {op: test, path: /data/l, value: x}',
    ];
    const patch = ['patches:', '- target: {kind: ConfigMap}', ...operations];
    const gone = { ...files, 'kustomization.yaml': list(['a.yaml'], ...patch) };
    expect(await fixed(gone, adding('new', 'data', 'k'))).toBeUndefined();
    expect(await fixed(gone, adding('new', 'data', 'm'))).toEqual({ 'a.yaml': map('a', ...data, '  m: new') });
  });

  test('is not where the same manifest makes another object', async () => {
    const twice = {
      'kustomization.yaml': list(['one', 'two']),
      'one/kustomization.yaml': list(['../base'], 'nameSuffix: -one'),
      'two/kustomization.yaml': list(['../base'], 'nameSuffix: -two'),
      ...{ 'base/kustomization.yaml': list(['a.yaml']), 'base/a.yaml': map('a', ...data) },
    };
    expect(await fixed(twice, adding('new', 'data', 'm'), { of: 'a-one' })).toBeUndefined();
    expect(await fixed(twice, removal('data', 'k'), { of: 'a-one' })).toBeUndefined();
  });
});
