/** What `dist/` has of JavaScript: from which source, and where it goes. What runs before anything is checked is not minified. */
export const loaders = [
  { source: 'src/cli/entry.ts', folder: 'cli', name: 'index.js' },
  { source: 'src/cli/loader.ts', folder: 'cli', name: 'loader.js' },
];
/** The engine's thread, as a script: a thread of Node has one 10 ms earlier than a module. */
export const thread = { source: 'src/engine/host/worker.ts', folder: 'engine', name: 'worker.js', format: 'cjs' };
/**
 * The command, in modules without functions around them, which Node would read twice, and with what few need in modules of their own: a
 * third of the time that a short check takes goes into loading it.
 */
export const command = { source: 'src/cli/cli.ts', folder: 'cli', name: 'command.js' };
export const bundles = [
  { source: 'src/action/main.ts', folder: 'action', name: 'index.js' },
  { source: 'src/dry-run/kubeconfig.ts', folder: 'cluster', name: 'index.js' },
];
