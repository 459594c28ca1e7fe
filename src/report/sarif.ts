/** SARIF 2.1.0, as GitHub's code scanning takes it. */

import type * as Sarif from 'sarif';
import { jsonText, markdownText } from '../core/escape.js';
import type { Finding, Fix, Location, Run, Severity } from '../core/model.js';
import { worstFirst } from '../core/severity.js';
import { hasSecret } from './fixes.js';
import type { ReportOptions } from './options.js';
import { factWords, messageWords, placeWords, plural, sections, seenFrom, upstreamWords } from './summary.js';

/** More results refuse the whole upload; of the locations of a result the first 100 are kept (github/FACTS.md, Limits). */
const maxResults = 25_000;
const maxLocations = 100;

const levels: Record<Severity, 'error' | 'warning' | 'note'> = { error: 'error', warning: 'warning', notice: 'note' };

export function sarif(run: Run, options: ReportOptions): string {
  const findings = run.findings.length > maxResults ? worstFirst(run.findings).slice(0, maxResults) : run.findings;
  const rules = rulesOf(run, options);
  const indexes = new Map(rules.map(({ id }, index) => [id, index]));
  const log: Sarif.Log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: { name: run.tool.name, semanticVersion: run.tool.version, rules },
        },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: {
          '%SRCROOT%': { description: { text: "The repository's root" } },
        },
        invocations: [invocation(run, run.findings.length - findings.length)],
        results: findings.map((finding) => result(run, finding, indexes.get(finding.rule))),
        properties: { ignored: run.ignored.length },
      },
    ],
  };
  return jsonText(log);
}

/** All rules that are known, and those that only a finding names. */
function rulesOf(run: Run, { rules = [] }: ReportOptions): Sarif.ReportingDescriptor[] {
  const known = new Set(rules.map(({ id }) => id));
  const others = [...new Set(run.findings.map(({ rule }) => rule))].filter((id) => !known.has(id)).sort();
  return [
    ...rules.map(({ id, group, summary, severity, url }) => ({
      id,
      shortDescription: { text: plain(summary) },
      helpUri: url,
      // GitHub shows it beside the alert, and wants both.
      help: {
        text: `${plain(summary)}: ${url}`,
        markdown: `${markdownText(summary)}. [Examples, and when to ignore it](${url})`,
      },
      properties: { tags: [group] },
      defaultConfiguration: { level: levels[severity] },
    })),
    ...others.map((id) => ({ id })),
  ];
}

function result(run: Run, finding: Finding, ruleIndex: number | undefined): Sarif.Result {
  const wholeFile = finding.precision === 'file';
  const fix = finding.fix?.();
  return {
    ruleId: finding.rule,
    ruleIndex,
    level: levels[finding.severity],
    message: { text: messageOf(run, finding) },
    locations: [{ physicalLocation: physical(finding.at, wholeFile), logicalLocations: logical(finding) }],
    relatedLocations: finding.related.slice(0, maxLocations).map(({ at, message }, index) => ({
      id: index + 1,
      physicalLocation: physical(at, false),
      message: {
        text: plain(at.revision === 'base' ? `${message} (${baseWords(at)})` : message),
      },
    })),
    fixes: fix && !hasSecret(fix, run) ? [fixOf(fix)] : undefined,
    partialFingerprints: { 'customizerLint/v1': finding.fingerprint },
    baselineState: finding.isNew === undefined ? undefined : finding.isNew ? 'new' : 'unchanged',
    properties: { precision: finding.precision, side: finding.at.revision, entrypoints: finding.entrypoints },
  };
}

/** By file, in the order of its edits (§3.55). */
function fixOf({ title, edits }: Fix): Sarif.Fix {
  const files = [...new Set(edits.map(({ at }) => at.file))];
  return {
    description: { text: plain(title) },
    artifactChanges: files.map((file) => ({
      artifactLocation: artifact(file),
      replacements: edits
        .filter(({ at }) => at.file === file)
        .map(({ at, text }) => ({ deletedRegion: region(at), ...(text !== '' && { insertedContent: { text } }) })),
    })),
  };
}

function messageOf(run: Run, finding: Finding): string {
  const words = finding.at.revision === 'base' ? [baseWords(finding.at)] : placeWords(run, finding);
  const seen = seenFrom(run, finding);
  const lines = [
    words.length > 0 ? `${messageWords(finding)} (${words.join('; ')})` : messageWords(finding),
    ...(finding.help ? [finding.help] : []),
    ...upstreamWords(finding),
    ...(seen.length > 0 ? [`Seen from ${seen.join(', ')}`] : []),
    ...finding.assumes.map((fact) => `Assumes ${factWords(fact)}`),
  ];
  return lines.map(plain).join('\n');
}

function baseWords({ range }: Location): string {
  return `line ${range.start.line} before this change`;
}

/** A line of the base is no line of what is uploaded, so only the file is named. */
function physical(at: Location, wholeFile: boolean): Sarif.PhysicalLocation {
  const artifactLocation = artifact(at.file);
  return wholeFile || at.revision === 'base' ? { artifactLocation } : { artifactLocation, region: region(at) };
}

function artifact(file: string): Sarif.ArtifactLocation {
  return { uri: file.split('/').map(encodeSegment).join('/'), uriBaseId: '%SRCROOT%' };
}

function region({ range: { start, end } }: Location): Sarif.Region {
  return { startLine: start.line, startColumn: start.column, endLine: end.line, endColumn: end.column };
}

function encodeSegment(segment: string): string {
  return encodeURIComponent(segment.replace(/\p{Cs}/gu, '\ufffd'));
}

function logical({ object, field }: Finding): Sarif.LogicalLocation[] | undefined {
  if (!object) return undefined;
  const name = [object.kind, object.namespace, object.name].filter((part) => part !== undefined).join('/');
  return [{ name: object.name, fullyQualifiedName: [name, ...field].join('.'), kind: 'object' }];
}

/** A plain message may hold links, `[text](target)`; ours never do (SARIF 2.1.0 §3.11.6). */
function plain(text: string): string {
  return text.replaceAll('](', '] (');
}

/** Of the closing words, what a reader of results alone would miss. */
const notified: Record<string, 'warning' | 'note'> = {
  'Not rendered': 'warning',
  'Not run': 'warning',
  'Not checked': 'note',
  Assumed: 'note',
};

function invocation(run: Run, left: number): Sarif.Invocation {
  const said = sections(run).flatMap(({ title, items }) => {
    const level = notified[title];
    return level ? items.map((item) => notification(level, title, `${title}: ${item}`)) : [];
  });
  const cut = notification('warning', 'Left out', `${plural(left, 'more finding')} left out of this file`);
  return {
    // Findings are no failure; having looked at nothing is one.
    executionSuccessful: run.entrypoints.some(({ rendered }) => rendered),
    toolExecutionNotifications: [...said, ...(left > 0 ? [cut] : [])],
  };
}

function notification(level: 'warning' | 'note', title: string, text: string): Sarif.Notification {
  return { level, descriptor: { id: title.toLowerCase().replace(' ', '-') }, message: { text: plain(text) } };
}
