/** A repository that a harmless change is made to, as text: its kustomizations and the manifests that they list. */
import { posix } from 'node:path';
import { type Document, parseAllDocuments, parseDocument } from 'yaml';
import { isKustomizationFile } from '../../../src/core/kustomization.js';

export type Tree = Record<string, string>;
/** An entry of `resources` that names a file. */
export type Listed = { file: string; by: string; entry: string };
export type Manifest = { kind: string; name: string; value: JsonObject; document: Document };
type JsonObject = { [key: string]: unknown };

export const folderOf = (file: string) => (posix.dirname(file) === '.' ? '' : `${posix.dirname(file)}/`);
export const resolved = (by: string, entry: string) => posix.normalize(folderOf(by) + entry);

/** Empty if the file cannot be edited without care: a key twice, a directive, an anchor, ciphertext. */
export function manifestsIn(text: string): Manifest[] {
  if (/^(%|\uFEFF)|^\s*<<:|[:-] [&*]\w|^sops:/m.test(text)) return [];
  const documents = parseAllDocuments(text) as Document[];
  if (documents.some(({ errors }) => errors.length > 0)) return [];
  const values = documents.map((document) => document.toJS() as JsonObject | null);
  const isManifest = (value: JsonObject | null) => typeof value?.kind === 'string' && nameOf(value) !== undefined;
  if (!values.every(isManifest)) return [];
  return values.map((value, index) => ({
    kind: String(value?.kind),
    name: String(nameOf(value)),
    value: value as JsonObject,
    document: documents[index] as Document,
  }));
}

const nameOf = (value: JsonObject | null) => (value?.metadata as JsonObject | undefined)?.name;

export const written = (manifests: readonly Pick<Manifest, 'document'>[]) =>
  manifests
    .map(({ document }) =>
      String(document)
        .replace(/^---\n/, '')
        .replace(/\n*$/, '\n'),
    )
    .join('---\n');

export function kustomizationsOf(files: Tree): string[] {
  return Object.keys(files).filter((file) => {
    if (!isKustomizationFile(file)) return false;
    const document = parseDocument(files[file] as string);
    return document.errors.length === 0 && Array.isArray(document.toJS()?.resources);
  });
}

/** The YAML files that one kustomization lists, and no other. */
export function listedIn(files: Tree): Listed[] {
  const all = kustomizationsOf(files).flatMap((by) => {
    const { resources } = parseDocument(files[by] as string).toJS() as { resources: unknown[] };
    return resources.flatMap((entry) =>
      typeof entry === 'string' && /\.ya?ml$/.test(entry) ? [{ by, entry, file: resolved(by, entry) }] : [],
    );
  });
  const isOnce = ({ file }: Listed) => all.filter((one) => one.file === file).length === 1;
  return all.filter((one) => files[one.file] !== undefined && isOnce(one));
}

/** Those whose manifests can be edited. */
export function editableIn(files: Tree): (Listed & { manifests: Manifest[] })[] {
  return listedIn(files)
    .map((one) => ({ ...one, manifests: manifestsIn(files[one.file] as string) }))
    .filter(({ manifests }) => manifests.length > 0);
}

/** The kustomization with other entries in place of one. */
export function relisted(files: Tree, { by, entry }: Pick<Listed, 'by' | 'entry'>, entries: readonly string[]): Tree {
  const document = parseDocument(files[by] as string);
  const { resources } = document.toJS() as { resources: string[] };
  const at = resources.indexOf(entry);
  document.set('resources', [...resources.slice(0, at), ...entries, ...resources.slice(at + 1)]);
  return { ...files, [by]: String(document) };
}

/** With another file in the list. */
export function added(files: Tree, by: string, name: string, text: string): Tree {
  const document = parseDocument(files[by] as string);
  const { resources } = document.toJS() as { resources: unknown[] };
  document.set('resources', [...resources, name]);
  return { ...files, [by]: String(document), [folderOf(by) + name]: text };
}

export function without(files: Tree, file: string): Tree {
  return Object.fromEntries(Object.entries(files).filter(([path]) => path !== file));
}
