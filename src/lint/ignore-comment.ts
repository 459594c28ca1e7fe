/**
 * The syntax of an ignore comment: `# customizer-lint ignore RULE -- REASON (until 2026-12-31)`. A comment that was meant as one and is
 * written otherwise hides nothing and is reported; prose that only mentions the linter is left alone.
 */
import { isDay } from '../core/day.js';
import { nearMiss } from '../core/suggest.js';

export type IgnoreComment =
  | { rule: string; reason: string; expires?: string }
  /** A mistake, in the words of a finding. */
  | { message: string; help: string };

/** True if the text may hold an ignore comment, well written or not. */
export function mayHoldIgnore(text: string): boolean {
  return /customi[sz]er[-_ ]?lint/i.test(text);
}

/** Reads a comment with its `#`; undefined for prose. */
export function readIgnore(comment: string, rules: ReadonlySet<string>): IgnoreComment | undefined {
  const words = /^#+\s*customizer-lint ignore\b(.*)$/.exec(comment)?.[1];
  if (words === undefined) return nearForm(comment, rules);
  const { rule, reason, expires } = parts(words);
  const message = mistakeIn(words, rule, reason, rules);
  if (message !== undefined) return { message, help: helpFor(words, rule, rules) };
  const until = expires === undefined ? malformedExpiry(reason) : isDay(expires) ? undefined : `(until ${expires})`;
  if (until === undefined) return { rule, reason, ...(expires !== undefined && { expires }) };
  return {
    message: `the ignore of "${rule}" has no valid last day: "${until}"`,
    help: `end the comment with the day: ${form(rule)} (until 2026-12-31)`,
  };
}

/**
 * `RULE -- reason (until 2026-12-31)`, as it stands behind the words of the comment; the day may be left out. In one pass: a
 * pattern for all of it takes time that grows with a power of the spaces in it. No rule if it is written otherwise.
 */
function parts(words: string): { rule: string; reason: string; expires?: string } {
  const nothing = { rule: '', reason: '' };
  const text = words.trim();
  if (!/^\s/.test(words) || text === '') return nothing;
  const word = /^[\w-]*/.exec(text)?.[0] ?? '';
  const rest = text.slice(word.length).trimStart();
  if (rest === '') return { rule: word, reason: '' };
  if (word !== '' && rest.startsWith('--')) return { rule: word, ...reasonIn(rest.slice(2)) };
  // The dashes may stand right behind the rule.
  const dashes = word.lastIndexOf('--');
  return dashes < 1 ? nothing : { rule: word.slice(0, dashes), ...reasonIn(text.slice(dashes + 2)) };
}

function reasonIn(words: string): { reason: string; expires?: string } {
  const text = words.trim();
  const length = '(until 2026-12-31)'.length;
  const expires = /^\(until (\d{4}-\d{2}-\d{2})\)$/.exec(text.slice(-length))?.[1];
  return expires === undefined ? { reason: text } : { reason: text.slice(0, -length).trim(), expires };
}

function mistakeIn(words: string, rule: string, reason: string, rules: ReadonlySet<string>): string | undefined {
  if (rule === '' && rulesIn(words, rules).length > 1)
    return 'this comment ignores several rules, and only one is allowed';
  if (rule === '') return 'this comment does not say which rule it ignores';
  if (!rules.has(rule)) return `this comment ignores "${rule}", which is no rule`;
  if (reason === '') return `this comment ignores "${rule}" without a reason`;
  return undefined;
}

function helpFor(words: string, rule: string, rules: ReadonlySet<string>): string {
  const [first = 'RULE', ...more] = rulesIn(words, rules);
  const written = `write: ${form(first)}${more.length > 0 ? ', and the other rules under ignores in the configuration' : ''}`;
  return rule === '' || rules.has(rule) ? written : nearMiss(rule, rules, written);
}

function form(rule: string): string {
  return `# customizer-lint ignore ${rule} -- the reason`;
}

