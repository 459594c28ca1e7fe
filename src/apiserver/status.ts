/** What an API server says of an object: a `Status`, taken apart into a reason, the fields it is about, and its words. */

import { shorten } from '../core/escape.js';
import type { FieldPath, Json, JsonObject, RefusalReason, RenderedObject } from '../core/model.js';
import { getString, isObject, lookUp } from '../core/object.js';
import { maySecret } from '../schema/wording.js';
import { readField } from './field.js';
import { type ApiResponse, messageOf } from './types.js';

/** One thing that is wrong, at a field where the server names one. */
export type Cause = {
  path: FieldPath;
  message: string;
  /** Whether the server itself names the field. */
  named?: true;
};
export type Refusal = { reason: RefusalReason; causes: Cause[] };
export type Conflict = { manager: string; path: FieldPath };

type Asked = Pick<RenderedObject, 'ref' | 'value'>;

/** Who else has set a field to another value; undefined where the answer is about anything else. */
export function conflictsIn(answer: ApiResponse, { value }: Asked): Conflict[] | undefined {
  const causes = causesOf(answer.body);
  if (answer.status !== 409 || causes.length === 0) return undefined;
  if (!causes.every(({ reason }) => reason === 'FieldManagerConflict')) return undefined;
  return causes.map(({ message, field }) => ({
    manager: /^conflict with "((?:[^"\\]|\\.)*)"/.exec(message)?.[1] ?? 'somebody else',
    path: readField(field, value),
  }));
}

/** `isNamespaced`: of its kind, so that what has no namespace is refused for that. */
export function refusalIn(answer: ApiResponse, asked: Asked, isNamespaced = false): Refusal {
  const message = messageOf(answer);
  const typed = typedCauses(message, asked);
  if (typed) return { reason: 'unknown-field', causes: typed };
  // A value that its Go type cannot hold; which, the server does not say.
  const misread = behind(behind(message, 'unable to convert unstructured object to '), ': ');
  if (misread !== undefined)
    return { reason: 'invalid', causes: [{ path: [], message: withoutValues(misread, asked) }] };
  const isNowhere = answer.status === 404 && isNamespaced && asked.ref.namespace === undefined;
  const reason = isNowhere ? 'no-namespace' : reasonOf(answer, message);
  if (reason === 'invalid') {
    const causes = causesOf(answer.body).map((cause) => toCause(cause, asked));
    if (causes.length > 0) return { reason, causes: distinct(causes) };
  }
  return {
    reason,
    causes: [{ path: fieldOf(reason, asked, message), message: withoutValues(ownWords(message, reason), asked) }],
  };
}

function reasonOf({ status, body }: ApiResponse, message: string): RefusalReason {
  const reason = getString(body, ['reason']) ?? '';
  if (/failed calling webhook|conversion webhook/.test(message)) return 'webhook';
  if (/admission webhook "/.test(message) && message.includes('" denied the request')) return 'policy';
  if (/ValidatingAdmissionPolicy|violates PodSecurity|exceeded quota/.test(message)) return 'policy';
  if (status === 403)
    return / cannot \w+ resource | attempting to grant RBAC permissions/.test(message) ? 'forbidden' : 'policy';
  if (status === 422) return 'invalid';
  if (status === 409) return 'conflict';
  if (status === 404) return /namespaces? "[^"]*" not found/.test(message) ? 'missing-namespace' : 'unknown-kind';
  return reason === 'Invalid' || reason === 'BadRequest' ? 'invalid' : 'other';
}

/** Flux sends what stands in a Secret's stringData as data. */
function fieldIn(text: string, { ref, value }: Asked): FieldPath {
  const path = readField(text, value);
  const written = ref.kind === 'Secret' && path[0] === 'data' && lookUp(value, path) === undefined;
  return written && isObject(value.stringData) ? ['stringData', ...path.slice(1)] : path;
}

type StatusCause = { reason: string; message: string; field: string };

function causesOf(body: JsonObject): StatusCause[] {
  const details = body.details;
  const causes = isObject(details) ? details.causes : undefined;
  return (Array.isArray(causes) ? causes : []).filter(isObject).map((cause) => ({
    reason: getString(cause, ['reason']) ?? '',
    message: getString(cause, ['message']) ?? '',
    field: getString(cause, ['field']) ?? '',
  }));
}

function toCause({ field, message }: StatusCause, asked: Asked): Cause {
  const text = withoutDump(message.replace(/^(?:<nil>: )?/, ''));
  const path = field === '<nil>' ? [] : entryNamed(fieldIn(field, asked), text, asked);
  const words = withoutValues(text, asked, path);
  return { path, message: words, ...(path.length > 0 && { named: true }) };
}

function behind(text: string | undefined, words: string): string | undefined {
  const index = text?.indexOf(words) ?? -1;
  return index < 0 ? undefined : text?.slice(index + words.length);
}

