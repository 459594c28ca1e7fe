/** What `CHANGELOG.md` says of a version. */

/** A section: `## 1.2.3`, or `## Unreleased`; a date may stand behind it. */
const heading = /^## (\S+)/;

/** @param {string} changelog @returns {string[]} versions that have a section, newest first */
export function versionsIn(changelog) {
  return changelog
    .split('\n')
    .flatMap((line) => heading.exec(line)?.[1] ?? [])
    .filter((name) => name !== 'Unreleased');
}

/**
 * The section without its heading, its links to files of the repository led to those of the tag. Undefined where there is none.
 *
 * @param {string} changelog
 * @param {string} name of the section
 * @param {string} files where the files of the tag are shown, `https://github.com/…/blob/v1.2.3`
 */
export function notesOf(changelog, name, files) {
  const lines = changelog.split('\n');
  const start = lines.findIndex((line) => heading.exec(line)?.[1] === name);
  if (start < 0) return undefined;
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => heading.test(line));
  const body = (end < 0 ? rest : rest.slice(0, end)).join('\n').trim();
  const absolute = body.replace(/\]\((?!https?:|#)([^)\s]+)\)/g, `](${files}/$1)`);
  return `${absolute}\n\nHow to verify this release: [docs/releases.md](${files}/docs/releases.md).\n`;
}
