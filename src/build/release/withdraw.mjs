/** How a release that turned out bad is withdrawn: nothing is deleted, but nobody gets it who does not ask for it by name. */

/**
 * The commands, with what each is for.
 *
 * @param {{ version: string, versions: string[], names: string[], repository: string }} of `versions` are all releases, newest first;
 *   `names` the packages of one, customizer-lint first; `repository` as `owner/name`
 * @returns {string} a script for a shell
 */
export function withdrawal({ version, versions, names, repository }) {
  const [major] = version.split('.');
  const ofMajor = versions.filter((one) => one.split('.')[0] === major);
  const before = ofMajor[ofMajor.indexOf(version) + 1];
  const isNewest = ofMajor[0] === version;
  const [name] = names;
  const instead = isNewest ? before : ofMajor[0];
  const why = instead ? `withdrawn, use ${instead}` : 'withdrawn';
  return [
    ...(isNewest && before ? back({ major, before, name, repository }) : left({ major, version, isNewest })),
    '# Whoever installs it is warned.',
    ...names.map((one) => `npm deprecate ${one}@${version} "${why}"`),
    '',
    '# Whoever looks at it sees it.',
    `gh release edit v${version} --repo ${repository} --title "v${version} (withdrawn)"`,
    '',
    '# Where it is a matter of security: a draft of an advisory, to be completed and published there.',
    `gh api --method POST repos/${repository}/security-advisories \\`,
    `  -f summary="customizer-lint ${version} is withdrawn" -f description="Why, and who is affected" -f severity=high \\`,
    `  -f 'vulnerabilities[][package][ecosystem]=npm' -f 'vulnerabilities[][package][name]=${name}' \\`,
    `  -f 'vulnerabilities[][vulnerable_version_range]== ${version}'`,
    '',
  ].join('\n');
}

function back({ major, before, name, repository }) {
  return [
    `# Workflows with @v${major} run v${before} from now on; v${major} is the one tag that moves.`,
    `git fetch origin tag v${before}`,
    `git push --force origin "v${before}^{commit}:refs/tags/v${major}"`,
    '',
    '# npm and GitHub name that one as the latest.',
    `npm dist-tag add ${name}@${before} latest`,
    `gh release edit v${before} --repo ${repository} --latest`,
    '',
  ];
}

function left({ major, version, isNewest }) {
  return isNewest
    ? [`# There is no release before ${version} that v${major} could lead to: release a correction first.`, '']
    : [`# v${major} stays where it is, as a newer release than ${version} is there.`, ''];
}
