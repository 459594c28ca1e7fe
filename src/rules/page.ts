/** Where the page of a rule can be read, in the words of the version that reports it. */
import type { Severity } from '../core/model.js';
import type { Group } from './groups.js';
import { rules } from './index.js';

export function pageUrl(rule: string, { version }: { version: string }): string {
  return `https://github.com/cozystack/customizer-lint/blob/v${version}/src/rules/${rule}/README.md`;
}

/** What reports say of the rules. */
export function describedRules(tool: {
  version: string;
}): { id: string; group: Group; severity: Severity; summary: string; url: string }[] {
  return rules.map(({ id, group, severity, summary }) => ({ id, group, severity, summary, url: pageUrl(id, tool) }));
}
