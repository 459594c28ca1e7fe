/** What Flux does not send to the API server as it is written. */

import type { JsonObject } from '../core/model.js';
import { isObject } from '../core/object.js';
import { oncePer } from '../core/once.js';
import { isSetTo } from './settings.js';

/** Whether Flux asks the API server for it at all. */
export function isApplied({ value }: { value: JsonObject }): boolean {
  return applies(value);
}

/** Most rules ask it of each object. */
const applies = oncePer(
  (value: JsonObject) => !isSetTo(value, 'reconcile', 'disabled') && !isSetTo(value, 'ssa', 'Ignore'),
);

/** Flux decrypts it before it asks, and nobody else can. */
export function isEncrypted({ value }: { value: JsonObject }): boolean {
  return isObject(value.sops);
}
