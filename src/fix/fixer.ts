/**
 * Remedy → Fix: the one place that turns what a rule proposes into edits of files. Where an edit is not certain to do that and
 * nothing else, there is no fix: a value that several places make, an anchor, a file that others read as well.
 */

import { isDeepStrictEqual } from 'node:util';
import { defined } from '../core/defined.js';
import type {
  FieldPath,
  Fix,
  FixProposal,
  FixStep,
  HeldBack,
  Place,
  Problem,
  Rendered,
  RenderedObject,
  Tree,
} from '../core/model.js';
import { lookUp } from '../core/object.js';
import { type YamlEdit, YamlEditor } from '../yaml/editor.js';
import { innerText } from '../yaml/scalar.js';
import { SourceText } from '../yaml/source-text.js';
import { parseSyntax } from '../yaml/syntax.js';
import { editsBetween } from '../yaml/text-edits.js';
import { restored } from './restore.js';
import { escaped, Places, type Spot } from './targets.js';

/**
 * The text that may be edited for the fixes of one run, in bytes: each fix reads the whole document again to prove
 * itself, so without a limit many findings of a long file would take a square of its length. What is beyond it has no fix.
 */
const maxFixedText = 2 << 20;

/** What is no text, and the line ends that YAML 1.1 has besides the usual ones: behind them the engine counts other lines. */
const uncertain = /\uFFFD|\r(?!\n)|[\x85\u2028\u2029]/;

export class Fixer {
  #left = maxFixedText;
  readonly #places: Places;
  /** Who reads a file. */
  readonly #users = new Map<string, Rendered[]>();
  /** By path: the objects that have it, by the files that it was written in. By `''`: by the file that brought them in. */
  readonly #written = new Map<string, Map<string, RenderedObject[]>>();

  constructor(
    private readonly tree: Tree,
    private readonly rendered: readonly Rendered[],
    private readonly base?: { tree: Tree; rendered: readonly Rendered[] },
  ) {
    this.#places = new Places(tree);
    for (const one of rendered) for (const file of one.files) append(this.#users, file, one);
  }

  fix(problems: readonly Problem[]): Fix | undefined {
    return this.offer(problems).fix;
  }

  /** Of problems that are one finding: an edit that does for one of them must do for all. */
  offer(problems: readonly Problem[]): Offer {
    const remedies = problems.map(({ remedy }) => remedy);
    const [first] = remedies;
    if (!first || !remedies.every((one): one is FixProposal => one !== undefined && one.title === first.title))
      return {};
    const changes = remedies.flatMap((remedy) => remedy.changes);
    this.#left -= changes.reduce((sum, change) => sum + this.#costOf(change), 0);
    return this.#left < 0 ? {} : this.#fix(first.title, remedies, problems);
  }

  /** The text that is read for it, and something for what is read of the object. */
  #costOf(change: FixStep): number {
    const object = 'at' in change ? ('object' in change.at ? change.at.object : undefined) : change.object;
    const file = 'at' in change && 'file' in change.at ? change.at.file : object?.source?.file;
    return 1024 + (file === undefined ? 0 : (this.tree.bytes(file)?.length ?? 0));
  }

  #fix(title: string, remedies: readonly FixProposal[], problems: readonly Problem[]): Offer {
    const files = new Map<string, string>();
    const spots: Placed[] = [];
    for (const change of remedies.flatMap(({ changes }) => changes)) {
      if (change.do === 'cut') {
        if (!this.#cut(change, files)) return {};
      } else if (change.do === 'restore') {
        const made = this.base && restored(change, { tree: this.tree, rendered: this.rendered }, this.base);
        if (!made) return {};
        for (const [file, text] of made) files.set(file, text);
      } else {
        const placed = this.#place(change);
        if (!placed) return {};
        spots.push(...placed);
      }
    }
    if (!this.#areAllMeant(spots) || !this.#write(spots, files)) return {};
    const edits = [...files].flatMap(([file, text]) => editsBetween(file, this.tree.text(file) ?? '', text));
    if (edits.length === 0) return {};
    const heldBack = this.#heldBack(spots, problems);
    return heldBack ? { heldBack } : { fix: { title, safe: remedies.every(({ safe }) => safe), edits } };
  }

  #cut({ at }: Extract<FixStep, { do: 'cut' }>, files: Map<string, string>): boolean {
    const text = files.has(at.file) ? undefined : this.tree.text(at.file);
    const source = text === undefined ? undefined : new SourceText(text);
    const line = source?.lineSpan(at.range.start.line);
    if (text === undefined || !line || at.range.end.line !== at.range.start.line) return false;
    const before = text.slice(line.start, line.start + at.range.start.column - 1).trimEnd();
    const after = text.slice(line.start + at.range.end.column - 1, line.end).trimEnd();
    const end = before + after === '' ? line.end + (/^\r?\n/.exec(text.slice(line.end))?.[0].length ?? 0) : line.end;
    files.set(at.file, text.slice(0, line.start) + before + after + text.slice(end));
    return true;
  }

