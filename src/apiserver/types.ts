/** An answer of an API server. */
import type { JsonObject } from '../core/model.js';
import { textAt } from '../core/object.js';

export type Answer = { status: number; body: JsonObject };

/** What a failure says, in the API server's words. */
export function messageOf({ body, status }: Answer): string {
  return textAt(body, ['message']) ?? `status ${status}`;
}
