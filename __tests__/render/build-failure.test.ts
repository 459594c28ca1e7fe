/** Where in the files a build that is refused is to be corrected. */
import { describe, expect, test } from '@jest/globals';
import type { EngineError } from '../../src/engine/host/protocol.js';
import { refusal } from '../../src/render/build-failure.js';
import { treeOf } from '../support/tree-of.js';

const map = (name: string) => `kind: ConfigMap\nmetadata:\n  name: ${name}\n`;

function refused(files: Record<string, string | Uint8Array>, error: Partial<EngineError>) {
  const build = { entrypoint: { path: 'apps', why: '', kustomization: {} }, files: Object.keys(files), lost: [] };
  return refusal(treeOf(files), build, { message: 'x', stage: 'build', ...error });
}

describe('an object that is there twice', () => {
  const message = 'may not add resource with an already registered id: ConfigMap.v1.[noGrp]/a.[noNs]';
  const found = (files: Record<string, string>, file: string) => {
    const { at, related } = refused(files, { message, file });
    return [at, ...(related?.map((one) => one.at) ?? [])].map((one) =>
      'document' in one ? `${one.file} ${one.document}` : 'file' in one && one.file,
    );
  };

  test('is told at the second, and the first where that is certain', () => {
    expect(found({ 'a.yaml': map('a'), 'b.yaml': map('a') }, 'b.yaml')).toEqual(['b.yaml 0', 'a.yaml 0']);
    expect(found({ 'a.yaml': map('a'), 'b.yaml': map('a'), 'c.yaml': map('a') }, 'c.yaml')).toEqual(['c.yaml 0']);
    const second = `${map('b')}---\n${map('a')}`;
    expect(found({ 'a.yaml': map('a'), 'b.yaml': map('a'), 'c.yaml': second }, 'c.yaml')).toEqual(['c.yaml 1']);
  });

  test('is told with the first of the same file, be it in others as well', () => {
    const files = { 'a.yaml': map('a'), 'b.yaml': `${map('a')}---\n${map('b')}---\n${map('a')}`, 'c.yaml': map('a') };
    expect(found(files, 'b.yaml')).toEqual(['b.yaml 2', 'b.yaml 0']);
  });
});

describe('what the text speaks of is looked for', () => {
  const noKind = 'missing kind in object';
  const kustomization = 'apps/kustomization.yaml';
  const list = 'resources:\n- a.yaml\n';

  test('in the file that the engine names', () => {
    const files = { [kustomization]: list, 'apps/a.yaml': `${map('a')}---\nmetadata: {}\n` };
    const error = { message: noKind, kustomization, field: ['resources', 0] };
    expect(refused(files, { ...error, file: 'apps/a.yaml' }).at).toEqual({
      ...{ file: 'apps/a.yaml', document: 1, path: [] },
    });
  });

  test('in the kustomization where nothing else is named', () => {
    const unknown = 'invalid Kustomization: json: unknown field "namespac"';
    const files = { [kustomization]: `${list}namespac: x\n` };
    const at = { file: kustomization, document: 0, path: ['namespac'], part: 'key' };
    expect(refused(files, { message: unknown, kustomization }).at).toEqual(at);
    expect(refused(files, { message: unknown }).at).toEqual(at);
  });

  test('nowhere where the engine names an entry of the kustomization', () => {
    const at = { file: kustomization, document: 0, path: ['resources', 0], part: 'value' };
    const error = { kustomization, field: ['resources', 0] };
    expect(refused({ [kustomization]: list }, { ...error, message: noKind }).at).toEqual(at);
    const line = 'error converting YAML to JSON: yaml: line 1: bad\n';
    expect(refused({ [kustomization]: list }, { ...error, message: line }).at).toEqual(at);
  });

  test('not where more than one place could be meant, or none', () => {
    const error = { message: noKind, file: 'a.yaml' };
    const without = 'metadata: {}\n';
    expect(refused({ 'a.yaml': `${without}---\n${without}` }, error).at).toEqual({ file: 'a.yaml' });
    expect(refused({ 'a.yaml': map('a') }, error).at).toEqual({ file: 'a.yaml' });
  });

  test('not in a file that is too large to be read, whose name may say anything', () => {
    const file = `${noKind}.yaml`;
    const error = { message: `"${file}" is too large`, file };
    expect(refused({ [file]: new Uint8Array(5 << 20) }, error).at).toMatchObject({ file });
  });
});

