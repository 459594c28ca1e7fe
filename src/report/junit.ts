/** JUnit's XML, as most CI servers read it (the common part of https://github.com/testmoapp/junitxml). */

import { printable } from '../core/escape.js';
import type { EntrypointOutcome, Finding, Run } from '../core/model.js';
import { factWords, headline, messageWords, placeWords, sections, upstreamWords } from './summary.js';

/** Every directory is a test that passes when it renders, every finding one that fails; advice does not fail. */
export function junit(run: Run): string {
  const failures = run.findings.filter(fails).length;
  const tests = run.entrypoints.length + run.findings.length;
  const said = sections(run).flatMap(({ title, items }) => items.map((item) => `${title}: ${item}`));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: run.tool.name, tests, failures })}>`,
    `  <testsuite${attributes({ name: headline(run), tests, failures })}>`,
    ...run.entrypoints.map(entrypointCase),
    ...run.findings.map((finding) => findingCase(run, finding)),
    `    <system-out>${said.map(escapeXml).join('\n')}</system-out>`,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function fails({ severity }: Finding): boolean {
  return severity !== 'notice';
}

/** What keeps a directory from being rendered is a finding of its own. */
function entrypointCase({ path, why }: EntrypointOutcome): string {
  return `    <testcase${attributes({ classname: path, name: `render (${why})` })}/>`;
}

function findingCase(run: Run, finding: Finding): string {
  const { rule, severity, help, at } = finding;
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
  const line = at.range.start.line;
  return `    <testcase${attributes({ classname: at.file, name: `${rule}:${line}`, file: at.file, line })}>${body}</testcase>`;
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
