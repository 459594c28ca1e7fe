/** Harm that only the merge of a pull request has, by the shape of the history that hides it from the head alone. */
import { afterEach, describe, expect, test } from '@jest/globals';
import { Branches } from '../support/branches.js';
import { runActionHere } from '../support/job.js'; // first: it takes the place of the engines
import { configMap, kustomization } from '../support/trees.js';

let made: Branches;
afterEach(() => made.close());

const wrong = (name: string) => configMap(name).replace('"data"', '"datum"');
const listed = (...resources: string[]) => kustomization({ resources });
const start = {
  '.customizer-lint.yaml': 'rules: {schema-violation: error}\n',
  'kustomization.yaml': listed('a.yaml'),
  'a.yaml': configMap('a'),
};

describe('a branch that is older than what applies its directory', () => {
  test.each([
    ['a wrong object', wrong('b'), 1],
    ['a harmless object', configMap('b'), 0],
  ])('with %s ends with the status of the merge', async (_, text, status) => {
    made = new Branches({ ...start, 'apps/kustomization.yaml': listed('b.yaml'), 'apps/b.yaml': configMap('b') });
    made.branch('topic', 'main', { 'apps/b.yaml': `${text}\n` });
    made.on('main', { 'kustomization.yaml': listed('a.yaml', 'apps') });
    const merge = made.checkOutMerge('topic');
    const run = await runActionHere(made.folder, {}, made.event('topic'), { GITHUB_SHA: merge });
    expect({ status: run.status, log: run.log }).toEqual({
      status,
      log: expect.stringContaining('the first parent of the merge'),
    });
  });
});
