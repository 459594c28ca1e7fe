/** The inputs of the action. An empty one is the same as none, so that the configuration file decides. */
import { type Severity, severities, UsageError } from '../core/model.js';
import { slashed } from '../tree/names.js';

export type Inputs = {
  directory: string;
  paths: string[];
  config?: string;
  release?: string;
  base?: string;
  failOn: Severity | 'never';
  /** By default on a pull request, where old problems are not the change's fault. */
  onlyNew?: boolean;
  jsonFile?: string;
  sarifFile?: string;
  /** Whether to comment on pull requests. */
  comment: boolean;
  maxComments: number;
  /** Whether notices get comments too, one for each rule. */
  commentNotices: boolean;
  /** Tells two jobs in one repository apart: by default its workflow, its name, and what it looks at. */
  instance: string;
  /** The same, where it was given: what code scanning is to tell this report from others by. */
  category?: string;
  /** Whether to find out what Flux would do, where there is something to compare with. */
  simulate: boolean;
  /** The charts of the release: its name, or a path outside the repository, so that no change can bring others. */
  charts?: string;
  /** A server to ask. A kubeconfig is refused: a pull request has no business with the rights that it gives. */
  dryRun?: 'kind' | 'envtest';
  /** For the whole run; the workflow says it, never the repository's own configuration. */
  maxSeconds?: string;
  maxMemory?: string;
  /** A report of another workflow's run, to be published. */
  publish?: string;
};

/** The part of @actions/core that reads inputs. */
export type Core = {
  getInput(name: string): string;
  getMultilineInput(name: string): string[];
};

/** Of one review; GitHub itself names no limit (github/FACTS.md, Limits). */
const maxComments = 100;

/** Throws a `UsageError` for a word that an input does not take. `env` is that of the job. */
export function readInputs(core: Core, env: NodeJS.ProcessEnv = {}): Inputs {
  const optional = (name: string, key: keyof Inputs) => {
    const value = core.getInput(name);
    return value === '' ? {} : { [key]: value };
  };
  const yes = (name: string) => oneOf(name, core.getInput(name), ['true', 'false']) === 'true';
  return {
    directory: core.getInput('directory') || '.',
    paths: core.getMultilineInput('path').map((path) => slashed(path)),
    ...optional('config', 'config'),
    ...optional('release', 'release'),
    ...optional('base', 'base'),
    ...optional('instance', 'category'),
    ...optional('json-file', 'jsonFile'),
    ...optional('sarif-file', 'sarifFile'),
    ...optional('charts', 'charts'),
    ...optional('publish', 'publish'),
    ...optional('max-seconds', 'maxSeconds'),
    ...optional('max-memory', 'maxMemory'),
    ...dryRunOf(core.getInput('dry-run')),
    failOn: oneOf('fail-on', core.getInput('fail-on') || 'error', [...severities, 'never']),
    ...(core.getInput('only-new') !== '' && { onlyNew: yes('only-new') }),
    simulate: core.getInput('simulate') === '' || yes('simulate'),
    comment: core.getInput('comment') === '' || yes('comment'),
    maxComments: count('max-comments', core.getInput('max-comments') || '20', maxComments),
    commentNotices: core.getInput('comment-notices') !== '' && yes('comment-notices'),
    instance: core.getInput('instance') || instanceOf(core, env),
  };
}

/** Two jobs that nobody has given names to must not take each other's comments away. */
function instanceOf(core: Core, { GITHUB_WORKFLOW, GITHUB_JOB }: NodeJS.ProcessEnv): string {
  if (!GITHUB_WORKFLOW && !GITHUB_JOB) return '';
  const looksAt = [core.getInput('directory') || '.', ...core.getMultilineInput('path')];
  return JSON.stringify([GITHUB_WORKFLOW, GITHUB_JOB, ...looksAt]);
}

function dryRunOf(value: string): Pick<Inputs, 'dryRun'> {
  const word = oneOf('dry-run', value || 'off', ['off', 'kind', 'envtest']);
  return word === 'off' ? {} : { dryRun: word };
}

function count(name: string, value: string, most: number): number {
  if (!/^\d{1,4}$/.test(value) || Number(value) > most)
    throw new UsageError(`input ${name}: "${value}" is not a number from 0 to ${most}`);
  return Number(value);
}

function oneOf<Word extends string>(name: string, value: string, words: readonly Word[]): Word {
  const word = words.find((candidate) => candidate === value);
  if (word === undefined) throw new UsageError(`input ${name}: "${value}" is not one of ${words.join(', ')}`);
  return word;
}
