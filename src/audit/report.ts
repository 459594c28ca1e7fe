/** What an audit of live Packages finds, for people and for programs, with the commands that restore it. */

import { defined } from '../core/defined.js';
import { jsonText, printable, shorten } from '../core/escape.js';
import type { Fact, FieldPath, Json, Location } from '../core/model.js';
import { formatPath } from '../core/object.js';
import { type Paint, painter, type Style } from '../report/paint.js';
import { factWords, plural } from '../report/summary.js';
import { hidden, isSecretKey, maskText } from '../secrets/mask.js';
import { type Audit, type AuditFinding, type FieldWriter, isSerious } from './audit.js';
import type { Owner } from './expected.js';
import type { RecoveryStep } from './recovery.js';

export type AuditOptions = {
  color: boolean;
  /** The line of a field in the repository, where it writes that. */
  locate(packageName: string, path: FieldPath): Location | undefined;
};

export type AuditReport = { audit: Audit; recovery: readonly RecoveryStep[]; facts: readonly Fact[] };

const words: Record<AuditFinding['kind'], [word: string, color: Style]> = {
  taken: ['taken', 'red'],
  lost: ['lost', 'red'],
  doomed: ['doomed', 'red'],
  shared: ['shared', 'cyan'],
  odd: ['odd', 'cyan'],
};
const owners: Record<Owner, string> = {
  helm: 'helm-controller',
  administrator: 'the platform’s administrator',
  flux: 'kustomize-controller',
};
const methods = {
  Apply: 'Helm applies the chart by server-side apply',
  Update: 'Helm patches what changes in the chart, as on a cluster born before Cozystack 1.5',
};

/** Longer values are cut. */
const longest = 80;
const maxFields = 4;

export function auditText({ audit, recovery, facts }: AuditReport, options: AuditOptions): string {
  const paint = painter(options.color);
  const names = [...new Set(audit.findings.map((one) => one.package))];
  const blocks = names.flatMap((name) => [
    paint(`Package ${printable(name)}`, 'bold'),
    ...audit.findings.filter((one) => one.package === name).flatMap((one) => findingLines(one, options, paint)),
    '',
  ]);
  const assumed = facts.filter(({ source }) => source === 'assumed').map(factWords);
  return [
    ...blocks,
    paint(totals(audit), 'bold'),
    ...(audit.helm ? [`  ${methods[audit.helm]}`] : []),
    ...assumed.map((fact) => `  assumed: ${printable(fact)}`),
    ...(recovery.length > 0
      ? ['', paint('To restore it, in this order:', 'bold'), ...recovery.flatMap(stepLines)]
      : []),
    '',
  ].join('\n');
}

