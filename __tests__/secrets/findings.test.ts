/** What a finding says of a field, without the value of that field where it is secret. */
import { describe, expect, test } from '@jest/globals';
import type { Finding, Rendered } from '../../src/core/model.js';
import { withoutOwnValues } from '../../src/secrets/findings.js';

const ref = { apiVersion: 'v1', kind: 'Secret', namespace: 'a', name: 's' };

/** What is said of a value of a Secret, and which values are to be shown nowhere. */
function said(value: string, message: string, values: ReadonlySet<string> = new Set()) {
  const object = { ref, revision: 'head', entrypoint: '.', value: { kind: 'Secret', stringData: { conf: value } } };
  const rendered = { head: [{ ok: true, objects: [object] }] as unknown as Rendered[] };
  const hidden: string[] = [];
  const finding = {
    ...{ object: ref, field: ['stringData', 'conf'], entrypoints: ['.'], at: { revision: 'head', file: 'a.yaml' } },
    ...{ message, related: [] },
  } as unknown as Finding;
  const without = withoutOwnValues(
    rendered,
    () => values,
    (_, texts) => void hidden.push(...texts),
  );
  return { message: without(finding).message, hidden };
}

describe('the value of a Secret', () => {
  test.each([
    ['of four letters', 'four', 'it is ••••••', ['four']],
    ['of five', 'fives', 'it is ••••••', ['fives']],
    ['of three, which stand in many words', 'two', 'it is two', []],
    ['that is in every text', 'admin', 'it is admin', []],
    ['that is the name of its object', 'Secret', 'it is Secret', []],
  ])('%s', (_, value, message, hidden) => {
    const { hidden: told, ...rest } = said(value, `it is ${value}`);
    expect({ ...rest, hidden: [...new Set(told)] }).toEqual({ message, hidden });
  });
});
