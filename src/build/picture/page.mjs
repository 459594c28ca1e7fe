/** A page that shows a comment as GitHub does under "Files changed", in either of its colours. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { escaped, htmlOf } from './markdown.mjs';

const style = readFileSync(new URL('page.css', import.meta.url), 'utf8');

/** `key`: under which a picture carries the hash of the page that it was drawn from. */
export const pictures = ['light', 'dark'].map((theme) => ({
  theme,
  file: `docs/images/review-comment-${theme}.png`,
  key: 'customizer-lint-html',
}));

/** @param {string} page */
export function hashOf(page) {
  return createHash('sha256').update(page).digest('hex');
}

/** @param {Awaited<ReturnType<typeof import('./comment.mjs').postedComment>>} comment */
export function pageOf({ file, line, body, hunk }, theme) {
  const rows = rowsOf(hunk);
  const index = rows.findIndex(({ right }) => right === line);
  const [above, below] = [rows.slice(0, index + 1), rows.slice(index + 1)].map((part) => part.map(row).join('\n'));
  const count = rows.filter(({ sign }) => sign === '+').length;
  return `<!doctype html>
<html lang="en" class="${theme}">
<meta charset="utf-8">
<title>A review comment</title>
<style>
${style}</style>
<div class="file">
<header>${chevron}<b>${escaped(file)}</b><span class="stat">+${count}</span><i class="added"></i>${'<i></i>'.repeat(4)}</header>
<table>
<tr class="hunk"><td></td><td></td><td>${escaped(hunk.head)}</td></tr>
${above}
<tr class="thread"><td colspan="3"><article>
<div class="author"><span class="avatar">${mark}</span><strong>github-actions</strong><span class="label">bot</span></div>
<div class="body">
${bodyOf(body, rows[index]?.text ?? '', line)}</div>
<footer><span class="reply">Reply…</span></footer>
</article></td></tr>
${below}
</table>
</div>
</html>
`;
}

/** Without what nobody sees in a picture: the marker, and where links lead, which differs from version to version. */
function bodyOf(markdown, text, line) {
  const suggestion = (code) => {
    const taken = row({ sign: '-', left: line, text });
    const put = code === '' ? [] : code.split('\n').map((one, at) => row({ sign: '+', right: line + at, text: one }));
    return `<div class="suggestion"><p>Suggested change</p><table>\n${[taken, ...put].join('\n')}\n</table><p><span class="button">Commit suggestion</span></p></div>\n`;
  };
  return htmlOf(markdown, { breaks: true, suggestion }).replace(/(<a) href="[^"]*"/g, '$1');
}

function rowsOf({ oldStart, newStart, lines }) {
  const next = { left: oldStart, right: newStart };
  return lines.map((line) => {
    const sign = line.charAt(0);
    const left = sign === '+' ? undefined : next.left++;
    const right = sign === '-' ? undefined : next.right++;
    return { sign, left, right, text: line.slice(1) };
  });
}

function row({ sign, left = '', right = '', text }) {
  const kind = { '+': ' class="added"', '-': ' class="removed"' }[sign] ?? '';
  return `<tr${kind}><td>${left}</td><td>${right}</td><td><pre><s>${sign}</s>${coloured(text)}</pre></td></tr>`;
}

/** A key and a value of YAML. */
function coloured(text) {
  const [, indent, key, value] = /^( *)([^ :]+):(.*)$/.exec(text) ?? [];
  if (key === undefined) return escaped(text);
  const kind = /^ (?:true|false|\d+)$/.test(value) ? 'constant' : 'string';
  return `${indent}<span class="key">${escaped(key)}</span>:${value && `<span class="${kind}">${escaped(value)}</span>`}`;
}

const chevron = '<svg viewBox="0 0 16 16" width="16"><path d="M3.5 5.75 8 10.25l4.5-4.5"/></svg>';
const mark = '<svg viewBox="0 0 16 16" width="16"><path d="m3.5 8.5 3 3 6-7"/></svg>';
