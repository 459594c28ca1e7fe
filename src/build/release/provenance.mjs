/**
 * What a release was made from, as a statement of in-toto with a predicate of SLSA (https://slsa.dev/spec/v1.0/provenance). It is not
 * signed: what GitHub and npm attest of a release is made by its workflow, which alone can prove who it is.
 */

/**
 * @param {{ subjects: { name: string, sha256: string }[], repository: string, commit: string, version: string, systems: string[],
 *   tools: Record<string, string>, lock: string }} made `lock` is the SHA-256 of package-lock.json
 */
export function provenanceOf({ subjects, repository, commit, version, systems, tools, lock }) {
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: subjects.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: `${repository}/blob/main/docs/releases.md#what-a-release-is`,
        externalParameters: { repository, version, systems },
        internalParameters: { tools },
        resolvedDependencies: [
          { uri: `git+${repository}.git`, digest: { gitCommit: commit } },
          { name: 'package-lock.json', digest: { sha256: lock } },
        ],
      },
      runDetails: { builder: { id: `${repository}/blob/main/src/build/release.mjs` } },
    },
  };
  return `${JSON.stringify(statement, undefined, 2)}\n`;
}
