/**
 * `npm run picture`: draws the README's pictures of a review comment, `docs/images/review-comment-*.png`, with Chromium (`CHROMIUM`, by
 * default `chromium`; Debian's packages chromium, fonts-noto-core and fonts-liberation). Each carries the hash of the page that it
 * was drawn from, by which `__tests__/project/picture.test.ts` knows that it is up to date, without a browser.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { postedComment } from './picture/comment.mjs';
import { hashOf, pageOf, pictures } from './picture/page.mjs';
import { reduced } from './picture/png.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'picture-'));
const comment = await postedComment();
for (const { theme, file, key } of pictures) {
  const page = pageOf(comment, theme);
  const picture = reduced(shotOf(page), { [key]: hashOf(page) });
  mkdirSync(join(root, file, '..'), { recursive: true });
  writeFileSync(join(root, file), picture);
  console.log(`${file}: ${picture.length} bytes`);
}
rmSync(folder, { recursive: true });

/** Taller than the page: what is empty below is cut off. */
function shotOf(page) {
  const [html, png] = ['page.html', 'page.png'].map((name) => join(folder, name));
  writeFileSync(html, page);
  // Chromium refuses to start as root with its sandbox; the page is our own, and runs nothing.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const how = [...sandbox, '--headless', '--disable-gpu', '--hide-scrollbars', `--user-data-dir=${folder}/profile`];
  const size = ['--window-size=800,1000', '--force-device-scale-factor=2', `--screenshot=${png}`];
  execFileSync(process.env.CHROMIUM ?? 'chromium', [...how, ...size, `file://${html}`], { stdio: 'pipe' });
  return readFileSync(png);
}
