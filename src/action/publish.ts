/**
 * The report of another workflow's run, published with a token that that run did not have. Whoever opened the pull request may
 * have made the file: it is data. What a comment says of a finding comes from our own table of rules, what it is about stands
 * in quotes, and where it may stand is asked of GitHub.
 */

import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import { defined } from '../core/defined.js';
import { shorten } from '../core/escape.js';
import {
  type Finding,
  type Json,
  type ObjectRef,
  type Run,
  type Severity,
  type ShownRevision,
  UsageError,
} from '../core/model.js';
import { formatPath } from '../core/object.js';
import { readTool } from '../core/version.js';
import { rules } from '../rules/index.js';

const most = { bytes: 16 << 20, findings: 1000, words: 200 };

type Reported = {
  findings: {
    rule: string;
    severity: Severity;
    file: string;
    line: number;
    column: number;
    endLine: number;
    endColumn: number;
    side: ShownRevision;
    precision: Finding['precision'];
    field: (string | number)[];
    object?: ObjectRef;
    fingerprint: string;
    isNew?: boolean;
  }[];
};

/** Throws a `UsageError` for a file that is no report. `home` is the directory that holds `schemas/` of this package. */
export function readReport(file: string, home: string): Run {
  const { findings } = validated(file, home);
  const known = new Map(rules.map((rule) => [rule.id, rule]));
  const each = new Map(findings.slice(0, most.findings).map((one) => [one.fingerprint, one]));
  const taken = [...each.values()].filter(({ rule }) => known.has(rule));
  const left = findings.length - taken.length;
  return {
    findings: taken.map((finding) => toFinding(finding, known.get(finding.rule)?.summary ?? '')),
    ignored: [],
    policy: [],
    entrypoints: [],
    facts: [],
    worlds: [],
    stages: [],
    notChecked:
      left > 0
        ? [{ what: 'findings of the report', why: 'too many, of unknown rules, or there twice', count: left }]
        : [],
    published: true,
    sources: { text: () => undefined, has: () => true, secrets: () => ({}) },
    tool: readTool(home),
  };
}

function toFinding(reported: Reported['findings'][number], summary: string): Finding {
  const { rule, severity, file, line, column, endLine, endColumn, side, precision, field, object } = reported;
  const about = object && `"${shorten(`${object.kind} ${object.name}`.replaceAll('"', "'"), most.words)}"`;
  const where = field.length > 0 ? `"${shorten(formatPath(field).replaceAll('"', "'"), most.words)}"` : undefined;
  const subject = [about, where].filter(Boolean).join(', ');
  return {
    rule,
    severity,
    message: `${summary.charAt(0).toUpperCase()}${summary.slice(1)}${subject && ` (${subject})`}`,
    at: {
      revision: side,
      file,
      range: { start: { line, column }, end: { line: endLine, column: endColumn } },
    },
    precision,
    field,
    ...defined({ object }),
    related: [],
    entrypoints: [],
    fingerprint: reported.fingerprint,
    ...defined({ isNew: reported.isNew }),
    assumes: [],
  };
}

function validated(file: string, home: string): Reported {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile()) throw new UsageError(`there is no report "${file}"`);
  if (stats.size > most.bytes) throw new UsageError(`"${file}" is larger than a report can be`);
  const report = parsed(readFileSync(file, 'utf8'), file);
  // It says which dialect it is in, which this ajv need not know: nothing in it is peculiar to one.
  const { $schema: _, ...schema } = JSON.parse(readFileSync(join(home, 'schemas', 'report.schema.json'), 'utf8'));
  const validate = new Ajv({ strict: false }).compile(schema);
  if (!validate(report)) throw new UsageError(`"${file}" is not a report of customizer-lint`);
  return report as unknown as Reported;
}

function parsed(text: string, file: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new UsageError(`"${file}" is not JSON`);
  }
}