  #place(change: Exclude<FixStep, { do: 'cut' | 'restore' }>): Placed[] | undefined {
    if (change.do === 'add') return this.#placeAdded(change);
    const { at } = change;
    const found = this.#places.find(at, change.do);
    const object = 'object' in at ? at.object : undefined;
    return found?.map((spot) => ({ spot, edit: editAt(spot, change), at, ...defined({ object }) })) as
      | Placed[]
      | undefined;
  }

  #placeAdded(change: Extract<FixStep, { do: 'add' }>): Placed[] | undefined {
    const { object, path } = change.at;
    if (lookUp(object.value, path) !== undefined || object.removed().some((one) => reaches(one.path, path)))
      return undefined;
    const maps = path.slice(0, -1).map((_, index) => path.slice(0, index + 1));
    const isReplaced = maps.some((map) =>
      object.writers(map, 'value').some(({ by }) => !['resource', 'merge-patch', 'transformer'].includes(by)),
    );
    const root = isReplaced ? undefined : this.#places.root(object);
    const item = path.findLastIndex((step) => typeof step === 'number') + 1;
    // An item of a list is only known to be the same one where it is the same.
    if (!root || (item > 0 && !this.#places.isSame(root, path.slice(0, item), object))) return undefined;
    const { value, after } = change;
    const edit: YamlEdit = { do: 'add', path: [...root.path, ...path], value, ...(after && { after }) };
    return [{ spot: { ...root, path: edit.path }, edit, at: change.at, object }];
  }

  /** The entrypoints that read what is edited as well, and in which the problem is not there, or nobody knows whether it is. */
  #heldBack(placed: readonly Placed[], problems: readonly Problem[]): HeldBack | undefined {
    const meant = new Set([
      ...placed.flatMap(({ object }) => object?.entrypoint ?? []),
      ...problems.flatMap(({ entrypoint, at }) => entrypoint ?? ('object' in at ? at.object.entrypoint : [])),
    ]);
    for (const { file } of placed.map(({ spot }) => spot)) {
      const users = this.#users.get(file) ?? [];
      const unbuilt = users.filter(({ ok }) => !ok);
      const others = unbuilt.length > 0 ? unbuilt : users.filter(({ entrypoint }) => !meant.has(entrypoint.path));
      const by = [...new Set(others.map(({ entrypoint }) => entrypoint.path))].sort();
      if (by.length > 0) return { file, by, why: unbuilt.length > 0 ? 'unbuilt' : 'unfound' };
    }
    return undefined;
  }

  /** Whether no other object is made of the lines that are edited, or known by the name. */
  #areAllMeant(placed: readonly Placed[]): boolean {
    const objects = new Set(placed.flatMap(({ object }) => object ?? []));
    for (const { spot, edit, at } of placed) {
      const users = this.#users.get(spot.file) ?? [];
      if (!('object' in at)) continue;
      const others = this.#objectsOf(spot.file, edit.do === 'add' ? undefined : at.path).filter(
        (one) => !objects.has(one),
      );
      const isShared = (other: RenderedObject) =>
        edit.do === 'add'
          ? other.source?.document === at.object.source?.document
          : this.#places.isWrittenAt(other, at.path, spot);
      if (others.some(isShared)) return false;
      if (edit.do === 'set' && at.path.join('.') === 'metadata.name' && this.#isNamedElsewhere(at, users)) return false;
    }
    return true;
  }

  /** The objects whose field at the path was written in the file; without a path those that the file brings in. */
  #objectsOf(file: string, path?: FieldPath): readonly RenderedObject[] {
    const key = path ? JSON.stringify(path) : '';
    let index = this.#written.get(key);
    if (!index) {
      index = new Map();
      for (const one of this.rendered)
        for (const object of one.ok ? one.objects : [])
          for (const name of path ? filesOf(object, path) : [object.source?.file ?? '']) append(index, name, object);
      this.#written.set(key, index);
    }
    return index.get(file) ?? [];
  }

  /** A patch that knows an object by its name would not find it any more. */
  #isNamedElsewhere({ object }: { object: RenderedObject }, users: readonly Rendered[]): boolean {
    const files = new Set(users.flatMap((one) => one.files));
    const times = [...files].map((file) => (this.tree.text(file) ?? '').split(object.ref.name).length - 1);
    return times.reduce((sum, count) => sum + count, 0) > 1;
  }

  #write(placed: readonly Placed[], files: Map<string, string>): boolean {
    const pages = new Map<string, Placed[]>();
    for (const one of placed) {
      const { file, document, inside } = one.spot;
      const key = JSON.stringify([file, document, inside ?? null]);
      const edits = pages.get(key) ?? [];
      if (!edits.some(({ edit }) => isDeepStrictEqual(edit, one.edit))) pages.set(key, [...edits, one]);
    }
    // From the end, so that the documents before stay where they are.
    const byPlace = [...pages.values()].sort((a, b) => (b[0]?.spot.document ?? 0) - (a[0]?.spot.document ?? 0));
    return byPlace.every((page) => this.#writePage(page, files));
  }

  #writePage(placed: readonly Placed[], files: Map<string, string>): boolean {
    const { file, document, inside } = (placed[0] as Placed).spot;
    const whole = files.get(file) ?? this.tree.text(file);
    const text = whole === undefined || uncertain.test(whole) ? undefined : new SourceText(whole).documents[document];
    if (whole === undefined || !text) return false;
    const node = inside && parseSyntax(text.text)?.find(inside)?.value;
    const scalar = node && text.text.slice(node.start, node.end);
    // What a document holds of another is edited by lines, which only a literal block has as they are.
    const inner = node?.style === 'BLOCK_LITERAL' && scalar !== undefined ? innerText(scalar, node.style) : undefined;
    if (inside && (!inner || !YamlEditor.read(text.text))) return false;
    const page = YamlEditor.read(inner?.text ?? text.text);
    const edited = page && inTurn(page, placed);
    if (!edited) return false;
    let after = edited.text;
    if (inner && node && scalar !== undefined) {
      const block = literal(scalar, inner.text, edited.text);
      if (block === undefined) return false;
      after = text.text.slice(0, node.start) + block + text.text.slice(node.end);
      if (!YamlEditor.read(after)) return false;
    }
    files.set(file, whole.slice(0, text.offset) + after + whole.slice(text.offset + text.text.length));
    return true;
  }
}