/** Without the whole object that Go prints in front of what is wrong with it, and the difference that it prints behind. */
function withoutDump(message: string): string {
  const [text = ''] = message.split(/\s@@ -\d/);
  const start = /^Invalid value: (?=[{[])/.exec(text)?.[0];
  if (start === undefined) return text.trim();
  let [depth, isQuoted] = [0, false];
  for (let index = start.length; index < text.length; index++) {
    const sign = text[index];
    if (isQuoted && sign === '\\') index++;
    else if (sign === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (sign === '{' || sign === '[')) depth++;
    else if (!isQuoted && (sign === '}' || sign === ']') && --depth === 0)
      return (
        text
          .slice(index + 1)
          .replace(/^: /, '')
          .trim() || text.trim()
      );
  }
  return text.trim();
}

/** Of a map of labels the server names the map, and quotes the key or the value of one entry. */
function entryNamed(path: FieldPath, text: string, { value }: Asked): FieldPath {
  const map = lookUp(value, path);
  const quoted = /^Invalid value: "((?:[^"\\]|\\.)*)"/.exec(text)?.[1];
  if (!isObject(map) || quoted === undefined || !/(?:labels|annotations|[sS]elector)$/i.test(String(path.at(-1))))
    return path;
  const entries = Object.entries(map).filter(([key, one]) => key === quoted || one === quoted);
  return entries.length === 1 ? [...path, (entries[0] as [string, Json])[0]] : path;
}

/**
 * `failed to create typed patch object (cozy-customizer/x; v1, Kind=ConfigMap): .data.a: expected string, got …`; of several,
 * one a line. All of an object that does not even fit its schema comes with this, as an internal error.
 */
function typedCauses(message: string, asked: Asked): Cause[] | undefined {
  const found = /failed to create typed (?:patch|live|new) object \(/.exec(message);
  if (!found) return undefined;
  const text = message.slice(found.index);
  const end = text.indexOf('): ');
  if (end < 0) return undefined;
  const causes = text
    .slice(end + 3)
    .replace(/^errors:/, '')
    .split('\n')
    .map((line) => line.trim())
    .flatMap((line): Cause[] => {
      const colon = line.indexOf(': ', 1);
      if (!/^[.[]/.test(line) || colon < 0) return [];
      const [field, words] = [line.slice(0, colon), line.slice(colon + 2)];
      const path = fieldIn(field, asked);
      const plain = words.replace(/^field not declared in schema$/, 'the schema of its kind has no such field');
      return [{ path, message: withoutValues(plain, asked, path), named: true as const }];
    });
  return causes.length > 0 ? distinct(causes) : undefined;
}

/** What the server holds against an object that was copied from a cluster. */
const copiedFields: { words: RegExp; path: FieldPath }[] = [
  { words: /^metadata\.managedFields must be nil$/, path: ['metadata', 'managedFields'] },
  { words: /uid mismatch|UID in precondition/, path: ['metadata', 'uid'] },
  { words: /the object has been modified/, path: ['metadata', 'resourceVersion'] },
];

/** The field that a person would change, where the server names none. */
function fieldOf(reason: RefusalReason, { ref, value }: Asked, message: string): FieldPath {
  const copied = copiedFields.find(({ words, path }) => words.test(message) && lookUp(value, path) !== undefined);
  if (copied) return copied.path;
  if (ref.kind === 'Namespace') return ['metadata', 'name'];
  if (reason === 'missing-namespace') return ['metadata', 'namespace'];
  if (reason === 'unknown-kind') return ['apiVersion'];
  if (reason === 'forbidden') return ref.namespace === undefined ? ['kind'] : ['metadata', 'namespace'];
  return ['metadata', 'name'];
}

/** Without what the report says anyway: which object, and that it is forbidden. */
function ownWords(message: string, reason: RefusalReason): string {
  const rest = message.replace(/^[\w.-]+ "[^"]*" is forbidden: /, '').replace(/\s+/g, ' ');
  return reason === 'forbidden' ? rest.replace(/^User "system:serviceaccount:([^":]*):([^"]*)"/, '$1/$2') : rest;
}

/** A value may be a secret; of what may be one nothing is repeated but what is wrong with it. */
export function withoutValues(message: string, { ref, value }: Asked, path: FieldPath = []): string {
  const secret = ref.kind === 'Secret' || maySecret(path);
  // Go prints all that stands in place of what was expected, as it has it in memory.
  const told = message.replace(/, got &?(?:value\.)?[\w.]*\{[\s\S]*$/, '');
  const bare = secret
    ? told.replace(/(: )?"(?:[^"\\]|\\[\s\S])*\\?(?:"|$)(: )?/g, (_, before, behind) =>
        before && behind ? ': ' : `${before ?? ''}"…"${behind ?? ''}`,
      )
    : told;
  // What kind of mistake it is, is no value.
  const [kind = ''] = /^(?:Invalid value|Unsupported value|Required value|Duplicate value): /.exec(bare) ?? [];
  const rest = bare.slice(kind.length).replace(/\s+/g, ' ');
  return shorten(kind + hide(rest, secretsOf(value)), 400);
}

function hide(message: string, secrets: readonly string[]): string {
  return secrets.reduce((text, secret) => text.replaceAll(secret, '…'), message);
}

/** Texts in an object whose keys say that they are secret, and all that a Secret holds, be it within another object. */
function secretsOf(value: Json, path: FieldPath = []): string[] {
  if (typeof value === 'string') return value.length > 3 && maySecret(path) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((item, index) => secretsOf(item, [...path, index]));
  if (!isObject(value)) return [];
  const isSecret = value.kind === 'Secret';
  return Object.entries(value).flatMap(([key, item]) => {
    const below = isSecret && (key === 'data' || key === 'stringData') ? ['secret', key] : [...path, key];
    return secretsOf(item, below);
  });
}

function distinct(causes: Cause[]): Cause[] {
  const seen = new Set<string>();
  return causes.filter((cause) => {
    const key = JSON.stringify(cause);
    return !seen.has(key) && seen.add(key);
  });
}
