/** What is told from a text alone: of SOPS, of variables, of a manifest that nothing renders. */
import { afterAll, describe, expect, test } from '@jest/globals';
import { formatFatal } from '../../src/lint/process.js';
import { firstObjectIn } from '../../src/rules/support/manifests.js';
import { matcherOf } from '../../src/secrets/sops-pattern.js';
import { openWorkTree } from '../../src/tree/tree.js';
import { createRepo, removeRepo } from '../support/trees.js';

const planted: string[] = [];
afterAll(() => planted.forEach(removeRepo));

describe('a pattern of SOPS', () => {
  test('of a length that somebody would write is tried', () => {
    const matches = matcherOf(`^(${'a'.repeat(490)}|data)$`);
    expect([matches?.('data'), matches?.('other')]).toEqual([true, false]);
  });

  test('that is longer than any would be is left to Go', () => {
    expect(matcherOf(`^(${'a'.repeat(500)}|data)$`)).toBeUndefined();
  });
});

describe('the first object of a file that nothing renders', () => {
  const find = async (text: string) => {
    const folder = createRepo({ 'a.yaml': text });
    planted.push(folder);
    return firstObjectIn('a.yaml', await openWorkTree(folder));
  };
  const map = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n';

  test('is told by its name', async () => {
    expect(await find(map)).toEqual({ file: 'a.yaml', document: 0, path: ['metadata', 'name'] });
  });

  test('is none that kustomize alone reads', async () => {
    const own = 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nmetadata: {name: a}\n';
    expect(await find(own)).toBeUndefined();
    expect(await find(`${own}---\n${map}`)).toMatchObject({ document: 1 });
  });

  test('may speak of kustomize all the same', async () => {
    const text = `${map}data:\n  # apiVersion: kustomize.config.k8s.io/v1\n  a: |\n    apiVersion: kustomize.config.k8s.io/v1\n`;
    expect(await find(text)).toMatchObject({ document: 0 });
  });
});

describe('what is said of a bug', () => {
  test('has the place where it came from', () => {
    const words = formatFatal(new TypeError('x is not y'), () => 'a bug');
    expect(words.split('\n').slice(0, 2)).toEqual(['a bug', 'TypeError: x is not y']);
    expect(words).toMatch(/\n +at .*texts\.test/);
  });

  test('has the words of what is no error', () => {
    expect(formatFatal('out of luck', () => 'a bug')).toBe('a bug\nout of luck');
  });
});
