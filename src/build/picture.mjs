/**
 * `npm run picture`: draws the README's pictures of a review comment, `docs/images/review-comment-*.png`, with Chromium (`CHROMIUM`, by
 * default `chromium`; Debian's packages chromium, fonts-noto-core and fonts-liberation). Each carries the hash of the page that it
 * was drawn from, by which `__tests__/project/picture.test.ts` knows that it is up to date, without a browser.
 *
 * `npm run picture -- --gallery FOLDER` draws all reviews and summaries of `__tests__/examples` instead, to be looked at.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { postedComment } from './picture/comment.mjs';
import { galleryPages } from './picture/gallery.mjs';
import { hashOf, pageOf, pictures } from './picture/page.mjs';
import { reduced } from './picture/png.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'picture-'));
const gallery = argv[2] === '--gallery' ? argv[3] : undefined;
if (gallery) for (const { name, page } of galleryPages()) draw(resolve(gallery, `${name}.png`), page, {}, 6000);
else await drawReadme();
rmSync(folder, { recursive: true });

async function drawReadme() {
  const comment = await postedComment();
  for (const { theme, file, key } of pictures) {
    const page = pageOf(comment, theme);
    draw(join(root, file), page, { [key]: hashOf(page) }, 1000);
  }
}

function draw(file, page, texts, height) {
  const picture = reduced(shotOf(page, height), texts);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, picture);
  console.log(`${relative(root, file)}: ${picture.length} bytes`);
}

/** Taller than the page: what is empty below is cut off. */
function shotOf(page, height) {
  const [html, png] = ['page.html', 'page.png'].map((name) => join(folder, name));
  writeFileSync(html, page);
  // Chromium refuses to start as root with its sandbox; the page is our own, and runs nothing.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const how = [...sandbox, '--headless', '--disable-gpu', '--hide-scrollbars', `--user-data-dir=${folder}/profile`];
  const size = [`--window-size=800,${height}`, '--force-device-scale-factor=2', `--screenshot=${png}`];
  execFileSync(process.env.CHROMIUM ?? 'chromium', [...how, ...size, `file://${html}`], { stdio: 'pipe' });
  return readFileSync(png);
}
