/** The formats. Printing, and writing files, is the caller's. */
import type { Run } from '../core/model.js';
import { maskRun } from '../secrets/mask.js';
import { concise } from './concise.js';
import type { Format } from './formats.js';
import { github } from './github.js';
import { gitlab } from './gitlab.js';
import { json } from './json.js';
import { junit } from './junit.js';
import { markdown } from './markdown.js';
import type { Reporter, ReportOptions } from './options.js';
import { sarif } from './sarif.js';
import { text } from './text.js';

export { printable } from '../core/escape.js';
export { maskRun as maskedRun } from '../secrets/mask.js';
export { type Format, formats } from './formats.js';
export type { ReportOptions } from './options.js';

const reporters = { text, concise, json, sarif, github, markdown, gitlab, junit } satisfies Record<Format, Reporter>;

/** The report in one format; no format sees a value that looks secret. */
export function report(format: Format, run: Run, options: ReportOptions): string {
  return reporters[format](maskRun(run), options);
}
