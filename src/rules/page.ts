/** Where the page of a rule can be read, in the words of the version that reports it. */
export function pageUrl(rule: string, { version }: { version: string }): string {
  return `https://github.com/cozystack/customizer-lint/blob/v${version}/src/rules/${rule}/README.md`;
}
