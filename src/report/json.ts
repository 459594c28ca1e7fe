/** For programs; `schemas/report.schema.json` is the contract. */

import { jsonText } from '../core/escape.js';
import type { DryRun, DryRunObject, Finding, Fix, Location, ObjectRef, Run } from '../core/model.js';
import { label } from '../core/object.js';
import { hasSecret } from './fixes.js';
import type { ReportOptions } from './options.js';
import { countsOf, objectsOf, whyNotRun } from './summary.js';

/** Goes up when a program that reads the report would have to change. */
const version = 1;

export function json(run: Run, { rules = [] }: ReportOptions): string {
  const described = new Map(rules.map((rule) => [rule.id, rule]));
  const findingJson = (finding: Finding) => findingIn(finding, run, described.get(finding.rule));
  return jsonText({
    version,
    tool: { name: run.tool.name, version: run.tool.version, engine: run.tool.engine },
    summary: {
      ...countsOf(run.findings),
      ignored: run.ignored.length,
      entrypoints: run.entrypoints.length,
      objects: objectsOf(run),
    },
    findings: run.findings.map(findingJson),
    ignored: run.ignored.map(({ finding, reason, expires, isNew }) => ({
      reason,
      expires,
      isNew,
      finding: findingJson(finding),
    })),
    policy: run.policy,
    entrypoints: run.entrypoints.map(({ path, why, objects, rendered }) => ({ path, why, objects, rendered })),
    facts: run.facts.map(({ name, cluster, value, source, file, setBy, dataOf, because, possible }) => ({
      name,
      cluster,
      value,
      source,
      file,
      setBy,
      dataOf,
      because,
      possible,
    })),
    worlds: run.worlds.map(({ cluster, release, variant, kubernetes, likeliest }) => ({
      cluster,
      release,
      variant,
      kubernetes,
      likeliest,
    })),
    stages: run.stages.map((stage) => ({
      name: stage.name,
      ran: stage.ran,
      why: stage.ran ? undefined : whyNotRun(stage),
    })),
    notChecked: notChecked(run),
    dryRun: run.dryRun?.map(dryRunJson),
  });
}

/** The rules whose findings say that something was not judged which decides what is applied, where, or with which rights. */
const decisive: ReadonlySet<string> = new Set([
  'remote-base',
  'skipped-stage',
  'unbuildable-kustomization',
  'unverifiable-change',
]);

/** First what decides, each with its place, then the rest, by reason. */
function notChecked(run: Run) {
  const findings = run.findings.filter(({ rule }) => decisive.has(rule));
  return [
    ...findings.map(({ message, object, at: { file, range } }) => ({
      weight: 'decisive',
      what: object ? label(object) : file,
      why: message,
      count: 1,
      file,
      line: range.start.line,
    })),
    ...run.notChecked.map(({ what, why, count, file }) => ({ weight: 'plain', what, why, count, file })),
  ];
}

function dryRunJson({ cluster, server, version, asked, refused, conflicts, disagreements, notes }: DryRun) {
  const about = ({ object, entrypoint }: DryRunObject) => ({ object: objectJson(object), entrypoint });
  return {
    cluster,
    server,
    version,
    asked,
    refused: refused.map((one) => ({
      ...about(one),
      reason: one.reason,
      message: one.message,
      expected: one.expected,
    })),
    conflicts: conflicts.map((one) => ({ ...about(one), manager: one.manager, path: one.path })),
    disagreements: disagreements.map((one) => ({ ...about(one), server: one.server, rule: one.rule })),
    notes,
  };
}

function objectJson({ apiVersion, kind, namespace, name }: ObjectRef) {
  return { apiVersion, kind, namespace, name };
}

function findingIn(finding: Finding, run: Run, described: NonNullable<ReportOptions['rules']>[number] | undefined) {
  const { rule, severity, message, help, upstream, at, precision, field, object, fingerprint, isNew } = finding;
  return {
    rule,
    group: described?.group,
    url: described?.url,
    severity,
    message,
    help,
    upstream,
    ...place(at),
    precision,
    field,
    object: object && objectJson(object),
    also: finding.also?.map(objectJson),
    entrypoints: finding.entrypoints,
    fingerprint,
    isNew,
    assumes: finding.assumes.map(({ name, value, only, except, setBy }) => ({ name, value, only, except, setBy })),
    related: finding.related.map((other) => ({ message: other.message, ...place(other.at) })),
    fix: fixJson(finding.fix?.(), run),
  };
}

function fixJson(fix: Fix | undefined, run: Run) {
  if (!fix || hasSecret(fix, run)) return undefined;
  const edits = fix.edits.map(({ at: { file, range }, text }) => {
    const { start, end } = range;
    return { file, line: start.line, column: start.column, endLine: end.line, endColumn: end.column, text };
  });
  return { title: fix.title, safe: fix.safe, edits };
}

function place({ revision, file, range: { start, end } }: Location) {
  return { file, line: start.line, column: start.column, endLine: end.line, endColumn: end.column, side: revision };
}
