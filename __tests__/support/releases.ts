/** The releases of Cozystack that the tests go through: those that there is data for. */
import { join } from 'node:path';
import { lineOf, releases } from '../../src/cozystack/releases.js';
import { root } from './cli.js';

export const schemas = join(root, 'schemas');

/** Oldest first; `next` is the last. */
export const all = releases(schemas);

/** The newest that is out. */
export const newest = all.findLast((name) => lineOf(name) !== undefined) as string;
