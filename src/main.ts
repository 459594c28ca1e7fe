/** The action's edge: inputs in; annotations, job summary, outputs and the exit status out. */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as core from '@actions/core';
import { readEvent } from './event.js';
import { remotesOf } from './git.js';
import { readInputs } from './inputs.js';
import { UsageError } from './model.js';
import { printable, type ReportOptions, report } from './report/index.js';
import { rules } from './rules/index.js';
import { run } from './run.js';
import { verdict } from './verdict.js';
import { readTool } from './version.js';

/** Where `dist/` and `schemas/` lie: this file is bundled into `dist/action`. */
const home = fileURLToPath(new URL(['..', '..'].join('/'), import.meta.url));

async function main(): Promise<number> {
  const inputs = readInputs(core);
  const directory = resolve(process.env.GITHUB_WORKSPACE ?? '.', inputs.directory);
  const { failOn, base, jsonFile, sarifFile, ...options } = inputs;
  const event = readEvent(process.env.GITHUB_EVENT_NAME, process.env.GITHUB_EVENT_PATH);
  const result = await run({
    ...options,
    ...(base && { base: { revision: base } }),
    ...(!base && event.base && { base: { revision: event.base, optional: true } }),
    trust: event.trust,
    directory,
    home,
    remotes: await remotesOf(directory),
  });
  const reportOptions: ReportOptions = {
    color: true,
    quiet: false,
    rules: [...rules],
  };
  const status = verdict(result, failOn, inputs.onlyNew ?? event.base !== undefined);

  process.stdout.write(report('text', result, reportOptions));
  process.stdout.write(report('github', result, reportOptions));
  if (jsonFile) writeFileSync(join(directory, jsonFile), report('json', result, reportOptions));
  if (sarifFile) writeFileSync(join(directory, sarifFile), report('sarif', result, reportOptions));
  if (process.env.GITHUB_STEP_SUMMARY) await core.summary.addRaw(report('markdown', result, reportOptions)).write();
  for (const severity of ['error', 'warning', 'notice'] as const) {
    core.setOutput(`${severity}s`, result.findings.filter((finding) => finding.severity === severity).length);
  }
  core.setOutput('verdict', status === 0 ? 'clean' : 'findings');
  return status;
}

try {
  process.exitCode = await main();
} catch (error) {
  // Neither wrong usage nor a bug of ours may look like "clean" or like "findings".
  const ours = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const text = error instanceof UsageError ? error.message : `this is a bug of the linter, please report it: ${ours}`;
  core.error(printable(`customizer-lint ${readTool(home).version}: ${text}`));
  process.exitCode = 2;
}
