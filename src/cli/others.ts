/** What a plain `check` does without, so that it is not loaded for one. */
export { audit } from './audit.js';
export { charts } from './charts.js';
export { completion } from './completion.js';
export { diff } from './diff.js';
export { explain } from './explain.js';
export { fix } from './fix.js';
export { graph } from './graph.js';
export { inventory } from './inventory.js';
export { render } from './render.js';
export { rules } from './rules.js';
export { snapshot } from './snapshot.js';
export { watch } from './watch.js';
