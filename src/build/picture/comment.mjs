/**
 * The comment of the README's picture, as the product makes it: the example is linted, and a pull request that adds one line to a file
 * of it is reviewed; all of the example is new. In the place of GitHub stands what keeps the one review that is posted.
 */
import { mkdtempSync, readFileSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { structuredPatch } from 'diff';
import { importSource } from '../source.mjs';

const home = fileURLToPath(new URL('../../..', import.meta.url));
const directory = join(home, '__tests__', 'examples', 'broken');
const file = 'packages/metallb.yaml';
const added = '  variant: oidc\n';

/**
 * @returns {Promise<{ file: string, line: number, body: string, hunk: Hunk }>} `line`: of the file, on which the comment stands
 * @typedef {{ head: string, oldStart: number, newStart: number, lines: string[] }} Hunk
 */
export async function postedComment() {
  const [{ run }, { maskedRun }, { review }, { suggestionOf }, { pageUrl }] = await Promise.all(
    ['lint/run', 'report/index', 'review/review', 'fix/suggestion', 'rules/page'].map((module) =>
      importSource(`src/${module}.ts`),
    ),
  );
  const after = readFileSync(join(directory, file), 'utf8');
  const hunk = hunkOf(after.replace(added, ''), after);
  const base = mkdtempSync(join(tmpdir(), 'picture-'));
  const judged = maskedRun(await run({ directory, home, base, paths: [], remotes: [], simulate: {} }));
  rmdirSync(base);
  const pull = { number: 1, head: '0'.repeat(40) };
  const posted = [];
  const github = {
    pull: async () => ({ ...pull, open: true }),
    files: async () => [{ filename: file, status: 'modified', patch: [hunk.head, ...hunk.lines].join('\n') }],
    threads: async () => [],
    createReview: async (_, { comments }) => posted.push(...comments),
  };
  await review(judged, github, {
    instance: '',
    pull,
    limits: { comments: 25, files: 0 },
    url: (rule) => pageUrl(rule, judged.tool),
    suggestion: ({ fix: work }) => {
      const fix = work?.();
      return fix && suggestionOf(fix, judged.sources.text('head', fix.edits[0].at.file));
    },
  });
  const [one, ...others] = posted;
  if (!one || others.length > 0) throw new Error(`${posted.length} comments on ${file}, where one is expected`);
  return { file, line: one.anchor.line, body: one.body, hunk };
}

/** As git prints it, with the nearest line above that begins at the margin. */
function hunkOf(before, after) {
  const { hunks } = structuredPatch(file, file, before, after, '', '', { context: 3 });
  const [{ oldStart, oldLines, newStart, newLines, lines }] = hunks;
  const above = before
    .split('\n')
    .slice(0, oldStart - 1)
    .findLast((line) => /^\w/.test(line));
  const head = `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@${above ? ` ${above}` : ''}`;
  return { head, oldStart, newStart, lines };
}
