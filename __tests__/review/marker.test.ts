/** How a comment of the tool is known again, and what is none. */
import { expect, test } from '@jest/globals';
import type { Finding } from '../../src/core/model.js';
import { bodyHash, markerId, memberOf, readMarker, withMarker } from '../../src/review/marker.js';

const id = markerId('', 'f1');
const comment = withMarker('', { id, text: 'some words' });
const read = { id, hash: bodyHash('some words'), text: 'some words', added: '', members: [], isReworded: false };

test('a comment ends with a marker that tells its finding and its words', () => {
  expect(comment).toMatch(/^some words\n\n<!-- customizer-lint:1 [0-9a-f]{8} [0-9a-f]{32} [0-9a-f]{16} -->$/);
  expect(readMarker('', comment)).toEqual(read);
});

test('it is known again though a server has changed the ends of its lines', () => {
  expect(readMarker('', `${comment.replaceAll('\n', '\r\n')}\r\n`)).toEqual(read);
});

test('it is known by its last marker, with what a person has written below', () => {
  const copied = `${withMarker('', { id: markerId('', 'f2'), text: 'other words' })}\n\n${comment}\n\nWe know.`;
  expect(readMarker('', copied)).toMatchObject({ id, added: 'We know.' });
  expect(withMarker('', { id, text: 'some words', added: 'We know.' })).toBe(`${comment}\n\nWe know.`);
});

test('it tells the findings that it names, and whether somebody has changed its words', () => {
  const one = { fingerprint: 'f', severity: 'error', message: 'm' } as Finding;
  const members = [one, { ...one, severity: 'warning' as const }, { ...one, message: 'n' }].map(memberOf);
  expect(new Set(members).size).toBe(3);
  const onLine = (line: number) => memberOf({ ...one, message: `as on line ${line} of "a"` });
  expect(onLine(7)).toBe(onLine(12));
  const named = withMarker('', { id, text: 'some words', members });
  expect(readMarker('', named)).toEqual({ ...read, members });
  expect(readMarker('', named.replace('some words', 'some other words'))?.isReworded).toBe(true);
  expect(readMarker('', named.replace('some words', 'some words  '))?.isReworded).toBe(false);
});

test('other words have another hash, and another finding or another job another identity', () => {
  expect(bodyHash('other words')).not.toBe(bodyHash('some words'));
  expect(new Set([markerId('', 'f1'), markerId('', 'f2'), markerId('b', 'f1')]).size).toBe(3);
});

test.each([
  ['of another job', 'other', comment],
  ['without a marker', '', 'some words'],
  ['whose marker does not begin its line', '', comment.replace('\n\n<!--', ' <!--')],
  ['whose marker has lost a digit', '', comment.replace(' -->', '').replace(/.$/, ' -->')],
  ['of another version', '', comment.replace('lint:1', 'lint:2')],
])('a comment %s is not taken for its own', (_, instance, body) => {
  expect(readMarker(instance, body)).toBeUndefined();
});

test('the same words with links to another commit are the same', () => {
  const linked = (commit: string, line: number) => `see [a](https://example.org/o/r/blob/${commit}/a.yaml#L${line})`;
  const hash = bodyHash(linked('a'.repeat(40), 1));
  expect(bodyHash(linked('b'.repeat(40), 1))).toBe(hash);
  expect(bodyHash(linked('b'.repeat(40), 2))).not.toBe(hash);
});

test('only what a link names directly behind /blob/ is a commit', () => {
  const linked = (folder: string) => `see https://example.org/o/r/blob/main/${folder}/a.yaml`;
  expect(bodyHash(linked('a'.repeat(40)))).not.toBe(bodyHash(linked('b'.repeat(40))));
});
