/** What the kustomizations of a tree take into Secrets, or patch them with: a file that they name need not say so itself. */
import { posix } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { Json, JsonObject, KnownSecrets, Tree } from '../core/model.js';
import { isObject } from '../core/object.js';
import { depthExceeds, maxDepth, plainValue } from '../yaml/syntax.js';
import { isShowable } from './file.js';
import { mayTargetSecret } from './names.js';

/** Characters that are searched for what they name: of a file, and of a tree. */
const most = { file: 1 << 20, tree: 1 << 23 };

const known = new WeakMap<Tree, ReadonlyMap<string, KnownSecrets>>();

export function namedFiles(tree: Tree): ReadonlyMap<string, KnownSecrets> {
  const before = known.get(tree);
  if (before) return before;
  const named = new Map<string, KnownSecrets>();
  const add = (file: string, what: KnownSecrets) => void named.set(file, { ...named.get(file), ...what });
  let left = most.tree;
  for (const file of tree.files.filter(isShowable)) {
    const text = textOf(tree, file) ?? '';
    if (
      text.length > Math.min(most.file, left) ||
      !/secretGenerator|target|\\/i.test(text) ||
      depthExceeds(text, maxDepth)
    )
      continue;
    left -= text.length;
    const at = (path: Json | undefined) => posix.join(posix.dirname(file), String(path));
    for (const document of documentsOf(text))
      visit(document, {
        file: (path) => add(at(path), { whole: true }),
        patch: (path) => add(at(path), { patch: true }),
      });
  }
  known.set(tree, named);
  return named;
}

/** As go-yaml reads it, which knows UTF-16 by its mark. */
export function textOf(tree: Tree, file: string): string | undefined {
  const bytes = tree.bytes(file);
  const mark = bytes && (bytes[0] ?? 0) * 256 + (bytes[1] ?? 0);
  if (mark === 0xfffe) return new TextDecoder('utf-16le').decode(bytes);
  if (mark === 0xfeff) return new TextDecoder('utf-16be').decode(bytes);
  return tree.text(file);
}

function documentsOf(text: string): Json[] {
  try {
    // Dashboards and definitions are large, and are read so in a fraction of the time.
    return [JSON.parse(text)];
  } catch {
    const options = { uniqueKeys: false, strict: false, logLevel: 'silent', merge: true } as const;
    return [...parseAllDocuments(text, options)].map((document) => plainValue(document) ?? null);
  }
}

type Named = { file(path: Json): void; patch(path: Json): void };

function visit(value: Json, named: Named): void {
  if (Array.isArray(value)) for (const item of value) visit(item, named);
  if (!isObject(value)) return;
  const generators = [value.secretGenerator, value.kind === 'SecretGenerator' ? value : undefined];
  for (const one of generators.flat()) if (isObject(one)) for (const path of sourcesOf(one)) named.file(path);
  if (typeof value.path === 'string' && isObject(value.target) && mayTargetSecret(value.target))
    named.patch(value.path);
  for (const item of Object.values(value)) visit(item, named);
}

/** `KEY=FILE`, or the file alone. */
function sourcesOf({ files, envs, env }: JsonObject): string[] {
  const named = [files].flat().filter((entry) => typeof entry === 'string');
  const read = [envs, env].flat().filter((entry) => typeof entry === 'string');
  return [...named.map((entry) => entry.slice(entry.indexOf('=') + 1)), ...read];
}
