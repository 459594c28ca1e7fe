/**
 * Before each suite that runs the product in its own process: git is started by a small process instead (program-host.mjs), in a
 * fraction of the time that this one takes. The suites of `tree/` and those that run the bundle start their own.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, expect, jest } from '@jest/globals';
import type { Ended, StartedProgram } from '../../src/tree/program.js';
import { root } from './cli.js';

type Call = { resolve(ended: Ended): void; reject(error: unknown): void };
type Answer = { id: number; ended?: Ended; error?: Error };

const { TooSlowError } = await import('../../src/tree/program.js');
let running: { host: ChildProcess; calls: Map<number, Call>; last: number } | undefined;

/** What git says of its settings in this checkout, by its arguments: a fixture has none of its own, and there are a thousand. */
const settings = new Map<string, Promise<Ended>>();
const fixtures = `${root}__tests__/`;

function runElsewhere(command: string, args: readonly string[], program: StartedProgram): Promise<Ended> {
  if (!args.includes('--get-regexp') || !program.cwd.startsWith(fixtures)) return ask(command, args, program);
  const key = JSON.stringify([args, program.env]);
  const answer = settings.get(key) ?? ask(command, args, program);
  settings.set(key, answer);
  return answer;
}

function ask(command: string, args: readonly string[], program: StartedProgram): Promise<Ended> {
  running ??= start();
  const { host, calls } = running;
  running.last += 1;
  const id = running.last;
  return new Promise((resolve, reject) => {
    calls.set(id, { resolve, reject });
    host.channel?.ref();
    host.send({ id, command, args, program });
  });
}

function start() {
  const host = fork(`${root}__tests__/support/program-host.mjs`, [], { serialization: 'advanced', execArgv: [] });
  const calls = new Map<number, Call>();
  host.unref();
  host.on('message', ({ id, ended, error }: Answer) => {
    const call = calls.get(id);
    calls.delete(id);
    if (calls.size === 0) host.channel?.unref();
    if (ended) call?.resolve({ ...ended, stdout: Buffer.from(ended.stdout), stderr: Buffer.from(ended.stderr) });
    else call?.reject(error?.name === 'TooSlowError' ? new TooSlowError(error.message) : withCode(error));
  });
  host.on('exit', () => {
    running = undefined;
    for (const { reject } of calls.values()) reject(new Error('the process that starts programs has ended'));
  });
  return { host, calls, last: 0 };
}

/** What an error of the system says is handed on without its prototype. */
function withCode(error: Error | undefined): Error {
  return Object.assign(new Error(error?.message), error);
}

const suite = readFileSync(expect.getState().testPath as string, 'utf8');
if (/support\/(?:here|job|run|github\/fake)\.js'/.test(suite)) {
  jest.unstable_mockModule('../../src/tree/program.js', () => ({ TooSlowError, runProgram: runElsewhere }));
  afterAll(() => {
    running?.host.kill('SIGKILL');
  });
}
