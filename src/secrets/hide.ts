/**
 * The one place in which what a run found out is freed of secrets, before any format gets a text of it: values of Secrets, what generators
 * make one of, defaults of variables, values at keys that sound secret, and parts of all these, whatever they have become: a message, a
 * name, a key, a value. Names of files, rules and kinds, and fingerprints, stay.
 */
import type { Finding, Revision, Run, Tree } from '../core/model.js';
import { oncePer } from '../core/once.js';
import { collectedValues, type SomeRendered } from './collected.js';
import { isShowable, linesOf, secretSpans } from './file.js';
import { Hider } from './hider.js';
import { mergeSpans } from './mask.js';
import { namedFiles } from './named.js';
import { addPieces, type Pieces } from './pieces.js';

export type Sources = {
  trees: { [revision in Revision]?: Tree | undefined };
  rendered: { [revision in Revision]?: readonly SomeRendered[] | undefined };
};

/** `more`: values that are known besides, such as those of charts. */
export function hiderOf({ trees, rendered }: Sources, more: Iterable<string> = []): Hider {
  const pieces: Pieces = { random: new Set(), plain: new Set() };
  for (const revision of ['head', 'base'] as const) {
    const tree = trees[revision];
    for (const value of tree ? collectedValues(tree, rendered[revision] ?? []) : []) addPieces(value, pieces);
  }
  for (const value of more) addPieces(value, pieces);
  const standsIn = (tree: Tree | undefined, word: string) =>
    tree !== undefined && ordinaryWords(tree)(pieces.plain).has(word);
  const isWord = (word: string) => !/\p{N}/u.test(word);
  const isOrdinary = (word: string) =>
    standsIn(trees.base ?? trees.head, word) || (isWord(word) && standsIn(trees.head, word));
  return new Hider(pieces, isOrdinary);
}

/**
 * Plain words that stand in a place of the tree that is not secret: with a base in the base, as what a change has copied does not count;
 * a word of letters alone, such as the name of an application, in either.
 * The first question reads all of the tree for all words.
 */
const ordinaryWords = oncePer((tree: Tree) => {
  const known = new WeakMap<Set<string>, Set<string>>();
  return (plain: Set<string>): Set<string> => {
    const found = known.get(plain) ?? wordsOutside(tree, plain);
    known.set(plain, found);
    return found;
  };
});

function wordsOutside(tree: Tree, plain: Set<string>): Set<string> {
  const found = new Set<string>();
  const finder = new Hider({ random: new Set(), plain }, () => false, true);
  const note = (text: string, hidden: { start: number; end: number }[]) => {
    for (const { start, end } of finder.spans(text))
      if (!hidden.some((one) => one.start < end && one.end > start)) found.add(text.slice(start, end).toLowerCase());
  };
  for (const file of tree.files) {
    note(file, []);
    const text = isShowable(file) ? (tree.text(file) ?? '') : '';
    if (finder.spans(text).length === 0) continue;
    const spans = secretSpans(text, namedFiles(tree).get(file));
    for (const [index, line] of linesOf(text).entries()) note(line, mergeSpans(spans(index)));
  }
  return found;
}

/** Fields whose texts come from the linter, or lead to a file. */
const kept = new Set(
  `rule severity fingerprint precision revision file kind apiVersion action outcome server version source sources tool entrypoints
  entrypoint kustomization edits type cluster`.split(/\s+/),
);

/** The same value in which no text has a secret, whatever its fields are. */
export function hideIn<Told>(told: Told, hider: Hider): Told {
  return hider.isEmpty ? told : (visit(told, hider) as Told);
}

function visit(node: unknown, hider: Hider): unknown {
  if (typeof node === 'string') return hider.hide(node);
  if (typeof node === 'number') {
    const shown = hider.hide(String(node));
    return shown === String(node) ? node : shown;
  }
  if (Array.isArray(node)) return node.map((item) => visit(item, hider));
  if (node === null || typeof node !== 'object') return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, item]) => [key, isKept(key, item) ? item : visit(item, hider)]),
  );
}

/** Objects of these names have texts of their own; the `path` of a directory is a text, that of a field is not. */
function isKept(key: string, item: unknown): boolean {
  if (key === 'path') return typeof item === 'string';
  return kept.has(key) && (!Array.isArray(item) || item.every((one) => typeof one === 'string'));
}

export function hideInFinding(finding: Finding, hider: Hider): Finding {
  const { fix, heldBack, ...rest } = finding;
  return {
    ...hideIn(rest, hider),
    ...(heldBack && { heldBack }),
    ...(fix && {
      fix: () => {
        const made = fix();
        return made && { ...made, title: hider.hide(made.title) };
      },
    }),
  };
}

/** The whole run; its sources know of the secrets too, so that no line of a file shows one. */
export function hideInRun(run: Run, makeHider: () => Hider): Run {
  const { findings, ignored, sources, ...rest } = run;
  const { diffs = [], effects = [], charts = [], notChecked } = rest;
  if ([findings, ignored, diffs, effects, charts, notChecked].every(({ length }) => length === 0)) return run;
  const hider = makeHider();
  return {
    ...hideIn(rest, hider),
    findings: findings.map((one) => hideInFinding(one, hider)),
    ignored: ignored.map(({ finding, ...one }) => ({ ...hideIn(one, hider), finding: hideInFinding(finding, hider) })),
    sources: withSpans(sources, hider),
  };
}

function withSpans(sources: Run['sources'], hider: Hider): Run['sources'] {
  const spans = (line: string) => hider.spans(line);
  return { ...sources, secrets: (side, file) => ({ ...sources.secrets(side, file), spans }) };
}