/** The rules that the words name. */
function rulesIn(words: string, rules: ReadonlySet<string>): string[] {
  return (words.slice(0, 500).match(/[a-z][a-z-]*[a-z]/g) ?? []).filter((word) => rules.has(word));
}

const name = /^#[#\s@!]{0,20}customi[sz]er[-_ ]?lint(?:er)?(?![\w/])/i;
const order = /^([\s:=_.(-]{1,5})(?:ignore|disable)(?:[-_ ]?(?:next[-_ ]?line|line|file|rule|start|end))?(?!\w)/i;
/** Words that prose may begin with as well. */
const weakOrder = /^[\s:=_.(-]{1,5}(?:ignor|disabl|suppress|skip|allow|silenc|nolint|noqa|off\b)/i;

/**
 * A comment that begins with the name of the linter and goes on with an order to ignore, in a form that the linter does not read. After a weak
 * word it has to name a rule.
 */
function nearForm(comment: string, rules: ReadonlySet<string>): IgnoreComment | undefined {
  const behind = comment.slice(name.exec(comment)?.[0].length ?? comment.length);
  const [rule = 'RULE'] = rulesIn(behind, rules);
  if (!isOrder(behind) && (rule === 'RULE' || !weakOrder.test(behind))) return undefined;
  return {
    message: 'this comment hides nothing, as it is not written as an ignore comment',
    help: `write: ${form(rule)}`,
  };
}

/** "Customizer-lint ignore comments are listed here" is prose: a blank before the verb, and two more words behind it. */
function isOrder(behind: string): boolean {
  const [all, between = ''] = order.exec(behind) ?? [];
  if (all === undefined) return false;
  return between.trim() !== '' || !/^\s+[a-z]+\s+[a-z]+\s/i.test(behind.slice(all.length));
}

/**
 * Words for a last day that are not `(until 2026-12-31)` at the end of the comment. Brackets that begin with `until` are always meant so;
 * elsewhere a date has to follow, as "until the next release" is prose.
 */
function malformedExpiry(reason: string): string | undefined {
  const text = reason.replace(/[\u2010-\u2015\u2212]/g, '-');
  for (const match of text.matchAll(
    /([([{（]\s{0,9})?\b(until|till?|u[ntil]{2,6}(?=\s\d)|expir(?:es|y|ing|ation)|ends|by|to|before|through)\b/gi,
  )) {
    const [found, bracket, word = ''] = match;
    const behind = text.slice(match.index + found.length, match.index + found.length + 60);
    const end = bracket === undefined ? undefined : /[)\]}）]/.exec(behind)?.index;
    const length = dateLength(behind);
    const isLast = text.length - match.index - found.length - length < 3;
    const isUntil = /^(?:until|till?)$/i.test(word);
    const isMeant =
      bracket !== undefined ? /^until$/i.test(word) || length > 0 : isUntil || (isLast && /^expir/i.test(word));
    if (isMeant && (bracket !== undefined || length > 0))
      return `${found}${behind.slice(0, end === undefined ? length || behind.length : end + 1)}`.trim();
  }
  return undefined;
}

const number =
  /^(?:20\d\d|20\d{6}|\d{4}[-./]w?\d{1,2}(?:[-./]\d{1,2})?(?:t[\d:.+z-]{1,20})?|\d{1,2}[-./]\d{1,2}[-./]\d{4}|\d{2}[-./]\d{2}[-./]\d{2}|\d{1,2}\/\d{1,2}(?:\/\d{2})?)$/;
const wordOfDate =
  /^(?:on|the|end|of|mid|early|late|q[1-4]|\d{1,2}(?:st|nd|rd|th)?|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6})$/;

/** Length of the date with which a text begins; 0 if it begins with none. */
function dateLength(text: string): number {
  for (const match of text.toLowerCase().matchAll(/[\w./:+-]+/g)) {
    const word = match[0].replace(/^[.:]|[.:]$/g, '');
    if (number.test(word)) return match.index + match[0].length;
    if (word !== '' && !wordOfDate.test(word)) return 0;
  }
  return 0;
}
