/** What `.helmignore` keeps out of a chart that source-controller packs (helm.sh/helm/v4 v4.1.1, `pkg/ignore/rules.go`). */

/** Of files by their paths in the chart; undefined where it has rules other than names with one `*`: what those mean is not judged. */
export function helmIgnored(text: string): ((path: string) => boolean) | undefined {
  const lines = text.replace(/^\ufeff/, '').split('\n');
  const rules = lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'));
  if (rules.length > maxRules || rules.some((rule) => !isSimple(rule))) return undefined;
  const matchers = rules.map(matcherOf);
  return (path) => {
    // Helm's only default.
    if (/^templates\/\.[^/]/.test(path)) return true;
    const parts = path.split('/');
    return parts.some((_, index) => {
      const isFile = index === parts.length - 1;
      return matchers.some((matches) => matches(parts.slice(0, index + 1).join('/'), parts[index] as string, isFile));
    });
  };
}

/** More than anybody writes. */
const maxRules = 200;

function isSimple(rule: string): boolean {
  return !/[?[\]\\!]/.test(rule) && rule.split('*').length <= 2;
}

/** A directory that matches goes with all that is in it. */
function matcherOf(rule: string): (path: string, name: string, isFile: boolean) => boolean {
  const onlyFolders = rule.endsWith('/');
  const bare = onlyFolders ? rule.slice(0, -1) : rule;
  const wanted = bare.replace(/^\//, '');
  const byPath = bare.includes('/');
  const [start = '', end] = wanted.split('*');
  return (path, name, isFile) => {
    if (onlyFolders && isFile) return false;
    const text = byPath ? path : name;
    if (end === undefined) return text === wanted;
    const between = text.length - start.length - end.length;
    if (between < 0 || !text.startsWith(start) || !text.endsWith(end)) return false;
    return !text.slice(start.length, start.length + between).includes('/');
  };
}
