#!/usr/bin/env node
// `--version` is answered before anything is imported: it is what scripts and people call to see whether the tool is there.
import { readFileSync } from 'node:fs';

if (process.argv[2] === '--version') {
  const manifest = readFileSync(new URL(['..', '..', 'package.json'].join('/'), import.meta.url), 'utf8');
  console.log(/"version": "([^"]+)"/.exec(manifest)?.[1]);
} else {
  const { main } = await import('./commands/main.js');
  process.exitCode = await main(process.argv.slice(2));
}