/** One of the two, or neither. */
export type Offer = { fix?: Fix; heldBack?: HeldBack };

type Placed = { spot: Spot; edit: YamlEdit; at: Place; object?: RenderedObject };

function editAt({ path, pointer }: Spot, change: Exclude<FixStep, { do: 'cut' | 'restore' | 'add' }>): YamlEdit {
  switch (change.do) {
    case 'remove':
      return { do: 'remove', path };
    case 'set':
      return { do: 'set', path, value: change.value, asWritten: change.asWritten };
    case 'rename':
      if (pointer === undefined) return { do: 'rename', path, key: change.key };
      return { do: 'set', path, value: pointer.slice(0, pointer.lastIndexOf('/') + 1) + escaped(change.key) };
    case 'insert':
      return { do: 'insert', path, value: change.value };
    case 'move':
      return { do: 'move', path, to: [...path.slice(0, path.length - change.at.path.length), ...change.to] };
  }
}

/** The files in which a field, or its key, was written by anybody. */
function filesOf(object: RenderedObject, path: FieldPath): Set<string> {
  const writers = (['key', 'value'] as const).flatMap((part) => object.writers(path, part));
  return new Set(writers.flatMap(({ from }) => from.map(({ file }) => file)));
}

function append<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** What goes from a list changes the places of what follows, so the last goes first. */
function inTurn(page: YamlEditor, placed: readonly Placed[]): YamlEditor | undefined {
  const edits = placed.map(({ edit }) => edit);
  const removals = edits
    .filter((edit) => edit.do === 'remove')
    .sort((a, b) => (page.span(b.path)?.start ?? 0) - (page.span(a.path)?.start ?? 0));
  const others = edits.filter((edit) => edit.do !== 'remove');
  return [...others, ...removals].reduce<YamlEditor | undefined>((now, edit) => now?.edit(edit), page);
}

/** The block scalar with the lines that differ in place of the old ones. */
function literal(scalar: string, before: string, after: string): string | undefined {
  const [header = '', ...written] = scalar.split('\n');
  const pad = /^[ \t]*/.exec(written.find((line) => line.trim() !== '') ?? '')?.[0] ?? '';
  const eol = header.endsWith('\r') ? '\r\n' : '\n';
  const lines = written.map((line) => line.replace(/\r$/, ''));
  const old = before.split('\n');
  if (pad === '' || old.some((line, index) => line !== '' && lines[index] !== pad + line)) return undefined;
  const now = after.split('\n').map((line) => (line === '' ? '' : pad + line));
  return [header.replace(/\r$/, ''), ...now].join(eol);
}

/** Whether what became of one path bears on the other. */
function reaches(one: readonly unknown[], other: readonly unknown[]): boolean {
  const length = Math.min(one.length, other.length);
  return one.slice(0, length).every((step, index) => step === other[index]);
}
