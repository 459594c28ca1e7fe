/**
 * Pages of what a reviewer sees: the reviews and the summaries of `__tests__/examples`, in GitHub's own stylesheet (the package
 * github-markdown-css takes it from there).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { escaped, htmlOf } from './markdown.mjs';

const examples = fileURLToPath(new URL('../../../__tests__/examples', import.meta.url));
const { resolve } = createRequire(import.meta.url);

/** Each with a name for its file. */
export function galleryPages() {
  const files = readdirSync(examples).filter((name) => /\.(?:review|summary)\.md$/.test(name));
  return files.flatMap((file) =>
    ['light', 'dark'].map((theme) => {
      const text = readFileSync(join(examples, file), 'utf8');
      const body = file.endsWith('.review.md') ? reviewOf(text) : articleOf(text, { breaks: false });
      return { name: `${file.slice(0, -'.md'.length)}.${theme}`, page: pageOf(body, theme) };
    }),
  );
}

/** The review's own words, then each comment below the place where it stands. */
function reviewOf(text) {
  const [words = '', ...comments] = text.split(/^# (?=[^\n]+\n\n)/m);
  const suggestion = (code) => `<p>Suggested change</p><pre><code>${escaped(code)}</code></pre>`;
  const parts = comments.map((comment) => {
    const [place = '', ...lines] = comment.split('\n');
    return `<h6>${escaped(place)}</h6>${articleOf(lines.join('\n'), { breaks: true, suggestion })}`;
  });
  return [articleOf(words, { breaks: true }), ...parts].join('\n');
}

function articleOf(markdown, how) {
  return `<article class="markdown-body">${htmlOf(markdown, how)}</article>`;
}

function pageOf(body, theme) {
  const style = readFileSync(resolve(`github-markdown-css/github-markdown-${theme}.css`), 'utf8');
  const [back, line, front] = theme === 'dark' ? ['#0d1117', '#3d444d', '#9198a1'] : ['#fff', '#d1d9e0', '#59636e'];
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${theme}</title>
<style>
${style}
body { margin: 24px; background: ${back}; }
h6 { margin: 24px 0 6px; font: 12px ui-monospace, "Liberation Mono", monospace; color: ${front}; }
article { max-width: 760px; padding: 14px 16px; border: 1px solid ${line}; border-radius: 6px; }
</style>
${body}
</html>
`;
}
