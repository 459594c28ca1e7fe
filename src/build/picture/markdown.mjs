/** Markdown as GitHub shows it, as far as comments and summaries need it: alerts, differences in colour, suggestions. */
import { Marked } from 'marked';

const alerts = {
  NOTE: 'Note',
  TIP: 'Tip',
  IMPORTANT: 'Important',
  WARNING: 'Warning',
  CAUTION: 'Caution',
};

/**
 * @param {string} markdown
 * @param {{ breaks: boolean, suggestion?: (code: string) => string }} how `breaks`: as in comments, where the end of a line is one;
 * `suggestion`: the HTML of a suggestion, in the place of its code
 */
export function htmlOf(markdown, { breaks, suggestion }) {
  const marked = new Marked({
    gfm: true,
    breaks,
    renderer: {
      code({ text, lang }) {
        if (lang === 'suggestion' && suggestion) return suggestion(text);
        return lang === 'diff' ? `<pre><code>${text.split('\n').map(coloured).join('\n')}</code></pre>\n` : false;
      },
      blockquote({ tokens }) {
        const html = this.parser.parse(tokens);
        const [start, kind] = /^<p>\[!([A-Z]+)\](?:<br>)?\n?/.exec(html) ?? [];
        if (!alerts[kind]) return false;
        const title = `<p class="markdown-alert-title">${alerts[kind]}</p>`;
        const rest = html.slice(start.length);
        const body = rest.startsWith('</p>') ? rest.slice('</p>'.length) : `<p>${rest}`;
        return `<div class="markdown-alert markdown-alert-${kind.toLowerCase()}">${title}\n${body}</div>\n`;
      },
    },
  });
  return marked.parse(markdown, { async: false }).replace(/<!--[\s\S]*?-->\n?/g, '');
}

/** GitHub goes by the first character of a line alone. */
function coloured(line) {
  const kind = { '+': 'pl-mi1', '-': 'pl-md', '!': 'pl-mc', '@': 'pl-mdr' }[line.charAt(0)];
  return kind ? `<span class="${kind}">${escaped(line)}</span>` : escaped(line);
}

/** @param {string} text */
export function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
