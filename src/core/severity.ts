/** Findings by how bad they are. */
import { type Finding, severities } from './model.js';

/** Worst first, and of equals the new ones; else as they came. */
export function worstFirst(findings: Finding[]): Finding[] {
  const rank = ({ severity, isNew }: Finding) => severities.indexOf(severity) * 2 + (isNew === false ? 1 : 0);
  return findings.toSorted((a, b) => rank(a) - rank(b));
}
