/** What is said of a file that the system does not give out. */
import { expect, test } from '@jest/globals';
import { reasonOf, UnreadableError, unreadable } from '../../src/core/unreadable.js';

const failed = (message: string, more: object = {}) => Object.assign(new Error(message), more);

test.each<[Error, string]>([
  [
    failed("ENOENT: no such file or directory, open '/a'", { code: 'ENOENT', syscall: 'open' }),
    'ENOENT: no such file or directory',
  ],
  [
    failed('ENOSPC: no space left on device, write', { code: 'ENOSPC', syscall: 'write' }),
    'ENOSPC: no space left on device',
  ],
  [failed('EIO: it fails', { code: 'EIO', syscall: 'read' }), 'EIO: it fails'],
  [failed('it changes, read it again'), 'it changes, read it again'],
])('the reason is told without the call and the path: %s', (error, reason) => {
  expect(reasonOf(error)).toBe(reason);
  expect(() => unreadable('a.yaml', error)).toThrow(new UnreadableError(`"a.yaml" cannot be read: ${reason}`));
});
