/** The formats of a report, as `--format` and the action's inputs name them (index.ts has a reporter for each). */
export const formats = ['text', 'concise', 'json', 'sarif', 'github', 'markdown', 'gitlab', 'junit'] as const;
export type Format = (typeof formats)[number];
