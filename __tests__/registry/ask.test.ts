/** Which errors of a connection pass, so that it is tried again. */
import { describe, expect, test } from '@jest/globals';
import { BrokenError, inWords } from '../../src/registry/ask.js';

const url = new URL('https://a.example/x');
const network = { allowPrivate: false, hosts: new Set<string>(), silence: 1, signal: new AbortController().signal };
const words = (code: string | undefined, message: string) =>
  inWords(Object.assign(new Error(message), { code }), url, network);

describe('an error of a connection', () => {
  test.each([
    ...['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'ECONNABORTED', 'ETIMEDOUT', 'EPIPE', 'EAI_AGAIN'],
    ...['ENETUNREACH', 'EHOSTUNREACH'],
  ])('passes: %s', (code) => {
    const error = words(code, 'no');
    expect([error instanceof BrokenError, error.message]).toEqual([
      true,
      `the connection to a.example broke (${code})`,
    ]);
  });

  test.each([
    ['ENOTFOUND', 'no such name', 'no such name'],
    ['ECONNREFUSED', '', 'ECONNREFUSED'],
    [undefined, 'what it was', 'what it was'],
  ])('does not: %s', (code, message, said) => {
    const error = words(code, message);
    expect([error instanceof BrokenError, error.message]).toEqual([false, `a.example cannot be asked: ${said}`]);
  });
});