function findingLines(finding: AuditFinding, options: AuditOptions, paint: Paint): string[] {
  const { kind, fields, assumes } = finding;
  const [word, color] = words[kind];
  const more = fields.length - maxFields;
  const shown = fields.slice(0, maxFields).map((field) => printable(formatPath(field)));
  const what = `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  const now = kind === 'doomed' || (kind === 'lost' && !finding.now) ? '' : `: ${nowWords(finding)}`;
  const [field = []] = fields;
  const at = kind === 'taken' || kind === 'shared' ? options.locate(finding.package, field) : undefined;
  const place = at ? `  ${printable(at.file)}:${at.range.start.line}` : '';
  const margin = ' '.repeat(10);
  return [
    `  ${paint(word.padEnd(6), color)}  ${what}${now}${place}`,
    ...explanation(finding).map((line) => `${margin}${line}`),
    ...(assumes.length > 0 ? [`${margin}only as far as the ${assumes.join(' and the ')} can be assumed`] : []),
  ];
}

/** With what the owner sets, where that is another value. */
function nowWords({ fields: [field = []], now, set }: AuditFinding): string {
  if (!now) return '';
  const there = valueWords(now.value, now.path);
  const place = now.path.length === field.length ? there : `${there} stands at ${printable(formatPath(now.path))}`;
  if (set === undefined) return place;
  return isSame(now.value, set) && now.path.length === field.length
    ? `${place}, as the platform sets it`
    : `${place}, where the platform sets ${valueWords(set, field)}`;
}

function explanation({ kind, owner, by, why, set, fields: [field = []], now }: AuditFinding): string[] {
  const whose = owner ? owners[owner] : '';
  const writers = by.map(writerWords).join(', ');
  const reason = why === undefined ? [] : [printable(why)];
  switch (kind) {
    case 'taken':
      return [`from ${whose} by ${writers}`, ...reason];
    case 'lost': {
      const value = set === undefined || now ? '' : `; the platform sets ${valueWords(set, field)}`;
      const left =
        now?.value === null
          ? ['null is what is left of a map that was taken and let go; Helm reads it as an order to delete the default']
          : [];
      return [`it belongs to ${whose}, and is not there${value}`, ...left, ...reason];
    }
    case 'doomed':
      return [`set by ${writers}`, 'Flux removes it when it next applies the Package, unless that has ssa: Merge'];
    case 'shared':
      return [`of ${whose}, and also of ${writers}: nothing is lost while both set the same`];
    case 'odd':
      return oddWords(owner, writers, now?.value ?? null);
  }
}

function oddWords(owner: Owner | undefined, writers: string, now: Json): string[] {
  if (owner === 'flux') return [`a label of Flux, but set by ${writers}`];
  if (owner) return [`no manager is recorded for it, though it belongs to ${owners[owner]}`];
  return now === null
    ? [
        'nobody has set it: null is what is left of a map that was taken and let go; Helm reads it as an order to delete the default',
      ]
    : [];
}

function writerWords({ manager, operation, time }: FieldWriter): string {
  return printable(`${manager} (${[operation, time].filter(Boolean).join(', ')})`);
}

function totals({ packages, emitted, findings }: Audit): string {
  const scope = `${plural(packages, 'Package')}, ${emitted} of them made by the platform chart`;
  const count = (...kinds: AuditFinding['kind'][]) =>
    findings.filter((one) => isSerious(one) && kinds.includes(one.kind)).length;
  const parts = [
    [count('taken'), 'taken'],
    [count('lost'), 'lost'],
    [count('doomed'), 'about to be removed'],
  ] as const;
  const notices = findings.length - findings.filter(isSerious).length;
  const all = [
    ...parts.flatMap(([number, word]) => (number > 0 ? [`${number} ${word}`] : [])),
    ...(notices > 0 ? [plural(notices, 'notice')] : []),
  ].join(', ');
  return findings.some(isSerious) ? `${all}, in ${scope}` : `Nothing is taken in ${scope}${all && `; ${all}`}`;
}

function stepLines({ why, command }: RecoveryStep, index: number): string[] {
  return [`  # ${index + 1}. ${printable(why)}`, ...(command === undefined ? [] : [`  ${commandWords(command)}`])];
}

/** A command that would show a secret, or that a terminal could not show as it is, is not one to be copied. */
function commandWords(command: string): string {
  return printable(command) === command && !holdsSecret(command)
    ? command
    : '# (not shown: it holds what looks secret)';
}

function holdsSecret(command: string): boolean {
  return maskText(command) !== command;
}

function valueWords(value: Json, path: FieldPath): string {
  return printable(shorten(JSON.stringify(masked(value, path)), longest));
}

function masked(value: Json, path: FieldPath): Json {
  if (value !== null && path.some((step) => isSecretKey(String(step)))) return hidden;
  if (Array.isArray(value)) return value.map((item, index) => masked(item, [...path, index]));
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, masked(inner, [...path, key])]));
  return typeof value === 'string' ? maskText(value) : value;
}

function isSame(a: Json, b: Json): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Everything there is to know, for programs. */
export function auditJson({ audit, recovery, facts }: AuditReport, { locate }: AuditOptions): string {
  const { findings, ...counts } = audit;
  return jsonText({
    ...counts,
    facts: facts.map(({ name, value, source }) => ({ name, value, source })),
    findings: findings.map((finding) => {
      const { package: name, kind, fields, now, set, owner, by, why, assumes } = finding;
      const [field = []] = fields;
      const at = locate(finding.package, field);
      return {
        package: name,
        kind,
        serious: isSerious(finding),
        fields: fields.map((path) => formatPath(path)),
        ...(owner && { owner: owners[owner] }),
        ...(now && { value: masked(now.value, now.path), valueAt: formatPath(now.path) }),
        ...(set !== undefined && { set: masked(set, field) }),
        by,
        assumes,
        ...defined({ why }),
        ...(at && { file: at.file, line: at.range.start.line }),
      };
    }),
    recovery: recovery.map(({ why, command }) => ({
      why,
      ...(command !== undefined && { command: commandWords(command) }),
    })),
  });
}
