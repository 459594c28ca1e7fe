/** Files that SOPS has encrypted, in part or as a whole, and what of them it has not though it was told to. */

import type { FieldPath, Json, JsonObject, Tree } from '../core/model.js';
import { isObject } from '../core/object.js';
import { documentValue, sourceOf } from '../yaml/documents.js';
import { matcherOf } from './sops-pattern.js';

export type SopsDocument = { file: string; document: number; value: JsonObject; sops: JsonObject };

/** A longer file is not read for it. */
const longest = 1 << 20;

const known = new WeakMap<Tree, readonly SopsDocument[]>();

export function sopsDocuments(tree: Tree): readonly SopsDocument[] {
  const found =
    known.get(tree) ?? tree.files.filter((file) => /\.(?:ya?ml|json)$/i.test(file)).flatMap((file) => read(tree, file));
  known.set(tree, found);
  return found;
}

function read(tree: Tree, file: string): SopsDocument[] {
  const text = tree.text(file) ?? '';
  if (text.length > longest || !text.includes('sops') || !/\bmac\b|lastmodified/.test(text)) return [];
  return sourceOf(file, tree).documents.flatMap((one, document) => {
    const value = one.text.includes('sops') ? documentValue(file, document, tree) : null;
    if (!isObject(value) || !isObject(value.sops) || !('mac' in value.sops || 'lastmodified' in value.sops)) return [];
    return [{ file, document, value, sops: value.sops }];
  });
}

/** Settings by which SOPS chooses, the last that is there deciding, as in `shouldBeEncrypted` of sops 3.10. */
const settings = ['unencrypted_suffix', 'encrypted_suffix', 'unencrypted_regex', 'encrypted_regex'] as const;

export type Uncovered = {
  /** The setting that covers them. */
  by: string;
  paths: FieldPath[];
};

/** What stands in it as text though SOPS encrypts it; undefined where its settings cannot be judged. */
export function unencryptedIn({ value, sops }: SopsDocument): Uncovered | undefined {
  if (sops.encrypted_comment_regex || sops.unencrypted_comment_regex) return undefined;
  const by = settings.findLast((name) => typeof sops[name] === 'string' && sops[name] !== '');
  // SOPS always writes one.
  if (!by) return { by: 'nothing', paths: [] };
  const pattern = String(sops[by]);
  const matches = by.endsWith('regex') ? matcherOf(pattern) : (key: string) => key.endsWith(pattern);
  if (!matches) return undefined;
  const encrypts = by.startsWith('encrypted');
  const remembered = new Map<string, boolean | undefined>();
  const isMatch = (key: string) => {
    if (!remembered.has(key)) remembered.set(key, matches(key));
    return remembered.get(key);
  };
  const paths: FieldPath[] = [];
  const visit = (node: Json, path: FieldPath, isMatched: boolean | undefined) => {
    if (Array.isArray(node)) for (const [index, item] of node.entries()) visit(item, [...path, index], isMatched);
    else if (isObject(node)) {
      for (const [key, item] of Object.entries(node)) {
        if (path.length === 0 && key === 'sops') continue;
        visit(
          item,
          [...path, key],
          isMatched === true ? true : isMatch(key) === undefined ? undefined : isMatch(key) || isMatched,
        );
      }
    } else if (isMatched === encrypts && isReadable(node)) paths.push(path);
  };
  visit(value, [], false);
  return { by, paths };
}

/** SOPS leaves what is empty as it is. */
function isReadable(value: Json): boolean {
  return value !== null && value !== '' && !String(value).startsWith('ENC[AES256_GCM,');
}
