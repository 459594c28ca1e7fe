/** The words of a chart that fails. */
import { expect, test } from '@jest/globals';
import { textOf, wordsOf } from '../../src/charts/fails.js';

const failed = (message: string) => ({ stage: 'render' as const, message });

test.each(['.Values.hosts', 'index .Values.hosts "a->b"', 'include "big>" .', 'regexMatch "<.*>" .Values.a'])(
  'the expression %s is left out of the words',
  (expression) => {
    const message = `template: a/templates/b.yaml:3:5: executing "a/templates/b.yaml" at <${expression}>: wrong: <nil>`;
    expect(wordsOf(failed(message))).toBe('wrong: <nil>');
    expect(textOf('x', failed(message)).help).toBe('see a/templates/b.yaml, line 3');
  },
);

test('of a template that does not parse there is no expression', () => {
  expect(wordsOf(failed('template: a/templates/b.yaml:3: unclosed action'))).toBe(
    'template: a/templates/b.yaml:3: unclosed action',
  );
  expect(wordsOf(failed('template: a/templates/b.yaml:3:1: unclosed <action>: here'))).toBe('unclosed <action>: here');
});
