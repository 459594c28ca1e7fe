/** What `dist/` has of JavaScript: from which source, and where it goes. What runs before anything is checked is not minified. */
export const loaders = [
  { source: 'src/cli/entry.ts', folder: 'cli', name: 'index.js' },
  { source: 'src/cli/loader.ts', folder: 'cli', name: 'loader.js' },
];
export const bundles = [
  { source: 'src/cli/cli.ts', folder: 'cli', name: 'command.js' },
  { source: 'src/action/main.ts', folder: 'action', name: 'index.js' },
  { source: 'src/dry-run/kubeconfig.ts', folder: 'cluster', name: 'index.js' },
  { source: 'src/engine/host/worker.ts', folder: 'engine', name: 'worker.js' },
];
