/** What git is started with: what it needs, and nothing that could steer it. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { gitEnvironment } from '../../src/tree/git-environment.js';

const names = ['PATH', 'HOME', 'SYSTEMROOT', 'GIT_DIR', 'GH_TOKEN'];
let before: (string | undefined)[];
beforeEach(() => {
  before = names.map((name) => process.env[name]);
  for (const name of names) delete process.env[name];
});
afterEach(() => {
  for (const [index, name] of names.entries()) {
    const value = before[index];
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});

const always = {
  LC_ALL: 'C',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_PROTOCOL_FROM_USER: '0',
};

test('it finds programs and the user’s own configuration, and has nothing else of ours', () => {
  Object.assign(process.env, { PATH: '/bin', HOME: '/home/a', SYSTEMROOT: 'C:', GIT_DIR: '/x', GH_TOKEN: 'ghs_x' });
  expect(gitEnvironment()).toStrictEqual({ PATH: '/bin', HOME: '/home/a', SYSTEMROOT: 'C:', ...always });
});

test('what is not set is not handed on', () => {
  expect(gitEnvironment()).toStrictEqual(always);
});

// With an empty one git would read /.gitconfig, and programs would be looked for in the repository itself.
test('what is empty is not handed on either', () => {
  Object.assign(process.env, { PATH: '', HOME: '', SYSTEMROOT: '' });
  expect(gitEnvironment()).toStrictEqual(always);
});
