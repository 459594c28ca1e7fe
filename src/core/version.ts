import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Tool = { name: string; version: string };

/** Name and version from `package.json`, read rather than bundled: a bundle would change with every script in that file. */
export function readTool(home: string): Tool {
  const { name, version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as Tool;
  return { name, version };
}
