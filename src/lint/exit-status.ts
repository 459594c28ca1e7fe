import { type Run, type Severity, severities } from '../core/model.js';

/**
 * The exit status of a run that was done: 1 if a finding counts that is at least as bad as `failOn`. `changed`: the files of the
 * change, where nobody has its base: then what stands elsewhere may be old, and does not count; what stands in them may be new, and does.
 */
export function exitStatus(
  run: Run,
  failOn: Severity | 'never',
  onlyNew: boolean,
  changed?: ReadonlySet<string>,
): 0 | 1 {
  if (failOn === 'never') return 0;
  const threshold = severities.indexOf(failOn);
  // Without a base nothing is known to be old, so every finding counts.
  const counts = run.findings.filter(
    ({ isNew, at }) => !onlyNew || (isNew !== false && (isNew || (changed?.has(at.file) ?? true))),
  );
  return counts.some(({ severity }) => severities.indexOf(severity) <= threshold) ? 1 : 0;
}
