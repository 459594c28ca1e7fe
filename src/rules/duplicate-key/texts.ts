/** Texts in which kustomize takes a duplicate key silently: kustomizations, patches, replacements (never manifests). */
import { dirname, join } from 'node:path/posix';
import { isMap, isScalar, isSeq, type Node } from 'yaml';
import { isKustomizationFile } from '../../core/kustomization.js';
import type { Entrypoint, Tree } from '../../core/model.js';
import { lenientFile, lenientRoot, sourceOf } from '../../yaml/documents.js';
import { innerText } from '../../yaml/scalar.js';
import { SourceText } from '../../yaml/source-text.js';
import type { ScalarStyle } from '../../yaml/syntax.js';

/** A text that kustomize parses with a parser that takes a key more than once. */
export type Lenient = {
  file: string;
  text: string;
  root: Node;
  what: string;
  /** The key that counts: a strategic merge looks up the first, all else keeps the last. */
  takes: 'first' | 'last';
  /** From an offset of the text to one of the file. */
  outer(offset: number): number;
  /** What another rule says: the fields of the kustomization itself. */
  below?: number;
};

/** A kustomization and what it patches with. */
export function patchesOf(file: string, tree: Tree): Lenient[] {
  const text = tree.text(file);
  if (text === undefined || !isKustomizationFile(file)) return [];
  const root = lenientFile(file, tree);
  if (!root) return [];
  const own: Lenient = { file, text, root, what: 'kustomization', takes: 'last', outer: (offset) => offset, below: 1 };
  const inline = scalars(root, ['patches', 'patchesJson6902'], 'patch').concat(
    scalars(root, ['patchesStrategicMerge']),
  );
  const named = scalars(root, ['patches', 'patchesJson6902'], 'path').concat(scalars(root, ['patchesStrategicMerge']));
  const patchFiles = named.map(({ value }) => join(dirname(file), String(value)));
  const replacements = scalars(root, ['replacements'], 'path').map(({ value }) => join(dirname(file), String(value)));
  return [
    own,
    ...inline.flatMap((scalar) => inside(file, text, 0, scalar)),
    ...patchFiles.flatMap((path) => whole(path, tree)),
    ...replacements.flatMap((path) =>
      whole(path, tree).map((one) => ({ ...one, what: 'file', takes: 'last' as const })),
    ),
  ];
}

/** The patches of the Flux Kustomization. */
export function patchesOfFlux({ declaredAt }: Entrypoint, tree: Tree): Lenient[] {
  if (declaredAt?.path[0] !== 'spec') return [];
  const { text, documents } = sourceOf(declaredAt.file, tree);
  const document = documents[declaredAt.document];
  const spec = document && lenientRoot(document.text)?.get('spec');
  if (!document || !isMap(spec)) return [];
  return scalars(spec, ['patches'], 'patch').flatMap((scalar) =>
    inside(declaredAt.file, text, document.offset, scalar),
  );
}

type Text = { value: unknown; start: number; end: number; style: ScalarStyle };

/** The scalars of the lists, or of the field of their items. */
function scalars(root: Node, lists: readonly string[], field?: string): Text[] {
  return lists.flatMap((list) => {
    const items = isMap(root) ? root.get(list) : undefined;
    return (isSeq(items) ? items.items : []).flatMap((item): Text[] => {
      const node = field === undefined ? item : isMap(item) ? item.get(field, true) : undefined;
      if (!isScalar(node) || !node.range || typeof node.value !== 'string') return [];
      return [{ value: node.value, start: node.range[0], end: node.range[1], style: node.type as ScalarStyle }];
    });
  });
}

/** `start` and `end` count from `from` on. */
function inside(file: string, text: string, from: number, { start, end, style }: Text): Lenient[] {
  const inner = innerText(text.slice(from + start, from + end), style);
  return inner ? documentsOf(file, inner.text, (offset) => from + start + inner.outer(offset)) : [];
}

function whole(file: string, tree: Tree): Lenient[] {
  const text = tree.text(file);
  return text === undefined ? [] : documentsOf(file, text, (offset) => offset);
}

function documentsOf(file: string, text: string, outer: (offset: number) => number): Lenient[] {
  return new SourceText(text).documents.flatMap((document) => {
    const root = lenientRoot(document.text);
    if (!root) return [];
    return [
      {
        file,
        text: document.text,
        root,
        what: 'patch',
        takes: isMap(root) ? ('first' as const) : ('last' as const),
        outer: (offset: number) => outer(document.offset + offset),
      },
    ];
  });
}
