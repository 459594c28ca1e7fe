/** What a rule is about, in the order in which rules are listed. */
export const groups = {
  ownership: 'What belongs to the platform, or to another owner',
  permissions: 'What the service account may do',
  pruning: 'What the merge deletes, uninstalls or recreates',
  packages: 'Packages, PackageSources, components and variants',
  values: 'Values of charts',
  schema: 'What the API server refuses or drops',
  flux: 'What Flux ignores, or waits for',
  kustomize: 'What kustomize refuses or ignores',
  secrets: 'Secrets in git',
  configuration: 'The configuration of this linter, and what it could not check',
} as const;

export type Group = keyof typeof groups;
