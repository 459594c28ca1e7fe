/**
 * The action in this process, from the source: as `runAction` without a process, a bundle and @actions/core. Those stay with
 * `runAction`, as do the files of a runner.
 */
import { cannot, formatFatal } from '../../src/lint/process.js';
import { printable } from '../../src/report/index.js';
import { root } from './cli.js';
import './here.js'; // first: it takes the place of the engines
import { jest } from '@jest/globals';
import type { GitHubOptions } from '../../src/github/client.js';
import { hurried, patience } from './hurried.js';
import { type ActionRun, type Event, inputsIn, shownOf } from './runner.js';
import { createRepo, removeRepo } from './trees.js';

const client = await import('../../src/github/client.js');
class HurriedGitHub extends client.GitHub {
  constructor(options: GitHubOptions) {
    super({ clock: hurried, timeout: patience.request, ...options });
  }
}
jest.unstable_mockModule('../../src/github/client.js', () => ({ ...client, GitHub: HurriedGitHub }));
const { act } = await import('../../src/action/action.js');

export async function runActionHere(
  workspace: string,
  inputs: Record<string, string>,
  event?: Event,
  more: Record<string, string> = {},
): Promise<ActionRun> {
  const files = createRepo({ 'event.json': JSON.stringify(event?.payload ?? {}) });
  const env: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    GITHUB_ACTIONS: 'true',
    GITHUB_WORKSPACE: workspace,
    GITHUB_OUTPUT: 'somewhere',
    GITHUB_STEP_SUMMARY: 'somewhere',
    ...(event && { GITHUB_EVENT_NAME: event.name, GITHUB_EVENT_PATH: `${files}/event.json` }),
    ...inputsIn(inputs),
    ...more,
  };
  const token = env.INPUT_TOKEN?.trim() || undefined;
  delete env.INPUT_TOKEN;
  const outputs: Record<string, string> = {};
  const shown = { log: '', summary: '' };
  const core = {
    getInput: (name: string) => env[`INPUT_${name.toUpperCase()}`]?.trim() ?? '',
    getMultilineInput: (name: string) =>
      (env[`INPUT_${name.toUpperCase()}`] ?? '')
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== ''),
    setOutput: (name: string, value: unknown) => {
      outputs[name] = String(value);
    },
    saveState: () => {},
    error: (message: string) => {
      const text = message.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
      shown.log += `::error::${text}\n`;
    },
    summary: {
      addRaw: (text: string) => ({
        write: async () => {
          shown.summary += text;
        },
      }),
    },
  };
  const write = (text: string) => {
    shown.log += text;
  };
  let status: number;
  try {
    status = await act({ home: root, env, token, stdout: { write }, core });
  } catch (error) {
    // As main.ts does.
    core.error(printable(`customizer-lint: ${formatFatal(error, () => 'this is a bug of the linter:')}`));
    status = cannot;
  } finally {
    removeRepo(files);
  }
  return shownOf(status, shown.log, outputs, shown.summary);
}

/** What the event of a pull request says; by default it comes from a fork. */
export function pullRequestOf(
  { base, head }: { base: string; head: string },
  { name = 'o/r', from = 'someone/r' }: { name?: string; from?: string } = {},
) {
  return {
    number: 7,
    base: { sha: base, ref: 'main', repo: { full_name: name } },
    head: { sha: head, ref: 'patch-1', repo: { full_name: from } },
  };
}
