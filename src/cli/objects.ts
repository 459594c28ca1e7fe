/** Objects as kubectl prints them, in a file or on standard input. */
import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { type Json, type JsonObject, UsageError } from '../core/model.js';
import { isObject, lookUp } from '../core/object.js';

/** `-` is standard input. Throws a `UsageError` for what cannot be read. */
export function readObjects(file: string): JsonObject[] {
  return objectsIn(read(file));
}

/** What `kubectl get packages -o yaml --show-managed-fields` prints. */
export function readLive(file: string): JsonObject[] {
  const objects = readObjects(file);
  if (objects.length === 0) throw new UsageError(`${file} has no object in it`);
  if (objects.some((object) => !Array.isArray(lookUp(object, ['metadata', 'managedFields']))))
    throw new UsageError(`${file} has objects without managedFields; add --show-managed-fields to kubectl get`);
  return objects;
}

function read(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch {
    throw new UsageError(`${file === '-' ? 'standard input' : file} cannot be read`);
  }
}

/** Lists of objects are taken apart. JSON is faster to read than YAML, and kubectl can print either. */
function objectsIn(text: string): JsonObject[] {
  const items = (value: Json): JsonObject[] => {
    if (!isObject(value)) return [];
    return Array.isArray(value.items) && String(value.kind).endsWith('List') ? value.items.flatMap(items) : [value];
  };
  if (text.trimStart().startsWith('{')) {
    try {
      return items(JSON.parse(text) as Json);
    } catch {
      throw new UsageError('what was read begins like JSON, but is none');
    }
  }
  // Looking for a key that is there twice takes a square of the time.
  const documents = parseAllDocuments(text, { logLevel: 'silent', uniqueKeys: false });
  if (!Array.isArray(documents)) return [];
  const broken = documents.find(({ errors }) => errors.length > 0);
  if (broken) throw new UsageError('what was read is not valid YAML');
  return documents.flatMap((document) => {
    try {
      return items(document.toJS({ maxAliasCount: 0 }) as Json);
    } catch {
      throw new UsageError('what was read has aliases, which no cluster prints');
    }
  });
}
