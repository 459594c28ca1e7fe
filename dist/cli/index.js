#!/usr/bin/env node

// src/cli/entry.ts
import("./loader.js").catch(({ message }) => {
  const way = 'install customizer-lint again, or in a clone run "git checkout -- dist" or "npm run build"';
  process.stderr.write(`customizer-lint: dist/cli/loader.js cannot be loaded (${message}); ${way}
`);
  process.exitCode = 2;
});
