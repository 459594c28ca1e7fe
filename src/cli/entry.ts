#!/usr/bin/env node
// What Node runs first, unchecked: no more than this, and nothing that only a module may have, so that whatever Node does not load is said.
import('./loader.js').catch(({ message }: Error) => {
  const way = 'install customizer-lint again, or in a clone run "git checkout -- dist" or "npm run build"';
  process.stderr.write(`customizer-lint: dist/cli/loader.js cannot be loaded (${message}); ${way}\n`);
  process.exitCode = 2;
});
