/** The inputs of the action. An empty one is the same as none, so that the configuration file decides. */
import { type Severity, severities, UsageError } from './model.js';

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
};

/** The part of @actions/core that reads inputs. */
type Core = {
  getInput(name: string): string;
  getMultilineInput(name: string): string[];
};

/** Throws a `UsageError` for a word that an input does not take. */
export function readInputs(core: Core): Inputs {
  const optional = (name: string, key: keyof Inputs) => {
    const value = core.getInput(name);
    return value === '' ? {} : { [key]: value };
  };
  return {
    directory: core.getInput('directory') || '.',
    paths: core.getMultilineInput('path'),
    ...optional('config', 'config'),
    ...optional('release', 'release'),
    ...optional('base', 'base'),
    ...optional('json-file', 'jsonFile'),
    ...optional('sarif-file', 'sarifFile'),
    failOn: oneOf('fail-on', core.getInput('fail-on') || 'error', [...severities, 'never']),
    ...onlyNew(core.getInput('only-new')),
  };
}

function onlyNew(text: string): Pick<Inputs, 'onlyNew'> {
  return text === '' ? {} : { onlyNew: oneOf('only-new', text, ['true', 'false']) === 'true' };
}

function oneOf<Word extends string>(name: string, value: string, words: readonly Word[]): Word {
  const word = words.find((candidate) => candidate === value);
  if (word === undefined) throw new UsageError(`input ${name}: "${value}" is not one of ${words.join(', ')}`);
  return word;
}
