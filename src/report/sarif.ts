/** SARIF 2.1.0, as GitHub's code scanning takes it. */

import type * as Sarif from 'sarif';
import { jsonText, markdownText } from '../core/escape.js';
import type { Finding, Fix, Location, Run, Severity } from '../core/model.js';
import { worstFirst } from '../core/severity.js';
import { hasSecret } from './fixes.js';
import { framesOf } from './frame.js';
import { baseWords, headPlace } from './head-place.js';
import { fingerprintsOf } from './line-hash.js';
import type { ReportOptions } from './options.js';
import { factWords, messageWords, placeWords, plural, sections, seenFrom, upstreamWords } from './summary.js';

/** More results refuse the whole upload; of the locations of a result the first 100 are kept (github/FACTS.md, Limits). */
const maxResults = 25_000;
const maxLocations = 100;

const homepage = 'https://github.com/cozystack/customizer-lint';

/** Of a line that is quoted. */
const maxSnippet = 200;

const levels: Record<Severity, 'error' | 'warning' | 'note'> = { error: 'error', warning: 'warning', notice: 'note' };

/**
 * Ignored findings are no results: GitHub does not know `suppressions`, and would open an alert for each of them
 * (github/FACTS.md, Code scanning). Notifications tell of them.
 */
export function sarif(run: Run, options: ReportOptions): string {
  const { category } = options;
  const findings = run.findings.length > maxResults ? worstFirst(run.findings).slice(0, maxResults) : run.findings;
  const rules = rulesOf(run, options);
  const log: Sarif.Log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: { name: run.tool.name, semanticVersion: run.tool.version, informationUri: homepage, rules },
        },
        // Without the slash at its end it would be no category.
        automationDetails: category === undefined ? undefined : { id: `${run.tool.name}/${category}/` },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: {
          '%SRCROOT%': { description: { text: "The repository's root" } },
        },
        invocations: [invocation(run, run.findings.length - findings.length)],
        results: resultsOf(run, findings, rules),
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
      ...described(summary, url),
      helpUri: url,
      properties: { tags: [group] },
      defaultConfiguration: { level: levels[severity] },
    })),
    ...others.map((id) => ({ id, ...described(id, homepage) })),
  ];
}

/** GitHub asks for all of these; it shows the help beside the alert. */
function described(summary: string, url: string) {
  const text = plain(summary);
  return {
    shortDescription: { text },
    fullDescription: { text },
    help: {
      text: `${text}: ${url}`,
      markdown: `${markdownText(summary)}. [Examples, and when to ignore it](${url})`,
    },
  };
}

function resultsOf(run: Run, findings: readonly Finding[], rules: Sarif.ReportingDescriptor[]): Sarif.Result[] {
  const indexes = new Map(rules.map(({ id }, index) => [id, index]));
  const frames = framesOf(run, maxSnippet);
  const lineHash = fingerprintsOf(run);
  return findings.map((finding) => {
    const at = headPlace(run, finding);
    const wholeFile = finding.precision === 'file' && at === finding.at;
    const shown = wholeFile ? firstLine(at) : at;
    const hash = at.revision === 'head' ? lineHash(shown) : undefined;
    const quoted = at.revision !== 'head' ? frames(at)?.code : undefined;
    return result(run, finding, indexes.get(finding.rule), { shown, hash, quoted });
  });
}

/** The place that a reader sees; the words of its line where the head has none such; the hash of its line for code scanning. */
type Placed = { shown: Location; quoted: string | undefined; hash: string | undefined };

/** For a file as a whole: code scanning takes no place without a line. */
function firstLine(at: Location): Location {
  return { ...at, range: { start: { line: 1, column: 1 }, end: { line: 1, column: 1 } } };
}

function result(
  run: Run,
  finding: Finding,
  ruleIndex: number | undefined,
  { shown, quoted, hash }: Placed,
): Sarif.Result {
  const fix = finding.fix?.();
  return {
    ruleId: finding.rule,
    ruleIndex,
    level: levels[finding.severity],
    message: { text: messageOf(run, finding, shown) },
    locations: [{ physicalLocation: physical(shown, quoted), logicalLocations: logical(finding) }],
    relatedLocations: finding.related.slice(0, maxLocations).map(({ at, message }, index) => ({
      id: index + 1,
      physicalLocation: related(at),
      message: { text: plain([message, ...baseWords(at, at).map((words) => `(${words})`)].join(' ')) },
    })),
    fixes: fix && !hasSecret(fix, run) ? [fixOf(fix)] : undefined,
    partialFingerprints: {
      'customizerLint/v1': finding.fingerprint,
      ...(hash !== undefined && { primaryLocationLineHash: hash }),
    },
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

function messageOf(run: Run, finding: Finding, shown: Location): string {
  const words = finding.at.revision !== 'head' ? baseWords(finding.at, shown) : placeWords(run, finding);
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

function physical(at: Location, quoted: string | undefined): Sarif.PhysicalLocation {
  const snippet = quoted === undefined ? {} : { snippet: { text: quoted } };
  return { artifactLocation: artifact(at.file), region: { ...region(at), ...snippet } };
}

/** A line of the base, or of the merge alone, is no line of what is uploaded, so only the file is named. */
function related(at: Location): Sarif.PhysicalLocation {
  const artifactLocation = artifact(at.file);
  return at.revision !== 'head' ? { artifactLocation } : { artifactLocation, region: region(at) };
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
  Ignored: 'note',
  'Newly ignored': 'note',
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
