/** The contract data that a repository brings along (`cozystack.data`), as of the revision whose configuration counts. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Tree } from '../core/model.js';
import { trimEnd } from '../core/text.js';
import { requirePath } from '../tree/names.js';
import type { Config } from './config.js';

/** A directory on disk with the files that the tree has there; `close` removes it. */
export type OwnData = { directory: string; close(): void };

/** Undefined where the configuration names none. The loader reads files, and those on disk may be the change's. */
export function ownDataOf({ cozystack: { data } }: Config, tree: Tree): OwnData | undefined {
  if (data === undefined) return undefined;
  const folder = trimEnd(data.replace(/^\.\//, ''), '/');
  const directory = mkdtempSync(join(tmpdir(), 'customizer-lint-data-'));
  for (const file of tree.files) {
    const content = file.startsWith(`${folder}/`) ? tree.bytes(file) : undefined;
    if (!content) continue;
    const path = file.slice(folder.length + 1);
    // A tree has no such names; whatever made this one, nothing is written elsewhere.
    requirePath(path, tree.description);
    const target = join(directory, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, content);
  }
  return { directory, close: () => rmSync(directory, { recursive: true, force: true }) };
}
