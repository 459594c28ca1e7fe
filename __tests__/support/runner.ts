/**
 * A small GitHub runner: it starts the committed action as actions/runner does (inputs as INPUT_*, file commands), and
 * reads what the runner would read: both grammars of workflow commands on both streams, outputs, the job summary.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './cli.js';
import { createRepo, removeRepo } from './trees.js';

export type Annotation = { command: string; properties: Record<string, string>; message: string };
export type ActionRun = {
  status: number | null;
  log: string;
  annotations: Annotation[];
  outputs: Record<string, string>;
  summary: string;
};

/** What the runner was started by. */
export type Event = { name: string; payload: unknown };

export async function runAction(
  workspace: string,
  inputs: Record<string, string>,
  node: string,
  event?: Event,
  more: Record<string, string> = {},
): Promise<ActionRun> {
  const files = createRepo({
    output: '',
    summary: '',
    env: '',
    path: '',
    'event.json': JSON.stringify(event?.payload ?? {}),
  });
  const env = {
    PATH: process.env.PATH ?? '',
    GITHUB_ACTIONS: 'true',
    GITHUB_WORKSPACE: workspace,
    GITHUB_OUTPUT: join(files, 'output'),
    GITHUB_STEP_SUMMARY: join(files, 'summary'),
    GITHUB_ENV: join(files, 'env'),
    GITHUB_PATH: join(files, 'path'),
    ...(event && { GITHUB_EVENT_NAME: event.name, GITHUB_EVENT_PATH: join(files, 'event.json') }),
    ...inputsIn(inputs),
    ...more,
  };
  const { status, log } = await start(node, env, workspace);
  const read = (name: string) => readFileSync(join(files, name), 'utf8');
  const run = shownOf(status, log, outputs(read('output')), read('summary'));
  const untouched = read('env') + read('path');
  removeRepo(files);
  if (untouched) throw new Error('the action wrote to GITHUB_ENV or GITHUB_PATH');
  return run;
}

/** Inputs, as a runner hands them on. */
export function inputsIn(inputs: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]));
}

/** What a runner shows of what an action wrote. */
export function shownOf(
  status: number | null,
  log: string,
  results: Record<string, string>,
  summary: string,
): ActionRun {
  return { status, log, annotations: kept(commands(log)), outputs: results, summary: uploaded(summary) };
}

function start(
  node: string,
  env: Record<string, string>,
  cwd: string,
): Promise<{ status: number | null; log: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(node, [join(root, 'dist/action/index.js')], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let log = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        log += text;
      });
    }
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, log }));
  });
}

/** actions/runner, ActionCommand.cs: `::cmd k=v,k=v::data` after leading spaces, `##[cmd k=v;]data` anywhere in a line. */
export function commands(log: string): Annotation[] {
  return log.split('\n').flatMap((line) => {
    const now = /^\s*::([\w-]+)(?: ([^:]*(?:%3A[^:]*)*))?::(.*)$/.exec(line);
    const match = now ?? /##\[([\w-]+)(?: ([^\]]*))?\](.*)$/.exec(line);
    if (!match?.[1]) return [];
    const properties = (match[2] ?? '')
      .split(now ? ',' : ';')
      .filter(Boolean)
      .map((pair) => {
        const [key = '', value = ''] = pair.split(/=(.*)/s);
        return [key.trim(), unescapeText(value)];
      });
    return [{ command: match[1], properties: Object.fromEntries(properties), message: unescapeText(match[3] ?? '') }];
  });
}

/** A step shows ten annotations of each level, and 4,096 characters of each (src/github/FACTS.md). */
function kept(all: Annotation[]): Annotation[] {
  return all
    .filter(({ command }, index) => all.slice(0, index).filter((one) => one.command === command).length < 10)
    .map((one) => ({ ...one, message: one.message.slice(0, 4096) }));
}

/** A summary of more than 1 MiB is dropped as a whole. */
function uploaded(summary: string): string {
  return Buffer.byteLength(summary) > 1024 * 1024 ? '' : summary;
}

function unescapeText(text: string): string {
  return text.replace(/%(0D|0A|3A|2C|25)/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** `name=value`, or `name<<DELIMITER`, lines, `DELIMITER`. */
function outputs(text: string): Record<string, string> {
  const found: Record<string, string> = {};
  const lines = text.split('\n');
  for (let index = 0; index < lines.length; index++) {
    const [, name, delimiter] = /^([^=<]+)<<(.+)$/.exec(lines[index] ?? '') ?? [];
    if (!name || !delimiter) continue;
    const end = lines.indexOf(delimiter, index + 1);
    found[name] = lines.slice(index + 1, end).join('\n');
    index = end;
  }
  return found;
}
