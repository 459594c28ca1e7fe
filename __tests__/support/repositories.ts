/** The repositories that tests are made of. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './cli.js';

/** The paths of rules/ID/CASE, clean/CASE and examples/CASE; also of the reports beside them, which are no folders. */
export function repositoriesOfTests(): string[] {
  const below = (folder: string) =>
    readdirSync(join(root, '__tests__', folder)).map((name) => join(root, '__tests__', folder, name));
  const cases = readdirSync(join(root, '__tests__/rules')).flatMap((id) => below(`rules/${id}`));
  return [...cases, ...below('clean'), ...below('examples')];
}
