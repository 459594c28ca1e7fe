/** GitLab's Code Quality report: https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format */

import { jsonText, printable } from '../core/escape.js';
import type { Run, Severity } from '../core/model.js';
import { baseWords, headPlace } from './head-place.js';
import { messageWords, placeWords, upstreamWords } from './summary.js';

const severities: Record<Severity, string> = { error: 'critical', warning: 'major', notice: 'info' };

/** GitLab knows no findings of the base, and links to files of the head: it compares the reports of both branches by their fingerprints. */
export function gitlab(run: Run): string {
  return jsonText(
    run.findings.map((finding) => {
      const { rule, severity, help, at, fingerprint } = finding;
      const shown = headPlace(run, finding);
      const words = at.revision !== 'head' ? baseWords(at, shown) : placeWords(run, finding);
      const where = words.length > 0 ? ` (${words.join('; ')})` : '';
      const upstream = upstreamWords(finding)
        .map((said) => `. ${said}`)
        .join('');
      return {
        description: printable(`${messageWords(finding)}${where}${help ? `. Help: ${help}` : ''}${upstream}`),
        check_name: rule,
        fingerprint,
        severity: severities[severity],
        location: { path: shown.file, lines: { begin: shown.range.start.line, end: shown.range.end.line } },
      };
    }),
  );
}
