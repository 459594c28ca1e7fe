/** The token of the job is taken, and written over where the system shows what the process was started with. */
import { afterAll, beforeEach, describe, expect, jest, test } from '@jest/globals';

const fs = await import('node:fs');
/** What stands in the memory of a process that was started so, from `start` on. */
let memory: Buffer;
let stat: string;
let opened: string[];
const start = 0x7ffc_dead_b000;
const isMemory = (file: unknown) => file === 'memory';

// The real one is that of the process which runs the tests, and was filled when that was started.
jest.unstable_mockModule('node:fs', () => ({
  ...fs,
  readFileSync: (path: string, ...rest: never[]) =>
    path === '/proc/self/stat' ? stat : (fs.readFileSync as (...all: unknown[]) => unknown)(path, ...rest),
  openSync: (path: string, mode: string) => {
    opened.push(`open ${path} ${mode}`);
    return 'memory';
  },
  readSync: (file: unknown, block: Buffer, offset: number, length: number, position: number) => {
    if (!isMemory(file)) throw new Error('another file is read');
    return memory.copy(block, offset, position - start, position - start + length);
  },
  writeSync: (file: unknown, text: string, position: number) => {
    if (!isMemory(file)) throw new Error('another file is written');
    return memory.write(text, position - start, 'latin1');
  },
  closeSync: (file: unknown) => void opened.push(`close ${file}`),
}));

const names = [
  'INPUT_TOKEN',
  'GITHUB_TOKEN',
  'GH_TOKEN',
  'ACTIONS_RUNTIME_TOKEN',
  'ACTIONS_ID_TOKEN_REQUEST_TOKEN',
  'ACTIONS_ID_TOKEN_REQUEST_URL',
];
const others = Object.fromEntries([...names, 'KEPT'].map((name) => [name, process.env[name]]));
const platform = Object.getOwnPropertyDescriptor(process, 'platform') as PropertyDescriptor;
const setPlatform = (value: string) => Object.defineProperty(process, 'platform', { ...platform, value });

beforeEach(() => {
  opened = [];
  hold('');
  setPlatform('linux');
});
afterAll(() => {
  Object.defineProperty(process, 'platform', platform);
  for (const [name, value] of Object.entries(others)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});

/** The memory holds this, and the line of /proc/self/stat says where; `name` is what the process is called. */
function hold(text: string, name = 'node') {
  memory = Buffer.from(text, 'latin1');
  const numbers = Array.from({ length: 49 }, (_, index) => String(index + 4));
  // env_start and env_end are the fields 50 and 51 (proc_pid_stat).
  Object.assign(numbers, { [50 - 4]: `${start}`, [51 - 4]: `${start + memory.length}` });
  stat = `7 (${name}) R ${numbers.join(' ')}\n`;
}

async function take(environment: Record<string, string> = {}): Promise<string | undefined> {
  for (const name of names) delete process.env[name];
  Object.assign(process.env, environment);
  jest.resetModules();
  return (await import('../../src/action/token.js')).token;
}

test.each([
  ['ghs_x', 'ghs_x'],
  [' ghs_x\n', 'ghs_x'],
  ['', undefined],
  [' ', undefined],
])('of the input %j it is %j', async (input, expected) => {
  expect(await take({ INPUT_TOKEN: input })).toBe(expected);
});

test('without the input there is none, whatever else there is', async () => {
  expect(await take({ GITHUB_TOKEN: 'ghs_y' })).toBeUndefined();
});

test('no variable that has one stays in the environment, and others do', async () => {
  await take({ ...Object.fromEntries(names.map((name) => [name, `ghs_${name}`])), KEPT: 'x' });
  expect([...names, 'KEPT'].filter((name) => name in process.env)).toEqual(['KEPT']);
});

describe('in the memory that the system shows', () => {
  const written = async (text: string, name?: string) => {
    hold(text, name);
    await take();
    return memory.toString('latin1');
  };

  test.each<[string, string, string]>([
    ['the token', 'A=1\0INPUT_TOKEN=ghs_x\0B=2\0', 'A=1\0INPUT_TOKEN=*****\0B=2\0'],
    ['the first', 'GH_TOKEN=ghs_x\0A=1\0', 'GH_TOKEN=*****\0A=1\0'],
    ['all of them', names.map((name) => `${name}=a=b\0`).join(''), names.map((name) => `${name}=***\0`).join('')],
    ['one behind another', 'GH_TOKEN=a\0GH_TOKEN=b\0A=b\0', 'GH_TOKEN=*\0GH_TOKEN=*\0A=b\0'],
    ['one without an end', 'A=1\0GITHUB_TOKEN=ghs_x', 'A=1\0GITHUB_TOKEN=*****'],
    ['one behind a name without a value', 'GH_TOKEN\0INPUT_TOKEN=ghs_x\0', 'GH_TOKEN\0INPUT_TOKEN=*****\0'],
    ['one behind something empty', '\0\0INPUT_TOKEN=ghs_x\0', '\0\0INPUT_TOKEN=*****\0'],
  ])('%s is written over', async (_, text, expected) => {
    expect(await written(text)).toBe(expected);
    expect(opened).toEqual(['open /proc/self/mem r+', 'close memory']);
  });

  test.each([
    ['other variables', 'A=1\0KEPT=INPUT_TOKEN=x\0TOKEN=y\0INPUT_TOKENS=z\0MY_INPUT_TOKEN=z\0'],
    ['what has no value', 'INPUT_TOKEN=\0GH_TOKEN\0A=1\0'],
    ['what has no value, at the end', 'A=1\0INPUT_TOKEN='],
    ['a name without a value, at the end', 'A=1\0INPUT_TOKEN'],
  ])('nothing else is: %s', async (_, text) => {
    expect(await written(text)).toBe(text);
  });

  test('it is found whatever the process is called', async () => {
    expect(await written('GH_TOKEN=x\0', 'a) R (b 1 2')).toBe('GH_TOKEN=*\0');
  });

  test('nothing is done on a system that does not show it', async () => {
    setPlatform('darwin');
    expect(await written('GH_TOKEN=x\0')).toBe('GH_TOKEN=x\0');
    expect(opened).toEqual([]);
  });

  test.each([
    ['nowhere', '7 (node) R 1 2\n'],
    // As /proc says it to whoever may not know (PTRACE_MODE_READ_FSCREDS).
    ['0 to 0', `7 (node) R ${'0 '.repeat(49)}\n`],
    ['0 to somewhere', `7 (node) R ${'0 '.repeat(47)}10 `],
    ['one to the same', `7 (node) R ${'1 '.repeat(49)}\n`],
  ])('nothing is opened where the system says that it lies from %s', async (_, line) => {
    stat = line;
    expect(await take({ INPUT_TOKEN: 'ghs_x' })).toBe('ghs_x');
    expect(opened).toEqual([]);
  });

  test('a memory that cannot be written is no failure, and it is closed', async () => {
    hold('GH_TOKEN=x\0');
    memory = Object.assign(memory, {
      write: () => {
        throw new Error('EIO');
      },
    });
    expect(await take({ INPUT_TOKEN: 'ghs_x' })).toBe('ghs_x');
    expect(opened).toEqual(['open /proc/self/mem r+', 'close memory']);
  });
});
