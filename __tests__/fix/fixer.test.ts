/** Which fixes are none. */
import { expect, test } from '@jest/globals';
import type { FixStep, Problem } from '../../src/core/model.js';
import { Fixer } from '../../src/fix/fixer.js';
import { treeOf } from '../support/tree-of.js';

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
