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
