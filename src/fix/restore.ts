/** An object that a change has taken out, brought back: its manifest as it was, and the entry that lists it. */
import { dirname, join } from 'node:path/posix';
import { isKustomizationFile } from '../core/kustomization.js';
import type { FieldPath, FixStep, Json, Rendered, RenderedObject, Tree } from '../core/model.js';
import { type YamlEdit, YamlEditor } from '../yaml/editor.js';
import { SourceText } from '../yaml/source-text.js';

type Restore = Extract<FixStep, { do: 'restore' }>;
type Side = { tree: Tree; rendered: readonly Rendered[] };

/** The files with the object back in them, by path; undefined where it is not certain how. */
export function restored(change: Restore, head: Side, base: Side): Map<string, string> | undefined {
  const { object } = change;
  const before = base.rendered.find((one) => one.entrypoint.path === object.entrypoint);
  const after = head.rendered.find((one) => one.entrypoint.path === object.entrypoint);
  const source = object.revision === 'base' ? object.source : undefined;
  if (!source || !before?.ok || !after?.ok) return undefined;
  const text = manifest(base.tree, source, change);
  const listing = listingOf(source.file, before.files, base.tree);
  if (text === undefined || listing === 'unclear') return undefined;
  const files = new Map<string, string>();
  if (listing) {
    const again = after.files.includes(listing.file) ? listed(head.tree, listing) : undefined;
    if (again === undefined) return undefined;
    if (again !== 'there') files.set(listing.file, again);
  }
  const whole = intoFile(head.tree, source.file, text, object);
  // A manifest that is where it was, and is listed, is kept out by something else.
  if (whole === undefined || (whole.isThere && files.size === 0)) return undefined;
  return files.set(source.file, whole.text);
}

function manifest(tree: Tree, { file, document }: { file: string; document: number }, change: Restore) {
  const text = tree.text(file);
  const written = text?.includes('\uFFFD') ? undefined : new SourceText(text ?? '').documents[document]?.text;
  const page = written === undefined ? undefined : YamlEditor.read(written);
  return page && isManifestOf(page, change.object) ? edited(page, change)?.text : undefined;
}

function edited(page: YamlEditor, { without, add }: Restore): YamlEditor | undefined {
  const less = without
    .filter((path) => page.at(path) !== undefined)
    .reduce<YamlEditor | undefined>((now, path) => now?.edit({ do: 'remove', path }), page);
  return add.reduce<YamlEditor | undefined>((now, { path, value }) => {
    if (now?.at(path) === value) return now;
    return now?.edit(now.at(path) === undefined ? { do: 'add', path, value } : { do: 'set', path, value });
  }, less);
}

function isManifestOf(page: YamlEditor, { ref }: RenderedObject): boolean {
  return page.at(['kind']) === ref.kind && page.at(['metadata', 'name']) === ref.name;
}

type Listing = { file: string; path: FieldPath; entry: string; index: number };

/** The kustomization that listed the file; undefined where Flux takes every file of the folder. */
function listingOf(file: string, files: readonly string[], tree: Tree): Listing | undefined | 'unclear' {
  // The one that Flux makes where there is none is in no tree.
  const kustomizations = files.filter((one) => isKustomizationFile(one) && tree.has(one));
  if (kustomizations.length === 0) return undefined;
  const found = kustomizations.flatMap((one): Listing[] => {
    const entries = YamlEditor.read(tree.text(one) ?? '')?.at(['resources']);
    return (Array.isArray(entries) ? entries : []).flatMap((entry, index) =>
      typeof entry === 'string' && join(dirname(one), entry) === file
        ? [{ file: one, path: ['resources'], entry, index }]
        : [],
    );
  });
  return found.length === 1 ? (found[0] as Listing) : 'unclear';
}

function listed(tree: Tree, { file, path, entry, index }: Listing): string | 'there' | undefined {
  const page = YamlEditor.read(tree.text(file) ?? '');
  const entries: Json | undefined = page?.at(path);
  if (Array.isArray(entries) && entries.includes(entry)) return 'there';
  const edit: YamlEdit = Array.isArray(entries)
    ? { do: 'insert', path, index: Math.min(index, entries.length), value: entry }
    : { do: 'add', path, value: [entry] };
  return page?.edit(edit)?.text;
}

/** As the only document of a new file, as the last one of a file that is there, or in place of the one that is there. */
function intoFile(tree: Tree, file: string, text: string, object: RenderedObject) {
  const ended = text.endsWith('\n') ? text : `${text}\n`;
  const whole = tree.text(file);
  if (whole === undefined) return tree.has(file) ? undefined : { text: ended, isThere: false };
  const { documents } = new SourceText(whole);
  const pages = documents.map((one) => YamlEditor.read(one.text));
  const there = pages.findIndex((page) => page && isManifestOf(page, object));
  const old = documents[there];
  if (old) {
    const now = whole.slice(0, old.offset) + text + whole.slice(old.offset + old.text.length);
    return { text: now, isThere: true };
  }
  if (pages.some((page) => page === undefined)) return undefined;
  return {
    text: `${whole.endsWith('\n') ? whole : `${whole}\n`}---\n${ended.replace(/^---[^\n]*\n/, '')}`,
    isThere: false,
  };
}
