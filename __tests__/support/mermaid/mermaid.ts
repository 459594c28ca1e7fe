/** What Mermaid's own parser takes a diagram for: `flowchart-v2`, or `refused: …`. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../cli.js';

const folder = join(root, '__tests__', 'support', 'mermaid');

/** Why it is not asked, where that is so: for a test that is skipped, so that it is counted. */
export const missing = existsSync(join(folder, 'node_modules'))
  ? undefined
  : 'Mermaid is not here: npm ci --prefix __tests__/support/mermaid, or npm test -- --samples=5, fetches it';

export function readMermaid(text: string): string {
  const options = { input: text, encoding: 'utf8', timeout: 60_000 } as const;
  return spawnSync(process.execPath, [join(folder, 'parse.mjs')], options).stdout.trim();
}
