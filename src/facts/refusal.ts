/** What Flux does not send to the API server as it is written. */
import { isSetTo } from '../contract/flux.js';
import type { JsonObject } from '../model.js';
import { isObject } from '../object.js';

/** Whether Flux asks the API server for it at all. */
export function isApplied({ value }: { value: JsonObject }): boolean {
  return !isSetTo(value, 'reconcile', 'disabled') && !isSetTo(value, 'ssa', 'Ignore');
}

/** Flux decrypts it before it asks, and nobody else can. */
export function isEncrypted({ value }: { value: JsonObject }): boolean {
  return isObject(value.sops);
}
