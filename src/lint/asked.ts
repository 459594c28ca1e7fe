/** The stages that run where somebody asks for them, and what they need, so that they are not loaded where nobody does. */
export { runCharts } from '../charts/stage.js';
export { openCharts } from '../charts/store.js';
export { dryRun } from '../dry-run/dry-run.js';
export { runSimulation } from '../simulate/stage.js';
