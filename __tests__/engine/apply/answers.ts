/** Answers in the form in which two servers' must be the same. */

import type { Json, JsonObject } from '../../../src/core/model.js';
import { isObject } from '../../../src/core/object.js';
import type { ApplyAnswer, Operation, Status } from '../../../src/engine/host/apply-protocol.js';
import { operationOf, type Sequence, type Step } from './sequences.js';

/** What is left of an answer, and whether the object's resourceVersion is another one than before. */
export type Plain = { status: number; object?: Json; error?: Json; moved?: boolean };

/** Sends the steps one after the other. `time` is when the server wrote, as far as its answer tells. */
export type Said = { step: Step; operation: Operation; answer: Plain; time?: string };

export async function play(one: Sequence, ask: (operation: Operation) => Promise<ApplyAnswer>): Promise<Said[]> {
  const out: Said[] = [];
  let live: JsonObject | undefined;
  for (const step of one.steps) {
    const operation = operationOf(one, step, live);
    const answer = await ask(operation);
    const time = answer.object && timeOf(answer.object, step.manager);
    out.push({ step, operation, answer: plainly(answer, live), ...(time && { time }) });
    live = after(step, answer, live);
  }
  return out;
}

/** What is live after a step, as its answer tells. */
export function after(step: Step, answer: ApplyAnswer, live: JsonObject | undefined): JsonObject | undefined {
  if (step.dryRun || answer.status >= 300) return live;
  return answer.object;
}

export function plainly({ status, object, error }: ApplyAnswer, live: JsonObject | undefined): Plain {
  if (error) return { status, error: plainError(error) };
  if (!object) return { status };
  const version = (one: JsonObject | undefined) => (isObject(one?.metadata) ? one.metadata.resourceVersion : undefined);
  return { status, object: plainObject(object), moved: version(object) !== version(live) };
}

/**
 * Whether the module may answer what the server did. It walks a Go map until it meets a field that is not in the schema, and
 * says what was wrong until then; the module has walked all of it, and says more.
 */
export function agree(server: Plain | undefined, module: Plain | undefined): boolean {
  if (JSON.stringify(server) === JSON.stringify(module)) return true;
  const [theirs, ours] = [linesOf(server), linesOf(module)];
  if (!ours.some((line) => line.endsWith(': field not declared in schema'))) return false;
  return server?.status === module?.status && theirs.length > 0 && theirs.every((line) => ours.includes(line));
}

/** What does not fit the schema. */
function linesOf(answer: Plain | undefined): string[] {
  const message = isObject(answer?.error) ? String(answer.error.message) : '';
  const [, text = ''] = message.split('failed to create typed patch object ');
  const [object, ...rest] = text.split('): ');
  return rest
    .join('): ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && line !== 'errors:')
    .map((line) => `${object} ${line}`);
}

/** Without what counts up or depends on when it was; that it is there stays. */
function plainObject(object: JsonObject): JsonObject {
  const metadata = isObject(object.metadata) ? { ...object.metadata } : {};
  for (const key of ['uid', 'resourceVersion', 'creationTimestamp', 'deletionTimestamp']) {
    if (metadata[key] !== undefined) metadata[key] = '…';
  }
  return sorted({ ...object, metadata }) as JsonObject;
}

/** The causes of an invalid object come in random order, and its message with them. */
function plainError({ metadata, details, message, ...rest }: Status): Json {
  const causes = (details?.causes ?? []).map((cause) => ({ ...cause, message: withoutObject(cause.message ?? '') }));
  causes.sort((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
  const listed = rest.reason === 'Invalid' && causes.length > 1;
  const [start, ...lines] = message.split(listed ? ' is invalid: ' : '\n');
  return sorted({
    ...rest,
    message: listed ? `${start} is invalid: (causes)` : withoutObject([start, ...lines.sort()].join('\n')),
    ...(details && { details: { ...details, ...(causes.length > 0 && { causes }) } }),
  } as unknown as Json);
}

/** A patched object that cannot be read is quoted as a whole, in the order of its type's fields and with its times. */
function withoutObject(message: string): string {
  return message.replace(/(^| patch: )Invalid value: "\{\\"apiVersion\\".*?[^\\]": /, '$1Invalid value: …: ');
}

function textOf({ field, reason, message }: { field?: string; reason?: string; message?: string }): string {
  return `${field} ${reason} ${message}`;
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key] as Json)]),
  );
}

/** When the manager last wrote, by the entry that it has; without one, when anybody did. */
function timeOf(object: JsonObject, manager: string): string | undefined {
  const listed = isObject(object.metadata) ? object.metadata.managedFields : undefined;
  const entries = (Array.isArray(listed) ? listed : []).filter(isObject).filter(({ time }) => time !== undefined);
  const own = entries.filter((entry) => entry.manager === manager);
  const times = (own.length > 0 ? own : entries).map(({ time }) => String(time));
  return times.sort().at(-1);
}
