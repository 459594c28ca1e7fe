/** What is asked for on the command line of the findings of a run; the action has no such options. */
import { type Finding, type Run, type Severity, severities, UsageError } from '../core/model.js';
import { nearMiss } from '../core/suggest.js';
import { rules } from '../rules/index.js';
import type { Call } from './root.js';

/** The run with the findings that are wanted, each as severe as is said. Throws a `UsageError` for a rule that does not exist. */
export function narrowed(run: Run, { files, values }: Call): Run {
  const [selected, ignored] = [idsOf(values.select), idsOf(values.ignore)];
  const levels = levelsOf(values.severity);
  const isWanted = ({ rule, at }: Finding) =>
    (selected.size === 0 || selected.has(rule)) &&
    !ignored.has(rule) &&
    (files.length === 0 || files.includes(at.file));
  const findings = run.findings
    .filter(isWanted)
    .map((finding) => ({ ...finding, severity: levels.get(finding.rule) ?? finding.severity }));
  return { ...run, findings };
}

function idsOf(lists: readonly string[] | undefined): Set<string> {
  return new Set((lists ?? []).flatMap((list) => list.split(',').filter(Boolean)).map(known));
}

function levelsOf(settings: readonly string[] | undefined): Map<string, Severity> {
  return new Map(
    (settings ?? []).map((setting) => {
      const [id = '', level = ''] = setting.split('=');
      const severity = severities.find((one) => one === level);
      if (!severity) throw new UsageError(`--severity ${setting}: write ID=error, ID=warning or ID=notice`);
      return [known(id), severity];
    }),
  );
}

function known(id: string): string {
  const ids = rules.map((rule) => rule.id);
  if (ids.includes(id)) return id;
  throw new UsageError(`unknown rule "${id}"; ${nearMiss(id, ids, 'customizer-lint rules lists them')}`);
}
