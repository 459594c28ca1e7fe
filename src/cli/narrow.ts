/** What is asked for on the command line of the findings of a run; the action has no such options. */
import { type Finding, type Run, type Severity, severities, UsageError } from '../core/model.js';
import { nearMiss } from '../core/suggest.js';
import { groups } from '../rules/groups.js';
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

/** A group stands for its rules. */
function idsOf(lists: readonly string[] | undefined): Set<string> {
  return new Set(
    (lists ?? [])
      .flatMap((list) => list.split(',').filter(Boolean))
      .flatMap((name) => (Object.hasOwn(groups, name) ? ofGroup(name) : knownRule(name, Object.keys(groups)))),
  );
}

const ofGroup = (name: string) => rules.flatMap(({ id, group }) => (group === name ? [id] : []));

function levelsOf(settings: readonly string[] | undefined): Map<string, Severity> {
  return new Map(
    (settings ?? []).map((setting) => {
      const [id = '', level = ''] = setting.split('=');
      const severity = severities.find((one) => one === level);
      if (!severity) throw new UsageError(`--severity ${setting}: write ID=error, ID=warning or ID=notice`);
      return [knownRule(id), severity];
    }),
  );
}

/** Throws a `UsageError` with the near miss, of the rules or of what else may stand there. */
export function knownRule(id: string, others: readonly string[] = []): string {
  const ids = rules.map((rule) => rule.id);
  if (ids.includes(id)) return id;
  throw new UsageError(
    `unknown rule "${id}"; ${nearMiss(id, [...ids, ...others], 'customizer-lint rules lists them')}`,
  );
}
