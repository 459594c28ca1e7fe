/** Untrusted text, made harmless for the place it is printed to. Nothing else in this folder escapes anything. */

/**
 * Characters that a reader does not see, or that change what stands around them: controls, line separators, bidi and
 * zero-width marks, lone surrogates, private use. Joiners and variation selectors are left in an emoji, where they
 * belong.
 */
const unseen =
  /[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}]|(?![\u200d\ufe0e\ufe0f])[\p{Cf}\p{DI}]|(?<!\p{Extended_Pictographic}\ufe0f?)[\u200d\ufe0e\ufe0f]/gu;

/** The runner takes `##[command]` anywhere in a line (actions/runner, ActionCommand.TryParse). */
const legacyCommand = /(?<=##)\[/g;

/** Every spot of a text that must be shown differently, in order; `at` counts UTF-16 units. */
export function unsafeSpots(text: string): { at: number; shown: string }[] {
  const spots = [...text.matchAll(unseen)].map(({ 0: char, index }) => ({
    at: index,
    shown: escapeSequence(char),
  }));
  const brackets = [...text.matchAll(legacyCommand)].map(({ index }) => ({ at: index, shown: '\\[' }));
  return [...spots, ...brackets].sort((a, b) => a.at - b.at);
}

const shortEscapes: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escapeSequence(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (shortEscapes[char]) return shortEscapes[char];
  if (code <= 0xff) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${code.toString(16).padStart(4, '0')}` : `\\u{${code.toString(16)}}`;
}

/** One line of plain text in which every character is seen. */
function visible(text: string): string {
  return text.replace(unseen, escapeSequence);
}

/**
 * Text that may go to a terminal or to a runner's log: one line, every character seen, and no workflow command. The
 * runner compares as a culture does, without zero-width characters, so only a visible backslash breaks a command.
 */
export function printable(text: string): string {
  return visible(text)
    .replace(legacyCommand, '\\[')
    .replace(/^(\s*):(?=:)/u, '$1:\\');
}

/** The message of a workflow command (actions/toolkit, `escapeData`). */
export function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** A property of a workflow command (actions/toolkit, `escapeProperty`). */
export function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** JSON that may go to a runner's log: the same value, with all that is not seen, and `##[`, written as escapes. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value, null, 2);
  const escaped = text.replace(unseen, (char) => (char === '\n' ? char : jsonEscape(char)));
  return `${escaped.replaceAll('##[', '#\\u0023[')}\n`;
}

function jsonEscape(char: string): string {
  return char.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A code span holds anything: nothing in it is a mention, a link or HTML. No backtick in it ends it. */
export function codeSpan(text: string): string {
  const inner = shorten(visible(text), markdownLimit).replace(legacyCommand, '\\[') || ' ';
  const ticks = '`'.repeat(longestRun(inner) + 1);
  const spaced = /^\s/.test(inner) && /\s$/.test(inner) && inner.trim() !== '';
  const pad = spaced || inner.startsWith('`') || inner.endsWith('`') ? ' ' : '';
  return `${ticks}${pad}${inner}${pad}${ticks}`;
}

/** The same as HTML, for a line of it that Markdown does not read. */
export function codeElement(text: string): string {
  const inner = shorten(visible(text), markdownLimit).replace(legacyCommand, '\\[');
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
  return `<code>${inner.replace(/[&<>]/g, (char) => entities[char] ?? char)}</code>`;
}

/** A fenced block; the lines must have been made visible. */
export function fence(lines: string[], language = 'text'): string {
  const ticks = '`'.repeat(Math.max(3, longestRun(lines.join('\n')) + 1));
  return [`${ticks}${language}`, ...lines, ticks].join('\n');
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
}

/**
 * What GitHub turns into mentions, references, links, pictures or mathematics. It does so after Markdown has been read, when a
 * backslash or an entity no longer helps, but never inside code.
 */
const live = /@|#\d|:\/\/|\bwww\.|\bGH-\d|\b[\da-f]{7,}\b|:[\w+-]+:|\$/iu;
const markdownLimit = 1000;

/** Prose in Markdown, on one line; quoted names, and words that would come to mean something, become code. */
export function markdownText(text: string): string {
  const prose = shorten(visible(text).trim(), markdownLimit) || '""';
  let out = '';
  let wasCode = false;
  for (const [part, name] of prose.matchAll(/"([^"]*)"|[^\s"]+|["\s]/gu)) {
    const isCode = name !== undefined || live.test(part);
    // Without a space the backticks of two spans would be counted as one run.
    out += `${isCode && wasCode ? ' ' : ''}${isCode ? codeSpan(name ?? part) : escapeMarkdown(part)}`;
    wasCode = isCode;
  }
  return out.replace(/^(\d*)(?=[-+=#.):])/, '$1\\');
}

/** As little as will do: people read it in mails as it is written. What counts at the begin of a line alone is left to `markdownText`. */
function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]<>&~|]/g, '\\$&');
}

/** Cuts a text to `limit` UTF-16 units, never through a character. */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${text.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
