/** Where artifacts lie that were pulled. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { cachedArtifact } from '../../src/registry/cache.js';

test.each([
  ['the folder that is named for it', { XDG_CACHE_HOME: '/cache', HOME: '/home/a' }, '/cache'],
  [
    'the home of the user, where that is no absolute path',
    { XDG_CACHE_HOME: 'cache', HOME: '/home/a' },
    '/home/a/.cache',
  ],
  ['the home of the user', { HOME: '/home/a' }, '/home/a/.cache'],
  ['the home that the system knows, where none is named', {}, join(homedir(), '.cache')],
  ['the home that the system knows, where its name is empty', { HOME: '' }, join(homedir(), '.cache')],
])('in %s', (_, env, folder) => {
  expect(cachedArtifact(env, 'sha256:ab')).toBe(join(folder, 'customizer-lint/charts/sha256-ab'));
});
