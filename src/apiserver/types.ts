/** An answer of an API server. */
import type { JsonObject } from '../core/model.js';
import { getString } from '../core/object.js';

export type ApiResponse = { status: number; body: JsonObject };

/** What a failure says, in the API server's words. */
export function messageOf({ body, status }: ApiResponse): string {
  return getString(body, ['message']) ?? `status ${status}`;
}
