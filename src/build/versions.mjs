// Writes the version of package.json into what readers copy: docs/gitlab.md, the component of GitLab, the container. `--check` only compares.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

for (const name of ['docs/gitlab.md', 'templates/customizer-lint.yml', 'src/build/container/Dockerfile']) {
  const file = join(root, name);
  const text = readFileSync(file, 'utf8');
  const now = text.replace(/(customizer-lint@v?|rev: v|VERSION=|default: )\d+\.\d+\.\d+/g, `$1${version}`);
  if (!process.argv.includes('--check')) writeFileSync(file, now);
  else if (now !== text) {
    console.error(`${name} names another version than package.json: npm run build:rules`);
    process.exitCode = 1;
  }
}
