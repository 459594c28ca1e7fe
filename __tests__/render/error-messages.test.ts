/** Texts of kustomize and Flux in plain words. */
import { describe, expect, test } from '@jest/globals';
import type { EngineError } from '../../src/engine/host/protocol.js';
import { explain } from '../../src/render/error-messages.js';

const explained = (message: string, more: Partial<EngineError> = {}) => explain({ message, stage: 'build', ...more });

describe('a text that is known', () => {
  test.each([
    [
      "yaml: unknown anchor 'x' referenced",
      'a value begins with "*", which makes it an alias, but no anchor of that name exists',
    ],
    ['cannot decode !!str `x` as a !!int', 'a value has the tag !!int, but another type'],
    [
      'options.index -1 is out of bounds for value x',
      'the value has no part -1 for the replacement, with this delimiter',
    ],
    ['testing value /spec/a failed', 'the test of the patch at "/spec/a" fails'],
    ['testing path /spec/b failed', 'the test of the patch at "/spec/b" fails'],
    ['add operation does not apply: no such key\nmore', 'operation "add" of the patch fails: no such key'],
    ['add operation does not apply: ', 'add operation does not apply: '],
    ['open a: no such file or directory', 'file or directory "a" does not exist'],
    ['MalformedYAMLError: yaml: line 3: bad in File: a.yaml', 'invalid YAML: bad'],
    ['MalformedYAMLError: yaml: bad, see line 3: x in File: a.yaml', 'invalid YAML: bad, see line 3: x'],
    ["post build failed for 'ConfigMap/a': bad\n", 'variables of "ConfigMap/a" cannot be substituted: bad'],
  ])('%s', (text, message) => {
    expect(explained(text).message).toBe(message);
  });

  test('names the line of what is no YAML, where there is one', () => {
    const yaml = (words: string) => explained(`error converting YAML to JSON: yaml: ${words}\n`);
    expect(yaml('line 3: bad indent <nil>')).toEqual({
      message: 'invalid YAML: bad indent',
      clue: { syntax: { reason: 'bad indent', line: 3, names: 'stop' } },
    });
    expect(yaml('bad <nil> indent').message).toBe('invalid YAML: bad <nil> indent');
    expect(yaml('bad')).toEqual({
      message: 'invalid YAML: bad',
      clue: { syntax: { reason: 'bad', names: 'stop' } },
    });
  });

  test('names the field and what it must be', () => {
    const text = 'json: cannot unmarshal string into Go struct field Kustomization.images.name of type int32 of it\n';
    const found = explained(text);
    expect(found.message).toMatch(/^"images\.name" must be an? \S+, but is a string$/);
    expect(found.clue).toEqual({ path: ['images', 'name'] });
  });

  test('names the source of a replacement, with its namespace and without its field', () => {
    const of = (id: string) => explained(`nothing selected by ${id}`).message;
    const words = (source: string) => `the source of the replacement, ${source}, does not exist here`;
    expect(of('ConfigMap.v1.[noGrp]/a.x:data.b')).toBe(words('ConfigMap "x/a"'));
    expect(of('ConfigMap.v1.[noGrp]/a.[noNs]:data.b:c')).toBe(words('ConfigMap "a"'));
    expect(of('ConfigMap.v1.[noGrp]/a.[noNs]:data.[noNs]:c')).toBe(words('ConfigMap "a"'));
    expect(of('ConfigMap.v1.[noGrp]/[noName].[noNs]')).toBe(words('any ConfigMap'));
    expect(of('strange')).toBe(words('"strange"'));
  });
});

test('a text that is not known is shown as it is', () => {
  expect(explained('kustomize build failed: something new\nand more')).toEqual({ message: 'something new' });
});

test('what the engine knows for certain is said whatever the text', () => {
  expect(explained('x', { class: 'remote-base' })).toMatchObject({ rule: 'remote-base' });
  expect(explained('x', { class: 'missing-path' }).message).toBe('the directory that Flux applies does not exist');
  expect(explained('x', { class: 'missing-path', field: ['resources', 0] }).message).toBe('x');
  expect(explained('x', { stage: 'limit' }).message).toBe(
    'This is not rendered, as it exceeds a limit of the linter: x',
  );
  expect(explained('x', { stage: 'internal' })).toEqual({
    ...{ message: 'the build failed inside the linter: x', help: 'report it as a bug of the linter' },
  });
});
