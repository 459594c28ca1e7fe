/** The workflows that the README and docs/ tell readers to copy. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './cli.js';

/** By page and file name, as a reader copies them: those of one page go together. */
export const documented: { [page: string]: { [name: string]: string } } = Object.fromEntries(
  ['README.md', ...pagesOf('docs')]
    .map((page) => [page, workflowsOf(readFileSync(join(root, page), 'utf8'))] as const)
    .filter(([, files]) => Object.keys(files).length > 0),
);

function pagesOf(folder: string): string[] {
  const names = readdirSync(join(root, folder)).filter((name) => name.endsWith('.md'));
  return names.map((name) => `${folder}/${name}`);
}

function workflowsOf(text: string): { [name: string]: string } {
  const blocks = [...text.matchAll(/```yaml\n(# \.github\/workflows\/([\w-]+\.yaml)\n[\s\S]*?)```/g)];
  return Object.fromEntries(blocks.map(([, content = '', name = '']) => [name, content]));
}
