/** Where in the files a build that is refused is to be corrected. */
import { describe, expect, test } from '@jest/globals';
import type { EngineError } from '../../src/engine/host/protocol.js';
import { refusal } from '../../src/render/build-failure.js';
import { treeOf } from '../support/tree-of.js';

const map = (name: string) => `kind: ConfigMap\nmetadata:\n  name: ${name}\n`;

function refused(files: Record<string, string>, error: Partial<EngineError>) {
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
