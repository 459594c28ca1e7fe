/** Helm's report on values that do not fit the schemas of charts. */
import { expect, test } from '@jest/globals';
import { reportedRefusals } from '../../src/schema/helm-report.js';
import { faultOf } from '../../src/schema/helm-words.js';

/** As Helm 4.1.1 has said it. */
const message = String.raw`values don't meet the specifications of the schema(s) in the following chart(s):
top:
- at '': 'allOf' failed
  - at '': missing properties 'must', 'never'
  - at '/a': got number, want string
- at '': additional properties 'child', 'it\'s' not allowed
- at '': invalid propertyName 'b'
  - at '': 'b' does not match pattern '^a'
- at '/any': 'anyOf' failed
  - at '/any': got string, want object
  - at '/any': minLength: got 1, want 3
- at '/e': value must be one of 'a', 'b'
- at '/kinds': 'oneOf' failed, none matched
  - at '/kinds': got string, want object
  - at '/kinds': got string, want boolean or null
- at '/list': validation failed
  - at '/list/0': validation failed
    - at '/list/0': missing property 'x'
    - at '/list/0/name': 'A1' does not match pattern '^[a-z]+$'
  - at '/list/2': got number, want object
- at '/one': 'oneOf' failed, none matched
  - at '/one': minimum: got 4, want 10
  - at '/one': multipleOf: got 4, want 3
- at '/s': 'long' is not valid ipv4: invalid
- at '/sp/a "b\'c': got number, want string
- at '/x~1y~0z': got string, want integer
child:
- at '/port': got string, want integer`;

const shown = (text: string) =>
  reportedRefusals(text).map(({ chart, refusal }) => [chart, refusal.path, faultOf(refusal)]);

test('each fault is told, with its chart and its place', () => {
  expect(shown(message)).toEqual([
    ['top', [], "missing properties 'must', 'never'"],
    ['top', ['a'], 'must be a string, not a number'],
    ['top', ['child'], 'is not a known value'],
    ['top', ["it's"], 'is not a known value'],
    ['top', [], "invalid propertyName 'b'"],
    ['top', ['any'], 'minLength: got 1, want 3'],
    ['top', ['e'], 'must be one of a, b'],
    ['top', ['kinds'], 'must be a map or a boolean or null, not a string'],
    ['top', ['list', '0'], "missing property 'x'"],
    ['top', ['list', '0', 'name'], "does not match pattern '^[a-z]+$'"],
    ['top', ['list', '2'], 'must be a map, not a number'],
    ['top', ['one'], "'oneOf' failed, none matched"],
    ['top', ['s'], 'is not valid ipv4: invalid'],
    ['top', ['sp', 'a "b\'c'], 'must be a string, not a number'],
    ['top', ['x/y~z'], 'must be an integer, not a string'],
    ['child', ['port'], 'must be an integer, not a string'],
  ]);
});

test('the line at which the report was cut is left out', () => {
  expect(shown(`${message.slice(0, message.indexOf(' string\n- at'))}…`)).toEqual([
    ['top', [], "missing properties 'must', 'never'"],
  ]);
});

test('other words have no faults', () => {
  expect(reportedRefusals('execution error')).toEqual([]);
  const broken = message.split('\n')[0];
  expect(reportedRefusals(`${broken}\ntop:\nunable to validate schema: no\n`)).toEqual([]);
});
