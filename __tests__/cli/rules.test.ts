/** `rules`: what is said of a rule that is not there. */
import { expect, test } from '@jest/globals';
import { runHere } from '../support/here.js';

test.each([
  ['dead-pach', 'unknown rule "dead-pach"; did you mean "dead-patch"?'],
  ['nothing-like-any', 'unknown rule "nothing-like-any"; customizer-lint rules lists them'],
])('%s is none', async (id, words) => {
  expect(await runHere(['rules', id])).toEqual({ status: 2, stdout: '', stderr: expect.stringContaining(words) });
});
