/** `.customizer-lint.yaml`: read, checked, and problems in it reported at their line like any other. */
import { parseDocument } from 'yaml';
import { depthExceeds, maxDepth } from './locate/syntax.js';
import { type FieldPath, type Problem, type Severity, severities, UsageError } from './model.js';
import type { Tree } from './tree.js';

export const configFile = '.customizer-lint.yaml';

export type Config = {
  file?: string;
  entrypoints?: string[];
  /** What is known of the cluster. */
  cluster: { release?: string; variant?: string };
  /** Severity by rule; `off` switches a rule off. */
  rules: Record<string, Severity | 'off'>;
};

type Report = (path: FieldPath, message: string, help?: string) => void;
type Check = (value: unknown, path: FieldPath, report: Report) => boolean;

const variants = ['default', 'isp-full', 'isp-full-generic', 'isp-hosted'];

/**
 * The configuration of a tree. `rules` are the ids that may be named in it; `named` is a file that the user asked for.
 * Throws a `UsageError` if that one is not there.
 */
export function readConfig(
  tree: Tree,
  rules: readonly string[],
  named?: string,
): { config: Config; problems: Problem[] } {
  const problems: Problem[] = [];
  const config: Config = { cluster: {}, rules: {} };
  const file = named ?? configFile;
  const text = tree.text(file);
  if (text === undefined && named)
    throw new UsageError(`--config ${named}: there is no such file in ${tree.description}`);
  if (text === undefined) return { config, problems };
  const report: Report = (path, message, help) => {
    problems.push({
      rule: 'invalid-config',
      message,
      ...(help && { help }),
      at: { file, document: 0, path, part: 'key' },
    });
  };
  const value = parse(text, report);
  const accepted = object({
    entrypoints: list(string),
    cluster: object({ release: string, variant: oneOf(variants) }),
    rules: object(Object.fromEntries(rules.map((id) => [id, oneOf([...severities, 'off'])]))),
  })(value ?? {}, [], report);
  if (accepted && value) Object.assign(config, value);
  return { config: { ...config, file }, problems };
}

function parse(text: string, report: Report): unknown {
  if (text.length > 1 << 18 || depthExceeds(text, maxDepth)) {
    report([], 'The configuration is larger or deeper than any could be');
    return undefined;
  }
  const document = parseDocument(text, { logLevel: 'silent' });
  const error = document.errors[0];
  if (error) {
    report([], `The configuration is not valid YAML: ${error.message.split('\n', 1)[0]?.replace(/:$/, '')}`);
    return undefined;
  }
  try {
    return document.toJS({ maxAliasCount: 10 });
  } catch {
    report([], 'The configuration repeats aliases more often than any could need');
    return undefined;
  }
}

const string: Check = (value, path, report) => {
  if (typeof value === 'string') return true;
  report(path, `"${path.join('.')}" must be a string`);
  return false;
};

function oneOf(words: readonly string[]): Check {
  return (value, path, report) => {
    if (typeof value === 'string' && words.includes(value)) return true;
    report(path, `"${path.join('.')}" must be one of ${words.join(', ')}`);
    return false;
  };
}

function list(item: Check): Check {
  return (value, path, report) => {
    if (Array.isArray(value)) return value.map((entry, index) => item(entry, [...path, index], report)).every(Boolean);
    report(path, `"${path.join('.')}" must be a list`);
    return false;
  };
}

function object(fields: Record<string, Check>): Check {
  return (value, path, report) => {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) {
      report(path, path.length > 0 ? `"${path.join('.')}" must be a map` : 'The configuration must be a map');
      return false;
    }
    return Object.entries(value)
      .map(([key, entry]) => {
        const check = Object.hasOwn(fields, key) ? fields[key] : undefined;
        if (check) return check(entry, [...path, key], report);
        report(
          [...path, key],
          `"${[...path, key].join('.')}" is not a setting`,
          `known here: ${Object.keys(fields).join(', ')}`,
        );
        return false;
      })
      .every(Boolean);
  };
}
