/** Sentences of findings for a comment: in parts, with names as code, and without what only a command line has. */
import { markdownText, shorten } from '../core/escape.js';
import type { FieldPath } from '../core/model.js';
import { partsOf, withNames } from '../core/quoted.js';

/** The first clause of a message, and what follows from it; names in quotes are never cut. */
export function clausesOf(message: string): { what: string; outcome?: string } {
  let what = '';
  for (const { text, isName } of partsOf(message)) {
    const marks = isName ? [] : text.matchAll(/; |, so |, but |: /gu);
    for (const { 0: mark, index: at } of marks) {
      const clauses = { what: what + text.slice(0, at), outcome: message.slice(what.length + at + mark.length) };
      if (clauses.outcome.length >= shortest && (mark !== ': ' || areClauses(clauses))) return clauses;
    }
    what += text;
  }
  return { what: message };
}

/** Less is no clause: what a message ends with. */
const shortest = 12;

/** With a colon between them: not an object and what is said of it, and not a field and its value. */
function areClauses({ what, outcome }: { what: string; outcome: string }): boolean {
  const words = withNames(what, '').trim().split(/\s+/u);
  return words.length >= 3 && !/[.\]]/u.test(words.at(-1) ?? '') && !/^\S+[,;]/u.test(outcome);
}

/**
 * Field paths, keys of annotations with their values, accounts and files: what one copies. In quotes or not, as a text of ours has them
 * without. All of these characters are harmless in code.
 */
const names =
  /(?<![\w."/-])(?:(?:spec|metadata|data|stringData|status)(?:\.[\w*-]+|\[\d+\])+|[a-z][\w-]*(?:\.[\w-]+)+\/[\w.-]+(?:: [\w-]+)?|\.?[\w-]+\.ya?ml\b)(?![\w"])/gu;

/** More than this is cut, and not even looked at. */
const longest = 1000;

/** Prose in Markdown. Whatever stands in quotes becomes code, as `markdownText` has it. */
export function prose(text: string): string {
  const parts = partsOf(shorten(text, longest));
  return markdownText(parts.map(({ text, isName }) => (isName ? text : text.replace(names, '"$&"'))).join(''));
}

/** A sentence of its own: a capital letter, and a full stop where there is none. */
export function sentence(text: string, field: FieldPath = []): string {
  const start = capital(text, field);
  return /[.?!:…]$/u.test(start) ? start : `${start}.`;
}

/** Of a word; a path, the name of a field, or a name in quotes stays as it is. */
export function capital(text: string, field: FieldPath = []): string {
  const [, word] = /^([a-z]+)(?: |$)/u.exec(text) ?? [];
  return word !== undefined && !field.includes(word) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}

/** Options belong to the command; who reads a comment has the configuration, and the workflow. */
export function withoutOptions(text: string): string {
  return text.replace(/\bname one with --path, or /gu, '').replace(/,? or --[a-z-]+/gu, '');
}

/** A help that takes several merges says them one by one: `first …, let Flux apply that, then …`. */
export function helpLines(help: string): string[] {
  const [before = '', then] = help.split(/, let Flux apply (?:that|it), then /u);
  if (then === undefined) return [prose(sentence(withoutOptions(help)))];
  const [aim, first] = before.startsWith('to ') && before.includes(', ') ? cutAt(before, ', ') : [undefined, before];
  const head = aim === undefined ? 'In two merges:' : `${prose(sentence(`${aim}, in two merges:`))}`;
  return [
    [head, `1. ${prose(`${first.replace(/^first /, '')}, and let Flux apply that;`)}`, `2. ${prose(`${then}.`)}`].join(
      '\n',
    ),
  ];
}

function cutAt(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return [text.slice(0, at), text.slice(at + mark.length)];
}
