/** `run` of the product, with the engines of here.ts. */
import './here.js'; // first: it takes the place of the engines

export const { run } = await import('../../src/lint/run.js');
