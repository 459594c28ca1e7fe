/** `customizer-lint render`: what Flux would apply, as the very bytes it hashes, as objects, or as a digest. */

import { jsonText, printable } from '../core/escape.js';
import { UsageError } from '../core/model.js';
import type { BuildResponse } from '../engine/host/protocol.js';
import { type Leaf, leavesOf, withPlaces } from '../explain/provenance.js';
import { toRendered } from '../render/render.js';
import { maskText } from '../secrets/mask.js';
import { Locator } from '../yaml/locator.js';
import { renderApplied } from './applied.js';
import { write } from './common.js';
import type { Program } from './program.js';
import { renderCharts } from './render-charts.js';
import type { Call } from './root.js';
import { type Session, withSession } from './session.js';

type Output = 'yaml' | 'json' | 'digest';

export function render(args: Call, program: Program): Promise<number> {
  const { values } = args;
  if (values.charts !== undefined) return renderCharts(args, values.charts, program);
  if (values.package) throw new UsageError('--package needs --charts');
  if (values['as-applied']) return renderApplied(args, program);
  const format = (values.format?.at(-1) ?? 'yaml') as Output;
  return withSession(args, program, async (session) => {
    const text = values.provenance ? await provenance(session, format) : await plain(session, format);
    write(text, args, program);
    return session.failed ? 1 : 0;
  });
}

/** Several entrypoints become one YAML stream, or one JSON list. */
async function plain(session: Session, format: Output): Promise<string> {
  const texts: string[] = [];
  const objects: unknown[] = [];
  for await (const { entrypoint, response } of session.builds(format === 'json' ? 'objects' : format)) {
    if (format === 'digest') texts.push(digest(entrypoint.path, response));
    else if (!response.ok) continue;
    else if (format === 'yaml') texts.push(response.yaml ?? '');
    else objects.push(...(response.objects ?? []).map(({ value }) => value));
  }
  if (format === 'json') return jsonText(objects);
  return texts.filter(Boolean).join(format === 'yaml' ? '---\n' : '');
}

function digest(path: string, response: BuildResponse): string {
  if (response.ok) return `${response.sha256 ?? ''}  ${path}\n`;
  return `error  ${path}: ${printable(
    maskText(response.error.message)
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean)
      .join(' '),
  )}\n`;
}

async function provenance(session: Session, format: Output): Promise<string> {
  const locator = new Locator({ head: session.tree });
  const leaves: Leaf[] = [];
  const texts: string[] = [];
  for await (const { entrypoint, response } of session.builds('objects')) {
    if (!response.ok) continue;
    const objects = toRendered(entrypoint, response);
    if (format === 'json') leaves.push(...leavesOf(objects, locator));
    else texts.push(...objects.map((object) => withPlaces(object, locator)));
  }
  return format === 'json' ? jsonText(leaves) : texts.join('---\n');
}
