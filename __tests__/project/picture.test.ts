/** The README's pictures of a review comment show what the product posts: each carries the hash of the page it was drawn from. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { postedComment } from '../../src/build/picture/comment.mjs';
import { hashOf, pageOf, pictures } from '../../src/build/picture/page.mjs';
import { readPng } from '../../src/build/picture/png.mjs';
import { root } from '../support/cli.js';

const comment = await postedComment();
const readme = readFileSync(join(root, 'README.md'), 'utf8');

/** The words of the comment, as somebody reads them: from the page, without its marks. */
const words = (theme: string) =>
  (/<div class="body">([\s\S]*?)<div class="suggestion">/.exec(pageOf(comment, theme))?.[1] ?? '')
    .replace(/<p class="markdown-alert-title">.*?<\/p>/, '')
    .split('</p>')
    .map((paragraph) => paragraph.replace(/<[^>]*>/g, '').trim())
    .filter(Boolean);

test('the comment is that of the committed action, to the byte', () => {
  const { file, line, body } = comment;
  const review = readFileSync(join(root, '__tests__/examples/broken.review.md'), 'utf8');
  expect(review).toContain(`# ${file}:${line}\n\n${body}\n`);
});

test.each(pictures)('$file is drawn from the comment as it is now', ({ theme, file, key }) => {
  const bytes = readFileSync(join(root, file));
  const { width, height, texts } = readPng(bytes);
  const hash = hashOf(pageOf(comment, theme));
  expect(texts[key] === hash ? 'up to date' : `${file} shows another comment or page: npm run picture`).toBe(
    'up to date',
  );
  expect({ width, isWhole: height > 600, isSmall: bytes.length <= 150 * 1024 }).toEqual({
    width: 1600,
    isWhole: true,
    isSmall: true,
  });
});

test('a page has no address, no path of this machine, and nothing from elsewhere', () => {
  for (const { theme } of pictures) {
    const page = pageOf(comment, theme);
    expect(page).not.toMatch(/https?:|url\(|src=|href=|<script|<!--/);
    expect(page).not.toContain(root);
  }
});

test('who cannot see the picture is told the words of the comment', () => {
  const alt = /<img [^>]*\balt="([^"]*)"/.exec(readme)?.[1] ?? '';
  for (const sentence of words('light')) expect(alt).toContain(sentence);
  expect(words('light')).toHaveLength(4);
});

test('the README shows each picture to those who read in its colours', () => {
  const [light, dark] = pictures.map(({ file }) => file);
  expect(readme).toContain(`<source media="(prefers-color-scheme: dark)" srcset="${dark}">\n  <img src="${light}"`);
});
