/** `run` of the product, with the engines of here.ts. */
import { threadsAreReused } from './here.js';

await threadsAreReused;
export const { run } = await import('../../src/run.js');
