/** GitLab's Code Quality report: https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format */

import { jsonText, printable } from '../core/escape.js';
import type { Run, Severity } from '../core/model.js';
import { messageWords, placeWords, upstreamWords } from './summary.js';

const severities: Record<Severity, string> = { error: 'critical', warning: 'major', notice: 'info' };

/** GitLab knows no findings of the base: it compares the reports of both branches by their fingerprints. */
export function gitlab(run: Run): string {
  return jsonText(
    run.findings.map((finding) => {
      const { rule, severity, help, at, fingerprint } = finding;
      const words = placeWords(run, finding);
      const where = words.length > 0 ? ` (${words.join('; ')})` : '';
      const upstream = upstreamWords(finding)
        .map((said) => `. ${said}`)
        .join('');
      return {
        description: printable(`${messageWords(finding)}${where}${help ? `. Help: ${help}` : ''}${upstream}`),
        check_name: rule,
        fingerprint,
        severity: severities[severity],
        location: { path: at.file, lines: { begin: at.range.start.line, end: at.range.end.line } },
      };
    }),
  );
}
