/** What a maintainer does once before the first release: npm takes a trusted publisher only for a package that is there. */

/**
 * The commands, with what each is for. `npm trust` needs npm 11.15, and an account with two factors.
 *
 * @param {{ names: string[], repository: string, homepage: string, license: string }} of `names` are the packages; `repository` as `owner/name`
 * @returns {string} a script for a shell, to be run in an empty folder
 */
export function preparation({ names, repository, homepage, license }) {
  const empty = (/** @type {string} */ name) =>
    JSON.stringify({ name, version: '0.0.0', description: `Nothing yet: ${homepage}`, license });
  return [
    '# As a maintainer (npm login), in an empty folder: a version of each package with nothing in it.',
    ...names.flatMap((name) => [
      `mkdir ${name}`,
      `printf '%s\\n' '${empty(name)}' > ${name}/package.json`,
      `npm publish ./${name} --access public`,
    ]),
    '',
    '# From now on the workflow publishes, in the environment "release", and no token does.',
    ...names.flatMap((name) => [
      `npm trust github ${name} --repository ${repository} --file release.yaml --environment release --allow-publish --yes`,
      `npm access set mfa=publish ${name}`,
    ]),
    '',
    '# Nobody is to install the empty ones.',
    ...names.map((name) => `npm deprecate ${name}@0.0.0 "there is nothing in it"`),
    '',
  ].join('\n');
}