describe('a line', () => {
  const text = 'a: 1\n\n  b: 2  \n';
  const at = (files: Record<string, string>, error: Partial<EngineError>) => {
    const { at } = refused(files, error);
    return 'range' in at && at.range ? [at.range.start, at.range.end].map(({ line, column }) => [line, column]) : at;
  };

  test.each<[string, Partial<EngineError>, number[][]]>([
    [
      'is marked from its first sign to its last',
      { line: 3 },
      [
        [3, 3],
        [3, 7],
      ],
    ],
    [
      'that is empty is a place',
      { line: 2 },
      [
        [2, 1],
        [2, 1],
      ],
    ],
    [
      'behind the last one is the last one',
      { line: 9 },
      [
        [4, 1],
        [4, 1],
      ],
    ],
    [
      'is counted from where its document starts',
      { line: 1, document: 1 },
      [
        [5, 1],
        [5, 5],
      ],
    ],
  ])('%s', (_, error, expected) => {
    const whole = error.document === undefined ? text : `${text}---\nc: 3\n`;
    expect(at({ 'a.yaml': whole }, { file: 'a.yaml', ...error })).toEqual(expected);
  });
});

describe('a key that is there twice', () => {
  const twice = (second: number, first: number) =>
    ({ message: `yaml: line ${second}: mapping key "k" already defined at line ${first}` }) as const;
  const places = (files: Record<string, string>, message: string) => {
    const { at, related = [] } = refused(files, { message });
    return [at, ...related.map((one) => one.at)].map((one) =>
      'range' in one && one.range ? `${one.file}:${one.range.start.line}` : 'file' in one && one.file,
    );
  };

  test('is told at the second, with the first', () => {
    const files = { 'a.yaml': 'j: 1\nl: 2\nm: 3\n', 'b.yaml': 'k: 1\nl: 2\nk: 3\n' };
    expect(places(files, twice(3, 1).message)).toEqual(['b.yaml:3', 'b.yaml:1']);
  });

  test('is told once where both are on one line', () => {
    expect(places({ 'b.yaml': '{k: 1, k: 3}\n' }, twice(1, 1).message)).toEqual(['b.yaml:1']);
  });

  test('is not told of a document that has it on one of the lines, or where two could be meant', () => {
    const half = { 'a.yaml': 'k: 1\nl: 2\nm: 3\n', 'b.yaml': 'j: 1\nl: 2\nk: 3\n' };
    expect(places(half, twice(3, 1).message)).toEqual(['apps']);
    const whole = 'k: 1\nl: 2\nk: 3\n';
    expect(places({ 'a.yaml': whole, 'b.yaml': whole }, twice(3, 1).message)).toEqual(['apps']);
  });
});

describe('an entry of a list that is there twice', () => {
  const message = 'may not add resource with an already registered id: ConfigMap.v1.[noGrp]/a.[noNs]';
  const kustomization = 'apps/kustomization.yaml';
  const found = (index: number, ...entries: string[]) => {
    const text = ['resources:', ...entries.map((one) => `- ${one}`), ''].join('\n');
    const error = { message, kustomization, field: ['resources', index] };
    const { at, related = [] } = refused({ [kustomization]: text }, error);
    return [at, ...related.map((one) => one.at)].map((one) => ('path' in one ? one.path.at(-1) : one));
  };

  test.each<[string, number, string[], (number | object)[]]>([
    ['is told with the first', 2, ['a.yaml', 'b.yaml', 'a.yaml'], [2, 0]],
    ['is told with the one just before', 1, ['a.yaml', 'a.yaml'], [1, 0]],
    ['is the same in quotes, and by another way', 1, ['./a.yaml', '"a.yaml"'], [1, 0]],
    ['is none where only a later one is the same', 0, ['a.yaml', 'a.yaml'], [0]],
    ['is none where all are different', 1, ['a.yaml', 'b.yaml'], [1]],
    ['is none that is not there', 3, ['a.yaml', 'b.yaml'], [3]],
  ])('%s', (_, index, entries, expected) => {
    expect(found(index, ...entries)).toEqual(expected);
  });
});

describe('what Flux says', () => {
  const upstream = (error: Partial<EngineError>) => refused({}, error).upstream?.text;

  test('is shown up to 300 signs', () => {
    expect(upstream({ message: 'x'.repeat(300) })).toBe('x'.repeat(300));
    expect(upstream({ message: 'x'.repeat(301) })).toBe(`${'x'.repeat(299)}…`);
  });

  test('is its innermost cause', () => {
    const message = 'kustomize build failed: recursed: accumulating resources: bad thing';
    expect(upstream({ message })).toBe('accumulating resources: bad thing');
  });

  test.each<[string, Partial<EngineError>]>([
    ['a limit is reached', { stage: 'limit', class: 'limit' }],
    ['the linter fails', { stage: 'internal' }],
    ['it would fetch what the linter does not', { class: 'remote-base' }],
  ])('is nothing where %s', (_, error) => {
    expect(upstream(error)).toBeUndefined();
  });
});

test('without any file it is told where the directory is named', () => {
  const declaredAt = { file: 'flux.yaml', document: 2, path: ['spec', 'path'] };
  const entrypoint = { path: 'apps', why: '', kustomization: {} };
  const error: EngineError = { message: 'x', stage: 'build' };
  const told = (more: object) =>
    refusal(treeOf({}), { entrypoint: { ...entrypoint, ...more }, files: [], lost: [] }, error).at;
  expect([told({ declaredAt }), told({})]).toEqual([declaredAt, { file: 'apps' }]);
});
