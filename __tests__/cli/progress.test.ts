/** The word on standard error while long work goes on. */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { startProgress } from '../../src/cli/progress.js';
import { Builder } from '../../src/render/render.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

function said(isTTY: boolean, work: (progress: ReturnType<typeof startProgress>) => void): string {
  let text = '';
  const stream = {
    isTTY,
    write: (more: string) => {
      text += more;
    },
  };
  const progress = startProgress(stream as never);
  work(progress);
  progress.stop();
  return text;
}

test('work of less than a second is done in silence', () => {
  expect(
    said(true, ({ update }) => {
      update(0, 2, 'apps');
      jest.advanceTimersByTime(900);
    }),
  ).toBe('');
});

test('a log has none, however long it takes', () => {
  const text = said(false, ({ update }) => {
    update(0, 2, 'apps');
    jest.advanceTimersByTime(60_000);
  });
  expect(text).toBe('');
});

test('what is done once is not counted', () => {
  const text = said(true, ({ say }) => {
    say(0, 1, 'asking the server');
    jest.advanceTimersByTime(1000);
    say(1, 3, 'simulating');
    jest.advanceTimersByTime(1000);
  });
  const begin = '\r\u001b[K';
  expect(text).toBe(`${begin}asking the server, 1 s${begin}simulating: 2 of 3, 2 s${begin}`);
});

test('a terminal has one line, which goes', () => {
  const text = said(true, ({ update }) => {
    update(0, 2, 'a\u001bpps');
    jest.advanceTimersByTime(2000);
  });
  const begin = '\r\u001b[K';
  expect(text).toBe(`${begin}rendering 1 of 2: a\\x1bpps, 1 s${begin}rendering 1 of 2: a\\x1bpps, 2 s${begin}`);
});

test('and which goes once, also in the moment that it is shown', () => {
  const text = said(true, ({ update, stop }) => {
    update(0, 2, 'apps');
    jest.advanceTimersByTime(1000);
    stop();
  });
  expect(text).toBe('\r\u001b[Krendering 1 of 2: apps, 1 s\r\u001b[K');
});

test('a terminal is left alone where no word was said', () => {
  expect(said(true, () => jest.advanceTimersByTime(5000))).toBe('');
});

test('as directories are found while others are rendered, there is always one more than is done', async () => {
  const calls: unknown[] = [];
  const engine = {
    build: async () => ({
      ok: true,
      files: [],
      sources: [],
      objects: [],
      steps: [],
      dropped: [],
      undefinedVariables: [],
    }),
    lostOf: () => [],
  };
  const progress = (...call: unknown[]) => calls.push(call);
  const builder = new Builder({ revision: 'head' } as never, engine as never, undefined, progress);
  await builder.all(['flux', 'apps', 'flux'].map((path) => ({ path, why: 'a test', kustomization: {} })));
  expect(calls).toEqual([
    [0, 1, 'flux'],
    [1, 2, 'apps'],
  ]);
});
