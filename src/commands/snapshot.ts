/** `customizer-lint snapshot FILE|-`: objects as kubectl prints them in, a snapshot of the cluster out. */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseAllDocuments, stringify } from 'yaml';
import { takeSnapshot } from '../facts/snapshot.js';
import { type Json, type JsonObject, UsageError } from '../model.js';
import { isObject } from '../object.js';
import type { Arguments } from './arguments.js';

const head = `# What customizer-lint knows of the cluster: names, variants and field managers, but no values. Name it in .customizer-lint.yaml
# as cluster.snapshot, and make it anew when the cluster has changed:
#   ${command()} | customizer-lint snapshot - > THIS FILE
`;

/** What has to be asked of the cluster. */
export function command(): string {
  const kinds = 'packages,packagesources,ocirepositories,crds,clusterroles,clusterrolebindings,roles,rolebindings';
  return `kubectl get ${kinds} -A -o yaml --show-managed-fields`;
}

export async function snapshot({ operands: [file], values }: Arguments): Promise<number> {
  if (file === undefined) throw new UsageError(`snapshot of what? e.g. ${command()} | customizer-lint snapshot -`);
  const objects = objectsIn(read(file));
  if (!objects.some(({ kind }) => kind === 'Package'))
    throw new UsageError(`there is no Package in what was read; the command is: ${command()}`);
  const text = `${head}${stringify(takeSnapshot(objects, new Date().toISOString().slice(0, 10)), { lineWidth: 0 })}`;
  if (values.output === undefined) process.stdout.write(text);
  else writeFileSync(values.output, text);
  return 0;
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
  const documents = parseAllDocuments(text, { logLevel: 'silent' });
  if (!Array.isArray(documents)) return [];
  const broken = documents.find(({ errors }) => errors.length > 0);
  if (broken) throw new UsageError('what was read is not valid YAML');
  return documents.flatMap((document) => items(document.toJS({ maxAliasCount: 0 }) as Json));
}
