/**
 * JUnit's XML, as most CI servers read it (the common part of https://github.com/testmoapp/junitxml), valid by the schema that
 * Jenkins' xUnit plugin refuses files by (junit-10.xsd). It has no `file` and no `line` of a test: both stand in the text.
 */

import { printable } from '../core/escape.js';
import type { EntrypointOutcome, Finding, Run } from '../core/model.js';
import {
  factWords,
  headline,
  messageWords,
  pathWords,
  placeWords,
  refWords,
  sections,
  upstreamWords,
} from './summary.js';

/**
 * Every directory is a test, which passes when it renders and is an error otherwise; every finding is one that fails, but advice
 * does not. The names of the suite and of the tests stay the same from run to run: servers keep a history by them.
 */
export function junit(run: Run): string {
  const name = run.tool.name;
  const counts = {
    tests: run.entrypoints.length + run.findings.length,
    failures: run.findings.filter(fails).length,
    errors: run.entrypoints.filter(({ rendered }) => !rendered).length,
  };
  const said = sections(run).flatMap(({ title, items }) => items.map((item) => `${title}: ${item}`));
  const names = namesOf(run.findings);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name, ...counts })}>`,
    `  <testsuite${attributes({ name, ...counts })}>`,
    ...run.entrypoints.map(entrypointCase),
    ...run.findings.map((finding, index) => findingCase(run, finding, names[index] as string)),
    `    <system-out>${[headline(run), ...said].map(escapeXml).join('\n')}</system-out>`,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function fails({ severity }: Finding): boolean {
  return severity !== 'notice';
}

/** What keeps a directory from being rendered is a finding of its own, too. */
function entrypointCase({ path, why, rendered }: EntrypointOutcome): string {
  const test = `    <testcase${attributes({ classname: pathWords(path), name: 'render' })}`;
  if (rendered) return `${test}/>`;
  const message = 'cannot be built, so nothing else in it is checked';
  return `${test}><error${attributes({ type: 'not-rendered', message })}>${escapeXml(why)}</error></testcase>`;
}

/** `chart-owned-field: Package cozystack.metallb spec.variant`: no line, which any edit moves; equal ones of a file are numbered. */
function namesOf(findings: readonly Finding[]): string[] {
  const seen = new Map<string, number>();
  return findings.map(({ rule, object, field, at }) => {
    const about = [...(object ? [refWords(object)] : []), ...(field.length > 0 ? [field.join('.')] : [])];
    const name = about.length > 0 ? `${rule}: ${about.join(' ')}` : rule;
    const key = JSON.stringify([at.file, name]);
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    return count === 1 ? name : `${name} (${count})`;
  });
}

function findingCase(run: Run, finding: Finding, name: string): string {
  const { severity, help, at } = finding;
  const message = messageWords(finding);
  const place = `${at.file}:${at.range.start.line}:${at.range.start.column}`;
  const lines = [
    [place, ...placeWords(run, finding)].join(' '),
    ...(help ? [`help: ${help}`] : []),
    ...upstreamWords(finding),
    ...finding.assumes.map((fact) => `assumes: ${factWords(fact)}`),
  ];
  const text = lines.map(escapeXml).join('\n');
  const body = fails(finding)
    ? `<failure${attributes({ type: severity, message })}>${text}</failure>`
    : `<system-out>${escapeXml(message)}\n${text}</system-out>`;
  return `    <testcase${attributes({ classname: at.file, name })}>${body}</testcase>`;
}

function attributes(values: Record<string, string | number>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join('');
}

/** After `printable` nothing is left that XML cannot hold. */
function escapeXml(text: string): string {
  const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };
  return printable(text).replace(/[&<>"']/g, (character) => names[character] as string);
}
